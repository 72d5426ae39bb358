//! What must hold at every position of every game, whatever the engine: the ways of asking for moves
//! agree, moves can be taken back, hashes are kept up to date, and semimoves make up exactly the moves.

#![allow(clippy::unwrap_used)]

mod engine;

use std::collections::BTreeSet;

use engine::{Compiled, Engine, Interpreted, Questions, built_in, native, reference, shared};
use regulus_game::{Random, Step};
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;

/// Moves of a position up to which every single one is asked about.
const MOST_ASKED: u64 = 40;

/// Moves of a position up to which all sequences of semimoves are completed.
const MOST_COMPLETED: usize = 150;

/// Moves of a position beyond which it is left alone: the interpreter would take long.
const MOST_MOVES: u64 = 2_500;

/// Every way of asking for the moves gives the same moves; afterwards nothing has changed.
fn check_moves<E: Questions>(
    name: &str,
    engine: &mut E,
    state: &mut E::State,
    moves: &[Vec<Step>],
    random: &mut Random,
) {
    let before = state.clone();
    let number = moves.len() as u64;
    let set: BTreeSet<&[Step]> = moves.iter().map(Vec::as_slice).collect();
    assert_eq!(set.len(), moves.len(), "{name}: a move is listed twice");
    assert_eq!(engine.count(state).unwrap(), number, "{name}: count");
    assert_eq!(engine.nth(state, number).unwrap(), None, "{name}: one move too many");
    let asked: Vec<u64> = match number {
        0..=MOST_ASKED => (0..number).collect(),
        _ => (0..8).map(|_| random.below(number)).chain([0, number - 1]).collect(),
    };
    let mut drawn = BTreeSet::new();
    for index in &asked {
        let nth = engine.nth(state, *index).unwrap().unwrap();
        assert!(set.contains(nth.as_slice()), "{name}: move {index} is {nth:?}");
        drawn.insert(nth);
        let listed = &moves[*index as usize];
        assert!(engine.is_legal(state, listed).unwrap(), "{name}: {listed:?} is refused");
        for changed in mutations(listed, random) {
            let legal = engine.is_legal(state, &changed).unwrap();
            assert_eq!(legal, set.contains(changed.as_slice()), "{name}: {changed:?}");
        }
    }
    if number <= MOST_ASKED {
        assert_eq!(drawn.len(), moves.len(), "{name}: the numbers do not give all moves");
    }
    // Each of n moves is missed in 16 n draws with a probability of e^-16.
    let draws = if number <= 12 { 16 * number } else { 10 };
    let mut samples = BTreeSet::new();
    for _ in 0..draws {
        let sample = engine.sample(state, random).unwrap().unwrap();
        assert!(set.contains(sample.as_slice()), "{name}: drew {sample:?}");
        samples.insert(sample);
    }
    if number <= 12 {
        assert_eq!(samples.len(), moves.len(), "{name}: some moves are never drawn");
    }
    let grouped = engine.grouped(state).unwrap();
    assert_eq!(grouped.len(), moves.len(), "{name}: moves in groups");
    let different: BTreeSet<&[Step]> = grouped.iter().map(|(steps, _)| steps.as_slice()).collect();
    assert_eq!(different, set, "{name}: moves in groups");
    for (steps, after) in &grouped {
        let mut applied = state.clone();
        engine.apply(&mut applied, steps);
        assert_eq!(applied, *after, "{name}: taking {steps:?}");
    }
    assert_eq!(*state, before, "{name}: asking has changed the state");
    for steps in asked.iter().map(|i| &moves[*i as usize]) {
        let hash = engine.hash(state);
        engine.with_move(state, steps, &mut |engine, state| {
            assert_eq!(engine.hash(state), engine.recomputed_hash(state), "{name}: hash");
        });
        assert_eq!(*state, before, "{name}: undoing {steps:?}");
        assert_eq!(engine.hash(state), hash, "{name}: hash after undoing {steps:?}");
    }
}

