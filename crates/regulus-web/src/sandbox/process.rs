//! A process that runs uploaded rules, seen from the server.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use regulus_sandbox::{Ending, Program};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{Message, Setup, Word};
use crate::cancel::Cancel;
use crate::json::json;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::session_game::{Found, Wanted};

/// A line that a process writes is shorter.
const MAX_LINE: u64 = 64 << 20;

/// At most this many bytes are kept of what a process says about its end.
const MAX_MESSAGES: usize = 16 << 10;

/// How long a process may take to end after it has closed its output.
const LAST_BREATH: Duration = Duration::from_secs(5);

/// How much less urgent the rules of visitors are than anything else.
const NICENESS: u8 = 10;

/// What starts processes for uploaded rules.
pub struct Starter {
    program: Program,
    /// Is told what the system does not do to confine them.
    note: fn(&str),
    noted: OnceLock<()>,
}

type Searched = Result<Option<Found>, String>;

/// Who waits for what a process says.
#[derive(Default)]
struct Waiting {
    reply: Mutex<Option<oneshot::Sender<Reply>>>,
    searched: Mutex<Option<oneshot::Sender<Searched>>>,
}

fn put<T>(place: &Mutex<Option<T>>, value: Option<T>) -> Option<T> {
    std::mem::replace(&mut *place.lock().unwrap_or_else(PoisonError::into_inner), value)
}

/// A process that talks.
struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
    messages: JoinHandle<String>,
    memory: u64,
}

impl Starter {
    /// Starts this program, which calls [`super::work`].
    pub fn new(program: Program, note: fn(&str)) -> Self {
        Starter { program, note, noted: OnceLock::new() }
    }

    /// Starts a process and tells it what it is for; gives its first answer.
    async fn start(&self, setup: &Setup) -> Result<(Process, ChildStdin, Word), Refusal> {
        let memory = setup.limits.process_memory;
        let limits = regulus_sandbox::Limits { memory, niceness: NICENESS };
        let no_process =
            || Refusal::busy("no process can be started for these rules; try again later");
        let mut command = Command::from(self.program.command(&limits));
        let mut child = command.kill_on_drop(true).spawn().map_err(|_| no_process())?;
        let (Some(mut input), Some(output), Some(messages)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(no_process());
        };
        let messages = tokio::spawn(listen(messages));
        let mut process = Process { child, output: BufReader::new(output), messages, memory };
        // If it has ended already, that is seen below.
        let _ = input.write_all(format!("{}\n", json(setup)).as_bytes()).await;
        loop {
            match process.next().await {
                Some(Word::Incomplete(what)) => {
                    self.noted.get_or_init(|| (self.note)(&what));
                }
                Some(word) => return Ok((process, input, word)),
                None => return Err(Refusal::rules(process.ending().await)),
            }
        }
    }
}

