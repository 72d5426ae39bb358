//! The process that runs uploaded rules.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use super::{Message, Setup, Task, Word};
use crate::game_kind;
use crate::json::json;
use crate::refusal::Refusal;
use crate::request::{Request, answer};

/// The stack of the thread that runs rules: the interpreter and the analyses recurse.
const STACK_BYTES: usize = 64 << 20;

/// A part of the memory of the process; tree and statistics of a search must not take more.
const SEARCH_PART: u64 = 4;

fn say(word: &Word) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}", json(word)).and_then(|()| out.flush());
    if written.is_err() {
        // Nobody listens any more.
        std::process::exit(0);
    }
}

/// Works for the process that has started this one, until it ends the input. Nothing is read before this process has
/// given up whatever it can do besides.
pub fn work(limits: &regulus_sandbox::Limits) -> io::Result<()> {
    regulus_sandbox::end_on_panic();
    if let Err(incomplete) = regulus_sandbox::confine(limits) {
        say(&Word::Incomplete(incomplete.to_string()));
    }
    let mut first = String::new();
    io::stdin().lock().read_line(&mut first)?;
    let setup: Setup = serde_json::from_str(&first)?;
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(setup))?;
    // A panic there has ended the process.
    worker.join().map_err(|_| io::Error::other("a thread has panicked"))?
}

fn run(setup: Setup) -> io::Result<()> {
    if let Err(refusal) = run_task(setup)? {
        say(&Word::Refused(refusal));
    }
    Ok(())
}

/// Makes a check, or plays until the input ends.
fn run_task(setup: Setup) -> io::Result<Result<(), Refusal>> {
    let Setup { limits, kind, request, task } = setup;
    let kind = game_kind::named(&kind);
    let id = match task {
        Task::Check => {
            let checked = kind.and_then(|kind| kind.check(&request, &limits)?(&limits));
            return Ok(checked.map(|text| say(&Word::Checked(text.to_string()))));
        }
        Task::Begin { id } => id,
    };
    let memory = limits.search_memory.min((limits.process_memory / SEARCH_PART) as usize);
    let limits = Arc::new(limits);
    // The input is read from the beginning, so that the process ends with its parent whatever it does.
    let messages = listen()?;
    let begun = kind.and_then(|kind| (kind.begin(&request, &limits)?.start)(id, limits));
    let mut game = match begun {
        Ok(game) => game,
        Err(refusal) => return Ok(Err(refusal)),
    };
    say(&Word::Reply(answer(game.as_mut(), Request::View { scene: true })));
    for (message, stop) in messages {
        match message {
            Message::Ask(request) => say(&Word::Reply(answer(game.as_mut(), request))),
            Message::Search { ticket } => {
                let Some(job) = game.job(ticket) else {
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
    Ok(Ok(()))
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