/// Lists that are a little different.
fn mutations(steps: &[Step], random: &mut Random) -> Vec<Vec<Step>> {
    let at = random.below(steps.len() as u64) as usize;
    let change = |f: &dyn Fn(&mut Vec<Step>)| {
        let mut changed = steps.to_vec();
        f(&mut changed);
        changed
    };
    vec![
        change(&|s| s[at].vertex = s[at].vertex % 7 + 1),
        change(&|s| s[at].action += 1),
        change(&|s| s[at].action = -s[at].action),
        change(&|s| s.truncate(s.len() - 1)),
        change(&|s| s.push(s[at])),
        change(&|s| s.insert(at, s[at])),
        Vec::new(),
    ]
}

/// All moves that sequences of semimoves complete.
fn completed<E: Questions>(engine: &mut E, state: &mut E::State) -> BTreeSet<Vec<Step>> {
    /// `passed` has the split points since the last modifier: what is behind them is known.
    fn go<E: Questions>(
        engine: &mut E,
        state: &mut E::State,
        steps: &mut Vec<Step>,
        passed: &mut BTreeSet<Step>,
        found: &mut BTreeSet<Vec<Step>>,
    ) {
        for step in engine.semimoves(state).unwrap() {
            if !step.is_modifier() && !passed.insert(step) {
                continue;
            }
            let applied = engine.with_step(state, step, &mut |engine, state| {
                assert_eq!(engine.hash(state), engine.recomputed_hash(state));
                if !step.is_modifier() {
                    return go(engine, state, steps, passed, found);
                }
                steps.push(step);
                if engine.is_nodal(state) {
                    found.insert(steps.clone());
                } else {
                    go(engine, state, steps, &mut BTreeSet::new(), found);
                }
                steps.pop();
            });
            assert!(applied, "a semimove that cannot be made: {step:?}");
        }
    }
    let before = state.clone();
    let mut found = BTreeSet::new();
    go(engine, state, &mut Vec::new(), &mut BTreeSet::new(), &mut found);
    assert_eq!(*state, before, "trying semimoves has changed the state");
    found
}

/// True if a position has too many moves; it is enough to find one too many.
fn is_crowded<E: Questions>(engine: &mut E, state: &mut E::State) -> bool {
    engine.nth(state, MOST_MOVES).unwrap().is_some()
}

/// Plays a random game on every engine and checks positions of it.
fn check_game(name: &str, game: &Game, seed: u64, plies: u64) {
    let with_dots = Strategy::ALL.map(|s| game.split(s));
    let interpreter = Interpreter::new(game);
    let split = with_dots.each_ref().map(Interpreter::new);
    let split = split.iter().map(Interpreted::new).collect();
    check_engine(name, game, Interpreted::new(&interpreter), split, seed, plies);
    let natives = native(game).and_then(|whole| {
        Ok((whole, with_dots.iter().map(native).collect::<Result<Vec<_>, _>>()?))
    });
    match &natives {
        Ok((native, split)) => {
            let split = split.iter().map(Compiled::new).collect();
            check_engine(name, game, Compiled::new(native), split, seed, plies);
        }
        Err(why) => {
            println!("no native code for {name}: {why}");
            assert!(regulus_games::find(name).is_none(), "{name} is built in: {why}");
        }
    }
}

/// Plays a random game on one engine, and on the same engine with split rules.
fn check_engine<E: Questions>(
    name: &str,
    game: &Game,
    mut engine: E,
    mut split: Vec<E>,
    seed: u64,
    plies: u64,
) {
    let mut split_states: Vec<_> = split.iter().map(Engine::initial).collect();
    let mut random = Random::new(seed);
    let mut state = engine.initial();
    let mut moved = 0;
    for ply in 0..plies {
        let goes_on = engine.run_keeper(&mut state).unwrap_or_else(|why| panic!("{name}: {why}"));
        for (e, s) in split.iter_mut().zip(&mut split_states) {
            assert_eq!(e.run_keeper(s).unwrap(), goes_on, "{name}: keeper of split rules");
        }
        if !goes_on {
            break;
        }
        if is_crowded(&mut engine, &mut state) {
            println!("{name}: too many moves after {moved}");
            return;
        }
        let moves = engine.list(&mut state).unwrap();
        // The first positions and every ninth: neighbours are much alike.
        if ply < 3 || ply % 9 == 0 || moves.is_empty() {
            check_moves(name, &mut engine, &mut state, &moves, &mut random);
            if moves.len() <= MOST_COMPLETED {
                let all: BTreeSet<Vec<Step>> = moves.iter().cloned().collect();
                for ((e, s), strategy) in split.iter_mut().zip(&mut split_states).zip(Strategy::ALL)
                {
                    assert_eq!(completed(e, s), all, "{name}: semimoves of {strategy}");
                }
            }
        }
        if moves.is_empty() {
            break;
        }
        let chosen = &moves[random.below(moves.len() as u64) as usize];
        engine.apply(&mut state, chosen);
        split.iter_mut().zip(&mut split_states).for_each(|(e, s)| e.apply(s, chosen));
        assert_eq!(engine.hash(&state), engine.recomputed_hash(&state), "{name}: hash");
        moved += 1;
    }
    assert!(moved > 0 || game.declarations.players().is_empty(), "{name}: nothing was played");
}

