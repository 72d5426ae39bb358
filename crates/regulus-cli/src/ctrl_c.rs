//! Ctrl-C while a person plays: it hurries a thinking agent, and loses no game by mistake.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;

use crate::failure::Failure;

/// The status of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 128 + SIGINT;

/// What Ctrl-C means at the moment.
#[derive(Clone, Default)]
pub struct CtrlC {
    thinking: Arc<AtomicBool>,
    hurry: Arc<AtomicBool>,
    warned: Arc<AtomicBool>,
}

impl CtrlC {
    /// Listens to Ctrl-C from now on. While an agent thinks it is to move at once; at the prompt the second
    /// one in a row leaves.
    pub fn listen() -> Result<Self, Failure> {
        let ctrl_c = CtrlC::default();
        let mut signals = Signals::new([SIGINT])
            .map_err(|error| Failure::Failed(format!("cannot watch for Ctrl-C: {error}")))?;
        let heard = ctrl_c.clone();
        std::thread::spawn(move || signals.forever().for_each(|_| heard.interrupted()));
        Ok(ctrl_c)
    }

    fn interrupted(&self) {
        if self.thinking.load(SeqCst) {
            self.hurry.store(true, SeqCst);
        } else if self.warned.swap(true, SeqCst) {
            std::process::exit(INTERRUPTED);
        } else {
            // Nothing can be done if the terminal is gone.
            let _ = write!(
                anstream::stderr(),
                "\n`save FILE` keeps the game, Ctrl-C again leaves it.\n> "
            );
        }
    }

    /// An agent begins to think.
    pub fn thinking(&self) {
        self.hurry.store(false, SeqCst);
        self.thinking.store(true, SeqCst);
    }

    /// True if the agent is to move at once.
    pub fn hurries(&self) -> bool {
        self.hurry.load(SeqCst)
    }

    /// A person is asked.
    pub fn asking(&self) {
        self.thinking.store(false, SeqCst);
        self.warned.store(false, SeqCst);
    }
}