/// The beginning of what a process says about its end.
async fn listen(mut messages: ChildStderr) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0; 1024]);
    while let Ok(count @ 1..) = messages.read(&mut piece).await {
        let room = MAX_MESSAGES.saturating_sub(kept.len());
        kept.extend_from_slice(&piece[..count.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

impl Process {
    /// The next word; nothing at its end.
    async fn next(&mut self) -> Option<Word> {
        let mut line = String::new();
        (&mut self.output).take(MAX_LINE).read_line(&mut line).await.ok()?;
        serde_json::from_str(&line).ok()
    }

    /// How it has ended, in words.
    async fn ending(&mut self) -> String {
        let ended = timeout(LAST_BREATH, async {
            let status = self.child.wait().await;
            (status, (&mut self.messages).await.unwrap_or_default())
        });
        match ended.await {
            Ok((Ok(status), messages)) => Ending::new(status, &messages, self.memory).to_string(),
            _ => "the process that runs the rules does not answer any more".to_owned(),
        }
    }
}

fn too_slow(patience: Duration) -> String {
    format!("the rules take longer than {} seconds", patience.as_secs_f64())
}

/// Checks rules; gives JSON.
pub async fn check(starter: &Starter, setup: &Setup) -> Result<String, Refusal> {
    let work = async {
        let (mut process, _input, word) = starter.start(setup).await?;
        // It has nothing more to say.
        let _ = process.child.kill().await;
        match word {
            Word::Checked(text) => Ok(text),
            Word::Refused(refusal) => Err(refusal),
            _ => Err(Refusal::internal()),
        }
    };
    // The process is killed when it is forgotten.
    let patience = setup.limits.patience;
    timeout(patience, work).await.unwrap_or_else(|_| Err(Refusal::rules(too_slow(patience))))
}

/// A process in which a game is played.
pub struct Sandbox {
    input: tokio::sync::Mutex<ChildStdin>,
    /// One search after the other: the next waits until the one before has heard that it is to stop.
    searching: tokio::sync::Mutex<()>,
    waiting: Arc<Waiting>,
    patience: Duration,
    /// Ends the process, and is there when it has ended by itself.
    over: Cancel,
    /// Why it was ended, or how it has ended; set before it is over.
    why: Arc<OnceLock<String>>,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.over.cancel();
    }
}

impl Sandbox {
    /// Begins a game in a new process. What is shown of its searches goes to `thinking`.
    pub async fn begin(
        starter: &Starter,
        setup: &Setup,
        thinking: watch::Sender<Option<Arc<str>>>,
    ) -> Result<(Self, Reply), Refusal> {
        let work = async {
            match starter.start(setup).await? {
                (process, input, Word::Reply(reply)) => Ok((process, input, reply)),
                (_, _, Word::Refused(refusal)) => Err(refusal),
                _ => Err(Refusal::internal()),
            }
        };
        let patience = setup.limits.patience;
        let begun = timeout(patience, work).await;
        let (process, input, reply) =
            begun.unwrap_or_else(|_| Err(Refusal::rules(too_slow(patience))))?;
        let sandbox = Sandbox {
            input: tokio::sync::Mutex::new(input),
            searching: tokio::sync::Mutex::default(),
            waiting: Arc::default(),
            patience,
            over: Cancel::default(),
            why: Arc::default(),
        };
        let (waiting, over, why) =
            (Arc::clone(&sandbox.waiting), sandbox.over.clone(), Arc::clone(&sandbox.why));
        tokio::spawn(async move {
            hear(process, &waiting, &over, &why, thinking).await;
            // Whoever waits hears that nothing comes.
            over.cancel();
            put(&waiting.reply, None);
            put(&waiting.searched, None);
        });
        Ok((sandbox, reply))
    }

    /// Ends the process.
    pub fn end(&self, why: &str) {
        let _ = self.why.set(why.to_owned());
        self.over.cancel();
    }

    /// Is there when the process has ended or is to end, for whatever reason.
    pub fn over(&self) -> Cancel {
        self.over.clone()
    }

    /// Why there is no process any more.
    pub fn why_ended(&self) -> String {
        self.why.get().map_or("the session is over", String::as_str).to_owned()
    }

    async fn tell(&self, message: &Message) -> std::io::Result<()> {
        self.input.lock().await.write_all(format!("{}\n", json(message)).as_bytes()).await
    }

    /// Asks it. One asks at a time.
    pub async fn ask(&self, request: Request) -> Result<Reply, Refusal> {
        let (sender, receiver) = oneshot::channel();
        put(&self.waiting.reply, Some(sender));
        let work = async {
            // If it has ended, the answer does not come either.
            let _ = self.tell(&Message::Ask(request)).await;
            receiver.await
        };
        let ended = tokio::select! {
            biased;
            () = self.over.cancelled() => Ok(None),
            reply = timeout(self.patience, work) => reply.map(Result::ok),
        };
        match ended {
            Ok(Some(reply)) => return Ok(reply),
            Ok(None) => self.over.cancel(),
            Err(_) => self.end(&too_slow(self.patience)),
        }
        Err(Refusal::rules(self.why_ended()))
    }

    /// Searches. A search that does not end in time, or not soon after it is told to, ends the process.
    pub async fn search(&self, wanted: Wanted, cancel: &Cancel) -> Searched {
        let _alone = self.searching.lock().await;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let (sender, mut receiver) = oneshot::channel();
        put(&self.waiting.searched, Some(sender));
        let _ = self.tell(&Message::Search { ticket: wanted.ticket }).await;
        let most = Duration::from_millis(wanted.time_ms) + self.patience;
        let searched = tokio::select! {
            biased;
            searched = &mut receiver => Ok(searched),
            () = cancel.cancelled() => {
                let _ = self.tell(&Message::Stop).await;
                timeout(self.patience, receiver).await
            }
            () = tokio::time::sleep(most) => timeout(Duration::ZERO, receiver).await,
        };
        match searched {
            Ok(Ok(searched)) => return searched,
            Ok(Err(_)) => self.over.cancel(),
            Err(_) => self.end("a search does not end: the rules take too long for that"),
        }
        Err(self.why_ended())
    }
}

/// Hears what a process says until it ends, or is to end.
async fn hear(
    mut process: Process,
    waiting: &Waiting,
    over: &Cancel,
    why: &OnceLock<String>,
    thinking: watch::Sender<Option<Arc<str>>>,
) {
    loop {
        let word = tokio::select! {
            () = over.cancelled() => break,
            word = process.next() => word,
        };
        match word {
            Some(Word::Reply(reply)) => {
                // Whoever has asked may have gone.
                if let Some(sender) = put(&waiting.reply, None) {
                    let _ = sender.send(reply);
                }
            }
            Some(Word::Searched(searched)) => {
                let _ = put(&waiting.searched, None).map(|sender| sender.send(searched));
            }
            Some(Word::Thinking(text)) => {
                thinking.send_replace(Some(text.into()));
            }
            Some(Word::Incomplete(_) | Word::Checked(_) | Word::Refused(_)) | None => {
                let ending = process.ending().await;
                let _ = why.set(ending);
                break;
            }
        }
    }
    let _ = process.child.kill().await;
}
