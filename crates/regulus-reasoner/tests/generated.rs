//! Native code against the interpreter on games that nobody wrote: random rules, compared at every
//! position of random games, and the distribution of native playouts against the exact one.
//!
//! `REGULUS_GENERATED=20000 cargo test --release -p regulus-reasoner --test generated` runs more
//! cases; `REGULUS_GENERATED=17..18` runs one.

#![allow(clippy::unwrap_used)]

mod engine;
mod generator;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{Compiled, Engine, Facts, Interpreted, Questions};
use generator::Rules;
use regulus_game::{Engine as _, Random, Step};
use regulus_rbg::Game;
use regulus_rbg::split::{Strategy, count_dots};
use regulus_reasoner::native::{Native, NativeState};
use regulus_reasoner::{Interpreter, State, semimove_perft, semisplit_playout};

/// Cases of a run without the variable.
const CASES: u64 = 400;

/// Moves of a position up to which it is compared.
const MOST_MOVES: usize = 3_000;

/// Ends of the keeper's moves from one position.
const MOST_ENDS: usize = 100;

/// Positions of a random game that are compared.
const PLIES: usize = 10;

/// Playouts whose ends are compared with their exact probabilities.
const PLAYOUTS: u64 = 300;

/// Positions of a game, and moves from them, up to which its ends are listed.
const MOST_POSITIONS: usize = 400;
const MOST_TREE_MOVES: usize = 10_000;

fn cases() -> Range<u64> {
    let Ok(text) = std::env::var("REGULUS_GENERATED") else { return 0..CASES };
    let number = |t: &str| t.parse().unwrap_or_else(|_| panic!("not a number of cases: {text}"));
    text.split_once("..").map_or_else(|| 0..number(&text), |(a, b)| number(a)..number(b))
}

/// How far a case was compared.
#[derive(Default, Debug)]
struct Compared {
    positions: usize,
    moves: usize,
    ends: usize,
    /// Keepers that could go several ways.
    ambiguous: usize,
    distributions: usize,
    /// Too large, or stopped by a limit.
    skipped: usize,
    /// Games without native code, by reason.
    unsupported: BTreeMap<String, usize>,
}

/// All moves, if they are not too many.
fn few_moves(engine: &mut Interpreted<'_>, state: &mut State) -> Option<Vec<Vec<Step>>> {
    let mut moves = Vec::new();
    engine
        .worker
        .for_each_move(state, &mut |steps| {
            moves.push(steps.to_vec());
            moves.len() <= MOST_MOVES
        })
        .ok()?;
    (moves.len() <= MOST_MOVES).then_some(moves)
}

/// Everything the keeper can bring about: his moves are to be confluent, but random ones are not.
fn keeper_ends(engine: &mut Interpreted<'_>, state: &State) -> Option<Vec<(State, bool)>> {
    let mut ends: Vec<(State, bool)> = Vec::new();
    let mut seen: Vec<State> = vec![state.clone()];
    let mut next = 0;
    while next < seen.len() {
        let mut here = seen[next].clone();
        next += 1;
        if here.player().0 != 0 {
            ends.push((here, true));
            continue;
        }
        let moves = few_moves(engine, &mut here)?;
        if moves.is_empty() {
            ends.push((here, false));
            continue;
        }
        for steps in moves {
            let mut after = here.clone();
            engine.apply(&mut after, &steps);
            if !seen.contains(&after) {
                seen.push(after);
            }
        }
        if seen.len() > MOST_ENDS {
            return None;
        }
    }
    Some(ends)
}

fn sorted(mut moves: Vec<Vec<Step>>) -> Vec<Vec<Step>> {
    moves.sort();
    moves
}

