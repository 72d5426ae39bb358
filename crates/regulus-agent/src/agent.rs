//! What an agent is.

use std::time::Duration;

use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_search::config::{Config, SimulationDesign};

/// An agent: a search and how it is used in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// Its name, for people.
    pub name: String,
    /// The search.
    pub search: Config,
    /// How moves are split; `None` if nothing in the search works on semimoves.
    pub split: Option<Strategy>,
    /// What is kept back of the time for a move.
    pub buffer: Duration,
    /// Whether it goes on searching while others think.
    pub thinks_on_others_time: bool,
}

impl Agent {
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
