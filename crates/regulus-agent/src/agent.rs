//! What an agent is.

use std::time::Duration;

use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_search::config::{Config, Limits, Refusal, SimulationDesign};
use regulus_search::nested::Design;
use regulus_search::{shot, video};

use crate::parameter::Games;

/// An agent for board games: a search and how it is used in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// Its name, for people.
    pub name: String,
    /// The search; with `nested` only its memory and its seed are used.
    pub search: Config,
    /// A search for games with one player instead of the tree search.
    pub nested: Option<Design>,
    /// Halving in the whole tree instead of the tree search; of the search only what
    /// [`shot::validate`] accepts is used.
    pub shot: bool,
    /// How moves are split; `None` if nothing in the search works on semimoves.
    pub split: Option<Strategy>,
    /// What is kept back of the time for a move.
    pub buffer: Duration,
    /// Whether it goes on searching while others think.
    pub thinks_on_others_time: bool,
}

/// An agent for video games.
#[derive(Clone, PartialEq, Debug)]
pub struct VideoAgent {
    /// Its name, for people.
    pub name: String,
    /// What it is made of.
    pub config: video::Config,
    /// What is kept back of the time for an action.
    pub buffer: Duration,
}

/// An agent of either kind.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few, and nobody moves them about")]
pub enum AnyAgent {
    /// For board games.
    Board(Agent),
    /// For video games.
    Video(VideoAgent),
}

impl AnyAgent {
    /// What it plays.
    pub fn games(&self) -> Games {
        match self {
            AnyAgent::Board(_) => Games::Board,
            AnyAgent::Video(_) => Games::Video,
        }
    }
}

impl Agent {
    /// Refuses values out of range, limits that the search cannot obey and games that it cannot play.
    pub fn validate(&self, players: usize, limits: &Limits) -> Result<(), Refusal> {
        match &self.nested {
            Some(design) => {
                design.validate()?;
                design.validate_players(players)?;
                design.validate_limits(limits)
            }
            None if self.shot => {
                shot::validate(&self.search)?;
                shot::validate_limits(limits)
            }
            None => {
                self.search.validate()?;
                limits.validate(&self.search)
            }
        }
    }

    /// True if some part of the search works on semimoves.
    pub fn splits(&self) -> bool {
        needs_split(&self.search)
    }

    /// The game as this agent sees it: with the split points of its strategy.
    pub fn game(&self, game: &Game) -> Game {
        match self.split {
            Some(strategy) => Game { rules: strategy.apply(&game.rules), ..game.clone() },
            None => game.clone(),
        }
    }
}

pub(crate) fn needs_split(search: &Config) -> bool {
    !search.tree.is_orthodox() || search.simulation == SimulationDesign::Semisplit
}
