//! SHOT: sequential halving applied to trees (SLIDES; T. Cazenave, *Sequential Halving Applied to Trees*, TCIAIG 7(1),
//! 2015).
//!
//! Every node divides its budget of playouts into rounds, as sequential halving does; after each the worse half of its
//! moves is left out. What was found is kept in a transposition table: a node that is visited again with more budget goes
//! on as if it had had all of it at once. There is no exploration constant, and far fewer moves are listed than in a
//! search that goes down from the root for every playout.
//!
//! | file | part |
//! |---|---|
//! | `config.rs` | which searches there are |
//! | `visit.rs` | the algorithm |
//! | `child.rs` | making a move, playing out |
//! | `table.rs` | entries of positions |
//! | `turn.rs` | budgets: playouts, states, time |
//! | `report.rs` | the move that is played, and what is told |
//!
//! What the sources leave open:
//!
//! - A position that ends the game is given as many playouts as its budget, all with its scores, and uses up none.
//! - With several players, moves are judged by the mean score of the player who makes them.
//! - Moves with equal means come in any order, and so do those that were never played out.
//! - A position that is already on the way down plays its budget out at random, and so does one whose entry finds no
//!   room in memory.
//! - With split moves the children are semimoves. In the middle of a move the steps since its beginning are part of the
//!   name of an entry. Semimoves that lead to no move are left out when that is found out, and cost nothing.
//!
//! ```
//! use regulus_search::shot::Shot;
//! use regulus_search::{Config, Limits, Searcher};
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("tic-tac-toe").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("tic-tac-toe", text)).game.unwrap();
//! let interpreter = regulus_reasoner::Interpreter::new(&game);
//! let mut search = Shot::new(interpreter.worker(), Config::default())?;
//! let thought = search.think(&Limits::simulations(500))?;
//! assert!(thought.totals.iterations <= 500);
//! assert_eq!(search.moves().len(), 9);
//! search.advance(&thought.chosen.expect("the game is not over"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod child;
mod config;
mod report;
mod table;
mod turn;
mod visit;

pub use config::{settings, validate, validate_limits};

use regulus_game::{Engine, Moves, Step};

use crate::action::NODAL;
use crate::config::Config;
use crate::failure::Failure;
use crate::repeated::Repeated;
use crate::report::MoveReport;
use crate::simulator::Simulator;
use table::Table;

/// Searches a game, turn after turn.
///
/// What it can do is [`Searcher`](crate::Searcher). Entries are kept from turn to turn as long as they take less than
/// half of the memory.
pub struct Shot<E: Engine> {
    /// Playouts are made as those of a tree search are.
    sim: Simulator<Repeated<E>>,
    table: Table,
    /// The way down: frame 0 is the position.
    frames: Vec<Frame<E::State>>,
    /// The steps from the position to the last frame, and who made moves, as in [`Record`](crate::record::Record).
    steps: Vec<Step>,
    moves: Vec<(u8, u32)>,
    /// There was no room for an entry.
    full: bool,
    /// The part of limits of states and time that was spent, as of the last look.
    spent: f64,
    report: Vec<MoveReport>,
}

/// A position on the way down.
struct Frame<S> {
    state: S,
    /// False if the keeper is stuck, which ends the game.
    alive: bool,
    nodal: bool,
    player: usize,
    /// The name of its entry.
    key: u64,
    /// The steps since the last nodal state.
    context: u64,
    /// Its moves.
    moves: Moves,
    /// Or its semimoves.
    semimoves: Vec<Step>,
    /// S of the pseudocode: numbers of moves.
    left: Vec<u32>,
    found: Found,
    /// The ends of [`Shot::steps`] and [`Shot::moves`].
    ends: (usize, usize),
}

/// What a visit has found: playouts, and the scores of all players in them, summed (0 for the keeper).
#[derive(Clone, Default)]
struct Found {
    playouts: u64,
    sums: Vec<f64>,
}

impl Found {
    fn clear(&mut self, players: usize) {
        self.playouts = 0;
        self.sums.clear();
        self.sums.resize(players + 1, 0.0);
    }

    fn add(&mut self, playouts: u64, sums: impl Iterator<Item = f64>) {
        self.playouts += playouts;
        self.sums.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
}

impl<S: Clone> Frame<S> {
    fn new(state: &S) -> Self {
        Frame {
            state: state.clone(),
            alive: true,
            nodal: true,
            player: 0,
            key: 0,
            context: NODAL,
            moves: Moves::new(),
            semimoves: Vec::new(),
            left: Vec::new(),
            found: Found::default(),
            ends: (0, 0),
        }
    }
}

impl<E: Engine> Shot<E> {
    /// A search from the beginning of a game.
    pub fn new(engine: E, config: Config) -> Result<Self, Failure<E::Error>> {
        let position = engine.initial();
        Shot::from_position(engine, position, config)
    }

    /// A search from a nodal position of the engine.
    pub fn from_position(
        engine: E,
        position: E::State,
        config: Config,
    ) -> Result<Self, Failure<E::Error>> {
        validate(&config)?;
        let memory = config.memory;
        // States are to keep their hashes.
        let config = Config { transpositions: true, ..config };
        let engine = Repeated::new(engine, config.reasoning_overhead);
        Ok(Shot {
            sim: Simulator::new(engine, position, config)?,
            table: Table::new(memory),
            frames: Vec::new(),
            steps: Vec::new(),
            moves: Vec::new(),
            full: false,
            spent: 0.0,
            report: Vec::new(),
        })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.sim.config
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut E {
        self.sim.engine.inner()
    }

    /// The position that is searched, after the keeper has moved.
    pub fn position(&self) -> &E::State {
        &self.sim.position
    }

    /// How many bytes entries and statistics take.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.sim.statistic_bytes()
    }

    /// The entry of a nodal position with this hash: its budget so far, and the playouts of every move with the sum of
    /// the scores of the player who makes it.
    pub fn entry(&self, position: u64) -> Option<(u64, Vec<(u32, f64)>)> {
        let entry = self.table.find(position)?;
        let stats = self.table.stats(entry).iter().map(|stat| (stat.playouts, stat.sum));
        Some((self.table.entry(entry).budget, stats.collect()))
    }

    fn splits(&self) -> bool {
        !self.sim.config.tree.is_orthodox()
    }
}
