//! Random games of native code: they end where games can end, and as often as they should. Ends of small
//! games are known with their exact probabilities; of others, the first move is.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use regulus_game::{Engine as _, Guide, KeyKind, MAX_GAME_MOVES, Random, Step};
use regulus_rbg::Game;
use regulus_rbg::declarations::Variable;
use regulus_rbg::split::{Strategy, count_dots};
use regulus_reasoner::native::{NativeState, NativeWorker};
use regulus_reasoner::{Action, RunError, State, semisplit_playout};

use super::positions::{keeper_fits, sorted};
use super::walks::{Budget, moves};
use super::{Compared, Limits, native_code};
use crate::engine::{Compiled, Engine, Facts, Interpreted, Questions, stuck};

/// Positions of a game up to which its ends are listed.
const MOST_POSITIONS: usize = 300;

/// Moves of a position up to which their frequencies are compared.
const MOST_FIRST_MOVES: usize = 60;

/// Playouts of games whose ends are not known.
const BLIND_PLAYOUTS: u64 = 2;

/// Games that are played move by move to find the error of a playout.
const GAMES_BY_MOVES: usize = 3_000;

/// How many standard deviations a distribution may be off: a right generator gets there once in a billion times.
const MOST_DEVIATIONS: f64 = 6.0;

/// How long playouts of one kind may take: those of rules that come near the limits take long.
const MOST_TIME: Duration = Duration::from_secs(5);

/// How a game ended, and after how many moves.
type End = (Facts, u64);

/// What counts at the end of a game. Who would be to move, and where the pointer stands, does not, and native
/// playouts do not keep it.
fn seen(facts: Facts) -> Facts {
    Facts { player: 0, vertex: 0, ..facts }
}

/// Playouts by whole moves.
pub fn whole_moves(
    slow: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    seed: u64,
    limits: &Limits,
    compared: &mut Compared,
) {
    if let Some(exact) = exact_ends(slow, false, limits) {
        // With equal weights guided playouts are like others; with others every end is still possible.
        let kind = if seed.is_multiple_of(2) { KeyKind::Steps } else { KeyKind::StepsOntoPieces };
        for way in [Way::Whole, Way::Guided(kind, 255), Way::Guided(kind, 20)] {
            let found = played_out(fast, way, seed, limits.playouts, compared);
            let Some(found) = found.expect("a small game comes to an end") else { return };
            let what = format!("{way:?}");
            assert_possible(&what, &exact, &found);
            if !matches!(way, Way::Guided(_, 20)) {
                assert_likely(&what, &against(&exact, &found, limits.playouts), compared);
            }
        }
        return;
    }
    if limits.blind_playouts {
        blind(slow, fast, false, seed, compared);
    }
    first_moves(slow, false, seed, limits, compared);
}

/// Playouts by semimoves. `slow` has the same rules without the split points of the strategy.
pub fn split_moves(
    slow: &mut Interpreted<'_>,
    halves: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    strategy: Strategy,
    seed: u64,
    limits: &Limits,
    compared: &mut Compared,
) {
    let what = format!("split moves ({strategy})");
    let has_dots = count_dots(&halves.rules.game().rules) > 0;
    if let Some(exact) = exact_ends(slow, true, limits) {
        let found = match played_out(fast, Way::Split, seed, limits.playouts, compared) {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(why) => {
                // Split points count as semimoves, and moves may have too many of them: on both engines.
                let mut random = Random::new(seed).fork(3);
                let mut play = || {
                    let mut end = halves.initial();
                    semisplit_playout(&mut halves.worker, &mut end, &mut random)
                };
                let error = (0..GAMES_BY_MOVES / 30).find_map(|_| play().err());
                compared.alike(
                    "error in a split playout",
                    Err::<(), _>(why),
                    error.map_or(Ok(()), Err),
                );
                return;
            }
        };
        assert_possible(&what, &exact, &found);
        if !has_dots {
            assert_likely(&what, &against(&exact, &found, limits.playouts), compared);
            return;
        }
        // Split points change probabilities, so the interpreter has to play as well.
        let mut random = Random::new(seed).fork(3);
        let mut others: BTreeMap<End, u64> = BTreeMap::new();
        for _ in 0..limits.playouts {
            let mut end = halves.initial();
            let playout = semisplit_playout(&mut halves.worker, &mut end, &mut random);
            let playout = playout.expect("a small game comes to an end");
            *others.entry((seen(halves.facts(&end)), playout.length)).or_default() += 1;
        }
        assert_possible(&what, &exact, &others);
        let number = |of: &BTreeMap<End, u64>, end| of.get(end).map_or(0.0, |n| *n as f64);
        let cells = exact.keys().map(|end| (number(&others, end), number(&found, end)));
        // The difference of two samples varies twice as much as that of one and its mean.
        let cells: Vec<_> =
            cells.map(|(a, b)| ((a + b) / 2.0, (a + b) / 2.0 + (b - a) / 2f64.sqrt())).collect();
        assert_likely(&what, &cells, compared);
        return;
    }
    if limits.blind_playouts {
        blind(halves, fast, true, seed, compared);
    }
    if !has_dots {
        first_moves(halves, true, seed, limits, compared);
    }
}

