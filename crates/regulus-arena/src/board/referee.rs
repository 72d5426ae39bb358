//! Whoever watches over the rules of a game that is played.

use regulus_game::{Engine, Random, Step};
use regulus_reasoner::RunError;

/// A game that is going on, as the referee sees it.
pub trait Table {
    /// The seat to move, from 1.
    fn seat(&self) -> usize;
    /// True if no move is left.
    fn is_over(&mut self) -> Result<bool, RunError>;
    /// How many legal moves there are.
    fn count(&mut self) -> Result<u64, RunError>;
    /// All legal moves, in the order of the rules.
    fn legal(&mut self) -> Result<Vec<Vec<Step>>, RunError>;
    /// True if a move is legal.
    fn is_legal(&mut self, steps: &[Step]) -> Result<bool, RunError>;
    /// Plays a legal move.
    fn play(&mut self, steps: &[Step]) -> Result<(), RunError>;
    /// A random legal move; nothing if the game is over.
    fn sample(&mut self, random: &mut Random) -> Result<Option<Vec<Step>>, RunError>;
    /// The score of every seat.
    fn scores(&self) -> Vec<u32>;
    /// The highest score of every seat.
    fn score_bounds(&self) -> Vec<u32>;
}

/// A table on some engine.
pub struct Referee<E: Engine> {
    engine: E,
    state: E::State,
    /// False if the keeper is stuck.
    alive: bool,
    steps: Vec<Step>,
}

impl<E: Engine<Error = RunError>> Referee<E> {
    /// A game that begins.
    pub fn new(mut engine: E) -> Result<Self, RunError> {
        let mut state = engine.initial();
        let alive = engine.run_keeper(&mut state)?;
        Ok(Referee { engine, state, alive, steps: Vec::new() })
    }
}

impl<E: Engine<Error = RunError>> Table for Referee<E> {
    fn seat(&self) -> usize {
        self.engine.player(&self.state)
    }

    fn is_over(&mut self) -> Result<bool, RunError> {
        Ok(!self.alive || !self.engine.nth(&mut self.state, 0, &mut self.steps)?)
    }

    fn count(&mut self) -> Result<u64, RunError> {
        if self.alive { self.engine.count(&mut self.state) } else { Ok(0) }
    }

    fn legal(&mut self) -> Result<Vec<Vec<Step>>, RunError> {
        let mut moves = Vec::new();
        while self.alive && self.engine.nth(&mut self.state, moves.len() as u64, &mut self.steps)? {
            moves.push(self.steps.clone());
        }
        Ok(moves)
    }

    fn is_legal(&mut self, steps: &[Step]) -> Result<bool, RunError> {
        Ok(self.alive && !steps.is_empty() && self.engine.is_legal(&mut self.state, steps)?)
    }

    fn play(&mut self, steps: &[Step]) -> Result<(), RunError> {
        self.engine.apply(&mut self.state, steps);
        self.alive = self.engine.run_keeper(&mut self.state)?;
        Ok(())
    }

    fn sample(&mut self, random: &mut Random) -> Result<Option<Vec<Step>>, RunError> {
        let found = self.alive && self.engine.sample(&mut self.state, random, &mut self.steps)?;
        Ok(found.then(|| self.steps.clone()))
    }

    fn scores(&self) -> Vec<u32> {
        (1..=self.engine.players()).map(|p| self.engine.score(&self.state, p)).collect()
    }

    fn score_bounds(&self) -> Vec<u32> {
        (1..=self.engine.players()).map(|p| self.engine.score_bound(p)).collect()
    }
}
