//! Guided playouts: moves are drawn by the weights of their keys, and the keys of what was played are those of listed
//! moves. Small games in which every way of drawing occurs are in `full_moves`; here are those that people play.

#![allow(clippy::unwrap_used)]

mod engine;

use std::collections::BTreeMap;

use engine::built_in;
use regulus_game::{Engine, Guide, KeyKind, Moves, Played, PlayedKey, Random};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError};

const KINDS: [KeyKind; 2] = [KeyKind::Steps, KeyKind::StepsOntoPieces];

/// A guide whose weights differ by a factor of some hundred.
fn uneven_guide(kind: KeyKind, bits: u32, random: &mut Random) -> Guide {
    let mut guide = Guide::new(kind, bits);
    guide.weights_mut().fill_with(|| [255, 200, 60, 15, 1][random.below(5) as usize]);
    guide
}

/// Games with different ways of drawing: steps, jumps, lines, placements, chains, conditions at the end of moves, no
/// code for drawing, boards of several words.
const GAMES: [&str; 13] = [
    "amazons",
    "breakthrough",
    "chess",
    "chess-king-capture",
    "connect-four",
    "english-draughts",
    "go",
    "gomoku",
    "knightthrough",
    "pentago",
    "reversi",
    "skirmish",
    "the-mill-game",
];

/// Moves of a game that are looked at one by one.
const PLIES: u64 = 24;

/// What is drawn one move at a time is what a playout draws, and every key is that of a listed move that leads to the
/// same position.
#[test]
fn keys_are_those_of_listed_moves() {
    for name in GAMES {
        let native = Native::new(&built_in(name)).unwrap();
        for kind in KINDS {
            keys_of_one_game(name, &mut native.worker(), kind, PLIES);
        }
    }
    let game = built_in("english-draughts");
    keys_of_one_game("interpreted", &mut Interpreter::new(&game).worker(), KINDS[1], 8);
}

fn keys_of_one_game<E: Engine<Error = RunError>>(
    name: &str,
    engine: &mut E,
    kind: KeyKind,
    plies: u64,
) {
    let mut random = Random::new(21);
    let mut guide = uneven_guide(kind, 20, &mut random);
    let begin = random.state();
    let (mut state, mut moves, mut played) = (engine.initial(), Moves::new(), Vec::new());
    let mut over = false;
    while (played.len() as u64) < plies && !over && engine.run_keeper(&mut state).unwrap() {
        let before = state.clone();
        let Played { length, is_over } =
            engine.play(&mut state, 1, Some(&mut guide), &mut random).unwrap();
        if length == 0 {
            break;
        }

        let [it] = guide.played() else { panic!("{name}: {:?}", guide.played()) };
        let mut copy = before.clone();
        assert_eq!(it.player as usize, engine.player(&copy), "{name}");
        engine.list(&mut copy, &mut moves).unwrap();
        let mut leads_there = |steps: &[_]| {
            let mut copy = before.clone();
            let hash = engine.move_hash(&mut copy, steps, kind);
            assert_eq!(engine.hash(&copy), engine.hash(&before), "{name}: the state is as before");
            if guide.key(hash) != it.key {
                return false;
            }
            engine.apply(&mut copy, steps);
            engine.run_keeper(&mut copy).unwrap();
            engine.hash(&copy) == engine.hash(&state)
        };
        let ply = played.len();
        assert!(moves.iter().any(&mut leads_there), "{name}, {kind:?}, move {ply}");
        played.push(*it);
        over = is_over;
    }
    let (mut other, mut random) = (engine.initial(), Random::from_state(begin));
    let length = engine.play(&mut other, plies, Some(&mut guide), &mut random).unwrap().length;
    assert_eq!((length, guide.played()), (played.len() as u64, &played[..]), "{name}, {kind:?}");
    assert_eq!(engine.hash(&other), engine.hash(&state), "{name}");
    let (mut other, mut random) = (engine.initial(), Random::from_state(begin));
    let Played { length, is_over } =
        engine.play(&mut other, u64::MAX, Some(&mut guide), &mut random).unwrap();
    assert!(is_over, "{name}");
    assert_eq!(length, guide.played().len() as u64, "{name}");
    assert_eq!(guide.played()[..played.len()], played[..], "{name}, {kind:?}");
}

/// Draws at a position.
const DRAWS: u32 = 20_000;

/// At positions of games moves are drawn as often as their weights say.
#[test]
fn moves_are_drawn_by_weights() {
    for (name, plies) in [
        ("breakthrough", 9),
        ("chess", 6),
        ("chess-king-capture", 8),
        ("english-draughts", 6),
        ("go", 30),
        ("knightthrough", 6),
        ("skirmish", 10),
        ("the-mill-game", 20),
    ] {
        let native = Native::new(&built_in(name)).unwrap();
        for kind in KINDS {
            drawn_by_weights(name, &mut native.worker(), kind, plies, DRAWS);
        }
    }
    let game = built_in("breakthrough");
    drawn_by_weights("interpreted", &mut Interpreter::new(&game).worker(), KINDS[1], 9, DRAWS / 10);
}