/// How moves are drawn.
#[derive(Clone, Copy, Debug)]
enum Way {
    Whole,
    Split,
    /// By the weights of keys, of which every other one is the largest; the rest have this weight.
    Guided(KeyKind, u8),
}

impl Way {
    fn play(
        self,
        worker: &mut NativeWorker,
        state: &mut NativeState,
        random: &mut Random,
    ) -> Result<u64, RunError> {
        match self {
            Way::Whole => worker.playout(state, false, random),
            Way::Split => worker.playout(state, true, random),
            Way::Guided(kind, weight) => {
                let mut guide = Guide::new(kind, 6);
                guide.weights_mut().iter_mut().step_by(2).for_each(|w| *w = weight);
                let played = worker.play(state, u64::MAX, Some(&mut guide), random)?;
                assert_eq!(played.length, guide.played().len() as u64, "{self:?}: keys");
                Ok(played.length)
            }
        }
    }
}

/// Plays games out on native code and counts how they end. Nothing if there is no code for that.
fn played_out(
    fast: &mut Compiled<'_>,
    way: Way,
    seed: u64,
    playouts: u64,
    compared: &mut Compared,
) -> Result<Option<BTreeMap<End, u64>>, RunError> {
    let mut random = Random::new(seed).fork(2);
    let mut found: BTreeMap<End, u64> = BTreeMap::new();
    let start = Instant::now();
    for number in 0..playouts {
        if start.elapsed() > MOST_TIME {
            compared.skipped += 1;
            return Ok(None);
        }
        let before = random.clone();
        let mut end = fast.initial();
        let length = way.play(&mut fast.worker, &mut end, &mut random);
        if number == 0 {
            // The same again with other memory.
            let mut again = fast.initial();
            let second = way.play(&mut fast.rules.worker(), &mut again, &mut before.clone());
            assert_eq!((&second, &again), (&length, &end), "playouts with the same seed");
        }
        compared.playouts += 1;
        match length {
            Ok(length) => {
                let facts = fast.facts(&end);
                for (v, value) in facts.variables.iter().enumerate() {
                    let bound = fast.rules.game().declarations.bound(Variable(v as u16));
                    assert!(*value <= bound, "{way:?}: variable {v} is {value}");
                }
                assert_eq!(end.hash(), end.recomputed_hash(), "hash after a playout");
                *found.entry((seen(facts), length)).or_default() += 1;
            }
            Err(why @ (RunError::NoNativeCode | RunError::NoMemory)) => {
                compared.refuse(why.to_string());
                return Ok(None);
            }
            Err(why) => return Err(why),
        }
    }
    Ok(Some(found))
}

