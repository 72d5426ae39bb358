//! Between the manager and a player: passes messages on, and ends a player that takes too long.

use std::io::Read;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use regulus_sandbox::{Ending, Limits, Program};

use super::notice::{JoinNotice, harmless};
use super::player::play_here;
use super::words::{Failure, Frames, Heard, Setup, Speaker, Word, heard_bytes, json};
use super::{JoinError, JoinSettings};
use crate::protocol::{Connection, Lost, Sender, encode};

/// How often it is looked whether somebody has asked for the end.
const LOOK: Duration = Duration::from_millis(50);

/// How long a player may take to say how it has ended when the connection is lost, and to end when it has closed its output.
const FAREWELL: Duration = Duration::from_secs(5);

/// A word of a player is shorter: the longest is a list of errors in the rules.
const MAX_WORD: usize = 16 << 20;

/// At most this number of words waits for whoever watches; a player that says more has to wait itself.
const WAITING_WORDS: usize = 256;

/// The most bytes that are kept of what a process says about its end.
const MAX_MESSAGES: u64 = 16 << 10;

/// The manager has said everything that comes before `ready`: time, rules, seat.
const INTRODUCTION: usize = 3;

/// What happens at either side.
enum Event {
    /// The rules and everything else is known.
    Introduced,
    /// The manager is gone.
    Lost(Lost),
    /// The player says something that is not for the manager.
    Word(Word),
    /// The player is gone.
    Silence,
}

/// A player that runs.
struct Player {
    input: Speaker,
    runs: Runs,
}

/// Where it runs.
enum Runs {
    Apart { child: Child, messages: JoinHandle<String>, memory: u64 },
    Here,
}

impl Player {
    fn start(settings: &JoinSettings) -> std::io::Result<(Self, Box<dyn Read + Send>)> {
        let Some(program) = &settings.program else {
            let (input, told) = std::io::pipe()?;
            let (output, says) = std::io::pipe()?;
            play_here(input, says)?;
            return Ok((Player { input: Speaker::new(told), runs: Runs::Here }, Box::new(output)));
        };
        Player::start_apart(program, settings.max_memory)
    }

    fn start_apart(
        program: &Program,
        memory: u64,
    ) -> std::io::Result<(Self, Box<dyn Read + Send>)> {
        let mut child = program.command(&Limits { memory, niceness: 0 }).spawn()?;
        let (Some(input), Some(output), Some(mut messages)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(std::io::Error::other("a process without input or output"));
        };
        let messages = thread::Builder::new().spawn(move || {
            let mut kept = Vec::new();
            let _ = (&mut messages).take(MAX_MESSAGES).read_to_end(&mut kept);
            let _ = std::io::copy(&mut messages, &mut std::io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        })?;
        let runs = Runs::Apart { child, messages, memory };
        Ok((Player { input: Speaker::new(input), runs }, Box::new(output)))
    }

    /// Ends it: a process at once, a thread when it listens next.
    fn kill(&mut self) {
        if let Runs::Apart { child, .. } = &mut self.runs {
            // It may be gone already.
            let _ = child.kill();
        }
        let _ = self.input.write(&heard_bytes(&Heard::Lost(Lost::Interrupted)));
    }

    /// Waits for a process that has nothing more to do.
    fn wait(self) {
        let Player { input, runs } = self;
        drop(input);
        if let Runs::Apart { mut child, .. } = runs {
            let _ = child.wait();
        }
    }

    /// How it has ended, in words.
    fn ending(self) -> String {
        let Runs::Apart { mut child, messages, memory } = self.runs else {
            return "the thread that runs the rules has panicked".to_owned();
        };
        let begin = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if begin.elapsed() < FAREWELL => thread::sleep(Duration::from_millis(1)),
                _ => break None,
            }
        };
        let Some(status) = status else {
            let _ = child.kill();
            return "the process that runs the rules does not answer any more".to_owned();
        };
        Ending::new(status, &messages.join().unwrap_or_default(), memory).to_string()
    }
}

/// What ends a session from the outside.
enum Stop {
    /// The player has said how it has ended.
    Ended(u64, Result<(), Failure>),
    /// The player is gone without a word.
    Silence,
    /// It has to be ended, because of this.
    Because(JoinError),
}