fn drawn_by_weights<E: Engine<Error = RunError>>(
    name: &str,
    engine: &mut E,
    kind: KeyKind,
    plies: u64,
    draws: u32,
) {
    let mut random = Random::new(5);
    let mut guide = uneven_guide(kind, 18, &mut random);
    let (mut state, mut moves) = (engine.initial(), Moves::new());
    let played = engine.play(&mut state, plies, None, &mut random).unwrap();
    assert_eq!(played, Played { length: plies, is_over: false }, "{name}");
    engine.list(&mut state, &mut moves).unwrap();
    let mut shares: BTreeMap<u32, f64> = BTreeMap::new();
    for steps in moves.iter() {
        let key = guide.key(engine.move_hash(&mut state, steps, kind));
        *shares.entry(key).or_default() += guide.share(key) as f64;
    }
    let mut seen: BTreeMap<u32, f64> = BTreeMap::new();
    for _ in 0..draws {
        let mut copy = state.clone();
        engine.play(&mut copy, 1, Some(&mut guide), &mut random).unwrap();
        *seen.entry(guide.played()[0].key).or_default() += 1.0;
    }
    let total: f64 = shares.values().sum();
    // What is hardly ever drawn is looked at together.
    let (mut chi, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
    for (key, share) in &shares {
        let (wanted, found) = (share / total * f64::from(draws), seen.remove(key).unwrap_or(0.0));
        if wanted < 5.0 {
            rare = (rare.0 + wanted, rare.1 + found);
        } else {
            chi += (found - wanted).powi(2) / wanted;
            cells += 1.0;
        }
    }
    assert!(seen.is_empty(), "{name}: {} keys that no move has", seen.len());
    if rare.0 > 1.0 {
        chi += (rare.1 - rare.0).powi(2) / rare.0;
        cells += 1.0;
    }
    let off = (chi - (cells - 1.0)) / (2.0 * (cells - 1.0)).sqrt();
    // The seed is fixed, so this is a fact about the code.
    assert!(off < 5.0, "{name}, {kind:?}: {off:.1} standard deviations");
}

/// The sum and the sum of squares of what games end with: moves, and the first player's score.
#[derive(Default)]
struct Ends {
    games: f64,
    sums: [f64; 2],
    squares: [f64; 2],
}

impl Ends {
    fn of<E: Engine<Error = RunError>>(engine: &mut E, guide: &mut Guide, games: u32) -> Ends {
        let (mut ends, mut random) = (Ends::default(), Random::new(77));
        for _ in 0..games {
            let mut state = engine.initial();
            let length =
                engine.play(&mut state, u64::MAX, Some(guide), &mut random).unwrap().length;
            ends.games += 1.0;
            for (i, x) in
                [length as f64, f64::from(engine.score(&state, 1))].into_iter().enumerate()
            {
                ends.sums[i] += x;
                ends.squares[i] += x * x;
            }
        }
        ends
    }

    /// A mean and the square of its error.
    fn mean(&self, i: usize) -> (f64, f64) {
        let mean = self.sums[i] / self.games;
        (mean, (self.squares[i] / self.games - mean * mean) / self.games)
    }
}

/// With the same weights for the same moves, games of both engines end alike, and other than uniformly random ones.
#[test]
fn games_of_both_engines_end_alike() {
    let mut differences = 0;
    for name in ["connect-four", "breakthrough", "english-draughts"] {
        let game = built_in(name);
        let (native, interpreter) = (Native::new(&game).unwrap(), Interpreter::new(&game));
        let (mut fast, mut slow) = (native.worker(), interpreter.worker());
        let (mut guide, mut other) = (Guide::new(KINDS[0], 22), Guide::new(KINDS[0], 22));
        let (mut random, mut moves) = (Random::new(9), Moves::new());
        for _ in 0..40 {
            let (mut state, mut unused) = (slow.initial(), native.initial());
            while slow.run_keeper(&mut state).unwrap() {
                slow.list(&mut state, &mut moves).unwrap();
                if moves.is_empty() {
                    break;
                }
                for steps in moves.iter() {
                    // The same for the same move.
                    let mark = steps.iter().fold(7u64, |mark, step| {
                        (mark * 31 + u64::from(step.vertex)) * 31 + step.action as u64
                    });
                    let weight = if mark % 3 == 0 { 9 } else { 255 };
                    let key = other.key(slow.move_hash(&mut state, steps, KINDS[0]));
                    other.weights_mut()[key as usize] = weight;
                    let key = guide.key(fast.move_hash(&mut unused, steps, KINDS[0]));
                    guide.weights_mut()[key as usize] = weight;
                }
                let drawn = random.below(moves.len() as u64) as usize;
                slow.apply(&mut state, moves.get(drawn));
            }
        }
        let ends = Ends::of(&mut fast, &mut guide, 5000);
        let interpreted = Ends::of(&mut slow, &mut other, 150);
        let uniform = Ends::of(&mut fast, &mut Guide::new(KINDS[0], 4), 5000);
        for i in 0..2 {
            let ((a, s), (b, t), (c, u)) = (ends.mean(i), interpreted.mean(i), uniform.mean(i));
            assert!((a - b).abs() <= 4.0 * (s + t).sqrt(), "{name}: {a:.2} and {b:.2}");
            differences += usize::from((a - c).abs() > 6.0 * (s + u).sqrt());
        }
    }
    assert!(differences >= 2, "weights change games: {differences}");
}

/// A guide with equal weights plays the games of uniformly random moves, also one whose table is scaled badly.
#[test]
fn equal_weights_are_uniform() {
    for name in ["breakthrough", "chess-king-capture", "the-mill-game"] {
        let native = Native::new(&built_in(name)).unwrap();
        let mut worker = native.worker();
        let mut random = Random::new(3);
        let mut lengths = [0.0, 0.0];
        const GAMES: u32 = 600;
        for _ in 0..GAMES {
            let length = worker.playout(&mut native.initial(), false, &mut random).unwrap() as f64;
            lengths[0] += length;
            lengths[1] += length * length;
        }
        let n = f64::from(GAMES);
        let (mean, error) = (lengths[0] / n, (lengths[1] / n - (lengths[0] / n).powi(2)) / n);
        for weight in [255, 0] {
            let mut guide = Guide::new(KeyKind::Steps, 10);
            guide.weights_mut().fill(weight);
            let (guided, other) = Ends::of(&mut worker, &mut guide, GAMES).mean(0);
            let off = (guided - mean).abs() / (error + other).sqrt();
            assert!(off < 4.0, "{name}, {weight}: {guided:.2} and {mean:.2}");
        }
    }
}

/// What was played is forgotten when the next game begins, and nothing is played where a game is over.
#[test]
fn what_was_played_is_that_of_the_last_game() {
    let native = Native::new(&built_in("breakthrough")).unwrap();
    let (mut worker, mut random) = (native.worker(), Random::new(1));
    let mut guide = Guide::new(KeyKind::Steps, 12);
    let mut state = worker.initial();
    let length = worker.play(&mut state, u64::MAX, Some(&mut guide), &mut random).unwrap().length;
    assert_eq!(length, guide.played().len() as u64);
    let players: Vec<u32> = guide.played().iter().map(|PlayedKey { player, .. }| *player).collect();
    assert!(players.iter().zip([1, 2].iter().cycle()).all(|(a, b)| a == b), "{players:?}");
    let mut begin = worker.initial();
    let played = worker.play(&mut begin, 0, Some(&mut guide), &mut random).unwrap();
    assert_eq!(played, Played { length: 0, is_over: false });
    assert!(guide.played().is_empty());
    let length = worker.play(&mut begin, 3, Some(&mut guide), &mut random).unwrap().length;
    assert_eq!((length, guide.played().len()), (3, 3));
}

/// Without a guide, some moves are the beginning of a playout with the same seed, on both engines; a game that is over
/// after the last of them is told from one that goes on.
#[test]
fn some_moves_begin_a_playout() {
    for name in ["breakthrough", "english-draughts", "reversi"] {
        let game = built_in(name);
        let (native, interpreter) = (Native::new(&game).unwrap(), Interpreter::new(&game));
        some_moves(name, &mut native.worker());
        some_moves(name, &mut interpreter.worker());
    }
}

fn some_moves<E: Engine<Error = RunError>>(name: &str, engine: &mut E) {
    let (mut state, mut random) = (engine.initial(), Random::new(4));
    let length = engine.playout(&mut state, false, &mut random).unwrap();
    let scores = |engine: &E, state: &_| [engine.score(state, 1), engine.score(state, 2)];
    let after = |engine: &mut E, most| {
        let (mut state, mut random) = (engine.initial(), Random::new(4));
        let played = engine.play(&mut state, most, None, &mut random).unwrap();
        (played, scores(engine, &state))
    };
    let ends = scores(engine, &state);
    assert_eq!(after(engine, u64::MAX), (Played { length, is_over: true }, ends), "{name}");
    assert_eq!(after(engine, length + 1), (Played { length, is_over: true }, ends), "{name}");
    let played = Played { length: length - 1, is_over: false };
    assert_eq!(after(engine, length - 1).0, played, "{name}");
    let (mut state, mut random) = (engine.initial(), Random::new(4));
    for _ in 0..length - 1 {
        assert!(!engine.play(&mut state, 1, None, &mut random).unwrap().is_over, "{name}");
    }
    assert_eq!(engine.play(&mut state, 1, None, &mut random).unwrap().length, 1, "{name}");
    assert_eq!(scores(engine, &state), ends, "{name}");
}