/// Playouts of a game of which it is not known how it can end. If one ends with an error, so must one that is
/// played move by move, and the interpreter at the same position.
fn blind(
    slow: &mut Interpreted<'_>,
    fast: &mut Compiled<'_>,
    split: bool,
    seed: u64,
    compared: &mut Compared,
) {
    let way = if split { Way::Split } else { Way::Whole };
    let Err(why) = played_out(fast, way, seed, BLIND_PLAYOUTS, compared) else { return };
    if why == RunError::EndlessGame {
        return;
    }
    let mut random = Random::new(seed).fork(5);
    let start = Instant::now();
    if split {
        // Split points make some moves much more likely.
        let mut play = || {
            let mut end = slow.initial();
            semisplit_playout(&mut slow.worker, &mut end, &mut random)
        };
        // Other games may meet another limit.
        if (0..GAMES_BY_MOVES / 30).any(|_| play().is_err()) {
            compared.errors += 1;
            return;
        }
    }
    for _ in 0..GAMES_BY_MOVES {
        if start.elapsed() > MOST_TIME {
            compared.skipped += 1;
            return;
        }
        let (mut state, mut other) = (slow.initial(), fast.initial());
        for _ in 0..MAX_GAME_MOVES {
            let keeper = fast.run_keeper(&mut other);
            let sample = match keeper {
                Ok(true) => fast.sample(&mut other, &mut random),
                Ok(false) => break,
                Err(why) => Err(why),
            };
            if sample.is_err() {
                let answer = match slow.run_keeper(&mut state) {
                    Ok(true) => slow.list(&mut state).map(|_| ()),
                    keeper => keeper.map(|_| ()),
                };
                compared.alike("error in a playout", answer, sample.map(|_| ()));
                return;
            }
            let Ok(Some(steps)) = sample else { break };
            fast.apply(&mut other, &steps);
            if slow.run_keeper(&mut state) == Ok(true) {
                slow.apply(&mut state, &steps);
            }
        }
    }
    panic!("playout: split={split} ends with an error that no game by moves has: {why}");
}

