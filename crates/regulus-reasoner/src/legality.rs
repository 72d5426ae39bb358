//! Whether steps are a legal move, without listing the others: there may be too many of them.

use regulus_game::{Engine, Step};
use rustc_hash::FxHashSet;

use crate::error::MAX_WALK_MODIFIERS;

/// True if every step is a semimove behind those before it, and the last one ends the move. The state is as before
/// in the end.
pub(crate) fn is_legal<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    steps: &[Step],
) -> Result<bool, E::Error> {
    let mut made = Vec::new();
    let legal = follow(engine, state, steps, &mut made);
    while let Some(undo) = made.pop() {
        engine.undo(state, undo);
    }
    legal
}

fn follow<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    steps: &[Step],
    made: &mut Vec<E::Undo>,
) -> Result<bool, E::Error> {
    if steps.is_empty() || steps.len() > MAX_WALK_MODIFIERS + 1 {
        return Ok(false);
    }
    for (i, step) in steps.iter().enumerate() {
        if (i > 0 && engine.is_nodal(state)) || !reach(engine, state, *step, made)? {
            return Ok(false);
        }
    }
    Ok(engine.is_nodal(state))
}

/// Takes a step, over split points if necessary; false if that is impossible.
fn reach<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    step: Step,
    made: &mut Vec<E::Undo>,
) -> Result<bool, E::Error> {
    let mut passed = FxHashSet::default();
    // The split points left to try, here and at those on the way here.
    let mut left: Vec<Vec<Step>> = Vec::new();
    let mut found = Vec::new();
    loop {
        engine.semimoves(state, &mut found)?;
        if found.contains(&step) {
            let undo = engine.apply_step(state, step);
            let is_possible = undo.is_some();
            made.extend(undo);
            return Ok(is_possible);
        }
        left.push(found.iter().copied().filter(|found| !found.is_modifier()).collect());
        loop {
            let Some(dots) = left.last_mut() else { return Ok(false) };
            if let Some(dot) = dots.pop() {
                if passed.insert(dot)
                    && let Some(undo) = engine.apply_step(state, dot)
                {
                    made.push(undo);
                    break;
                }
                continue;
            }
            left.pop();
            if !left.is_empty()
                && let Some(undo) = made.pop()
            {
                engine.undo(state, undo);
            }
        }
    }
}
