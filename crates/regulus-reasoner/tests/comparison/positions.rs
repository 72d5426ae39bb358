//! Positions of random games on both engines, and trees of moves.

use std::collections::BTreeMap;

use regulus_game::{
    Children, Engine as _, MoveGroups, Moves, Random, Stage, Step, children_one_by_one,
};
use regulus_reasoner::error::MAX_KEEPER_MOVES;
use regulus_reasoner::native::NativeState;
use regulus_reasoner::{RunError, State};

use super::walks::{Budget, Stopped, moves};
use super::{Compared, Limits};
use crate::engine::{Compiled, Engine, Facts, Interpreted, Questions};

/// A random game.
pub struct Played {
    /// The moves of every position, sorted, and which of them was made.
    pub moves: Vec<(Vec<Vec<Step>>, Option<usize>)>,
    /// The game was left because a position is too much work, or none of the engines can go on.
    pub too_much: bool,
}

pub fn sorted(mut moves: Vec<Vec<Step>>) -> Vec<Vec<Step>> {
    moves.sort();
    moves
}

/// Keeper moves that are looked at one by one.
const KEEPER_MOVES: usize = 1_000;

/// Steps of a keeper who never hands over.
const ENDLESS_STEPS: u64 = 30_000_000;

/// True if it is not too much work to let the keeper move from here.
pub fn keeper_fits(slow: &mut Interpreted<'_>, state: &State, steps: u64) -> bool {
    let mut state = state.clone();
    for made in 0..KEEPER_MOVES {
        if state.player().0 != 0 {
            return true;
        }
        let mut budget = Budget::new(steps);
        match moves(slow.rules.program(), &state, &mut budget) {
            Err(Stopped::Budget) => return false,
            Err(Stopped::Length) => return true,
            Ok(_) => {}
        }
        if !matches!(slow.worker.keeper_move(&mut state), Ok(true)) {
            return true;
        }
        // Seen from here it may go on to the limit.
        let all = (steps - budget.left()).saturating_mul(MAX_KEEPER_MOVES as u64);
        if made + 1 == KEEPER_MOVES && all > ENDLESS_STEPS {
            return false;
        }
    }
    true
}

/// Plays a random game on both engines and compares everything on the way.
pub fn random_game(
    slow: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    seed: u64,
    limits: &Limits,
    compared: &mut Compared,
) -> Played {
    let mut random = Random::new(seed);
    let (mut state, mut other) = (slow.initial(), fast.initial());
    let mut played = Played { moves: Vec::new(), too_much: true };
    let mut keys: BTreeMap<u64, Vec<Vec<Step>>> = BTreeMap::new();
    for ply in 0..limits.plies {
        if !keeper_fits(slow, &state, limits.steps) {
            compared.skipped += 1;
            return played;
        }
        let keeper = (slow.run_keeper(&mut state), fast.run_keeper(&mut other));
        let Some(goes_on) = compared.alike("keeper", keeper.0, keeper.1) else { return played };
        // The keeper may leave the pointer anywhere if what follows does not depend on it.
        let [interpreted, native] =
            [slow.facts(&state), fast.facts(&other)].map(|facts| Facts { vertex: 0, ..facts });
        assert_eq!(interpreted, native, "position after the keeper: ply {ply}");
        check_contents(slow, fast, &state, &other);
        if !goes_on {
            break;
        }
        let expected = moves(slow.rules.program(), &state, &mut Budget::new(limits.steps));
        if expected == Err(Stopped::Budget) {
            compared.skipped += 1;
            return played;
        }
        let listed = (slow.list(&mut state).map(sorted), fast.list(&mut other).map(sorted));
        let error = listed.0.as_ref().err().copied();
        let Some(moves) = compared.alike("moves", listed.0, listed.1) else {
            if let Some(error) = error {
                assert!(expected.is_err(), "the language and the interpreter: {error}");
                let count = (slow.count(&mut state), fast.count(&mut other));
                compared.alike("count", count.0, count.1);
                let groups = fast.grouped(&mut other).map(|_| ());
                compared.alike("groups", Err(error), groups);
            }
            return played;
        };
        assert_eq!(expected.map(sorted).as_ref(), Ok(&moves), "the language and the interpreter");
        compared.positions += 1;
        compared.moves += moves.len();
        let same = keys.entry(fast.worker.position_key(&other)).or_insert_with(|| moves.clone());
        assert_eq!(*same, moves, "key: positions that are to go on alike: ply {ply}");
        assert_eq!(slow.count(&mut state), Ok(moves.len() as u64), "count of the interpreter");
        if questions(fast, &mut other, &moves, &mut random) == Err(RunError::NoNativeCode) {
            compared.refuse(RunError::NoNativeCode.to_string());
            return played;
        }
        if moves.is_empty() {
            played.moves.push((moves, None));
            break;
        }
        let at = random.below(moves.len() as u64) as usize;
        slow.apply(&mut state, &moves[at]);
        fast.apply(&mut other, &moves[at]);
        assert_eq!(slow.facts(&state), fast.facts(&other), "position after {:?}", moves[at]);
        assert_eq!(state.hash(), state.recomputed_hash(), "hash of the interpreter");
        played.moves.push((moves, Some(at)));
    }
    played.too_much = false;
    played
}

