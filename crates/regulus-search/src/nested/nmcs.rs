//! Nested Monte-Carlo Search (T. Cazenave, IJCAI 2009).

use regulus_game::{Engine, MAX_GAME_MOVES, Moves, Step};

use super::line::Line;
use super::task::{MOVES_PER_LOOK, Task};
use crate::turn::Turn;

/// NMCS at work.
pub(super) struct Nmcs<S> {
    /// From level 0, the playouts.
    levels: Vec<Level<S>>,
    /// The moves that lead from the position to where the innermost search is.
    path: Line,
    /// The last move of a playout.
    drawn: Vec<Step>,
}

/// A search of one level.
struct Level<S> {
    state: S,
    /// False if the keeper is stuck there.
    alive: bool,
    moves: Moves,
    /// The best sequence it has seen, with the moves that led to it; at level 0 the last playout.
    best: Line,
}

impl<S: Clone> Nmcs<S> {
    pub(super) fn new(level: u32, position: &S) -> Self {
        let new = |_| Level {
            state: position.clone(),
            alive: true,
            moves: Moves::new(),
            best: Line::default(),
        };
        Nmcs { levels: (0..=level).map(new).collect(), path: Line::default(), drawn: Vec::new() }
    }

    /// One search of the highest level.
    pub(super) fn search<E: Engine<State = S>>(
        &mut self,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let top = self.levels.len() - 1;
        self.path.clear();
        self.levels[top].state.clone_from(&task.position);
        self.levels[top].alive = task.alive;
        self.level(top, task, turn)
    }

    /// A search from the state of a level on: at every step all moves are tried, each followed by a search
    /// of the level below, and the next move of the best sequence seen so far is played.
    fn level<E: Engine<State = S>>(
        &mut self,
        level: usize,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        if level == 0 {
            return self.playout(task, turn);
        }
        let begin = self.path.len();
        let mut best_score = None;
        let mut moves = std::mem::take(&mut self.levels[level].moves);
        loop {
            let here = &mut self.levels[level];
            moves.clear();
            if here.alive {
                task.engine.list(&mut here.state, &mut moves)?;
            }
            if moves.is_empty() {
                break;
            }
            let depth = self.path.len();
            for steps in moves.iter() {
                let (low, high) = self.levels.split_at_mut(level);
                let below = &mut low[level - 1];
                below.state.clone_from(&high[0].state);
                task.engine.apply(&mut below.state, steps);
                below.alive = task.engine.run_keeper(&mut below.state)?;
                task.count_state();
                self.path.push(steps);
                self.level(level - 1, task, turn)?;
                self.path.truncate(depth);
                if turn.is_over() {
                    return Ok(());
                }
                let (low, high) = self.levels.split_at_mut(level);
                let (new, best) = (&mut low[level - 1].best, &mut high[0].best);
                if best_score.is_none_or(|score| new.score > score) {
                    best_score = Some(new.score);
                    std::mem::swap(new, best);
                }
            }
            let Level { state, alive, best, .. } = &mut self.levels[level];
            let next = best.get(depth).expect("the sequence is at least one move longer");
            self.path.push(next);
            task.engine.apply(state, next);
            *alive = task.engine.run_keeper(state)?;
            if self.path.len() as u64 > MAX_GAME_MOVES {
                return Err(task.engine.endless());
            }
        }
        self.levels[level].moves = moves;
        if best_score.is_none() {
            // The game was over already: what a playout would have found.
            let Level { state, best, .. } = &mut self.levels[level];
            best.copy(&self.path);
            best.score = task.engine.score(state, 1);
            task.ended(best, turn);
        }
        self.path.truncate(begin);
        Ok(())
    }

    /// Plays uniformly random moves to the end of the game.
    fn playout<E: Engine<State = S>>(
        &mut self,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let Level { state, alive, best: line, .. } = &mut self.levels[0];
        line.copy(&self.path);
        while *alive {
            self.drawn.clear();
            if !task.engine.sample(state, &mut task.random, &mut self.drawn)? {
                break;
            }
            line.push(&self.drawn);
            task.engine.apply(state, &self.drawn);
            *alive = task.engine.run_keeper(state)?;
            task.count_state();
            if line.len() as u64 > MAX_GAME_MOVES {
                return Err(task.engine.endless());
            }
            if line.len().is_multiple_of(MOVES_PER_LOOK) {
                task.look(turn);
                if turn.is_over() {
                    task.left(line, task.engine.score(state, 1));
                    return Ok(());
                }
            }
        }
        line.score = task.engine.score(state, 1);
        task.ended(line, turn);
        Ok(())
    }
}
