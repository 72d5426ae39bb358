//! What an agent is.

use std::time::Duration;

use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_search::config::{Config, Limits, Refusal};
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
        self.search.splits()
    }

    /// What an agent is if nothing is said about it.
    pub(crate) fn usual() -> Self {
        Agent::of("", Config::default())
    }

    /// An agent with this search and the usual manners.
    pub(crate) fn of(name: &str, search: Config) -> Self {
        Agent {
            name: name.to_owned(),
            split: search.splits().then_some(Strategy::Mod),
            search,
            nested: None,
            shot: false,
            buffer: Duration::from_millis(100),
            thinks_on_others_time: false,
        }
    }

    /// The game as this agent sees it: with the split points of its strategy.
    pub fn game(&self, game: &Game) -> Game {
        match self.split {
            Some(strategy) => Game { rules: strategy.apply(&game.rules), ..game.clone() },
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
