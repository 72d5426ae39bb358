//! An agent that joins a manager: receives the rules, prepares, plays to the end of the last game.
//!
//! The rules of a manager are anybody's rules. So what holds the connection (`relay.rs`) does not run them: that is done by
//! a player in a process of its own (`player.rs`), to which everything is passed on that the manager says.

mod clock;
mod link;
mod notice;
mod parts;
mod player;
mod rehearsal;
mod relay;
mod reserve;
mod session;
mod timekeeper;
mod words;

pub use notice::{JoinNotice, MoveStatistics};
pub use player::play_apart;

use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regulus_agent::Agent;
use regulus_player::limit;
use regulus_sandbox::Program;
use regulus_search::config::Limits;

use crate::protocol::{Connection, Lost, MAX_MANAGER_MESSAGE};
use notice::harmless;
use relay::relay;
use words::Failure;

/// How an agent joins a manager.
#[derive(Clone, Debug)]
pub struct JoinSettings {
    /// Host and port of the manager.
    pub address: String,
    /// Who plays; nothing if the rules decide.
    pub agent: Option<Agent>,
    /// What is started to run the rules: it calls [`play_apart`]. Without it they are run in this process, where nothing
    /// can stop them: only for rules that are trusted.
    pub program: Option<Program>,
    /// How long the rules may take until the agent is ready.
    pub max_preparation: Duration,
    /// Bytes of memory of the process that runs the rules. A search uses at most half of them.
    pub max_memory: u64,
    /// How often it is tried to get a seat, if others are given the one that was told.
    pub seat_attempts: usize,
    /// How long it is tried to connect.
    pub connect_timeout: Duration,
    /// How long the manager may be silent, while others think.
    pub silence_timeout: Duration,
    /// Join again when the connection is lost in the middle of a game.
    pub reconnect: bool,
    /// What the agent uses for a move, if the deadline leaves that much. Without a deadline and without
    /// limits it is a second. With a limit in simulations or states the deadline is ignored (THESIS 4.3): moves may
    /// be late.
    pub limits: Limits,
    /// Tell the statistics of all legal moves after each turn (`states` in THESIS 4.3).
    pub show_moves: bool,
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
            agent: None,
            program: None,
            max_preparation: Duration::from_secs(60),
            max_memory: 4 << 30,
            seat_attempts: 5,
            connect_timeout: Duration::from_secs(10),
            silence_timeout: Duration::from_secs(3600),
            reconnect: false,
            limits: Limits::default(),
            show_moves: false,
            buffer: None,
            seed: 1,
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
        /// How long it was tried.
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
        /// The agent was ready, and no game has begun: somebody else may have its seat.
        unseated: bool,
    },
    /// The manager says what no manager says.
    Protocol(String),
    /// The rules have errors.
    Rules(String),
    /// The agent cannot play.
    Agent(String),
    /// The process that runs the rules has ended, like this.
    Process(String),
    /// The agent was not ready after this time.
    Preparation(Duration),
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
            JoinError::Lost { lost, when, .. } => write!(f, "{when}: {lost}"),
            JoinError::Protocol(why) => {
                write!(f, "the manager does not keep to the protocol: {why}")
            }
            JoinError::Rules(why) => write!(f, "the rules of the manager have errors\n{why}"),
            JoinError::Agent(why) | JoinError::Process(why) => f.write_str(why),
            JoinError::Preparation(most) => {
                let most = limit::duration_text(*most);
                write!(f, "the rules of the manager take longer than {most} to prepare")
            }
            JoinError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for JoinError {}

impl From<Failure> for JoinError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Lost { lost, when, unseated } => {
                JoinError::Lost { lost, when: harmless(&when), unseated }
            }
            Failure::Protocol(why) => JoinError::Protocol(harmless(&why)),
            Failure::Rules(why) => JoinError::Rules(harmless(&why)),
            Failure::Agent(why) => JoinError::Agent(harmless(&why)),
        }
    }
}

/// Joins a manager and plays to the end of the last game; gives how many games there were.
pub fn join(
    settings: &JoinSettings,
    interrupted: &AtomicBool,
    watch: &mut dyn FnMut(&JoinNotice),
) -> Result<u64, JoinError> {
    let (mut games, mut attempts) = (0, 1);
    loop {
        let connection = connect(settings, interrupted)?;
        let lost = match relay(settings, connection, &mut games, interrupted, watch) {
            Ok(()) => return Ok(games),
            Err(error) => error,
        };
        match &lost {
            JoinError::Lost { .. } if settings.reconnect => {}
            JoinError::Lost { unseated: true, .. } if attempts < settings.seat_attempts => {
                attempts += 1;
            }
            _ => return Err(lost),
        }
        watch(&JoinNotice::Reconnecting { why: lost.to_string() });
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
