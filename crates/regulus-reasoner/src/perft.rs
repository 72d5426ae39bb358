//! Counting the leaves of the game tree: the standard check of a move generator.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use regulus_game::{Engine, Moves, Step};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::error::{MAX_DEAD_SEMIMOVES, MAX_SEMIMOVES, MAX_WALK_MODIFIERS, MoveCount, RunError};

/// How many sequences of `depth` player moves there are from a state. The keeper moves by himself and
/// does not count; a game that ends earlier has no leaves.
pub fn perft<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<u64, RunError> {
    leaves(engine, state, depth, &mut |engine, state, moves| match moves {
        Some(moves) => engine.list(state, moves).map(|()| 0),
        None => engine.count(state),
    })
}

/// The same as [`perft`], but every move is made of semimoves; distinct completed moves are counted.
pub fn semimove_perft<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<u64, RunError> {
    leaves(engine, state, depth, &mut |engine, state, moves| {
        let mut completed = Moves::new();
        complete(engine, state, moves.unwrap_or(&mut completed))
    })
}

/// The leaves below every legal move.
pub fn divide<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<Vec<(Vec<Step>, u64)>, RunError> {
    let mut state = state.clone();
    if depth == 0 || !engine.run_keeper(&mut state)? {
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

/// Lists moves, or counts them where no list is wanted.
type Generate<'g, E> = dyn FnMut(
        &mut E,
        &mut <E as Engine>::State,
        Option<&mut Moves>,
    ) -> Result<u64, <E as Engine>::Error>
    + 'g;

/// The leaves of the tree. Positions on the way are kept in a list: games can be longer than the stack
/// of a thread is deep.
fn leaves<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
    generate: &mut Generate<'_, E>,
) -> Result<u64, RunError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut leaves = 0u64;
    // Positions with their moves and how many of these have been made.
    let mut path: Vec<(E::State, Moves, usize)> = Vec::new();
    let mut next = Some(state.clone());
    loop {
        if let Some(mut state) = next.take()
            && engine.run_keeper(&mut state)?
        {
            if path.len() + 1 == depth as usize {
                leaves = leaves.saturating_add(generate(engine, &mut state, None)?);
            } else {
                let mut moves = Moves::new();
                generate(engine, &mut state, Some(&mut moves))?;
                path.push((state, moves, 0));
            }
        }
        let Some((state, moves, made)) = path.last_mut() else { return Ok(leaves) };
        if *made == moves.len() {
            path.pop();
            continue;
        }
        let mut after = state.clone();
        engine.apply(&mut after, moves.get(*made));
        *made += 1;
        next = Some(after);
    }
}

/// A state between two semimoves.
struct Level<U> {
    semimoves: Vec<Step>,
    tried: usize,
    /// What takes back the semimove that led here; nothing where the move begins.
    undo: Option<U>,
    /// True if that semimove was a modifier.
    by_modifier: bool,
}

/// The distinct moves that sequences of semimoves complete, and how many there are.
fn complete<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    moves: &mut Moves,
) -> Result<u64, RunError> {
    // Numbers of moves, found by what they say.
    let mut found: HashTable<u32> = HashTable::new();
    let hash = |steps: &[Step]| FxBuildHasher.hash_one(steps);
    let mut count = MoveCount::default();
    let mut steps: Vec<Step> = Vec::new();
    // The split points since each modifier on the way: coming to one again cannot complete a new move.
    let mut passed: Vec<FxHashSet<Step>> = vec![FxHashSet::default()];
    let mut levels: Vec<Level<E::Undo>> = Vec::new();
    let (mut undo, mut by_modifier) = (None, false);
    let mut dead = 0;
    'levels: loop {
        let mut semimoves = Vec::new();
        engine.semimoves(state, &mut semimoves)?;
        levels.push(Level { semimoves, tried: 0, undo, by_modifier });
        while let Some(level) = levels.last_mut() {
            let Some(step) = level.semimoves.get(level.tried).copied() else {
                let Some(Level { undo: Some(undo), by_modifier, .. }) = levels.pop() else {
                    return Ok(count.moves);
                };
                engine.undo(state, undo);
                if by_modifier {
                    passed.pop();
                    steps.pop();
                }
                continue;
            };
            level.tried += 1;
            if !step.is_modifier() && passed.last_mut().is_some_and(|p| !p.insert(step)) {
                continue;
            }
            let Some(made) = engine.apply_step(state, step) else { continue };
            dead += 1;
            if engine.is_nodal(state) {
                dead = 0;
                steps.push(step);
                let is_known = |i: &u32| moves.get(*i as usize) == steps.as_slice();
                if found.find(hash(&steps), is_known).is_none() {
                    if !count.add(steps.len()) {
                        return Err(RunError::TooManyMoves);
                    }
                    moves.push(&steps);
                    let rehash = |i: &u32| hash(moves.get(*i as usize));
                    found.insert_unique(hash(&steps), moves.len() as u32 - 1, rehash);
                }
                steps.pop();
                engine.undo(state, made);
                continue;
            }
            by_modifier = step.is_modifier();
            if by_modifier {
                passed.push(FxHashSet::default());
                steps.push(step);
            }
            if levels.len() >= MAX_SEMIMOVES
                || steps.len() > MAX_WALK_MODIFIERS
                || dead > MAX_DEAD_SEMIMOVES
            {
                return Err(RunError::TooManyMoves);
            }
            undo = Some(made);
            continue 'levels;
        }
        return Ok(count.moves);
    }
}
