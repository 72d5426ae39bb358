//! The process that runs uploaded rules.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use super::{Message, Setup, Word};
use crate::catalogue::json;
use crate::request::{Request, answer};

/// The stack of the thread that runs rules: the interpreter and the analyses recurse.
const STACK_BYTES: usize = 64 << 20;

/// A part of the memory of the process; tree and statistics of a search must not take more.
const SEARCH_PART: u64 = 4;

/// How much less urgent this process is than others.
#[cfg(unix)]
const NICENESS: i32 = 10;

fn say(word: &Word) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}", json(word)).and_then(|()| out.flush());
    if written.is_err() {
        // Nobody listens any more.
        std::process::exit(0);
    }
}

#[cfg(unix)]
fn be_modest(bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    // Where the system does not do it, time is limited all the same.
    let _ = setrlimit(Resource::As, limit(bytes));
    let _ = setrlimit(Resource::Core, limit(0));
    // Whatever these rules need, others come first.
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(not(unix))]
fn be_modest(_bytes: u64) {}

/// Works for the process that has started this one, until it ends the input.
pub fn work() -> io::Result<()> {
    let mut first = String::new();
    io::stdin().lock().read_line(&mut first)?;
    let setup: Setup = serde_json::from_str(&first)?;
    be_modest(setup.limits.process_memory);
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(setup))?;
    // Whatever has gone wrong there, this process ends, and its parent sees that.
    worker.join().map_err(|_| io::Error::other("the rules were too much"))?
}

fn run(setup: Setup) -> io::Result<()> {
    let Setup { limits, task } = setup;
    if let Some(checked) = task.check(&limits) {
        say(&match checked {
            Ok(text) => Word::Checked(text.to_string()),
            Err(refusal) => Word::Refused(refusal),
        });
        return Ok(());
    }
    let memory = limits.search_memory.min((limits.process_memory / SEARCH_PART) as usize);
    let limits = Arc::new(limits);
    // The input is read from the beginning, so that the process ends with its parent whatever it does.
    let messages = listen()?;
    let mut played = match task.begin(&limits) {
        Ok(played) => played,
        Err(refusal) => {
            say(&Word::Refused(refusal));
            return Ok(());
        }
    };
    say(&Word::Reply(answer(&mut played, Request::View { scene: true })));
    let played = Arc::new(Mutex::new(played));
    for (message, stop) in messages {
        let lock = || played.lock().unwrap_or_else(PoisonError::into_inner);
        match message {
            Message::Ask(request) => say(&Word::Reply(answer(&mut lock(), request))),
            Message::Search { ticket } => {
                let Some(job) = lock().job(ticket) else {
                    say(&Word::Searched(Ok(None)));
                    continue;
                };
                thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
                    let found = job.work(memory, &mut |thinking| {
                        say(&Word::Thinking(thinking.to_string()));
                        !stop.load(Ordering::Relaxed)
                    });
                    say(&Word::Searched(found));
                })?;
            }
            Message::Stop => {}
        }
    }
    Ok(())
}

/// A message, and what stops the search that it asks for.
type Heard = (Message, Arc<AtomicBool>);

/// Reads messages on a thread of its own. The process ends with its input.
fn listen() -> io::Result<mpsc::Receiver<Heard>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut stop = Arc::new(AtomicBool::new(false));
        for line in io::stdin().lock().lines() {
            let Ok(Ok(message)) = line.map(|line| serde_json::from_str(&line)) else { break };
            match message {
                Message::Stop => stop.store(true, Ordering::Relaxed),
                Message::Search { .. } => stop = Arc::new(AtomicBool::new(false)),
                Message::Ask(_) => {}
            }
            if sender.send((message, Arc::clone(&stop))).is_err() {
                break;
            }
        }
        std::process::exit(0);
    })?;
    Ok(receiver)
}
