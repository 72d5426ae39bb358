//! The manager: knows the rules, lets players join, and plays games with them.
//!
//! What the original does, this one does with the default settings: the same bytes in the same order.
//! Where the original stops for good, only the game ends here: an illegal move, a lost connection and
//! (if asked for) a late move lose the game, and the next one begins.

mod candidates;
mod game;
mod notice;
mod result_line;
mod seats;
mod settings;
mod standing;

pub use notice::Notice;
pub use result_line::ResultLine;
pub use settings::{AfterFault, ManagerSettings};
pub use standing::Standing;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use regulus_arena::board::{BoardRecord, Outcome, rules};
use regulus_arena::{AgentRecord, GameRecord, sha256};
use regulus_player::{Rules, limit, wire};
use regulus_reasoner::RunError;
use serde_json::{Value, json};

use crate::protocol::RESET;
use candidates::Candidates;
use game::GameResult;
use seats::Slot;

/// Why a manager ends before its last game.
#[derive(Debug)]
pub enum ManagerError {
    /// The settings cannot be obeyed.
    Settings(String),
    /// The address cannot be listened on.
    Bind(String, io::Error),
    /// Nobody can connect any more.
    Accept(io::Error),
    /// Not enough players came in time.
    Missing {
        /// How many are missing.
        count: usize,
        /// How long they were waited for.
        waited: Duration,
    },
    /// Games in a row have ended by a fault: this number.
    Faults(u64),
    /// A fault has ended a game, and nothing was to happen after that.
    Fault(String),
    /// The game cannot even begin.
    Rules(RunError),
    /// Somebody has asked for the end.
    Interrupted,
    /// Whoever watches has had enough.
    Watcher(String),
}

impl fmt::Display for ManagerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManagerError::Settings(why) | ManagerError::Watcher(why) => f.write_str(why),
            ManagerError::Bind(address, error) => write!(f, "cannot listen on {address}: {error}"),
            ManagerError::Accept(error) => write!(f, "nobody can connect: {error}"),
            ManagerError::Missing { count, waited } => {
                let players = if *count == 1 { "player has" } else { "players have" };
                write!(f, "{count} {players} not come within {}", limit::duration_text(*waited))
            }
            ManagerError::Faults(count) => {
                write!(f, "{count} games in a row have ended by a fault")
            }
            ManagerError::Fault(message) => write!(f, "the game was ended by a fault: {message}"),
            ManagerError::Rules(error) => write!(f, "the game cannot begin: {error}"),
            ManagerError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ManagerError {}

/// Is told what happens. An error ends the manager.
pub type Watch<'w> = dyn FnMut(&Notice<'_>) -> Result<(), String> + 'w;

/// What a wait or a game of the manager looks at besides the network.
struct Watched<'w> {
    interrupted: &'w AtomicBool,
    watch: &'w mut Watch<'w>,
}

impl Watched<'_> {
    fn tell(&mut self, notice: &Notice<'_>) -> Result<(), ManagerError> {
        (self.watch)(notice).map_err(ManagerError::Watcher)
    }

    fn check(&self) -> Result<(), ManagerError> {
        if self.interrupted.load(Ordering::Relaxed) {
            Err(ManagerError::Interrupted)
        } else {
            Ok(())
        }
    }
}

/// A manager that listens.
pub struct Manager {
    settings: ManagerSettings,
    listener: TcpListener,
    address: SocketAddr,
    rules: Arc<Rules>,
    slots: Vec<Slot>,
    /// Who has no seat yet.
    candidates: Candidates,
    /// What every player is told before its seat, as it is sent.
    introduction: [Arc<[u8]>; 2],
    /// What names the contest in records.
    contest: String,
}