/// The board as a search sees it.
fn check_contents(
    slow: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    state: &State,
    other: &NativeState,
) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    slow.worker.pieces(state, &mut a);
    fast.worker.pieces(other, &mut b);
    assert_eq!(a, b, "contents");
    for player in 1..=slow.worker.players() {
        let scores = (slow.worker.score(state, player), fast.worker.score(other, player));
        assert_eq!(scores.0, scores.1, "scores");
    }
}

/// What native code answers without a list agrees with the (sorted) list, and nothing changes.
fn questions(
    fast: &mut Compiled<'_>,
    state: &mut NativeState,
    moves: &[Vec<Step>],
    random: &mut Random,
) -> Result<(), RunError> {
    let before = state.clone();
    let number = moves.len() as u64;
    assert_eq!(supported(fast.count(state))?, Ok(number), "count");
    assert_eq!(supported(fast.nth(state, number))?, Ok(None), "nth: one move too many");
    if number <= 30 {
        let all: Result<Vec<_>, _> = (0..number).map(|i| fast.nth(state, i)).collect();
        let all = all.map(|all| sorted(all.into_iter().flatten().collect()));
        assert_eq!(all.as_deref(), Ok(moves), "nth");
    }
    let grouped = supported(fast.grouped(state))?.expect("groups of moves that can be listed");
    for (steps, after) in &grouped {
        let mut applied = state.clone();
        fast.apply(&mut applied, steps);
        assert_eq!(applied, *after, "groups: taking {steps:?}");
    }
    let grouped = grouped.into_iter().map(|(steps, _)| steps).collect();
    assert_eq!(sorted(grouped), moves, "groups");
    without_hash(fast, state, moves, random)?;
    if number <= 60 {
        outcomes(fast, state);
    }
    for _ in 0..number.min(8) {
        let steps = &moves[random.below(number) as usize];
        assert_eq!(fast.is_legal(state, steps), Ok(true), "is_legal: {steps:?} is refused");
        let mut other = steps.clone();
        let at = random.below(steps.len() as u64) as usize;
        match random.below(5) {
            0 => other[at].vertex = 1 + random.below(fast.worker.vertices() as u64) as u16,
            1 => other[at].action += 1,
            2 => drop(other.remove(at)),
            3 => other[at].action = -other[at].action,
            _ => other.push(steps[at]),
        }
        let legal = moves.binary_search(&other).is_ok();
        assert_eq!(fast.is_legal(state, &other), Ok(legal), "is_legal: {other:?}");
        let sample = fast.sample(state, random).expect("moves that can be listed can be drawn");
        let sample = sample.expect("there is a move");
        assert!(moves.binary_search(&sample).is_ok(), "sample: drew {sample:?}");
        fast.with_move(state, steps, &mut |fast, state| {
            assert_eq!(fast.hash(state), fast.recomputed_hash(state), "hash after {steps:?}");
        });
        assert_eq!(*state, before, "undo of {steps:?}");
    }
    assert_eq!(fast.sample(state, random).map(|s| s.is_none()), Ok(moves.is_empty()), "sample");
    assert_eq!(fast.hash(state), fast.recomputed_hash(state), "hash");
    assert_eq!(*state, before, "questions have changed the state");
    Ok(())
}

