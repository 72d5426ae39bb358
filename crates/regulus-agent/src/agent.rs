//! What an agent is.

use std::time::Duration;

use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_search::config::Config;
use regulus_search::{Algorithm, video};

/// An agent for board games: a search and how it is used in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// Its name, for people.
    pub name: String,
    /// The search.
    pub search: Algorithm,
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

impl Agent {
    /// What an agent is if nothing is said about it.
    pub(crate) fn usual() -> Self {
        Agent::of("", Algorithm::Mcts(Config::default()))
    }

    /// An agent with this search and the usual manners.
    pub(crate) fn of(name: &str, search: Algorithm) -> Self {
        Agent {
            name: name.to_owned(),
            split: search.splits().then_some(Strategy::Mod),
            search,
            buffer: Duration::from_millis(100),
            thinks_on_others_time: false,
        }
    }

    /// The game as this agent sees it: with the split points of its strategy.
    pub fn game(&self, game: &Game) -> Game {
        match self.split {
            Some(strategy) => game.split(strategy),
            None => game.clone(),
        }
    }
}

impl VideoAgent {
    /// What an agent is if nothing is said about it.
    pub(crate) fn usual() -> Self {
        let config = video::Config { algorithm: video::Algorithm::Random, seed: 0 };
        VideoAgent { name: String::new(), config, buffer: Duration::from_millis(5) }
    }
}
