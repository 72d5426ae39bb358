//! Counting the leaves of the game tree: the standard check of a move generator.

use std::collections::TryReserveError;
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
    perft_with(engine, state, depth, &mut LeafTable::none())
}

/// The same as [`perft`]; what was counted below a position is remembered and not counted again.
pub fn perft_with<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
    table: &mut LeafTable,
) -> Result<u64, RunError> {
    leaves(engine, state, depth, table, &mut |engine, state, moves| match moves {
        Some(moves) => engine.list(state, moves).map(|()| 0),
        None => engine.count(state),
    })
}

/// How many leaves there are below positions, for as many positions as there is room for.
///
/// Positions are told apart by keys of 64 bits, as everywhere where leaves are counted with a table: two positions with
/// one key are possible and take about as many positions as 2 to the power of 32 to happen.
pub struct LeafTable {
    /// The key of a position and its depth, and the leaves.
    places: Vec<(u64, u64)>,
}

impl LeafTable {
    /// A table that remembers nothing.
    pub fn none() -> LeafTable {
        LeafTable { places: Vec::new() }
    }

    /// A table of this many bytes, if there is room for it.
    pub fn new(bytes: usize) -> Result<LeafTable, TryReserveError> {
        let count = bytes / size_of::<(u64, u64)>();
        let mut places = Vec::new();
        places.try_reserve_exact(count)?;
        places.resize(count, (0, 0));
        Ok(LeafTable { places })
    }

    fn is_none(&self) -> bool {
        self.places.is_empty()
    }

    fn key(position: u64, depth: usize) -> u64 {
        let mixed = (position.rotate_left(depth as u32 % 64) ^ depth as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // No key is 0: that is an empty place.
        (mixed ^ (mixed >> 32)) | 1 << 63
    }

    fn place(&self, key: u64) -> Option<usize> {
        (key as usize).checked_rem(self.places.len())
    }

    fn get(&self, key: u64) -> Option<u64> {
        let (found, leaves) = self.places[self.place(key)?];
        (found == key).then_some(leaves)
    }

    fn insert(&mut self, key: u64, leaves: u64) {
        if let Some(place) = self.place(key) {
            self.places[place] = (key, leaves);
        }
    }
}

/// The same as [`perft`], but every move is made of semimoves; distinct completed moves are counted.
pub fn semimove_perft<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
) -> Result<u64, RunError> {
    let table = &mut LeafTable::none();
    leaves(engine, state, depth, table, &mut |engine, state, moves| {
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

/// A position on the way, with its moves.
struct Position<S> {
    state: S,
    moves: Moves,
    /// How many of them have been made.
    made: usize,
    /// The leaves below these.
    leaves: u64,
    key: u64,
}

impl<S> Position<S> {
    fn new(state: S) -> Self {
        Position { state, moves: Moves::new(), made: 0, leaves: 0, key: 0 }
    }

    /// Comes to the position: gives the leaves below it if they are known, else its moves are listed.
    fn enter<E: Engine<State = S, Error = RunError>>(
        &mut self,
        engine: &mut E,
        left: usize,
        table: &mut LeafTable,
        generate: &mut Generate<'_, E>,
    ) -> Result<Option<u64>, RunError> {
        if !engine.run_keeper(&mut self.state)? {
            return Ok(Some(0));
        }
        if !table.is_none() {
            self.key = LeafTable::key(engine.position_key(&self.state), left);
            if let Some(leaves) = table.get(self.key) {
                return Ok(Some(leaves));
            }
        }
        if left == 1 {
            let leaves = generate(engine, &mut self.state, None)?;
            table.insert(self.key, leaves);
            return Ok(Some(leaves));
        }
        (self.made, self.leaves) = (0, 0);
        self.moves.clear();
        generate(engine, &mut self.state, Some(&mut self.moves))?;
        Ok(None)
    }
}

/// The leaves of the tree. Positions on the way are kept in a list: games can be longer than the stack
/// of a thread is deep. Their memory is used again.
fn leaves<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &E::State,
    depth: u32,
    table: &mut LeafTable,
    generate: &mut Generate<'_, E>,
) -> Result<u64, RunError> {
    if depth == 0 {
        return Ok(1);
    }
    let mut first = state.clone();
    if table.is_none() {
        engine.forget_hash(&mut first);
    }
    let mut path = vec![Position::new(first)];
    // The number of the position that was come to last.
    let mut last = 0;
    loop {
        let left = depth as usize - last;
        let mut known = path[last].enter(engine, left, table, generate)?;
        loop {
            if let Some(leaves) = known {
                if last == 0 {
                    return Ok(leaves);
                }
                last -= 1;
                path[last].leaves = path[last].leaves.saturating_add(leaves);
            }
            let position = &path[last];
            if position.made < position.moves.len() {
                break;
            }
            table.insert(position.key, position.leaves);
            known = Some(position.leaves);
        }
        last += 1;
        if path.len() == last {
            path.push(Position::new(path[last - 1].state.clone()));
        }
        let (before, after) = path.split_at_mut(last);
        let (position, next) = (&mut before[last - 1], &mut after[0]);
        next.state.clone_from(&position.state);
        engine.apply(&mut next.state, position.moves.get(position.made));
        position.made += 1;
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
