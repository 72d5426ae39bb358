//! The side that runs the rules of the manager: in a process of its own, or, where they are trusted, on a thread.

use std::io::{self, Read, Write};
use std::thread;

use super::JoinNotice;
use super::link::Link;
use super::session::Session;
use super::words::{Speaker, Word};

/// The stack of the thread that runs rules: the interpreter and the analyses recurse.
const STACK_BYTES: usize = 64 << 20;

/// Plays for the process that has started this one, until it ends the input. Nothing is read before this process has given
/// up whatever it can do besides.
pub fn play_apart(limits: &regulus_sandbox::Limits) -> io::Result<()> {
    regulus_sandbox::end_on_panic();
    let confined = regulus_sandbox::confine(limits);
    let speaker = Speaker::new(io::stdout());
    if let Err(incomplete) = confined {
        let notice = JoinNotice::Incomplete(incomplete.to_string());
        let _ = speaker.say(&Word::Notice(notice));
    }
    let worker = spawn(io::stdin(), speaker, || std::process::exit(0))?;
    // A panic there has ended the process.
    worker.join().map_err(|_| io::Error::other("a thread has panicked"))?
}

/// Plays on a thread of this process: for rules that are trusted, since nothing can stop it.
pub(super) fn play_here(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<thread::JoinHandle<io::Result<()>>> {
    spawn(input, Speaker::new(output), || {})
}

fn spawn(
    input: impl Read + Send + 'static,
    speaker: Speaker,
    ended: impl FnOnce() + Send + 'static,
) -> io::Result<thread::JoinHandle<io::Result<()>>> {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let (link, setup) = Link::new(input, speaker, ended)?;
        let games = setup.games;
        let mut session = Session { setup, link, games };
        let played = session.run();
        let ended = Word::Ended(session.games, played);
        // If nobody listens any more, nobody need know.
        let _ = session.link.speaker().say(&ended);
        Ok(())
    })
}
