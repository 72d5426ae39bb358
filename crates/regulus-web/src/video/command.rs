//! What visitors can ask of a run.

use serde::{Deserialize, Serialize};

use super::driver::Driver;

/// A change that is asked for. Those with a revision fail if the run has changed since.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum VideoCommand {
    /// Play ticks.
    Act {
        /// The revision that is meant.
        revision: u64,
        /// A letter for every tick: N nothing, U up, L left, D down, R right, S use.
        actions: String,
    },
    /// Stop an agent, or let it go on.
    Pause {
        /// Whether it stops.
        paused: bool,
    },
    /// One tick of an agent that is stopped.
    Step {},
    /// Change the time between ticks of an agent.
    Speed {
        /// In milliseconds.
        ms: u64,
    },
    /// Begin anew.
    Restart {
        /// Another seed.
        #[serde(default)]
        seed: Option<u64>,
        /// Somebody else plays.
        #[serde(default)]
        driver: Option<Driver>,
    },
}

/// The names of all orders, as they are in addresses.
pub const VIDEO_ORDERS: [&str; 5] = ["act", "pause", "step", "speed", "restart"];

impl VideoCommand {
    /// The revision that is meant.
    pub fn revision(&self) -> Option<u64> {
        match self {
            VideoCommand::Act { revision, .. } => Some(*revision),
            _ => None,
        }
    }
}
