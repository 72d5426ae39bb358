//! What is known about a process that has worked on an experiment.

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::record::{AgentRecord, GameRecord};

/// One process that has worked on an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Its name; its records are in the file of this name.
    pub worker: String,
    /// The experiment.
    pub experiment: String,
    /// The version.
    pub version: String,
    /// The commit it was built from, if that was known then.
    pub commit: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// Its number as a process.
    pub process: u32,
    /// Its share: `[i, n]` is every n-th unit of the plan from the i-th on.
    pub shard: [u64; 2],
    /// How many games at once.
    pub threads: usize,
    /// True if every thread had a processor of its own.
    pub pinned: bool,
    /// The seed.
    pub seed: u64,
    /// The games.
    pub games: Vec<GameRecord>,
    /// The agents.
    pub agents: Vec<AgentRecord>,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// When it ended; nothing if it works or was killed.
    pub ended: Option<f64>,
    /// How many games it has finished.
    pub played: u64,
    /// True if it was asked to stop.
    pub interrupted: bool,
    /// Load of the machine before it began.
    pub load_before: Option<f64>,
    /// The highest load that was seen while it worked.
    pub load_highest: Option<f64>,
    /// Load of the machine after it ended.
    pub load_after: Option<f64>,
}

impl Manifest {
    /// The commit that this program was built from, if the environment variable `REGULUS_COMMIT` said so
    /// when it was built.
    pub fn commit() -> Option<String> {
        option_env!("REGULUS_COMMIT").map(str::to_owned)
    }
}
