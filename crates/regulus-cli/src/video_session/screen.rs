//! A terminal without lines and echo: keys as they are pressed, pictures in place of one another. Whatever happens,
//! the terminal is left as it was.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::key::{Decoder, Key};
use crate::failure::Failure;

/// How the terminal was before; nothing if it is so now.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Another screen, without a cursor; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// The size of a terminal that does not say it.
const USUAL_SIZE: (usize, usize) = (80, 24);

/// What somebody did.
pub enum Input {
    /// Keys, in order; none if the time is over.
    Keys(Vec<Key>),
    /// Asked to leave, by a signal or by closing the terminal.
    Leave,
}

/// The terminal while a game is played on it.
pub struct Screen {
    decoder: Decoder,
    asked_to_leave: Arc<AtomicBool>,
    colours: bool,
}

impl Screen {
    /// Takes over the terminal.
    pub fn enter() -> Result<Self, Failure> {
        let fault = |error: &dyn std::fmt::Display| {
            Failure::Failed(format!("cannot use the terminal: {error}"))
        };
        let before = tcgetattr(stdin()).map_err(|error| fault(&error))?;
        let asked_to_leave = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&asked_to_leave))
                .map_err(|error| fault(&error))?;
        }
        let mut raw = before.clone();
        // Ctrl-C and Ctrl-Z are keys like others.
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        raw.input_modes -= InputModes::IXON | InputModes::ICRNL;
        restore_on_panic();
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let screen = Screen {
            decoder: Decoder::default(),
            asked_to_leave,
            colours: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        };
        tcsetattr(stdin(), OptionalActions::Flush, &raw).map_err(|error| fault(&error))?;
        let mut out = io::stdout().lock();
        out.write_all(ENTER.as_bytes())?;
        out.flush()?;
        Ok(screen)
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        match tcgetwinsize(stdin()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                (usize::from(size.ws_col), usize::from(size.ws_row))
            }
            _ => USUAL_SIZE,
        }
    }

    /// Shows lines, as many as fit.
    pub fn draw(&self, lines: &[String]) -> io::Result<()> {
        let (_, rows) = self.size();
        let mut frame = String::from("\x1b[H");
        for (index, line) in lines.iter().take(rows).enumerate() {
            if index > 0 {
                frame.push('\n');
            }
            if self.colours {
                frame.push_str(line);
            } else {
                frame.push_str(&anstream::adapter::strip_str(line).to_string());
            }
            frame.push_str("\x1b[K");
        }
        frame.push_str("\x1b[J");
        let mut out = io::stdout().lock();
        out.write_all(frame.as_bytes())?;
        out.flush()
    }

    /// Waits for keys until a time, or for ever.
    pub fn wait(&mut self, until: Option<Instant>) -> io::Result<Input> {
        loop {
            if self.asked_to_leave.load(SeqCst) {
                return Ok(Input::Leave);
            }
            // A signal that arrives just before the wait begins must not be waited out.
            let most = Duration::from_millis(200);
            let left = until.map_or(most, |until| until.saturating_duration_since(Instant::now()));
            let time = Timespec { tv_sec: 0, tv_nsec: i64::from(left.min(most).subsec_nanos()) };
            let stdin = stdin();
            let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
            match poll(&mut ready, Some(&time)) {
                Ok(0) if until.is_some_and(|until| until <= Instant::now()) => {
                    return Ok(Input::Keys(Vec::new()));
                }
                Ok(0) | Err(Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            let mut bytes = [0; 256];
            match rustix::io::read(stdin, &mut bytes) {
                Ok(0) => return Ok(Input::Leave),
                Ok(length) => {
                    let keys = self.decoder.feed(&bytes[..length]);
                    if !keys.is_empty() {
                        return Ok(Input::Keys(keys));
                    }
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                // The terminal is gone.
                Err(Errno::IO) => return Ok(Input::Leave),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, once.
fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(before) = before else { return };
    // Nothing can be done if the terminal is gone.
    let mut out = io::stdout().lock();
    let _ = out.write_all(LEAVE.as_bytes()).and_then(|()| out.flush());
    let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
}

/// The message of a panic is written to the usual screen, where it can be read.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            usual(panic);
        }));
    });
}
