//! Counting the leaves of the game tree: the standard check of a move generator.

use regulus_game::{Engine, Moves, Step};
use rustc_hash::FxHashSet;

use crate::error::{MAX_WALK_MODIFIERS, RunError};

/// How many sequences of `depth` player moves there are from a state. The keeper moves by himself and
/// does not count; a game that ends earlier has no leaves.
pub fn perft<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<u64, RunError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut state = state.clone();
    if !engine.keeper(&mut state)? {
        return Ok(0);
    }
    if depth == 1 {
        return engine.count(&mut state);
    }
    let mut moves = Moves::new();
    engine.list(&mut state, &mut moves)?;
    let mut leaves = 0;
    for steps in moves.iter() {
        let mut next = state.clone();
        engine.apply(&mut next, steps);
        leaves += perft(engine, &next, depth - 1)?;
    }
    Ok(leaves)
}

/// The leaves below every legal move.
pub fn divide<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<Vec<(Vec<Step>, u64)>, RunError> {
    let mut state = state.clone();
    if depth == 0 || !engine.keeper(&mut state)? {
        return Ok(Vec::new());
    }
    let mut moves = Moves::new();
    engine.list(&mut state, &mut moves)?;
    let mut parts = Vec::with_capacity(moves.len());
    for steps in moves.iter() {
        let mut next = state.clone();
        engine.apply(&mut next, steps);
        parts.push((steps.to_vec(), perft(engine, &next, depth - 1)?));
    }
    Ok(parts)
}

/// The same as [`perft`], but every move is made of semimoves; distinct completed moves are counted.
pub fn semimove_perft<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<u64, RunError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut state = state.clone();
    if !engine.keeper(&mut state)? {
        return Ok(0);
    }
    let mut found = Completed::default();
    found.complete(engine, &mut state)?;
    if depth == 1 {
        return Ok(found.moves.len() as u64);
    }
    let mut leaves = 0;
    for steps in found.in_order {
        let mut next = state.clone();
        engine.apply(&mut next, &steps);
        leaves += semimove_perft(engine, &next, depth - 1)?;
    }
    Ok(leaves)
}

/// The moves that sequences of semimoves complete.
#[derive(Default)]
struct Completed {
    moves: FxHashSet<Vec<Step>>,
    in_order: Vec<Vec<Step>>,
    steps: Vec<Step>,
}

impl Completed {
    fn complete<E: Engine<Error = RunError>>(
        &mut self,
        engine: &mut E,
        state: &mut E::State,
    ) -> Result<(), RunError> {
        let mut passed = FxHashSet::default();
        self.continue_from(engine, state, &mut passed, 0)
    }

    /// Tries all semimoves from here. `passed` has the split points since the last modifier: coming
    /// to one again cannot complete a new move.
    fn continue_from<E: Engine<Error = RunError>>(
        &mut self,
        engine: &mut E,
        state: &mut E::State,
        passed: &mut FxHashSet<Step>,
        depth: usize,
    ) -> Result<(), RunError> {
        if depth > MAX_WALK_MODIFIERS {
            return Err(RunError::WalkTooLong { limit: MAX_WALK_MODIFIERS });
        }
        let mut semimoves = Vec::new();
        engine.semimoves(state, &mut semimoves)?;
        for step in semimoves {
            if !step.is_modifier() && !passed.insert(step) {
                continue;
            }
            let Some(undo) = engine.apply_step(state, step) else { continue };
            if step.is_modifier() {
                self.steps.push(step);
                if !engine.is_nodal(state) {
                    self.continue_from(engine, state, &mut FxHashSet::default(), depth + 1)?;
                } else if self.moves.insert(self.steps.clone()) {
                    self.in_order.push(self.steps.clone());
                }
                self.steps.pop();
            } else {
                self.continue_from(engine, state, passed, depth + 1)?;
            }
            engine.undo(state, undo);
        }
        Ok(())
    }
}
