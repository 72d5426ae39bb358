//! Random playouts: uniform over legal moves (orthodox), or by random semimoves with backtracking out
//! of dead ends (THESIS Algorithm 1).

use regulus_game::{Random, Step};
use regulus_rbg::declarations::Player;
use rustc_hash::FxHashSet;

use crate::error::{MAX_WALK_MODIFIERS, RunError};
use crate::interpreter::Worker;
use crate::state::State;

/// A finished playout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Playout {
    /// How many moves players made.
    pub length: u64,
    /// How many semimoves were applied, dead ends included; equals `length` for orthodox playouts.
    pub semimoves: u64,
    /// The final scores, in order of players.
    pub scores: Vec<u32>,
}

/// Sums over playouts.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Playouts {
    /// How many.
    pub count: u64,
    /// All players' moves.
    pub states: u64,
    /// All semimoves.
    pub semimoves: u64,
    /// The sum of scores of every player.
    pub scores: Vec<u64>,
}

impl Playouts {
    /// Adds one.
    pub fn add(&mut self, playout: &Playout) {
        self.count += 1;
        self.states += playout.length;
        self.semimoves += playout.semimoves;
        self.scores.resize(playout.scores.len(), 0);
        self.scores.iter_mut().zip(&playout.scores).for_each(|(sum, s)| *sum += u64::from(*s));
    }

    /// The mean number of players' moves.
    pub fn mean_length(&self) -> f64 {
        self.states as f64 / self.count as f64
    }

    /// The mean scores.
    pub fn mean_scores(&self) -> Vec<f64> {
        self.scores.iter().map(|s| *s as f64 / self.count as f64).collect()
    }
}

fn finished(state: &State, players: usize, length: u64, semimoves: u64) -> Playout {
    let scores = (1..=players).map(|p| state.score(Player(p as u8))).collect();
    Playout { length, semimoves, scores }
}

/// Plays uniformly random moves to the end of the game.
pub fn random_playout(
    worker: &mut Worker<'_>,
    state: &mut State,
    players: usize,
    random: &mut Random,
) -> Result<Playout, RunError> {
    let mut length = 0;
    while worker.keeper(state)? {
        let Some(steps) = worker.sample(state, random)? else { break };
        worker.apply(state, &steps);
        length += 1;
    }
    Ok(finished(state, players, length, length))
}

/// Plays moves made of random semimoves to the end of the game. Semimoves are drawn without
/// replacement; when all have turned out dead, the one before is taken back.
pub fn semisplit_playout(
    worker: &mut Worker<'_>,
    state: &mut State,
    players: usize,
    random: &mut Random,
) -> Result<Playout, RunError> {
    let (mut length, mut semimoves) = (0, 0);
    while worker.keeper(state)? {
        let mut passed = FxHashSet::default();
        if !random_semimoves(worker, state, random, &mut semimoves, &mut passed, 0)? {
            break;
        }
        length += 1;
    }
    Ok(finished(state, players, length, semimoves))
}

/// Completes a move; false (with the state as before) if that is impossible. `passed` has the split
/// points since the last modifier: where split points stand in a loop, coming to one again would lead
/// to nothing new, and a walk among them might never end.
fn random_semimoves(
    worker: &mut Worker<'_>,
    state: &mut State,
    random: &mut Random,
    applied: &mut u64,
    passed: &mut FxHashSet<Step>,
    depth: usize,
) -> Result<bool, RunError> {
    if depth > MAX_WALK_MODIFIERS {
        return Err(RunError::WalkTooLong { limit: MAX_WALK_MODIFIERS });
    }
    let mut candidates = Vec::new();
    worker.semimoves(state, &mut candidates)?;
    while !candidates.is_empty() {
        let step = candidates.swap_remove(random.below(candidates.len() as u64) as usize);
        if !step.is_modifier() && !passed.insert(step) {
            continue;
        }
        let Some(undo) = worker.apply_step(state, step) else { continue };
        *applied += 1;
        let done = if state.is_nodal() {
            true
        } else if step.is_modifier() {
            let mut fresh = FxHashSet::default();
            random_semimoves(worker, state, random, applied, &mut fresh, depth + 1)?
        } else {
            random_semimoves(worker, state, random, applied, passed, depth + 1)?
        };
        if done {
            worker.keep(undo);
            return Ok(true);
        }
        worker.undo(state, undo);
    }
    Ok(false)
}