/// Plays one random game on both engines and compares everything. Panics at a difference.
fn compare(rules: &Rules, seed: u64, compared: &mut Compared) {
    let game = &rules.load().expect("the front end has accepted it");
    let strategy = Strategy::ALL[(seed % 4) as usize];
    let split_game = Game { rules: strategy.apply(&game.rules), ..game.clone() };
    let native = match engine::native(&split_game) {
        Ok(native) => native,
        Err(why) => {
            *compared.unsupported.entry(why).or_default() += 1;
            return;
        }
    };
    let (interpreter, split) = (Interpreter::new(game), Interpreter::new(&split_game));
    let mut slow = Interpreted::new(&interpreter);
    let mut halves = Interpreted::new(&split);
    let mut fast = Compiled::new(&native);
    let mut random = Random::new(seed);
    let (mut state, mut half, mut other) = (slow.initial(), halves.initial(), fast.initial());
    for ply in 0..PLIES {
        let (Some(ends), Some(half_ends)) =
            (keeper_ends(&mut slow, &state), keeper_ends(&mut halves, &half))
        else {
            compared.skipped += 1;
            return;
        };
        compared.ambiguous += usize::from(ends.len() > 1);
        compared.ends += ends.len();
        let goes_on = fast.keeper(&mut other).expect("the keeper hands over or is stuck");
        let facts = fast.facts(&other);
        let same = |(s, goes): &&(State, bool)| *goes == goes_on && slow.facts(s) == facts;
        // Several ends can look alike and differ in where the rules stand.
        let candidates: Vec<_> = ends.iter().filter(same).collect();
        assert!(
            !candidates.is_empty(),
            "ply {ply}: the keeper's end {goes_on} {facts:?} is none of {:?}",
            ends.iter().map(|(s, goes)| (goes, slow.facts(s))).collect::<Vec<_>>()
        );
        if !goes_on {
            break;
        }
        if candidates.len() > 1 {
            compared.skipped += 1;
            return;
        }
        state = candidates[0].0.clone();
        let Some((h, _)) = half_ends.iter().find(|(h, _)| slow.facts(h) == facts) else {
            panic!("ply {ply}: the keeper of the split rules ends elsewhere");
        };
        half = h.clone();
        let Some(moves) = few_moves(&mut slow, &mut state) else {
            compared.skipped += 1;
            return;
        };
        let others = fast.list(&mut other).expect("a short list");
        let moves = sorted(moves);
        assert_eq!(moves, sorted(others), "ply {ply}: moves");
        compared.positions += 1;
        compared.moves += moves.len();
        if half_ends.len() == 1 && moves.len() <= 300 {
            let completed = semimove_perft(&mut halves.worker, &half, 1).unwrap();
            assert_eq!(completed, moves.len() as u64, "ply {ply}: moves of {strategy}");
        }
        questions(&mut fast, &mut other, &moves, &mut random);
        if moves.is_empty() {
            break;
        }
        let chosen = moves[random.below(moves.len() as u64) as usize].clone();
        slow.apply(&mut state, &chosen);
        halves.apply(&mut half, &chosen);
        fast.apply(&mut other, &chosen);
        assert_eq!(slow.facts(&state), fast.facts(&other), "ply {ply}: after {chosen:?}");
    }
    distributions(&mut slow, &mut halves, &native, seed, compared);
}

/// What native code answers without a list agrees with the (sorted) list, and nothing changes.
fn questions(
    fast: &mut Compiled<'_>,
    state: &mut NativeState,
    moves: &[Vec<Step>],
    random: &mut Random,
) {
    let before = state.clone();
    let number = moves.len() as u64;
    assert_eq!(fast.count(state).unwrap(), number, "count");
    assert_eq!(fast.nth(state, number).unwrap(), None, "one move too many");
    if number <= 30 {
        let all = (0..number).map(|i| fast.nth(state, i).unwrap().expect("a move of that number"));
        assert_eq!(sorted(all.collect()), moves, "moves by number");
    }
    let grouped = fast.grouped(state).unwrap();
    for (steps, after) in &grouped {
        let mut applied = state.clone();
        fast.apply(&mut applied, steps);
        assert_eq!(applied, *after, "taking {steps:?}");
    }
    let grouped = grouped.into_iter().map(|(steps, _)| steps).collect();
    assert_eq!(sorted(grouped), moves, "moves in groups");
    for _ in 0..number.min(8) {
        let steps = &moves[random.below(number) as usize];
        assert!(fast.is_legal(state, steps).unwrap(), "{steps:?} is refused");
        let mut other = steps.clone();
        let at = random.below(steps.len() as u64) as usize;
        match random.below(4) {
            0 => other[at].vertex = 1 + random.below(3) as u16,
            1 => other[at].action += 1,
            2 => drop(other.remove(at)),
            _ => other.push(steps[at]),
        }
        let legal = moves.binary_search(&other).is_ok();
        assert_eq!(fast.is_legal(state, &other).unwrap(), legal, "{other:?}");
        let sample = fast.sample(state, random).unwrap().expect("a move");
        assert!(moves.binary_search(&sample).is_ok(), "drew {sample:?}");
        fast.with_move(state, steps, &mut |fast, state| {
            assert_eq!(fast.hash(state), fast.recomputed_hash(state), "hash");
        });
        assert_eq!(*state, before, "undoing {steps:?}");
    }
    assert_eq!(fast.sample(state, random).unwrap().is_none(), moves.is_empty(), "sample");
    assert_eq!(fast.hash(state), fast.recomputed_hash(state), "hash");
    if number <= 300 {
        let completed = semimove_perft(&mut fast.worker, state, 1).unwrap();
        assert_eq!(completed, number, "moves made of native semimoves");
    }
    assert_eq!(*state, before, "questions have changed the state");
}

