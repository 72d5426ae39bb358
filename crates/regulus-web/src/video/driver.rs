//! Who plays a level.

use std::time::Duration;

use regulus_agent::{VIDEO_COLLECTION, video_by_name};
use regulus_player::video::{Conditions, Pilot};
use regulus_search::config::Limits as SearchLimits;
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// How long an agent thinks about an action unless it is told otherwise: as long as in the competition.
pub const USUAL_LIMIT: &str = "time=40ms";

/// The agent that plays unless another one is chosen.
pub const USUAL_AGENT: &str = "vg-ol-mcts";

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Driver {
    /// Somebody at the page.
    Human {},
    /// An agent.
    Agent {
        /// Its name.
        agent: String,
        /// How long it thinks about an action.
        #[serde(default = "usual_limit")]
        limit: String,
    },
    /// Nobody: the game was played before.
    Replay {
        /// Who played it then.
        agent: String,
    },
}

fn usual_limit() -> String {
    USUAL_LIMIT.to_owned()
}

/// An agent that is ready to play.
pub struct Prepared {
    /// The agent.
    pub pilot: Pilot,
    /// What it may use for an action.
    pub action: SearchLimits,
    /// What it may use before the first.
    pub initialisation: SearchLimits,
}

impl Driver {
    /// The name for a replay.
    pub fn name(&self) -> &str {
        match self {
            Driver::Human {} => "human",
            Driver::Agent { agent, .. } | Driver::Replay { agent } => agent,
        }
    }

    /// Refuses what cannot play.
    pub fn check(&self, limits: &Limits) -> Result<(), Refusal> {
        match self {
            Driver::Human {} => Ok(()),
            Driver::Agent { agent, limit } => {
                if !VIDEO_COLLECTION.contains(&agent.as_str()) {
                    return Err(Refusal::invalid(format!(
                        "there is no agent `{agent}` for video games; `/api/v1/video/agents` lists them"
                    )));
                }
                limits.action(limit).map(drop)
            }
            Driver::Replay { .. } => {
                Err(Refusal::invalid("a replay is given as `replay`, not as `driver`"))
            }
        }
    }

    /// The agent at the beginning of a game; nothing if none plays.
    pub fn prepare(&self, seed: u64, limits: &Limits) -> Result<Option<Prepared>, String> {
        let Driver::Agent { agent, limit } = self else { return Ok(None) };
        let made = video_by_name(agent)?;
        let pilot = Pilot::agent(&made.config, seed).map_err(|refusal| refusal.to_string())?;
        let asked = limits.action(limit).map_err(|refusal| refusal.message)?;
        // Who thinks by the clock has the time of the competition before the first tick.
        let timed = asked.simulations.is_none() && asked.states.is_none();
        let initialisation =
            if timed { Conditions::default().initialisation } else { asked.clone() };
        let with_buffer = |limits: SearchLimits| {
            let most = limits.time.unwrap_or(Duration::MAX) / 4;
            SearchLimits { buffer: made.buffer.min(most), ..limits }
        };
        Ok(Some(Prepared {
            pilot,
            action: with_buffer(asked),
            initialisation: with_buffer(initialisation),
        }))
    }
}
