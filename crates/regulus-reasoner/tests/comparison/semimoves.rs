//! Semimoves on both engines, along the moves of a random game.

use regulus_game::{Engine as _, Random, Step};
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::NativeState;
use regulus_reasoner::{State, semimove_perft};

use super::Compared;
use super::positions::{Played, sorted};
use super::walks::{Budget, Stopped, moves};
use crate::engine::{Compiled, Engine, Interpreted};

/// Moves of a position, and steps of all of them, up to which they are made of semimoves.
const MOST_COMPLETED: usize = 150;
const MOST_COMPLETED_STEPS: usize = 3_000;

/// Walks from a position, semimove by semimove.
const WALKS: usize = 3;

/// Semimoves of one such walk.
const MOST_SEMIMOVES: usize = 1_500;

/// Steps that show that a semimove leads nowhere.
const STEPS: u64 = 20_000;

/// Plays a game again with split rules and compares semimoves at every position.
pub fn along(
    halves: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    strategy: Strategy,
    played: &Played,
    seed: u64,
    compared: &mut Compared,
) {
    let mut random = Random::new(seed).fork(1);
    let (mut half, mut other) = (halves.initial(), fast.initial());
    for (moves, made) in &played.moves {
        let keeper = (halves.run_keeper(&mut half), fast.run_keeper(&mut other));
        let goes_on = compared.alike("keeper of split rules", keeper.0, keeper.1);
        if goes_on != Some(true) {
            assert_eq!(goes_on, None, "{strategy}: the keeper of split rules is stuck");
            return;
        }
        let listed = fast.list(&mut other).map(sorted);
        if compared.alike("moves of split rules", Ok(moves.clone()), listed).is_none() {
            return;
        }
        for _ in 0..WALKS {
            if walk(halves, fast, &half, &other, &mut random, compared).is_none() {
                return;
            }
        }
        let steps: usize = moves.iter().map(Vec::len).sum();
        if moves.len() <= MOST_COMPLETED && steps <= MOST_COMPLETED_STEPS {
            // Split rules may have so many dead ends that putting moves together takes too long: then for both.
            let completed = (
                semimove_perft(&mut halves.worker, &half, 1),
                semimove_perft(&mut fast.worker, &other, 1),
            );
            let number = compared.alike("moves made of semimoves", completed.0, completed.1);
            let Some(number) = number else { return };
            assert_eq!(number, moves.len() as u64, "{strategy}: moves made of semimoves");
        }
        let Some(made) = made else { return };
        halves.apply(&mut half, &moves[*made]);
        fast.apply(&mut other, &moves[*made]);
        assert_eq!(halves.facts(&half), fast.facts(&other), "{strategy}: position after a move");
    }
}

/// Makes random semimoves on both engines until a move is complete or there is none, then takes them back
/// one by one. Nothing if native code cannot be made.
fn walk(
    halves: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    half: &State,
    other: &NativeState,
    random: &mut Random,
    compared: &mut Compared,
) -> Option<()> {
    let (mut half, mut other) = (half.clone(), other.clone());
    let mut made = Vec::new();
    let large = fast.worker.vertices() > 200;
    let most = if large { MOST_SEMIMOVES / 10 } else { MOST_SEMIMOVES };
    while made.len() < most {
        let (mut slow_list, mut fast_list) = (Vec::new(), Vec::new());
        let listed = (
            halves.worker.semimoves(&mut half, &mut slow_list),
            fast.worker.semimoves(&mut other, &mut fast_list),
        );
        compared.alike("semimoves", listed.0, listed.1)?;
        slow_list.sort();
        slow_list.dedup();
        fast_list.sort();
        assert!(fast_list.windows(2).all(|pair| pair[0] != pair[1]), "semimoves: one comes twice");
        // What leads nowhere may be left out.
        let (semimoves, only_native): (Vec<Step>, Vec<Step>) =
            fast_list.iter().partition(|step| slow_list.binary_search(step).is_ok());
        for step in only_native {
            assert!(is_dead(halves, &half, step), "semimoves: {step:?} is possible only natively");
        }
        for step in slow_list.iter().filter(|step| semimoves.binary_search(step).is_err()) {
            assert!(is_dead(halves, &half, *step), "semimoves: {step:?} is not possible natively");
        }
        compared.semimoves += semimoves.len();
        if semimoves.is_empty() {
            break;
        }
        let step = semimoves[random.below(semimoves.len() as u64) as usize];
        let before = (half.clone(), other.clone());
        let undo =
            (halves.worker.apply_step(&mut half, step), fast.worker.apply_step(&mut other, step));
        let (Some(slow_undo), Some(fast_undo)) = undo else {
            panic!("semimove that cannot be made: {step:?}");
        };
        assert_eq!(halves.facts(&half), fast.facts(&other), "position after semimove {step:?}");
        assert_eq!(half.hash(), half.recomputed_hash(), "hash of the interpreter");
        assert_eq!(other.hash(), other.recomputed_hash(), "hash after a semimove");
        let nodal = half.is_nodal();
        assert_eq!(nodal, fast.worker.is_nodal(&other), "is_nodal after {step:?}");
        // Whole states are kept of the first ones only.
        let before = (made.len() < 50).then_some(before);
        made.push((slow_undo, fast_undo, before));
        if nodal {
            break;
        }
    }
    while let Some((slow_undo, fast_undo, before)) = made.pop() {
        halves.worker.undo(&mut half, slow_undo);
        fast.worker.undo(&mut other, fast_undo);
        if let Some((slow_before, fast_before)) = before {
            assert_eq!(half, slow_before, "undo of a semimove on the interpreter");
            assert_eq!(other, fast_before, "undo of a semimove");
            assert_eq!(other.hash(), fast_before.hash(), "hash after undo of a semimove");
        }
    }
    Some(())
}

/// True if no move begins with a semimove, as far as a little work shows.
fn is_dead(halves: &mut Interpreted<'_>, state: &State, step: Step) -> bool {
    let mut after = state.clone();
    let Some(undo) = halves.worker.apply_step(&mut after, step) else { return true };
    halves.worker.commit(undo);
    let behind = moves(halves.rules.program(), &after, &mut Budget::new(STEPS));
    let none = behind.map_or_else(|why| why == Stopped::Budget, |moves| moves.is_empty());
    none && !after.is_nodal()
}
