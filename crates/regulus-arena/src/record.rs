//! Finished games as they are kept: one line of JSON each, whatever was played.

use std::any::Any;
use std::fmt::Debug;

use regulus_agent::Described;
use regulus_player::LoadedGame;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contest::GameNumber;
use crate::record_line::JsonLine;

/// Which game was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The name.
    pub name: String,
    /// The file of the rules, if they are not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The SHA-256 of the text of the rules.
    pub sha256: String,
}

impl GameRecord {
    /// Of a board game.
    pub fn of(game: &LoadedGame) -> Self {
        GameRecord {
            name: game.name().to_owned(),
            file: game.file().map(str::to_owned),
            sha256: game.sha256().to_owned(),
        }
    }
}

/// An agent with all its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentRecord {
    /// The name.
    pub name: String,
    /// The parameters, as in a configuration file.
    pub parameters: Value,
}

impl AgentRecord {
    /// An agent as it is recorded.
    pub fn new(name: &str, agent: &impl Described) -> Self {
        let parameters = serde_json::from_str(&regulus_agent::write(agent)).unwrap_or(Value::Null);
        AgentRecord { name: name.to_owned(), parameters }
    }
}

/// Why an agent has lost without the rules saying so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// It took too long for a move.
    Timeout,
    /// Its move was illegal, or it had none.
    Illegal,
    /// It could not go on.
    Failed,
    /// It crashed.
    Crashed,
}

impl Reason {
    /// The reason in a word.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Illegal => "illegal move",
            Reason::Failed => "failure",
            Reason::Crashed => "crash",
        }
    }
}

/// Where a record comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'r> {
    /// The name of the experiment.
    pub experiment: &'r str,
    /// What all random numbers of its contest come from.
    pub seed: u64,
    /// The game.
    pub game: &'r GameRecord,
    /// The agents.
    pub agents: &'r [AgentRecord],
    /// What agents could use, as it was asked for.
    pub budget: &'r str,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// The version that played it.
    pub version: &'r str,
}

/// The origin of a record. Records of all kinds have it in fields of the same names, which stand in different orders on
/// the disk.
macro_rules! origin {
    ($record:expr) => {
        Origin {
            experiment: &$record.experiment,
            seed: $record.seed,
            game: &$record.game,
            agents: &$record.agents,
            budget: &$record.budget,
            started: $record.started,
            version: &$record.version,
        }
    };
}
pub(crate) use origin;

/// At most this number of faults is told in full.
pub(crate) const FAULTS_TOLD: usize = 5;

/// What is kept of a game between agents, of a run of a video game, or of a search for its speed. Whoever writes, sorts,
/// repairs or counts records needs no more.
pub trait Record: Any + Debug + JsonLine + Send + Sync {
    /// Where it comes from.
    fn origin(&self) -> Origin<'_>;

    /// Which game of its contest it is.
    fn number(&self) -> GameNumber;

    /// What does not hold together in it; nothing if all does. Whether it is a game by the rules is another
    /// question: see [`Verifier`](crate::board::Verifier) and [`verify`](crate::video::verify).
    fn contradiction(&self) -> Option<String>;

    /// True if it was lost by a fault or cannot count.
    fn is_fault(&self) -> bool;

    /// How long it took, in seconds.
    fn seconds(&self) -> f64;

    /// What was played, in a few words.
    fn headline(&self) -> String;
}
