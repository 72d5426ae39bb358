//! Random playouts: uniform over legal moves (orthodox), or by random semimoves with backtracking out
//! of dead ends (THESIS Algorithm 1).

use regulus_game::{Engine, MAX_GAME_MOVES, Random, Step};
use rustc_hash::FxHashSet;

use crate::error::{MAX_WALK_MODIFIERS, RunError};

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
    /// Adds one: players' moves, semimoves, final scores.
    pub fn add(&mut self, length: u64, semimoves: u64, scores: &[u32]) {
        self.count += 1;
        self.states += length;
        self.semimoves += semimoves;
        self.scores.resize(scores.len(), 0);
        self.scores.iter_mut().zip(scores).for_each(|(sum, s)| *sum += u64::from(*s));
    }

    /// Adds the sums of others.
    pub fn merge(&mut self, other: &Playouts) {
        self.count += other.count;
        self.states += other.states;
        self.semimoves += other.semimoves;
        self.scores.resize(other.scores.len(), 0);
        self.scores.iter_mut().zip(&other.scores).for_each(|(sum, s)| *sum += s);
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

fn finished<E: Engine>(engine: &E, state: &E::State, length: u64, semimoves: u64) -> Playout {
    let scores = (1..=engine.players()).map(|p| engine.score(state, p)).collect();
    Playout { length, semimoves, scores }
}

/// One move more.
fn counted(length: u64) -> Result<u64, RunError> {
    if length < MAX_GAME_MOVES { Ok(length + 1) } else { Err(RunError::EndlessGame) }
}

/// Plays uniformly random moves to the end of the game.
pub fn random_playout<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    random: &mut Random,
) -> Result<Playout, RunError> {
    let (mut length, mut steps) = (0, Vec::new());
    while engine.keeper(state)? && engine.sample(state, random, &mut steps)? {
        engine.apply(state, &steps);
        length = counted(length)?;
    }
    Ok(finished(engine, state, length, length))
}

/// Plays moves made of random semimoves to the end of the game. Semimoves are drawn without
/// replacement; when all have turned out dead, the one before is taken back.
pub fn semisplit_playout<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    random: &mut Random,
) -> Result<Playout, RunError> {
    let (mut length, mut semimoves) = (0, 0);
    while engine.keeper(state)? {
        let mut walk = Walk { random, applied: 0 };
        let moved = walk.semimoves(engine, state, &mut FxHashSet::default(), 0)?;
        semimoves += walk.applied;
        if !moved {
            break;
        }
        length = counted(length)?;
    }
    Ok(finished(engine, state, length, semimoves))
}

/// A move that is being drawn.
struct Walk<'r> {
    random: &'r mut Random,
    /// Semimoves applied, dead ends included.
    applied: u64,
}

impl Walk<'_> {
    /// Completes the move; false (with the state as before) if that is impossible. `passed` has the split points since the last modifier: where split points
    /// stand in a loop, coming to one again would lead to nothing new, and a walk among them might
    /// never end.
    fn semimoves<E: Engine<Error = RunError>>(
        &mut self,
        engine: &mut E,
        state: &mut E::State,
        passed: &mut FxHashSet<Step>,
        depth: usize,
    ) -> Result<bool, RunError> {
        if depth > MAX_WALK_MODIFIERS {
            return Err(RunError::WalkTooLong { limit: MAX_WALK_MODIFIERS });
        }
        let mut candidates = Vec::new();
        engine.semimoves(state, &mut candidates)?;
        while !candidates.is_empty() {
            let step = candidates.swap_remove(self.random.below(candidates.len() as u64) as usize);
            if !step.is_modifier() && !passed.insert(step) {
                continue;
            }
            let Some(undo) = engine.apply_step(state, step) else { continue };
            self.applied += 1;
            let done = if engine.is_nodal(state) {
                true
            } else if step.is_modifier() {
                let mut fresh = FxHashSet::default();
                self.semimoves(engine, state, &mut fresh, depth + 1)?
            } else {
                self.semimoves(engine, state, passed, depth + 1)?
            };
            if done {
                engine.keep(undo);
                return Ok(true);
            }
            engine.undo(state, undo);
        }
        Ok(false)
    }
}
