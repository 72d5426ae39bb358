//! An agent that joins a manager: receives the rules, prepares, plays to the end of the last game.

mod clock;
mod parts;
mod rehearsal;
mod reserve;
mod session;
mod timekeeper;

use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regulus_agent::Agent;
use regulus_player::limit;
use regulus_rbg::Game;
use regulus_search::config::Limits;

use crate::protocol::{Connection, Lost, MAX_MANAGER_MESSAGE};
use session::Session;

/// How an agent joins a manager.
#[derive(Clone, Debug)]
pub struct JoinSettings {
    /// Host and port of the manager.
    pub address: String,
    /// How long it is tried to connect.
    pub connect_timeout: Duration,
    /// How long the manager may be silent, while others think.
    pub silence_timeout: Duration,
    /// Join again when the connection is lost in the middle of a game.
    pub reconnect: bool,
    /// What the agent uses for a move, if the deadline leaves so much. Without a deadline and without
    /// limits it is a second.
    pub limits: Limits,
    /// What is kept back of the deadline, if not what the agent says.
    pub buffer: Option<Duration>,
    /// What all random numbers come from.
    pub seed: u64,
}

impl JoinSettings {
    /// Joining the manager at an address (`host:port`).
    pub fn new(address: impl Into<String>) -> Self {
        JoinSettings {
            address: address.into(),
            connect_timeout: Duration::from_secs(10),
            silence_timeout: Duration::from_secs(3600),
            reconnect: false,
            limits: Limits::default(),
            buffer: None,
            seed: 1,
        }
    }
}

/// Something has happened at the side of a player.
#[derive(Clone, Debug)]
pub enum JoinNotice<'n> {
    /// The rules are here.
    Joined {
        /// Names of all players.
        players: &'n [String],
        /// The seat, from 1.
        seat: usize,
        /// The agent that plays.
        agent: &'n Agent,
    },
    /// The rules are interpreted, because of this.
    Interpreted(&'n str),
    /// The agent is ready.
    Ready {
        /// After so much time.
        after: Duration,
        /// So much it was given.
        given: Option<Duration>,
    },
    /// A move was sent after its deadline.
    Late {
        /// After so much time.
        after: Duration,
        /// So much it was given.
        given: Duration,
    },
    /// A game has ended.
    Played {
        /// Its number, from 1.
        number: u64,
        /// How many moves were made.
        moves: usize,
        /// The score of every seat.
        scores: &'n [u32],
        /// The seat of the agent, if it has moved.
        seat: Option<usize>,
        /// False if the manager has ended it before the rules say so.
        over: bool,
    },
    /// The connection was lost, and will be made again.
    Reconnecting {
        /// Why it was lost.
        why: &'n str,
    },
}

impl fmt::Display for JoinNotice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinNotice::Joined { players, seat, agent } => {
                let name = seat.checked_sub(1).and_then(|seat| players.get(seat));
                let name = name.map_or("nobody", String::as_str);
                write!(f, "{} plays as {name}, seat {seat} of {}", agent.name, players.len())
            }
            JoinNotice::Interpreted(why) => write!(f, "interpreted, because {why}"),
            JoinNotice::Ready { after, given } => {
                write!(f, "ready after {:.3} s", after.as_secs_f64())?;
                match given {
                    Some(given) if after > given => {
                        write!(f, ", too late: {} were given", limit::duration_text(*given))
                    }
                    _ => Ok(()),
                }
            }
            JoinNotice::Late { after, given } => {
                let given = limit::duration_text(*given);
                write!(f, "late: {:.3} s for a move, {given} given", after.as_secs_f64())
            }
            JoinNotice::Played { number, moves, scores, seat, over } => {
                let scores: Vec<String> = scores.iter().map(u32::to_string).collect();
                write!(f, "game {number}: {} after {moves} moves", scores.join(" : "))?;
                if let Some(seat) = seat {
                    write!(f, ", seat {seat}")?;
                }
                if *over { Ok(()) } else { f.write_str(", ended by the manager") }
            }
            JoinNotice::Reconnecting { why } => write!(f, "{why}; joining again"),
        }
    }
}

/// Why an agent does not play to the end.
#[derive(Debug)]
pub enum JoinError {
    /// There is nobody at the address.
    Connect {
        /// The address.
        address: String,
        /// It was tried for so long.
        waited: Duration,
        /// What was wrong the last time.
        error: io::Error,
    },
    /// The connection was lost.
    Lost {
        /// Why.
        lost: Lost,
        /// When.
        when: String,
    },
    /// The manager says what no manager says.
    Protocol(String),
    /// The rules have errors.
    Rules(String),
    /// The agent cannot play.
    Agent(String),
    /// Somebody has asked for the end.
    Interrupted,
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinError::Connect { address, waited, error } => {
                let waited = limit::duration_text(*waited);
                write!(f, "cannot connect to {address} (tried for {waited}): {error}")
            }
            JoinError::Lost { lost, when } => write!(f, "{when}: {lost}"),
            JoinError::Protocol(why) => {
                write!(f, "the manager does not keep to the protocol: {why}")
            }
            JoinError::Rules(why) => write!(f, "the rules of the manager have errors\n{why}"),
            JoinError::Agent(why) => f.write_str(why),
            JoinError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for JoinError {}

/// Chooses the agent that plays a game.
pub type Choose<'c> = dyn FnMut(&Game) -> Result<Agent, String> + 'c;

/// Joins a manager and plays to the end of the last game; gives how many games there were.
pub fn join(
    settings: &JoinSettings,
    choose: &mut Choose<'_>,
    interrupted: &AtomicBool,
    watch: &mut dyn FnMut(&JoinNotice<'_>),
) -> Result<u64, JoinError> {
    let mut games = 0;
    loop {
        let connection = connect(settings, interrupted)?;
        let mut session = Session { settings, connection, interrupted, watch, games };
        let ended = session.run(choose);
        games = session.games;
        match ended {
            Ok(()) => return Ok(games),
            Err(JoinError::Lost { lost: Lost::Interrupted, .. }) => {
                return Err(JoinError::Interrupted);
            }
            Err(lost @ JoinError::Lost { .. }) if settings.reconnect => {
                watch(&JoinNotice::Reconnecting { why: &lost.to_string() });
            }
            Err(error) => return Err(error),
        }
    }
}

/// How long it is waited before connecting is tried again.
const PAUSE: Duration = Duration::from_millis(100);

fn connect(settings: &JoinSettings, interrupted: &AtomicBool) -> Result<Connection, JoinError> {
    let start = Instant::now();
    loop {
        let left = settings.connect_timeout.saturating_sub(start.elapsed());
        let error = match try_connect(&settings.address, left) {
            Ok(connection) => return Ok(connection),
            Err(error) => error,
        };
        if interrupted.load(Ordering::Relaxed) {
            return Err(JoinError::Interrupted);
        }
        // What is no address will not become one.
        let hopeless = error.kind() == io::ErrorKind::InvalidInput;
        if hopeless || start.elapsed() + PAUSE >= settings.connect_timeout {
            let (address, waited) = (settings.address.clone(), settings.connect_timeout);
            return Err(JoinError::Connect { address, waited, error });
        }
        thread::sleep(PAUSE);
    }
}

fn try_connect(address: &str, left: Duration) -> io::Result<Connection> {
    let mut error = io::Error::new(io::ErrorKind::NotFound, "no such address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left.max(PAUSE)) {
            Ok(stream) => return Connection::new(stream, MAX_MANAGER_MESSAGE),
            Err(refused) => error = refused,
        }
    }
    Err(error)
}