/// What is said of all moves at once is what is said of one after the other.
fn outcomes(fast: &mut Compiled<'_>, state: &mut NativeState) {
    let (mut at_once, mut others) = (Children::new(), Children::new());
    let all = fast.worker.children(state, &mut at_once);
    let expected = children_one_by_one(&mut fast.worker, state, &mut others);
    assert_eq!(all, expected, "children");
    let any = fast.worker.has_move(state);
    assert_eq!(any, fast.worker.count(state).map(|count| count > 0), "has_move");
    if all.is_err() {
        return;
    }
    let steps: Vec<&[Step]> = (0..at_once.len()).map(|i| at_once.steps(i)).collect();
    assert_eq!(steps, (0..others.len()).map(|i| others.steps(i)).collect::<Vec<_>>(), "children");
    for (i, steps) in steps.iter().enumerate() {
        let [mut mine, mut right] = [&at_once, &others].map(|all| all.changes(i).to_vec());
        mine.sort_unstable();
        right.sort_unstable();
        assert_eq!(mine, right, "changes of {steps:?}");
        let [mine, right] =
            [&at_once, &others].map(|all| (all.values(i), all.player(i), all.is_loud(i)));
        assert_eq!(mine, right, "behind {steps:?}");
    }
    for stage in [Stage::Loud, Stage::Quiet] {
        let mut moves = Moves::new();
        fast.worker.list_stage(state, stage, &mut moves).expect("moves that were listed");
        let is_of_it = |i: &usize| others.is_loud(*i) == (stage == Stage::Loud);
        let right = (0..others.len()).filter(is_of_it).map(|i| others.steps(i));
        assert!(moves.iter().eq(right), "{stage:?}");
    }
}

/// An answer, or that there is no code for the question.
fn supported<T>(answer: Result<T, RunError>) -> Result<Result<T, RunError>, RunError> {
    match answer {
        Err(RunError::NoNativeCode) => Err(RunError::NoNativeCode),
        answer => Ok(answer),
    }
}

/// Searches play on states that do not keep their hash, which takes other ways.
fn without_hash(
    fast: &mut Compiled<'_>,
    state: &NativeState,
    moves: &[Vec<Step>],
    random: &mut Random,
) -> Result<(), RunError> {
    let mut state = state.clone();
    fast.worker.forget_hash(&mut state);
    let mut groups = MoveGroups::default();
    fast.worker.groups(&mut state, &mut groups)?;
    let all = groups.len();
    for _ in 0..all.min(8) {
        let it = groups.nth(random.below(all as u64) as usize).expect("a move for every number");
        let (mut after, mut steps) = (state.clone(), Vec::new());
        if fast.worker.apply_grouped(&mut after, &groups, it, &mut steps)? {
            assert!(moves.binary_search(&steps).is_ok(), "groups: took {steps:?}");
            let mut applied = state.clone();
            fast.apply(&mut applied, &steps);
            assert_eq!(applied, after, "groups without hash: taking {steps:?}");
            assert_eq!(after.hash(), after.recomputed_hash(), "hash that was forgotten");
        } else {
            assert_eq!(after, state, "groups: an illegal move has changed the state");
        }
    }
    Ok(())
}

/// Why a tree was not counted.
enum NotCounted {
    TooMuch,
    Error,
}

/// Compares the numbers of leaves to depth 3, as far as that is not too much.
pub fn count_leaves(
    slow: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    limits: &Limits,
    compared: &mut Compared,
) {
    for depth in 1..=3 {
        let mut budget = Budget::new(limits.tree_steps);
        let Ok(leaves) = leaves(slow, &slow.initial(), depth, limits.steps, &mut budget) else {
            return;
        };
        let initial = fast.initial();
        let found = fast.perft(&initial, depth);
        let Some(leaves) = compared.alike(&format!("perft {depth}"), Ok(leaves), found) else {
            return;
        };
        compared.leaves += leaves;
        if leaves == 0 {
            return;
        }
    }
}

fn leaves(
    slow: &mut Interpreted<'_>,
    state: &State,
    depth: u32,
    steps: u64,
    budget: &mut Budget,
) -> Result<u64, NotCounted> {
    if !keeper_fits(slow, state, steps) {
        return Err(NotCounted::TooMuch);
    }
    let mut state = state.clone();
    if !slow.run_keeper(&mut state).map_err(|_| NotCounted::Error)? {
        return Ok(0);
    }
    let found = moves(slow.rules.program(), &state, budget);
    let found = sorted(found.map_err(|_| NotCounted::TooMuch)?);
    if depth == 1 {
        return Ok(found.len() as u64);
    }
    let listed = slow.list(&mut state).map(sorted);
    assert_eq!(listed.as_ref(), Ok(&found), "the interpreter and the language");
    let mut sum = 0;
    for steps_of_move in &found {
        let mut next = state.clone();
        slow.apply(&mut next, steps_of_move);
        sum += leaves(slow, &next, depth - 1, steps, budget)?;
    }
    Ok(sum)
}