#[test]
fn built_in_games() {
    for game in regulus_games::GAMES {
        let plies = if matches!(game.name, "go" | "hexxagon" | "chess") { 20 } else { 60 };
        check_game(game.name, &built_in(game.name), 1, plies);
    }
}

#[test]
fn games_of_the_reference() {
    let Some(shared) = shared() else { return };
    for (name, game) in all_of(&shared) {
        check_game(&name, &game, 2, 8);
    }
}

/// The games of the reference; those that the front end refuses are tested there.
fn all_of(shared: &std::path::Path) -> Vec<(String, Game)> {
    let files =
        ["games/rbg", "games/rbg/nsplit"].map(|f| std::fs::read_dir(shared.join(f)).unwrap());
    let files = files.into_iter().flatten().map(|f| f.unwrap().path());
    let mut names: Vec<String> = files
        .filter(|f| f.extension().is_some_and(|e| e == "rbg"))
        .map(|f| f.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names.into_iter().filter_map(|n| reference(shared, &n).map(|game| (n, game))).collect()
}

/// Both engines see the same positions and moves in the games of the reference.
#[test]
fn engines_agree_on_games_of_the_reference() {
    let Some(shared) = shared() else { return };
    for (name, game) in all_of(&shared) {
        let native = match native(&game) {
            Ok(native) => native,
            Err(why) => {
                println!("no native code for {name}: {why}");
                continue;
            }
        };
        let interpreter = Interpreter::new(&game);
        let (mut slow, mut fast) = (Interpreted::new(&interpreter), Compiled::new(&native));
        let mut random = Random::new(4);
        let (mut state, mut other) = (slow.initial(), fast.initial());
        for _ in 0..12 {
            let goes_on = slow.run_keeper(&mut state).unwrap();
            assert_eq!(Ok(goes_on), fast.run_keeper(&mut other), "{name}: keeper");
            assert_eq!(slow.facts(&state), fast.facts(&other), "{name}");
            if !goes_on || is_crowded(&mut slow, &mut state) {
                break;
            }
            let mut moves = slow.list(&mut state).unwrap();
            let mut others = fast.list(&mut other).unwrap();
            moves.sort();
            others.sort();
            let differ = moves.iter().zip(&others).find(|(a, b)| a != b);
            assert_eq!((moves.len(), differ), (others.len(), None), "{name}: moves");
            if moves.is_empty() {
                break;
            }
            let chosen = &moves[random.below(moves.len() as u64) as usize];
            slow.apply(&mut state, chosen);
            fast.apply(&mut other, chosen);
        }
    }
}

/// Several edges of one label may lead to the same vertex; that is one move, not several.
#[test]
fn ways_that_meet_are_one_move() {
    let game = load(&Source::new(
        "meeting",
        "#players = a(1) #pieces = e, x #variables =
         #board = u [e] {n: w, s: v} v [e] {n: w, s: u} w [x] {s: u}
         #rules = ->a s* n ->> {}",
    ))
    .game
    .unwrap();
    let interpreter = Interpreter::new(&game);
    let mut slow = Interpreted::new(&interpreter);
    let mut state = slow.initial();
    assert!(slow.run_keeper(&mut state).unwrap());
    assert_eq!(slow.list(&mut state).unwrap(), [[Step { action: 2, vertex: 3 }]]);
    let native = Native::new(&game).unwrap();
    let mut fast = Compiled::new(&native);
    assert_eq!(fast.perft(&fast.initial(), 1).unwrap(), 1);
}
