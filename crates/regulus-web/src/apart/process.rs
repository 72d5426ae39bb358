//! A process that runs uploaded rules, seen from the server.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::{Message, Setup, Task, Word};
use crate::cancel::Cancel;
use crate::catalogue::json;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::table::{Found, Wanted};

/// A line that a process writes is shorter.
const MAX_LINE: u64 = 64 << 20;

/// The program that is started for uploaded rules, with its arguments: it calls [`super::work`].
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
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

/// A process in which something is played.
pub struct Apart {
    input: tokio::sync::Mutex<ChildStdin>,
    /// One search after the other: the next waits until the one before has heard that it is to stop.
    searching: tokio::sync::Mutex<()>,
    waiting: Arc<Waiting>,
    patience: Duration,
    /// Ends the process.
    kill: Cancel,
    /// Why it was ended.
    why: OnceLock<String>,
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.kill.cancel();
    }
}

/// Starts a process and tells it what it is for.
async fn start(
    program: &Program,
    setup: &Setup,
) -> std::io::Result<(Child, ChildStdin, BufReader<ChildStdout>)> {
    let mut child = Command::new(&program.path)
        .args(&program.arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let missing = || std::io::Error::other("a process without input or output");
    let mut input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    input.write_all(format!("{}\n", json(setup)).as_bytes()).await?;
    Ok((child, input, BufReader::new(output)))
}

/// The next word of a process; nothing at its end.
async fn next(output: &mut BufReader<ChildStdout>) -> Option<Word> {
    let mut line = String::new();
    output.take(MAX_LINE).read_line(&mut line).await.ok()?;
    serde_json::from_str(&line).ok()
}

fn no_process(_: std::io::Error) -> Refusal {
    Refusal::busy("no process can be started for these rules; try again later")
}

const TOO_MUCH: &str = "the rules need too much memory";

fn too_slow(patience: Duration) -> String {
    format!("the rules take longer than {} seconds", patience.as_secs_f64())
}

/// Checks rules; gives JSON.
pub async fn check(program: &Program, task: Task, limits: &Limits) -> Result<String, Refusal> {
    let setup = Setup { limits: limits.clone(), task };
    let work = async {
        let (mut child, input, mut output) = start(program, &setup).await.map_err(no_process)?;
        let word = next(&mut output).await;
        drop(input);
        let _ = child.wait().await;
        match word {
            Some(Word::Checked(text)) => Ok(text),
            Some(Word::Refused(refusal)) => Err(refusal),
            _ => Err(Refusal::rules(TOO_MUCH)),
        }
    };
    // The process is killed when it is forgotten.
    timeout(limits.patience, work)
        .await
        .unwrap_or_else(|_| Err(Refusal::rules(too_slow(limits.patience))))
}

impl Apart {
    /// Begins what is played in a new process. What is shown of its searches goes to `thinking`.
    pub async fn begin(
        program: &Program,
        task: Task,
        limits: &Limits,
        thinking: watch::Sender<Option<Arc<str>>>,
    ) -> Result<(Self, Reply), Refusal> {
        let setup = Setup { limits: limits.clone(), task };
        let work = async {
            let (child, input, mut output) = start(program, &setup).await.map_err(no_process)?;
            match next(&mut output).await {
                Some(Word::Reply(reply)) => Ok((child, input, output, reply)),
                Some(Word::Refused(refusal)) => Err(refusal),
                _ => Err(Refusal::rules(TOO_MUCH)),
            }
        };
        let patience = limits.patience;
        let begun = timeout(patience, work).await;
        let (child, input, output, reply) =
            begun.unwrap_or_else(|_| Err(Refusal::rules(too_slow(patience))))?;
        let (waiting, kill) = (Arc::<Waiting>::default(), Cancel::default());
        tokio::spawn(hear(child, output, Arc::clone(&waiting), kill.clone(), thinking));
        let (input, searching) = (tokio::sync::Mutex::new(input), tokio::sync::Mutex::default());
        Ok((Apart { input, searching, waiting, patience, kill, why: OnceLock::new() }, reply))
    }

    /// Ends the process.
    pub fn end(&self, why: &str) {
        let _ = self.why.set(why.to_owned());
        self.kill.cancel();
    }

    /// Why there is no process any more.
    pub fn why_ended(&self) -> String {
        self.why.get().map_or(TOO_MUCH, String::as_str).to_owned()
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
            () = self.kill.cancelled() => Ok(None),
            reply = timeout(self.patience, work) => reply.map(Result::ok),
        };
        match ended {
            Ok(Some(reply)) => return Ok(reply),
            Ok(None) => self.kill.cancel(),
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
            Ok(Err(_)) => self.kill.cancel(),
            Err(_) => self.end("a search does not end: the rules take too long for that"),
        }
        Err(self.why_ended())
    }
}

/// Hears what a process says until it ends.
async fn hear(
    mut child: Child,
    mut output: BufReader<ChildStdout>,
    waiting: Arc<Waiting>,
    kill: Cancel,
    thinking: watch::Sender<Option<Arc<str>>>,
) {
    loop {
        let word = tokio::select! {
            () = kill.cancelled() => break,
            word = next(&mut output) => word,
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
            Some(Word::Checked(_) | Word::Refused(_)) | None => break,
        }
    }
    // Whoever waits hears that nothing comes.
    kill.cancel();
    put(&waiting.reply, None);
    put(&waiting.searched, None);
    let _ = child.kill().await;
}
