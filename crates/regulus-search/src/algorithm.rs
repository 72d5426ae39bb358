//! Which search an agent for board games has. What depends on that is decided here.

use regulus_game::Engine;

use crate::config::{Config, Limits, Parallel, Refusal, SimulationDesign};
use crate::failure::Failure;
use crate::nested::{self, Nested};
use crate::parallel::{RootParallel, TreeParallel};
use crate::search::Search;
use crate::searcher::Searcher;
use crate::shot::{self, Shot};

/// A search with all its parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Monte-Carlo tree search, with as many threads as its configuration says.
    Mcts(Config),
    /// Halving in the whole tree; only what [`shot::validate`] accepts is used.
    Shot(Config),
    /// A search for games with one player.
    Nested(nested::Config),
}

/// What a search asks of the rules, besides lists of moves and the keeper's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Whole random games.
    Playouts,
    /// Whole random games in which semimoves are drawn.
    SplitPlayouts,
    /// The moves of a position in groups: games are played move by move.
    Groups,
    /// One random move.
    Draws,
    /// Nothing else.
    Nothing,
}

/// A search that has begun.
pub type BoxedSearcher<'e, X> = Box<dyn Searcher<X> + 'e>;

impl Algorithm {
    /// Refuses values out of range, and parts that do not fit together.
    pub fn validate(&self) -> Result<(), Refusal> {
        match self {
            Algorithm::Mcts(config) => config.validate(),
            Algorithm::Shot(config) => shot::validate(config),
            Algorithm::Nested(config) => config.validate(),
        }
    }

    /// The same, and refuses limits that the search cannot obey and games that it cannot play.
    pub fn validate_for(&self, players: usize, limits: &Limits) -> Result<(), Refusal> {
        self.validate()?;
        match self {
            Algorithm::Mcts(config) => limits.validate(config),
            Algorithm::Shot(_) => shot::validate_limits(limits),
            Algorithm::Nested(config) => {
                config.validate_players(players)?;
                config.validate_limits(limits)
            }
        }
    }

    /// True if some part of it works on semimoves.
    pub fn splits(&self) -> bool {
        match self {
            Algorithm::Mcts(config) | Algorithm::Shot(config) => config.splits(),
            Algorithm::Nested(_) => false,
        }
    }

    /// What it asks of the rules.
    pub fn asks(&self) -> Asks {
        let config = match self {
            Algorithm::Mcts(config) | Algorithm::Shot(config) => config,
            Algorithm::Nested(config) => {
                return match config.algorithm {
                    nested::Algorithm::Nmcs => Asks::Draws,
                    nested::Algorithm::Nrpa { .. } => Asks::Nothing,
                };
            }
        };
        // Simulations that are guided or recorded are made move by move.
        match config.simulation {
            SimulationDesign::Semisplit => Asks::SplitPlayouts,
            SimulationDesign::Orthodox if config.mast.is_some() || config.rave.is_some() => {
                Asks::Groups
            }
            SimulationDesign::Orthodox => Asks::Playouts,
        }
    }

    /// How many bytes it may take.
    pub fn memory(&self) -> usize {
        match self {
            Algorithm::Mcts(config) | Algorithm::Shot(config) => config.memory,
            Algorithm::Nested(config) => config.memory,
        }
    }

    /// Changes how many bytes it may take.
    pub fn set_memory(&mut self, bytes: usize) {
        match self {
            Algorithm::Mcts(config) | Algorithm::Shot(config) => config.memory = bytes,
            Algorithm::Nested(config) => config.memory = bytes,
        }
    }

    /// The tree search; nothing if it is another one.
    pub fn tree_search(&self) -> Option<&Config> {
        match self {
            Algorithm::Mcts(config) => Some(config),
            Algorithm::Shot(_) | Algorithm::Nested(_) => None,
        }
    }

    /// Whether several threads work on it, and how.
    pub fn parallel(&self) -> Parallel {
        self.tree_search().map_or(Parallel::Off, |config| config.parallel)
    }

    /// How many threads it has if nobody says so: as many as there are trees, but not more than processors.
    pub fn usual_threads(&self) -> usize {
        match self.parallel() {
            Parallel::Root { trees } => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                processors.min(trees as usize)
            }
            other => other.most_threads(),
        }
    }

    /// A search from the beginning of a game. Several trees have at most `threads` threads; the number of threads on
    /// one tree is a part of the configuration.
    pub fn start<'e, E>(
        &self,
        engine: impl Fn() -> E,
        seed: u64,
        threads: usize,
    ) -> Result<BoxedSearcher<'e, E::Error>, Failure<E::Error>>
    where
        E: Engine + Send + 'e,
        E::State: Send,
    {
        Ok(match self {
            Algorithm::Mcts(config) => {
                let config = Config { seed, ..config.clone() };
                match config.parallel {
                    Parallel::Off => Box::new(Search::new(engine(), config)?),
                    Parallel::Root { .. } => Box::new(RootParallel::new(engine, config, threads)?),
                    Parallel::Tree { .. } => Box::new(TreeParallel::new(engine, config)?),
                }
            }
            Algorithm::Shot(config) => {
                Box::new(Shot::new(engine(), Config { seed, ..config.clone() })?)
            }
            Algorithm::Nested(config) => {
                Box::new(Nested::new(engine(), nested::Config { seed, ..config.clone() })?)
            }
        })
    }
}
