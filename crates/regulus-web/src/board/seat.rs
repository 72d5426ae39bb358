//! Who plays for a player.

use regulus_agent::COLLECTION;
use regulus_player::AUTO;
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// How long an agent thinks unless it is told otherwise.
pub const USUAL_LIMIT: &str = "time=1s";

/// Who plays for a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Somebody at the page.
    Human {},
    /// An agent.
    Agent {
        /// Its name.
        agent: String,
        /// How long it thinks.
        #[serde(default = "usual_limit")]
        limit: String,
    },
}

fn usual_limit() -> String {
    USUAL_LIMIT.to_owned()
}

impl Seat {
    /// True for a human.
    pub fn is_human(&self) -> bool {
        matches!(self, Seat::Human {})
    }

    /// A human at the first seat, agents at the others.
    pub fn usual(players: usize) -> Vec<Seat> {
        let agent = || Seat::Agent { agent: AUTO.to_owned(), limit: usual_limit() };
        (0..players).map(|i| if i == 0 { Seat::Human {} } else { agent() }).collect()
    }

    /// Checks seats for a game.
    pub fn check(seats: &[Seat], players: &[String], limits: &Limits) -> Result<(), Refusal> {
        if seats.len() != players.len() {
            let (has, given) = (players.len(), seats.len());
            let players = players.join(", ");
            return Err(Refusal::invalid(format!(
                "the game has {has} seats ({players}), but {given} are given"
            )));
        }
        for seat in seats {
            if let Seat::Agent { agent, limit } = seat {
                if agent != AUTO && !COLLECTION.contains(&agent.as_str()) {
                    return Err(Refusal::invalid(format!(
                        "there is no agent `{agent}`; `/api/v1/agents` lists them"
                    )));
                }
                limits.search(limit)?;
            }
        }
        Ok(())
    }
}