/// Lets a player play on a connection, from the rules to the last game. Gives how many games there were so far.
pub(super) fn relay(
    settings: &JoinSettings,
    connection: Connection,
    games: &mut u64,
    interrupted: &AtomicBool,
    watch: &mut dyn FnMut(&JoinNotice),
) -> Result<(), JoinError> {
    let cannot = |error| JoinError::Agent(format!("the rules cannot be run: {error}"));
    let sender = connection.sender().map_err(|error| JoinError::Lost {
        lost: error.into(),
        when: "before the preparation time".to_owned(),
        unseated: false,
    })?;
    let (mut player, output) = Player::start(settings).map_err(cannot)?;
    let mut setup = Setup::new(settings.agent.as_ref(), &settings.limits);
    setup.buffer = settings.buffer;
    setup.seed = settings.seed;
    setup.silence_timeout = settings.silence_timeout;
    setup.search_memory = (settings.max_memory / SEARCH_PART) as usize;
    setup.games = *games;
    setup.show_moves = settings.show_moves;
    let input = player.input.clone();
    // If it has ended already, that is seen below.
    let _ = input.write(&encode(&json(&setup)));
    let over = AtomicBool::new(false);
    let stop = thread::scope(|scope| {
        let (events, happened) = mpsc::sync_channel(WAITING_WORDS);
        let (told, over, sender) = (events.clone(), &over, &sender);
        let manager_side = input.clone();
        scope.spawn(move || hear_manager(connection, &manager_side, &told, over));
        scope.spawn(move || hear_player(output, sender, &input, &events));
        let stop = follow(settings, &happened, interrupted, watch);
        drop(happened);
        // Who has said how it has ended has nothing more to do; of who is gone it is asked how it has ended.
        if !matches!(stop, Stop::Silence) {
            player.kill();
        }
        // Nobody listens to the manager any more.
        over.store(true, Ordering::Relaxed);
        sender.close();
        stop
    });
    match stop {
        Stop::Ended(played, ended) => {
            player.wait();
            *games = played;
            ended.map_err(JoinError::from)
        }
        Stop::Silence => Err(JoinError::Process(player.ending())),
        Stop::Because(error) => {
            player.wait();
            Err(error)
        }
    }
}

/// A part of the memory of the process; tree and statistics of a search must not take more.
const SEARCH_PART: u64 = 2;

/// Passes on what the manager says.
fn hear_manager(
    mut connection: Connection,
    player: &Speaker,
    events: &SyncSender<Event>,
    over: &AtomicBool,
) {
    let mut messages = 0;
    loop {
        match connection.receive(Duration::MAX, over) {
            Ok(message) => {
                messages += 1;
                // Before the player can be ready.
                if messages == INTRODUCTION {
                    let _ = events.send(Event::Introduced);
                }
                // If the player is gone, that is seen where it is listened to.
                let _ = player.write(&heard_bytes(&Heard::Message(message)));
            }
            Err(Lost::Interrupted) => return,
            Err(lost) => {
                let _ = player.write(&heard_bytes(&Heard::Lost(lost.clone())));
                let _ = events.send(Event::Lost(lost));
                return;
            }
        }
    }
}

/// Passes on what the player says.
fn hear_player(
    output: Box<dyn Read + Send>,
    manager: &Sender,
    player: &Speaker,
    events: &SyncSender<Event>,
) {
    let mut frames = Frames::new(output, MAX_WORD);
    while let Ok(Some(frame)) = frames.next() {
        let told = match serde_json::from_slice(&frame) {
            Ok(Word::Say(message)) if !message.contains('\0') => {
                let Err(lost) = manager.send(message.as_bytes()) else { continue };
                let _ = player.write(&heard_bytes(&Heard::Lost(lost.clone())));
                events.send(Event::Lost(lost))
            }
            Ok(word) => events.send(Event::Word(word)),
            Err(_) => break,
        };
        if told.is_err() {
            break;
        }
    }
    let _ = events.send(Event::Silence);
}

/// Follows what happens until there is an end.
fn follow(
    settings: &JoinSettings,
    happened: &mpsc::Receiver<Event>,
    interrupted: &AtomicBool,
    watch: &mut dyn FnMut(&JoinNotice),
) -> Stop {
    // When the player is ended, and what is said then.
    let mut end: Option<(Instant, JoinError)> = None;
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return Stop::Because(JoinError::Interrupted);
        }
        match happened.recv_timeout(LOOK) {
            Ok(Event::Introduced) => {
                let most = settings.max_preparation;
                let at = Instant::now().checked_add(most);
                end = at.map(|at| (at, JoinError::Preparation(most)));
            }
            Ok(Event::Lost(lost)) => {
                let when = "while the agent was busy".to_owned();
                let error = JoinError::Lost { lost, when, unseated: false };
                end = Some((Instant::now() + FAREWELL, error));
            }
            Ok(Event::Word(Word::Notice(notice))) => {
                if let (JoinNotice::Ready { .. }, Some((_, JoinError::Preparation(_)))) =
                    (&notice, &end)
                {
                    end = None;
                }
                watch(&notice.map_text(&harmless));
            }
            Ok(Event::Word(Word::Ended(games, ended))) => return Stop::Ended(games, ended),
            Ok(Event::Word(Word::Say(_))) => {}
            Ok(Event::Silence) | Err(RecvTimeoutError::Disconnected) => return Stop::Silence,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some((at, _)) = &end
            && Instant::now() >= *at
            && let Some((_, error)) = end.take()
        {
            return Stop::Because(error);
        }
    }
}
