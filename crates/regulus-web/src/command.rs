//! What visitors can ask of a session.

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

/// A change that is asked for. Those with a revision fail if the session has changed since.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Choose something.
    Choose {
        /// The revision that is meant.
        revision: u64,
        /// The number of the choice.
        choice: usize,
    },
    /// Take back a choice of the unfinished move.
    Back {
        /// The revision that is meant.
        revision: u64,
    },
    /// Go back to the last position in which a human was to move.
    Undo {
        /// The revision that is meant.
        revision: u64,
    },
    /// Begin anew.
    Restart {
        /// The revision that is meant.
        revision: u64,
        /// New seats.
        #[serde(default)]
        seats: Option<Vec<Seat>>,
    },
    /// Change who plays.
    Seats {
        /// The revision that is meant.
        revision: u64,
        /// New seats.
        seats: Vec<Seat>,
    },
    /// Give up.
    Resign {
        /// The revision that is meant.
        revision: u64,
    },
    /// Stop agents, or let them go on.
    Pause {
        /// Whether they stop.
        paused: bool,
    },
    /// One move of an agent.
    Step {},
    /// A search for the human.
    Hint {
        /// How long to search.
        #[serde(default)]
        limit: Option<String>,
    },
    /// Look at an earlier position.
    Goto {
        /// After how many moves.
        ply: usize,
    },
    /// Change the pause between moves of agents.
    Speed {
        /// In milliseconds.
        ms: u64,
    },
}

/// The names of all orders, as they are in addresses.
pub const ORDERS: [&str; 11] = [
    "choose", "back", "undo", "restart", "seats", "resign", "pause", "step", "hint", "goto",
    "speed",
];

impl Command {
    /// The revision that is meant.
    pub fn revision(&self) -> Option<u64> {
        match self {
            Command::Choose { revision, .. }
            | Command::Back { revision }
            | Command::Undo { revision }
            | Command::Restart { revision, .. }
            | Command::Seats { revision, .. }
            | Command::Resign { revision } => Some(*revision),
            _ => None,
        }
    }
}