/// The probability of every end of the game, position by position; those that are alike are taken
/// together. Nothing if there are too many.
fn exact_ends(
    slow: &mut Interpreted<'_>,
    split: bool,
    limits: &Limits,
) -> Option<BTreeMap<End, f64>> {
    let mut ends = BTreeMap::new();
    let mut positions = 0;
    let mut budget = Budget::new(limits.tree_steps);
    let start = slow.initial();
    let mut level = BTreeMap::from([(start.hash(), (start, 1.0))]);
    for length in 0.. {
        let mut next: BTreeMap<u64, (State, f64)> = BTreeMap::new();
        for (state, probability) in level.values() {
            if !keeper_fits(slow, state, budget.left().min(limits.steps)) {
                return None;
            }
            let mut state = state.clone();
            let goes_on = slow.run_keeper(&mut state).ok()?;
            let listed = match goes_on {
                true => sorted(moves(slow.rules.program(), &state, &mut budget).ok()?),
                false => Vec::new(),
            };
            if listed.is_empty() {
                *ends.entry((seen(slow.facts(&state)), length)).or_default() += probability;
                continue;
            }
            positions += 1;
            if positions > MOST_POSITIONS {
                return None;
            }
            for (steps, p) in listed.iter().zip(probabilities(&listed, split)) {
                let mut to = state.clone();
                slow.apply(&mut to, steps);
                next.entry(to.hash()).or_insert_with(|| (to, 0.0)).1 += probability * p;
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Some(ends)
}

/// The probability of every move of a sorted list: the same for all, or, for split moves, the product
/// over its steps of one over the steps that lead on (THESIS, Algorithm 1).
fn probabilities(moves: &[Vec<Step>], split: bool) -> Vec<f64> {
    if !split {
        return vec![1.0 / moves.len() as f64; moves.len()];
    }
    let mut all = Vec::new();
    // Moves that begin alike, how many of their steps that are, and their probability.
    let mut groups = vec![(moves, 0, 1.0)];
    while let Some((moves, depth, p)) = groups.pop() {
        if moves.len() == 1 {
            all.push(p);
            continue;
        }
        let parts: Vec<_> = moves.chunk_by(|a, b| a[depth] == b[depth]).collect();
        let p = p / parts.len() as f64;
        groups.extend(parts.into_iter().rev().map(|part| (part, depth + 1, p)));
    }
    all
}

/// Where one move from the beginning leads, and how often: playouts of rules whose keeper is stuck after
/// the first move.
fn first_moves(
    slow: &mut Interpreted<'_>,
    split: bool,
    seed: u64,
    limits: &Limits,
    compared: &mut Compared,
) {
    let mut state = slow.initial();
    if slow.run_keeper(&mut state) != Ok(true) {
        return;
    }
    let program = slow.rules.program();
    let Ok(listed) = moves(program, &state, &mut Budget::new(limits.steps)) else { return };
    let listed = sorted(listed);
    let to_keeper = |steps: &Vec<Step>| {
        let last = steps.last().and_then(|step| program.modifier(step.action));
        matches!(last.map(|edge| &edge.action), Some(Action::Switch(0)))
    };
    if !(2..=MOST_FIRST_MOVES).contains(&listed.len()) || !listed.iter().all(to_keeper) {
        return;
    }
    let game = slow.rules.game();
    let short = Game { rules: stuck(&game.rules), ..game.clone() };
    // The beginning has a keeper, too, who is not to be stuck: the rules must not go back to him.
    let Some(native) = native_code(&short, compared) else { return };
    let mut fast = Compiled::new(&native);
    let mut start = fast.initial();
    if fast.run_keeper(&mut start) != Ok(true) {
        return;
    }
    let mut exact: BTreeMap<End, f64> = BTreeMap::new();
    for (steps, p) in listed.iter().zip(probabilities(&listed, split)) {
        let mut after = state.clone();
        slow.apply(&mut after, steps);
        *exact.entry((seen(slow.facts(&after)), 1)).or_default() += p;
    }
    let mut random = Random::new(seed).fork(4);
    let mut found: BTreeMap<End, u64> = BTreeMap::new();
    let playouts = limits.playouts.max(20 * listed.len() as u64);
    for _ in 0..playouts {
        let mut end = fast.initial();
        match fast.worker.playout(&mut end, split, &mut random) {
            Ok(length) => *found.entry((seen(fast.facts(&end)), length)).or_default() += 1,
            Err(RunError::NoNativeCode) => return,
            Err(why) => panic!("first move: split={split} ends with the error: {why}"),
        }
    }
    let what = format!("first move, split={split}");
    assert_possible(&what, &exact, &found);
    assert_likely(&what, &against(&exact, &found, playouts), compared);
}

fn assert_possible(what: &str, exact: &BTreeMap<End, f64>, found: &BTreeMap<End, u64>) {
    for (end, number) in found {
        assert!(
            exact.contains_key(end),
            "{what}: {number} playouts end impossibly with {end:?}; possible: {:?}",
            exact.keys().take(6).collect::<Vec<_>>()
        );
    }
}

/// What is expected, and what was found.
fn against(
    exact: &BTreeMap<End, f64>,
    found: &BTreeMap<End, u64>,
    playouts: u64,
) -> Vec<(f64, f64)> {
    let number = |end| found.get(end).map_or(0.0, |n| *n as f64);
    exact.iter().map(|(end, p)| (p * playouts as f64, number(end))).collect()
}

fn assert_likely(what: &str, cells: &[(f64, f64)], compared: &mut Compared) {
    compared.distributions += 1;
    let off = deviation(cells);
    assert!(off < MOST_DEVIATIONS, "{what}: playouts are {off:.1} deviations off");
}

/// How many standard deviations (expected, found) are off, by chi-square. Cells of which
/// little is expected are taken together.
fn deviation(cells: &[(f64, f64)]) -> f64 {
    let mut cells = cells.to_vec();
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (expected, found) in cells.into_iter().filter(|c| *c != (0.0, 0.0)) {
        match merged.last_mut() {
            Some(last) if last.0 < 10.0 => {
                last.0 += expected;
                last.1 += found;
            }
            _ => merged.push((expected, found)),
        }
    }
    let freedom = merged.len() as f64 - 1.0;
    if freedom < 1.0 {
        return 0.0;
    }
    let chi: f64 = merged.iter().map(|(e, f)| (e - f).powi(2) / e).sum();
    // E. B. Wilson and M. M. Hilferty, The distribution of chi-square (1931): the cube root is nearly normal, also where
    // few cells make large sums likely.
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}
