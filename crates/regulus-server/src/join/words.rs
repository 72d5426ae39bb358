//! What is said between [`join`](super::join()), which holds the connection to the manager, and the player, who runs its
//! rules, most often in a process of its own.
//!
//! Both sides write messages that end with a NUL byte, as the manager does. The player is told a [`Setup`], then messages of
//! the manager as they are, after one letter; it answers with [`Word`]s as JSON.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use regulus_agent::Agent;
use regulus_search::config::Limits;
use serde::{Deserialize, Serialize};

use super::notice::JoinNotice;
use crate::protocol::{Decoder, Lost, encode};

/// What a player has to know before the first message of the manager.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    /// Name and configuration of the agent; nothing if the rules decide.
    agent: Option<(String, String)>,
    time: Option<Duration>,
    simulations: Option<u64>,
    states: Option<u64>,
    pub(super) buffer: Option<Duration>,
    pub(super) seed: u64,
    pub(super) silence_timeout: Duration,
    /// Bytes that a search may use.
    pub(super) search_memory: usize,
    /// Games that were played on earlier connections.
    pub(super) games: u64,
    /// The statistics of all legal moves are told after each turn.
    pub(super) show_moves: bool,
}

impl Setup {
    /// The setup of a player, of which the agent and its limits are given here.
    pub(super) fn new(agent: Option<&Agent>, limits: &Limits) -> Self {
        Setup {
            agent: agent.map(|agent| (agent.name.clone(), regulus_agent::write(agent))),
            time: limits.time,
            simulations: limits.simulations,
            states: limits.states,
            buffer: None,
            seed: 0,
            silence_timeout: Duration::MAX,
            search_memory: usize::MAX,
            games: 0,
            show_moves: false,
        }
    }

    /// The agent; nothing if the rules decide.
    pub(super) fn agent(&self) -> Result<Option<Agent>, String> {
        let agent = self.agent.as_ref().map(|(name, text)| regulus_agent::read(name, text));
        agent.transpose().map_err(|problem| problem.to_string())
    }

    /// How long the agent thinks, if the manager does not say less.
    pub(super) fn limits(&self) -> Limits {
        let (time, simulations, states) = (self.time, self.simulations, self.states);
        Limits { time, simulations, states, ..Limits::default() }
    }
}

/// What a player is told after that.
#[derive(Debug)]
pub(super) enum Heard {
    /// A message of the manager.
    Message(Vec<u8>),
    /// There will be no more.
    Lost(Lost),
}

/// What a player says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Word {
    /// A message for the manager.
    Say(String),
    /// Something for whoever watches.
    Notice(JoinNotice),
    /// After how many games it has ended, and how.
    Ended(u64, Result<(), Failure>),
}

/// Why a player does not play to the end.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failure {
    /// The connection was lost.
    Lost {
        lost: Lost,
        when: String,
        /// It was ready, and no game has begun.
        unseated: bool,
    },
    /// The manager says what no manager says.
    Protocol(String),
    /// The rules have errors.
    Rules(String),
    /// The agent cannot play.
    Agent(String),
}

const MESSAGE: u8 = b'm';
const LOST: u8 = b'l';

/// A message for a player.
pub(super) fn heard_bytes(heard: &Heard) -> Vec<u8> {
    match heard {
        Heard::Message(message) => encode(&[&[MESSAGE], &message[..]].concat()),
        Heard::Lost(lost) => encode(&[&[LOST], json(lost).as_slice()].concat()),
    }
}

/// Reads a message for a player.
pub(super) fn read_heard(bytes: &[u8]) -> io::Result<Heard> {
    match bytes.split_first() {
        Some((&MESSAGE, message)) => Ok(Heard::Message(message.to_vec())),
        Some((&LOST, lost)) => Ok(Heard::Lost(serde_json::from_slice(lost)?)),
        _ => Err(io::Error::other("a message that is none")),
    }
}

/// JSON, in which there are no NUL bytes.
pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}

/// Writes messages; threads can share it.
#[derive(Clone)]
pub(super) struct Speaker(Arc<Mutex<Box<dyn Write + Send>>>);

impl Speaker {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Speaker(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Writes what is encoded already.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(bytes)?;
        output.flush()
    }

    /// Says a word; fails if nobody listens any more.
    pub(super) fn say(&self, word: &Word) -> Result<(), Lost> {
        Ok(self.write(&encode(&json(word)))?)
    }
}

/// Reads messages from a pipe, each as a whole.
pub(super) struct Frames<R> {
    input: R,
    decoder: Decoder,
}

impl<R: Read> Frames<R> {
    /// For messages of at most `longest` bytes.
    pub(super) fn new(input: R, longest: usize) -> Self {
        Frames { input, decoder: Decoder::new(longest) }
    }

    /// The next message; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = [0; 4096];
        loop {
            if let Some(message) = self.decoder.message().map_err(io::Error::other)? {
                return Ok(Some(message));
            }
            match self.input.read(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(count) => self.decoder.push(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
