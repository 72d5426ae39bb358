//! How fast an agent is: one search of the first turn.

use serde::{Deserialize, Serialize};

use crate::record::{AgentRecord, GameRecord};

/// One search of the first turn of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpeedRecord {
    /// What it is a part of.
    pub experiment: String,
    /// Which search, from 0.
    pub search: u64,
    /// The game.
    pub game: GameRecord,
    /// The agent, alone.
    pub agents: Vec<AgentRecord>,
    /// What all random numbers come from.
    pub seed: u64,
    /// What the agent could use, as it was asked for.
    pub budget: String,
    /// The same as limits.
    pub limits: String,
    /// Simulations.
    pub iterations: u64,
    /// Nodal states.
    pub nodal_states: u64,
    /// All states.
    pub states: u64,
    /// Nodes of the tree.
    #[serde(default)]
    pub nodes: u64,
    /// Bytes of the tree and of what was learnt.
    #[serde(default)]
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why there is no result, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The processor.
    pub processor: String,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// The version.
    pub version: String,
}

impl SpeedRecord {
    /// Nodal states per second.
    pub fn states_per_s(&self) -> f64 {
        self.nodal_states as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Simulations per second.
    pub fn simulations_per_s(&self) -> f64 {
        self.iterations as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }
}