/// The probability of every end of the game.
type Ends = BTreeMap<(Facts, u64), f64>;

/// What counts at the end of a game. Who would be to move does not, and native playouts do not keep it.
fn seen(facts: Facts) -> Facts {
    Facts { player: 0, ..facts }
}

/// Why the ends of a game are not listed.
enum NotListed {
    /// There is too much of something.
    TooMuch,
    /// The keeper can go several ways.
    Ambiguous,
}

/// The ends of a game with their probabilities, move by move: positions that are alike are taken
/// together.
fn exact_ends(slow: &mut Interpreted<'_>, split: bool) -> Result<Ends, NotListed> {
    let mut ends = Ends::new();
    let (mut positions, mut seen_moves) = (0, 0);
    let start = slow.initial();
    let mut level = BTreeMap::from([(start.hash(), (start, 1.0))]);
    for length in 0.. {
        let mut next: BTreeMap<u64, (State, f64)> = BTreeMap::new();
        for (state, probability) in level.values() {
            let keeper = keeper_ends(slow, state).ok_or(NotListed::TooMuch)?;
            let [(after, goes_on)] = keeper.as_slice() else { return Err(NotListed::Ambiguous) };
            let mut after = after.clone();
            let moves = match goes_on {
                true => sorted(few_moves(slow, &mut after).ok_or(NotListed::TooMuch)?),
                false => Vec::new(),
            };
            if moves.is_empty() {
                *ends.entry((seen(slow.facts(&after)), length)).or_default() += probability;
                continue;
            }
            positions += 1;
            seen_moves += moves.len();
            if positions > MOST_POSITIONS || seen_moves > MOST_TREE_MOVES {
                return Err(NotListed::TooMuch);
            }
            for (steps, p) in moves.iter().zip(probabilities(&moves, split)) {
                let mut to = after.clone();
                slow.apply(&mut to, steps);
                next.entry(to.hash()).or_insert_with(|| (to, 0.0)).1 += probability * p;
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Ok(ends)
}

/// The probability of every move of a sorted list: the same for all, or, for split moves, the product
/// over its steps of one over the steps that lead on (THESIS, Algorithm 1).
fn probabilities(moves: &[Vec<Step>], split: bool) -> Vec<f64> {
    if !split {
        return vec![1.0 / moves.len() as f64; moves.len()];
    }
    fn share(moves: &[Vec<Step>], depth: usize, p: f64, all: &mut Vec<f64>) {
        if moves[0].len() == depth {
            all.push(p);
            return;
        }
        let groups: Vec<_> = moves.chunk_by(|a, b| a[depth] == b[depth]).collect();
        let p = p / groups.len() as f64;
        groups.into_iter().for_each(|g| share(g, depth + 1, p, all));
    }
    let mut all = Vec::new();
    share(moves, 0, 1.0, &mut all);
    all
}

/// Native playouts end only where they can, and as often as they should: known exactly for whole moves
/// and moves split at modifiers, from the interpreter's playouts where there are split points.
fn distributions(
    slow: &mut Interpreted<'_>,
    halves: &mut Interpreted<'_>,
    native: &Native,
    seed: u64,
    compared: &mut Compared,
) {
    let has_dots = count_dots(&halves.interpreter.game().rules) > 0;
    let mut fast = Compiled::new(native);
    for split in [false, true] {
        let listed = exact_ends(slow, split);
        let mut random = Random::new(seed);
        let mut found: BTreeMap<(Facts, u64), u64> = BTreeMap::new();
        let playouts = match listed {
            Ok(_) => PLAYOUTS,
            Err(NotListed::Ambiguous) => 5,
            Err(NotListed::TooMuch) => continue,
        };
        for _ in 0..playouts {
            let mut end = fast.initial();
            let length = fast.worker.playout(&mut end, split, &mut random).expect("an end");
            let facts = seen(fast.facts(&end));
            for (v, value) in facts.variables.iter().enumerate() {
                let bound = native.game().declarations.variables()[v].bound;
                assert!(*value <= bound, "split={split}: variable {v} is {value}");
            }
            *found.entry((facts, length)).or_default() += 1;
        }
        let Ok(exact) = listed else { continue };
        compared.distributions += 1;
        for ((facts, length), n) in &found {
            assert!(
                exact.contains_key(&(facts.clone(), *length)),
                "split={split}: {n} playouts end impossibly after {length} moves: {facts:?}; possible: {:?}",
                exact.keys().take(6).collect::<Vec<_>>()
            );
        }
        let z = if split && has_dots {
            let mut others: BTreeMap<(Facts, u64), u64> = BTreeMap::new();
            for _ in 0..PLAYOUTS {
                let mut end = halves.initial();
                let playout = semisplit_playout(&mut halves.worker, &mut end, &mut random).unwrap();
                *others.entry((seen(halves.facts(&end)), playout.length)).or_default() += 1;
            }
            let number = |of: &BTreeMap<_, u64>, end| of.get(end).map_or(0.0, |n| *n as f64);
            let cells = exact.keys().map(|end| (number(&others, end), number(&found, end)));
            // The difference of two samples varies twice as much as that of one and its mean.
            let pairs: Vec<_> = cells
                .map(|(a, b)| ((a + b) / 2.0, (a + b) / 2.0 + (b - a) / 2f64.sqrt()))
                .collect();
            deviation(&pairs)
        } else {
            let cells = exact
                .iter()
                .map(|(end, p)| (p * PLAYOUTS as f64, found.get(end).map_or(0.0, |n| *n as f64)));
            deviation(&cells.collect::<Vec<_>>())
        };
        assert!(z < 8.0, "split={split}: playouts are {z:.1} deviations off");
    }
}

/// How many standard deviations a chi-square of (expected, found) is above its mean. Cells of which
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
    (chi - freedom) / (2.0 * freedom).sqrt()
}

/// What is wrong with a game, if anything.
fn difference(rules: &Rules, seed: u64, compared: &mut Compared) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(|| compare(rules, seed, compared)));
    let panic = result.err()?;
    let text = panic.downcast_ref::<String>().cloned();
    Some(text.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap_or(&"?")).to_owned()))
}

