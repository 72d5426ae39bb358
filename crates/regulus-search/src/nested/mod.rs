//! Searches for games with one player: Nested Monte-Carlo Search and Nested Rollout Policy Adaptation.
//!
//! Where nobody answers, a whole game that went well can be kept and improved. Both algorithms nest
//! searches: one of level n looks at what searches of level n - 1 found, and a search of level 0 is a
//! random game. NMCS (T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009) tries every move and follows
//! the best sequence it has seen; NRPA (PPA, Algorithms 1 and 2) learns the best sequence as a policy of
//! its random games.
//!
//! | file | part |
//! |---|---|
//! | `config.rs` | parameters, their ranges, which games are refused |
//! | `nmcs.rs` | NMCS |
//! | `nrpa.rs` | Algorithm 2 and its playouts |
//! | `policy.rs`, `sequence.rs` | Algorithm 1 and what it needs |
//! | `positions.rs` | positions whose moves are known already |
//! | `line.rs` | moves one after the other |
//! | `task.rs` | what is searched, what was found, when to stop |
//! | `report.rs` | what is told about it |
//!
//! ```
//! use regulus_search::Limits;
//! use regulus_search::nested::{Algorithm, Config, Design, Nested};
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("peg-solitaire").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("peg-solitaire", text)).game.unwrap();
//! let interpreter = regulus_reasoner::Interpreter::new(&game);
//! let design = Design { algorithm: Algorithm::NRPA, level: 2 };
//! let config = Config { design, ..Config::default() };
//! let mut search = Nested::new(interpreter.worker(), config)?;
//! let thought = search.think(&Limits::simulations(50))?;
//! let best = search.best().expect("the game is not over");
//! assert_eq!(thought.chosen.as_deref(), best.get(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod line;
mod nmcs;
mod nrpa;
mod policy;
mod positions;
mod report;
mod sequence;
mod task;

pub use config::{Algorithm, Config, Design, MAX_LEVEL};
pub use line::Line;

use std::time::{Duration, Instant};

use regulus_game::{Engine, Step};

use crate::any_move::{Choice, settle};
use crate::config::Limits;
use crate::failure::Failure;
use crate::report::{MoveReport, SearchResult, Snapshot, Totals};
use crate::stopper::{Asking, Stopper, stoppers};
use crate::think::Watcher;
use nmcs::Nmcs;
use nrpa::Nrpa;
use task::{Clock, Task};

/// Searches a single-player game, turn after turn.
///
/// [`Nested::think`] searches the position within limits; the best sequence of moves found in this and
/// all earlier turns is what is played. [`Nested::advance`] plays a move.
pub struct Nested<E: Engine> {
    config: Config,
    task: Task<E>,
    search: Algorithms<E::State>,
}

enum Algorithms<S> {
    Nmcs(Nmcs<S>),
    Nrpa(Box<Nrpa<S>>),
}

impl<E: Engine> Nested<E> {
    /// A search from the beginning of a game. Games with several players are refused.
    pub fn new(engine: E, config: Config) -> Result<Self, Failure<E::Error>> {
        let position = engine.initial();
        Nested::from_position(engine, position, config)
    }

    /// A search from a nodal position of the engine.
    pub fn from_position(
        engine: E,
        position: E::State,
        config: Config,
    ) -> Result<Self, Failure<E::Error>> {
        config.validate()?;
        let Design { algorithm, level } = config.design;
        config.design.validate_players(engine.players())?;
        let hashes = matches!(algorithm, Algorithm::Nrpa { .. });
        let task = Task::new(engine, position, config.seed, hashes).map_err(Failure::Game)?;
        let position = &task.position;
        let search = match algorithm {
            Algorithm::Nmcs => Algorithms::Nmcs(Nmcs::new(level, position)),
            Algorithm::Nrpa { iterations, alpha } => {
                let nrpa = Nrpa::new(level, iterations, alpha, config.memory, position);
                Algorithms::Nrpa(Box::new(nrpa))
            }
        };
        Ok(Nested { config, task, search })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut E {
        &mut self.task.engine
    }

    /// The position that is searched, after the keeper has moved.
    pub fn position(&self) -> &E::State {
        &self.task.position
    }

    /// The best sequence from the position on, with the score that the game ends with.
    pub fn best(&self) -> Option<&Line> {
        self.task.best.as_ref()
    }

    /// All moves of the position with the games that began with them, most first; `mean` is the mean score
    /// of these games. The first move of the best sequence has its length as its depth.
    pub fn moves(&self) -> Vec<MoveReport> {
        self.task.moves()
    }

    /// Plays a legal move. What is known of the best sequence stays known if the move is its first.
    pub fn advance(&mut self, steps: &[Step]) -> Result<(), E::Error> {
        self.task.advance(steps)
    }

    /// Searches the position within limits and chooses the first move of the best sequence found so far.
    /// The search ends early when the best sequence has the highest score that exists.
    pub fn think(&mut self, limits: &Limits) -> Result<SearchResult, Failure<E::Error>> {
        self.think_within(limits, None)
    }

    /// [`Nested::think`], showing how far it is about so often. The search stops early when `see` says
    /// false.
    pub fn think_watched(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Snapshot) -> bool,
    ) -> Result<SearchResult, Failure<E::Error>> {
        self.think_within(limits, Some(Watcher::new(every, see)))
    }

    /// Goes on searching until told to stop; the question is asked after every game.
    pub fn ponder(&mut self, mut stop: impl FnMut() -> bool) -> Result<Totals, E::Error> {
        let stoppers: Vec<Box<dyn Stopper + '_>> = vec![Box::new(Asking(&mut stop))];
        let mut clock = Clock::new(stoppers, None, self.task.totals);
        self.run(&mut clock)?;
        Ok(self.task.since(&clock))
    }

    fn think_within(
        &mut self,
        limits: &Limits,
        watcher: Option<Watcher<'_>>,
    ) -> Result<SearchResult, Failure<E::Error>> {
        self.config.design.validate_limits(limits)?;
        let stoppers = stoppers(limits, 1.0, Instant::now());
        let mut clock = Clock::new(stoppers, watcher, self.task.totals);
        let searched = self.run(&mut clock);
        let found = self.best().and_then(|best| best.get(0)).map(<[_]>::to_vec);
        let task = &mut self.task;
        let position = task.alive.then_some(&task.position);
        let settled = settle(&mut task.engine, position, searched, Ok(found));
        let Choice { chosen, trouble } = settled.map_err(Failure::Game)?;
        let (totals, nodes, bytes) = (task.since(&clock), task.codes, task.bytes);
        Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
    }

    fn run(&mut self, clock: &mut Clock<'_>) -> Result<(), E::Error> {
        self.task.begin_turn()?;
        clock.stopped = !self.task.is_worth_searching();
        while !clock.stopped {
            match &mut self.search {
                Algorithms::Nmcs(nmcs) => nmcs.search(&mut self.task, clock)?,
                Algorithms::Nrpa(nrpa) => nrpa.search(&mut self.task, clock)?,
            }
        }
        Ok(())
    }
}
