//! What both algorithms work on: the position, and what was found there.

use regulus_game::{Engine, Random, Step};

use super::line::Line;
use super::report::RootMoves;
use crate::report::Totals;
use crate::stopper::Progress;
use crate::turn::Turn;

/// How many moves of a game pass between questions whether the time is up.
pub(super) const MOVES_PER_LOOK: usize = 64;

/// A position to search and what was found there.
pub(super) struct Task<E: Engine> {
    pub(super) engine: E,
    pub(super) random: Random,
    /// The position, after the keeper.
    pub(super) position: E::State,
    /// False if the keeper is stuck, which ends the game.
    pub(super) alive: bool,
    /// The best sequence from the position on, if there is one.
    pub(super) best: Option<Line>,
    /// The moves of the position and how often games began with them.
    pub(super) root: RootMoves,
    pub(super) totals: Totals,
    /// How many moves have a weight, and what that takes.
    pub(super) codes: u64,
    pub(super) bytes: usize,
    /// There is no memory for more weights.
    pub(super) full: bool,
}

impl<E: Engine> Task<E> {
    /// A position; `hashes` says whether states are asked for their hash.
    pub(super) fn new(
        mut engine: E,
        mut position: E::State,
        seed: u64,
        hashes: bool,
    ) -> Result<Self, E::Error> {
        let alive = engine.run_keeper(&mut position)?;
        if !hashes {
            engine.forget_hash(&mut position);
        }
        Ok(Task {
            engine,
            random: Random::new(seed),
            position,
            alive,
            best: None,
            root: RootMoves::default(),
            totals: Totals::default(),
            codes: 0,
            bytes: 0,
            full: false,
        })
    }

    pub(super) fn advance(&mut self, steps: &[Step]) -> Result<(), E::Error> {
        match &mut self.best {
            Some(best) if best.get(0) == Some(steps) => best.remove_first(),
            best => *best = None,
        }
        self.root.clear();
        self.engine.apply(&mut self.position, steps);
        self.alive = self.engine.run_keeper(&mut self.position)?;
        Ok(())
    }

    /// Lists the moves of the position.
    pub(super) fn list_moves(&mut self) -> Result<(), E::Error> {
        if self.alive {
            self.engine.list(&mut self.position, &mut self.root.moves)?;
            self.root.prepare();
        }
        Ok(())
    }

    /// False if the game is over or no sequence can be better than the best.
    pub(super) fn is_worth_searching(&self) -> bool {
        let bound = self.engine.score_bound(1);
        !self.root.moves.is_empty() && self.best.as_ref().is_none_or(|best| best.score < bound)
    }

    /// A move was made in some game.
    #[inline]
    pub(super) fn count_state(&mut self) {
        self.totals.nodal_states += 1;
        self.totals.states += 1;
    }

    /// A game has ended: keeps it if it is the best, and asks whether to go on.
    pub(super) fn ended(&mut self, line: &Line, turn: &mut Turn<'_>) {
        self.totals.iterations += 1;
        self.totals.depth_sum += line.len() as u64;
        self.totals.max_depth = self.totals.max_depth.max(line.len() as u64);
        self.root.count(line);
        if self.best.as_ref().is_none_or(|best| line.score > best.score) {
            self.best.get_or_insert_default().copy(line);
            if !self.is_worth_searching() {
                turn.end();
            }
        }
        self.look(turn);
    }

    /// A game that was begun is left because the turn is over: without any other it is better than
    /// nothing.
    pub(super) fn left(&mut self, line: &Line, score: u32) {
        if self.best.is_none() && !line.is_empty() {
            let best = self.best.get_or_insert_default();
            best.copy(line);
            best.score = score;
        }
    }

    /// Asks whether the turn is over, and shows what was found if somebody wants to see it.
    pub(super) fn look(&mut self, turn: &mut Turn<'_>) {
        let done = self.totals.since(turn.before);
        let progress = Progress {
            iterations: done.iterations,
            states: done.nodal_states,
            full: self.full,
            leaders: (0, 0),
        };
        turn.look(&progress, || self.snapshot(done));
    }
}
