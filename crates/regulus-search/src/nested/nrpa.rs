//! Nested Rollout Policy Adaptation: PPA, Algorithm 2.

use regulus_game::{Engine, MAX_GAME_MOVES, Moves, Step};

use super::policy::{OTHERS, Policy, Touched};
use super::positions::Positions;
use super::sequence::Sequence;
use super::task::{MOVES_PER_LOOK, Task};
use crate::action::{Actions, NODAL, submove_key};
use crate::turn::Turn;

/// NRPA at work.
pub(super) struct Nrpa<S> {
    iterations: u32,
    alpha: f64,
    memory: usize,
    /// The codes of moves: small numbers for their keys, the same at all levels, so that a policy is a
    /// table and is copied as one. Codes begin behind [`OTHERS`].
    actions: Actions,
    /// The moves of all codes.
    known: Moves,
    positions: Positions,
    /// Level 1 and those above.
    levels: Vec<Level>,
    /// Level 0: the last playout.
    playout: Sequence,
    touched: Touched,
    state: S,
    moves: Moves,
}

#[derive(Default)]
struct Level {
    policy: Policy,
    /// The best sequence of the current search of this level.
    best: Sequence,
}

impl<S: Clone> Nrpa<S> {
    pub(super) fn new(
        levels: u32,
        iterations: u32,
        alpha: f64,
        memory: usize,
        position: &S,
    ) -> Self {
        Nrpa {
            iterations,
            alpha,
            memory,
            actions: Actions::default(),
            known: Moves::new(),
            positions: Positions::new(),
            levels: (0..levels).map(|_| Level::default()).collect(),
            playout: Sequence::default(),
            touched: Touched::default(),
            state: position.clone(),
            moves: Moves::new(),
        }
    }

    /// What codes, their moves and the policies of all levels take, or will take when they have met all
    /// codes.
    fn bytes(&self) -> usize {
        let moves = self.known.total_steps() * size_of::<Step>() + self.known.len() * 4;
        self.actions.bytes() + moves + self.actions.len() * (self.levels.len() + 1) * 16
    }

    /// One search of the highest level, from a policy that knows nothing.
    pub(super) fn search<E: Engine<State = S>>(
        &mut self,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let top = self.levels.len() - 1;
        self.levels[top].policy.clear();
        self.level(top, task, turn)
    }

    /// Algorithm 2 with the policy of a level, which it may change; the first has the number 0.
    fn level<E: Engine<State = S>>(
        &mut self,
        level: usize,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let mut best_score = None;
        for iteration in 1..=self.iterations {
            if let Some(below) = level.checked_sub(1) {
                let (low, high) = self.levels.split_at_mut(level);
                low[below].policy.copy(&high[0].policy);
                self.level(below, task, turn)?;
            } else {
                self.playout(task, turn)?;
            }
            if turn.is_over() {
                return Ok(());
            }
            let (low, high) = self.levels.split_at_mut(level);
            let new = low.last_mut().map_or(&mut self.playout, |below| &mut below.best);
            let Level { policy, best } = &mut high[0];
            if best_score.is_none_or(|score| new.line.score >= score) {
                best_score = Some(new.line.score);
                std::mem::swap(new, best);
            }
            // What the last iteration learned would never be used.
            if iteration < self.iterations {
                policy.adapt(best, self.alpha, &mut self.touched);
            }
        }
        Ok(())
    }

    /// A game in which moves are drawn with the softmax of their weights in the policy of the first level.
    fn playout<E: Engine<State = S>>(
        &mut self,
        task: &mut Task<E>,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let policy = &self.levels[0].policy;
        let playout = &mut self.playout;
        playout.clear();
        self.state.clone_from(&task.position);
        let mut alive = task.alive;
        while alive {
            let hash = task.engine.position_key(&self.state);
            if let Some(codes) = self.positions.find(hash) {
                playout.add_all_possible(codes);
            } else {
                task.engine.list(&mut self.state, &mut self.moves)?;
                for steps in self.moves.iter() {
                    let key = submove_key(NODAL, steps);
                    let code = if task.full {
                        self.actions.find(key).map_or(OTHERS, |number| number + 1)
                    } else {
                        self.actions.number(key) + 1
                    };
                    if code as usize > self.known.len() {
                        self.known.push(steps);
                    }
                    playout.add_possible(code);
                }
                if !playout.possible().contains(&OTHERS) {
                    self.positions.insert(hash, playout.possible());
                }
            }
            let codes = playout.possible();
            if codes.is_empty() {
                break;
            }
            let total = codes.iter().map(|code| policy.exponential(*code)).sum();
            let drawn = policy.draw(codes, total, &mut task.random);
            let steps = match codes[drawn] {
                OTHERS => self.moves.get(drawn),
                code => self.known.get(code as usize - 1),
            };
            playout.choose(drawn);
            playout.line.push(steps);
            task.engine.apply(&mut self.state, steps);
            alive = task.engine.run_keeper(&mut self.state)?;
            task.count_state();
            let length = playout.line.len();
            if length as u64 > MAX_GAME_MOVES {
                return Err(task.engine.endless());
            }
            if length.is_multiple_of(MOVES_PER_LOOK) {
                task.look(turn);
                if turn.is_over() {
                    task.left(&playout.line, task.engine.score(&self.state, 1));
                    return Ok(());
                }
            }
        }
        playout.line.score = task.engine.score(&self.state, 1);
        (task.codes, task.bytes) = (self.actions.len() as u64, self.bytes());
        task.full = task.bytes >= self.memory;
        task.ended(&self.playout.line, turn);
        Ok(())
    }
}
