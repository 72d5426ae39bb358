//! Random playouts: uniform over legal moves (orthodox), or by random semimoves with backtracking out
//! of dead ends (THESIS Algorithm 1).

use regulus_game::{Engine, MAX_GAME_MOVES, Moves, Random, Step};
use rustc_hash::FxHashSet;

use crate::error::{MAX_DEAD_SEMIMOVES, MAX_SEMIMOVES, MAX_WALK_MODIFIERS, MAX_WORK, RunError};

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
    while engine.run_keeper(state)? && engine.sample(state, random, &mut steps)? {
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
    let (length, walk) = semisplit_walk(engine, state, random)?;
    Ok(finished(engine, state, length, walk.applied))
}

/// The same; gives the number of moves, and how much was computed for them.
fn semisplit_walk<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    random: &mut Random,
) -> Result<(u64, WalkCounts), RunError> {
    let (mut length, mut counts) = (0, WalkCounts::default());
    let mut walk = Walk::new();
    while engine.run_keeper(state)? {
        let moved = walk.draw(engine, state, random)?;
        counts.applied += walk.counts.applied;
        counts.listed += walk.counts.listed;
        if !moved {
            break;
        }
        length = counted(length)?;
    }
    Ok((length, counts))
}

/// What flat Monte Carlo computes, added up over playouts (AAAI22 Table 1).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct FlatCounts {
    /// Playouts.
    pub playouts: u64,
    /// States between moves.
    pub nodal_states: u64,
    /// All states, inside moves and dead ones included.
    pub states: u64,
    /// Moves, or semimoves with `split`, that were listed on the way.
    pub moves: u64,
}

impl FlatCounts {
    /// Plays a random game to its end and adds it. Unlike the other playouts here it lists all moves of every state
    /// that it passes, as the branching factor of AAAI22 Table 1 is "the number computed (semi)moves divided by the number of
    /// states".
    pub fn play<E: Engine<Error = RunError>>(
        &mut self,
        engine: &mut E,
        state: &mut E::State,
        split: bool,
        random: &mut Random,
    ) -> Result<(), RunError> {
        self.playouts += 1;
        if split {
            let (length, counts) = semisplit_walk(engine, state, random)?;
            self.nodal_states += length;
            self.states += counts.applied;
            self.moves += counts.listed;
            return Ok(());
        }
        let (mut length, mut moves) = (0, Moves::new());
        while engine.run_keeper(state)? {
            moves.clear();
            engine.list(state, &mut moves)?;
            if moves.is_empty() {
                break;
            }
            self.moves += moves.len() as u64;
            let steps = moves.get(random.below(moves.len() as u64) as usize);
            engine.apply(state, steps);
            length = counted(length)?;
        }
        self.nodal_states += length;
        self.states += length;
        Ok(())
    }

    /// Nodal states of a playout in the mean.
    pub fn nodal_states_per_playout(&self) -> f64 {
        self.nodal_states as f64 / self.playouts.max(1) as f64
    }

    /// All states of a playout in the mean.
    pub fn states_per_playout(&self) -> f64 {
        self.states as f64 / self.playouts.max(1) as f64
    }

    /// Moves or semimoves for every state.
    pub fn branching(&self) -> f64 {
        self.moves as f64 / self.states.max(1) as f64
    }
}

/// How much was computed to draw moves.
#[derive(Clone, Copy, Default)]
struct WalkCounts {
    /// Semimoves applied, dead ends included.
    applied: u64,
    /// Semimoves listed.
    listed: u64,
}

/// A move that is being drawn.
struct Walk<U> {
    counts: WalkCounts,
    /// The semimoves that are left at every level on the way, one level after the other.
    candidates: Vec<Step>,
    levels: Vec<Level<U>>,
    /// The split points passed since each modifier on the way: where split points stand in a loop, coming to
    /// one again would lead to nothing new, and a walk among them might never end.
    passed: Vec<FxHashSet<Step>>,
}

/// A state on the way.
struct Level<U> {
    /// Where its candidates begin.
    start: usize,
    /// What takes back the semimove that led here; nothing where the move begins.
    undo: Option<U>,
    /// True if that semimove was a modifier.
    by_modifier: bool,
}

impl<U> Walk<U> {
    fn new() -> Self {
        Walk {
            counts: WalkCounts::default(),
            candidates: Vec::new(),
            levels: Vec::new(),
            passed: Vec::new(),
        }
    }

    /// Makes a random move; false (with the state as before) if there is none.
    fn draw<E: Engine<Error = RunError, Undo = U>>(
        &mut self,
        engine: &mut E,
        state: &mut E::State,
        random: &mut Random,
    ) -> Result<bool, RunError> {
        self.counts = WalkCounts::default();
        self.candidates.clear();
        self.levels.clear();
        self.passed.clear();
        self.passed.push(FxHashSet::default());
        let work_before = engine.work();
        let mut found = Vec::new();
        let (mut undo, mut by_modifier) = (None, false);
        'levels: loop {
            engine.semimoves(state, &mut found)?;
            self.levels.push(Level { start: self.candidates.len(), undo, by_modifier });
            self.counts.listed += found.len() as u64;
            self.candidates.append(&mut found);
            // Goes back to the last level that has something left, and one semimove on from there.
            while let Some(level) = self.levels.last() {
                let left = self.candidates.len() - level.start;
                if left == 0 {
                    let Some(Level { undo: Some(undo), by_modifier, .. }) = self.levels.pop()
                    else {
                        return Ok(false);
                    };
                    engine.undo(state, undo);
                    if by_modifier {
                        self.passed.pop();
                    }
                    continue;
                }
                let index = level.start + random.below(left as u64) as usize;
                let step = self.candidates.swap_remove(index);
                let passed = self.passed.last_mut();
                if !step.is_modifier() && passed.is_some_and(|passed| !passed.insert(step)) {
                    continue;
                }
                let Some(made) = engine.apply_step(state, step) else { continue };
                self.counts.applied += 1;
                if engine.is_nodal(state) {
                    let first = self.levels.drain(..).nth(1).and_then(|level| level.undo);
                    engine.commit(first.unwrap_or(made));
                    return Ok(true);
                }
                by_modifier = step.is_modifier();
                if by_modifier {
                    self.passed.push(FxHashSet::default());
                }
                let modifiers = self.passed.len() - 1;
                if self.levels.len() >= MAX_SEMIMOVES
                    || modifiers > MAX_WALK_MODIFIERS
                    || self.counts.applied > MAX_DEAD_SEMIMOVES
                    || engine.work() - work_before > MAX_WORK
                {
                    return Err(RunError::TooManyMoves);
                }
                undo = Some(made);
                continue 'levels;
            }
            return Ok(false);
        }
    }
}