impl Manager {
    /// Compiles the rules and begins to listen. Port 0 is any free port, see [`Manager::address`].
    pub fn bind(settings: ManagerSettings, host: &str, port: u16) -> Result<Self, ManagerError> {
        settings.validate().map_err(ManagerError::Settings)?;
        let cannot = |error| ManagerError::Bind(format!("{host}:{port}"), error);
        let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(cannot)?.collect();
        let listener = TcpListener::bind(&addresses[..]).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        lengthen_queue(&listener);
        let address = listener.local_addr().map_err(cannot)?;
        let rules = Arc::new(rules(&settings.game));
        let slots = (0..settings.game.players().len()).map(|_| Slot::default()).collect();
        let contest = contest(&settings);
        let introduction = Manager::introduction(&settings);
        let candidates = Candidates::default();
        Ok(Manager { settings, listener, address, rules, slots, candidates, introduction, contest })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets players join and plays with them until the last game is over.
    pub fn run(
        mut self,
        interrupted: &AtomicBool,
        watch: &mut Watch<'_>,
    ) -> Result<(), ManagerError> {
        // A watcher for the time of this run.
        let mut watch = |notice: &Notice<'_>| watch(notice);
        let mut watched = Watched { interrupted, watch: &mut watch };
        watched.tell(&Notice::Listening(self.address))?;
        let (mut start, mut faults) = (None, 0);
        for number in 0..self.settings.games.unwrap_or(u64::MAX) {
            let seating = self.seating(number);
            self.fill(&seating, &mut watched)?;
            let start = *start.get_or_insert_with(Instant::now);
            if self.settings.shutdown.is_some_and(|shutdown| start.elapsed() >= shutdown) {
                break;
            }
            let (now, begin) = (SystemTime::now(), Instant::now());
            let played = self.play(&seating, &mut watched)?;
            let record = self.record(number, seating, &played, now, begin.elapsed());
            let line = self.result_line(&record, &played);
            watched.tell(&Notice::GameResult {
                number: number + 1,
                record: &record,
                line: &line,
            })?;
            let message = match &record.outcome {
                Outcome::Finished => {
                    faults = 0;
                    self.tell_all(RESET.as_bytes(), &mut watched)?;
                    continue;
                }
                Outcome::Forfeit { message, .. } | Outcome::Void { message } => message,
            };
            faults += 1;
            match self.settings.after_fault {
                AfterFault::Reset => self.tell_all(RESET.as_bytes(), &mut watched)?,
                AfterFault::Reconnect => self.slots.fill_with(Slot::default),
                AfterFault::End => return Err(ManagerError::Fault(message.clone())),
            }
            if faults >= self.settings.max_faults {
                return Err(ManagerError::Faults(faults));
            }
        }
        Ok(())
    }

    /// The player on every seat of a game (both from 0).
    fn seating(&self, number: u64) -> Vec<usize> {
        let count = self.slots.len();
        let first = if self.settings.swap { (number % count as u64) as usize } else { 0 };
        (0..count).map(|seat| (first + seat) % count).collect()
    }

    fn record(
        &self,
        number: u64,
        seats: Vec<usize>,
        played: &GameResult,
        now: SystemTime,
        took: Duration,
    ) -> BoardRecord {
        let settings = &self.settings;
        // A unit is all seatings, as in a match; without swapping there is one.
        let per_unit = if settings.swap { seats.len() as u64 } else { 1 };
        let budget = settings
            .deadline
            .map_or("none".to_owned(), |time| format!("time={}", limit::duration_text(time)));
        let agent = |(player, slot): (usize, &Slot)| AgentRecord {
            name: settings.name(player),
            parameters: slot.address.map_or(Value::Null, |a| json!({ "address": a.to_string() })),
        };
        let started = now.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        BoardRecord {
            experiment: "manager".to_owned(),
            contest: self.contest.clone(),
            unit: number / per_unit,
            seating: (number % per_unit) as usize,
            game: GameRecord::of(&settings.game),
            agents: self.slots.iter().enumerate().map(agent).collect(),
            seats,
            // The manager draws nothing at random.
            seed: 0,
            budget: budget.clone(),
            limits: budget,
            opening: 0,
            moves: played.moves.iter().map(|steps| wire::text(steps)).collect(),
            scores: played.scores.clone(),
            score_bounds: played.score_bounds.clone(),
            outcome: played.outcome.clone(),
            turns: played.turns.clone(),
            started: (started * 1e3).round() / 1e3,
            seconds: (took.as_secs_f64() * 1e6).round() / 1e6,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    fn result_line(&self, record: &BoardRecord, played: &GameResult) -> ResultLine {
        let late_ready = record.seats.iter().map(|player| self.slots[*player].late_ready);
        ResultLine {
            seconds: record.seconds,
            plies: played.moves.len(),
            legal_moves: played.legal_moves,
            scores: played.scores.clone(),
            late: played.late.clone(),
            late_ready: late_ready.collect(),
            manager_late: played.manager_late,
            forfeit: match record.outcome {
                Outcome::Forfeit { seat, .. } => Some(seat),
                Outcome::Finished | Outcome::Void { .. } => None,
            },
        }
    }
}

/// Lets the system keep more connections until they are accepted, so that hundreds who come at once do not make others
/// wait: whoever finds the queue full tries again after a second.
fn lengthen_queue(listener: &TcpListener) {
    // Most systems allow less, and take what they allow.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::listen(listener, 4096);
    #[cfg(not(target_os = "linux"))]
    let _ = listener;
}

/// A name for the games of one run, so that those of several runs can be in one file.
fn contest(settings: &ManagerSettings) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let description = json!({
        "experiment": "manager",
        "game": settings.game.sha256(),
        "deadline": settings.deadline.map(|time| time.as_micros() as u64),
        "swap": settings.swap,
        "begun": now.as_nanos().to_string(),
        "process": std::process::id(),
    });
    let mut hash = sha256(&description.to_string());
    hash.truncate(16);
    hash
}