/// The smallest game near this one that still shows a difference.
fn shrunk(mut rules: Rules, seed: u64, mut why: String) -> (Rules, String) {
    'smaller: loop {
        for candidate in rules.simpler() {
            if candidate.load().is_none() {
                continue;
            }
            if let Some(reason) = difference(&candidate, seed, &mut Compared::default()) {
                (rules, why) = (candidate, reason);
                continue 'smaller;
            }
        }
        return (rules, why);
    }
}

/// The game of a seed. Most random games are over before they begin; only one in eight of these is
/// kept.
fn generate(seed: u64) -> Rules {
    let random = Random::new(seed);
    let lively = |rules: &Rules| {
        let Some(game) = rules.load() else { return false };
        let interpreter = Interpreter::new(&game);
        let mut engine = Interpreted::new(&interpreter);
        let mut random = random.fork(0);
        let mut state = engine.initial();
        let mut positions = 0;
        while positions < 2 {
            let Some(ends) = keeper_ends(&mut engine, &state) else { return false };
            state = ends[0].0.clone();
            let Some(moves) = few_moves(&mut engine, &mut state) else { return false };
            if !ends[0].1 || moves.is_empty() {
                break;
            }
            positions += 1;
            engine.apply(&mut state, &moves[random.below(moves.len() as u64) as usize]);
        }
        positions == 2
    };
    let games = (1..).map(|attempt| Rules::generate(&mut random.fork(attempt)));
    let mut games = games.filter(|rules| rules.load().is_some());
    let first = games.next().expect("some game is accepted");
    let quiet = random.fork(0).below(8) == 0;
    if quiet { first } else { games.find(lively).expect("some game is played") }
}

#[test]
fn random_rules_run_alike() {
    let trace = std::env::var_os("REGULUS_TRACE").is_some();
    let mut compared = Compared::default();
    let mut failures = 0;
    // While games are made smaller, failures are expected.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let cases = cases();
    for seed in cases.clone() {
        let rules = generate(seed);
        if trace {
            eprintln!("case {seed}\n{rules}");
        }
        if let Some(why) = difference(&rules, seed, &mut compared) {
            let (rules, why) = shrunk(rules, seed, why);
            eprintln!("case {seed} differs: {why}\n{rules}");
            failures += 1;
        }
    }
    std::panic::set_hook(hook);
    println!("{compared:?}");
    assert_eq!(failures, 0, "games on which the engines differ");
    let cases = (cases.end - cases.start) as usize;
    // A generator of games in which nothing happens would test little.
    assert!(cases < 100 || compared.positions > cases, "{compared:?}");
}
