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
//! | `task.rs` | what is searched, what was found |
//! | `report.rs` | what is told about it |
//!
//! ```
//! use regulus_search::{Limits, Searcher};
//! use regulus_search::nested::{Algorithm, Config, Nested};
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("peg-solitaire").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("peg-solitaire", text)).game.unwrap();
//! let interpreter = regulus_reasoner::Interpreter::new(&game);
//! let config = Config { algorithm: Algorithm::NRPA, level: 2, ..Config::default() };
//! let mut search = Nested::new(interpreter.worker(), config)?;
//! let thought = search.think(&Limits::simulations(50))?;
//! let best = search.best_line().expect("the game is not over");
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

pub use config::{Algorithm, Config, MAX_LEVEL};
pub use line::Line;

use regulus_game::{Engine, Step};

use crate::any_move::{Choice, settle};
use crate::failure::Failure;
use crate::report::{MoveReport, SearchResult};
use crate::searcher::Searcher;
use crate::turn::Turn;
use nmcs::Nmcs;
use nrpa::Nrpa;
use task::Task;

/// Searches a single-player game, turn after turn.
///
/// What it can do is [`Searcher`]: the best sequence of moves found in this and all earlier turns is what is played.
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
        let Config { algorithm, level, .. } = config;
        config.validate_players(engine.players())?;
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

    fn run(&mut self, turn: &mut Turn<'_>) -> Result<(), E::Error> {
        self.task.list_moves()?;
        if !self.task.is_worth_searching() {
            turn.end();
        }
        while !turn.is_over() {
            match &mut self.search {
                Algorithms::Nmcs(nmcs) => nmcs.search(&mut self.task, turn)?,
                Algorithms::Nrpa(nrpa) => nrpa.search(&mut self.task, turn)?,
            }
        }
        Ok(())
    }
}

impl<E> Searcher<E::Error> for Nested<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// Chooses the first move of the best sequence found so far. The search ends early when the best sequence has the
    /// highest score that exists.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<E::Error>> {
        turn.validate(|limits| self.config.validate_limits(limits))?;
        turn.begin(&mut self.task.totals);
        let searched = self.run(turn);
        let chooses = !turn.is_pondering();
        let best = self.best_line().filter(|_| chooses).and_then(|best| best.get(0));
        let found = best.map(<[_]>::to_vec);
        let task = &mut self.task;
        let position = (chooses && task.alive).then_some(&task.position);
        let settled = settle(&mut task.engine, position, searched, Ok(found));
        let Choice { chosen, trouble } = settled.map_err(Failure::Game)?;
        let totals = task.totals.since(turn.before);
        let (nodes, bytes) = (task.codes, task.bytes);
        Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
    }

    /// All moves of the position with the games that began with them, most first; `mean` is the mean score
    /// of these games. The first move of the best sequence has its length as its depth.
    fn moves(&self) -> Vec<MoveReport> {
        self.task.moves()
    }

    /// What is known of the best sequence stays known if the move is its first.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<E::Error>> {
        self.task.advance(steps).map_err(Failure::Game)
    }

    /// The best sequence from the position on, with the score that the game ends with.
    fn best_line(&self) -> Option<&Line> {
        self.task.best.as_ref()
    }
}
