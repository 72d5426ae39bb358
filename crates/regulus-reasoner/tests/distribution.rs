//! Moves are drawn with the probabilities they should have, and random games look like those of the
//! reference: the same mean length and the same mean scores, for whole and for split moves.
//!
//! `REGULUS_PLAYOUTS=50` plays fifty times as many games; use a release build for that.

#![allow(clippy::unwrap_used)]

mod engine;

use std::collections::BTreeMap;

use engine::{Compiled, Interpreted, Questions, built_in, reference, shared};
use regulus_game::{Engine as _, Random, Step};
use regulus_rbg::Game;
use regulus_rbg::declarations::Player;
use regulus_rbg::split::Strategy;
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;

/// How many standard deviations a chi-square of equal probabilities is above its mean.
fn deviation(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let chi: f64 = counts.iter().map(|c| (*c as f64 - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (chi - freedom) / (2.0 * freedom).sqrt()
}

/// A right generator is this far off once in a billion runs; and the seeds are fixed.
const MOST_DEVIATIONS: f64 = 7.0;

/// Draws per move.
const DRAWS: u64 = 100;

/// A position after some random moves, with its moves.
fn position<E: Questions>(engine: &mut E, plies: usize) -> (E::State, Vec<Vec<Step>>) {
    let mut random = Random::new(11);
    let mut state = engine.initial();
    for _ in 0..plies {
        assert!(engine.run_keeper(&mut state).unwrap());
        let steps = engine.sample(&mut state, &mut random).unwrap().unwrap();
        engine.apply(&mut state, &steps);
    }
    assert!(engine.run_keeper(&mut state).unwrap());
    let mut moves = engine.list(&mut state).unwrap();
    moves.sort();
    (state, moves)
}

/// Counts how often each move is drawn.
fn counts(moves: &[Vec<Step>], mut draw: impl FnMut() -> Vec<Step>) -> Vec<u64> {
    let mut drawn: BTreeMap<Vec<Step>, u64> = moves.iter().map(|m| (m.clone(), 0)).collect();
    for _ in 0..DRAWS * moves.len() as u64 {
        *drawn.get_mut(&draw()).expect("only legal moves are drawn") += 1;
    }
    drawn.into_values().collect()
}

/// Draws a move step by step, as split moves are.
fn by_steps(moves: &[Vec<Step>], random: &mut Random) -> Vec<Step> {
    let (mut left, mut depth) = (moves, 0);
    while left[0].len() > depth {
        let groups: Vec<_> = left.chunk_by(|a, b| a[depth] == b[depth]).collect();
        left = groups[random.below(groups.len() as u64) as usize];
        depth += 1;
    }
    left[0].clone()
}

/// Games with the number of moves after which there is something to choose from, in several ways that
/// have different numbers of continuations.
const POSITIONS: [(&str, usize); 7] = [
    ("breakthrough", 9),
    ("chess", 6),
    ("chess-king-capture", 8),
    ("english-draughts", 4),
    ("knightthrough", 6),
    ("skirmish", 10),
    ("the-mill-game", 20),
];

#[test]
fn every_move_is_drawn_alike() {
    for (name, plies) in POSITIONS {
        let interpreter = Interpreter::new(&built_in(name));
        drawn_alike(name, &mut Interpreted::new(&interpreter), plies);
        let native = Native::new(&built_in(name)).unwrap();
        drawn_alike(name, &mut Compiled::new(&native), plies);
    }
}

fn drawn_alike<E: Questions>(name: &str, engine: &mut E, plies: usize) {
    let (mut state, moves) = position(engine, plies);
    let mut random = Random::new(12);
    let counts = counts(&moves, || engine.sample(&mut state, &mut random).unwrap().unwrap());
    let off = deviation(&counts);
    assert!(off < MOST_DEVIATIONS, "{name}: {off:.1} deviations off: {counts:?}");
}

/// The test above can fail: drawing step by step is far from uniform at the same positions.
#[test]
fn split_moves_are_not_drawn_alike() {
    for (name, plies) in POSITIONS {
        let interpreter = Interpreter::new(&built_in(name));
        let (_, moves) = position(&mut Interpreted::new(&interpreter), plies);
        let mut random = Random::new(13);
        let off = deviation(&counts(&moves, || by_steps(&moves, &mut random)));
        assert!(off > 2.0 * MOST_DEVIATIONS, "{name}: only {off:.1} deviations off");
    }
}

/// Mean and variance of a number.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// The variance, with two more observations that are extreme: what happens rarely may not have
    /// happened yet.
    fn variance(&self, low: f64, high: f64) -> f64 {
        let mut wide = *self;
        wide.add(low);
        wide.add(high);
        (wide.squares / wide.n - wide.mean().powi(2)) * wide.n / (wide.n - 1.0)
    }
}

/// Length and scores of native playouts with about `states` states in all.
fn flat_monte_carlo(native: &Native, split: bool, states: u64) -> Vec<Moments> {
    let players = native.game().declarations.players().len();
    let mut moments = vec![Moments::default(); 1 + players];
    let mut worker = native.worker();
    let mut random = Random::new(14);
    let mut played = 0;
    while played < states || moments[0].n < 30.0 {
        let mut state = native.initial();
        let length = worker.playout(&mut state, split, &mut random).unwrap();
        played += length;
        moments[0].add(length as f64);
        for (p, moments) in moments.iter_mut().enumerate().skip(1) {
            moments.add(f64::from(native.score(&state, Player(p as u8))));
        }
    }
    moments
}

/// A row of the reference's table.
struct Row {
    variant: String,
    game: String,
    playouts: f64,
    /// Length and scores.
    means: Vec<f64>,
}

fn rows(table: &str) -> Vec<Row> {
    let number = |t: &str| t.parse::<f64>().ok();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let scores = cells.get(6)?.split(',').map(number);
        let means =
            std::iter::once(number(cells[5])).chain(scores).collect::<Option<Vec<f64>>>()?;
        // The reference ran for more than a second, so it played at least as many games.
        let playouts = number(cells[2])?;
        Some(Row { variant: cells[0].to_owned(), game: cells[1].to_owned(), playouts, means })
    };
    table.lines().skip(1).filter_map(row).collect()
}

#[test]
fn random_games_are_like_those_of_the_reference() {
    let Some(shared) = shared() else { return };
    let table = std::fs::read_to_string(shared.join("data/rbg-speed.tsv")).unwrap();
    let more: u64 = std::env::var("REGULUS_PLAYOUTS").map_or(1, |t| t.parse().unwrap());
    let mut compared = 0;
    let mut wrong = Vec::new();
    for row in rows(&table) {
        // The other variants are other rules or other programs.
        let strategy = match row.variant.as_str() {
            "orth" | "mono" => None,
            "M" => Some(Strategy::Mod),
            "MP" => Some(Strategy::ModPlus),
            "MS" => Some(Strategy::ModShift),
            "MPS" => Some(Strategy::ModPlusShift),
            _ => continue,
        };
        if row.playouts < 10.0 {
            println!("{} {}: the reference has too few games", row.variant, row.game);
            continue;
        }
        let Some(game) = reference(&shared, &row.game) else { continue };
        let rules = strategy.map_or(game.rules.clone(), |s| s.apply(&game.rules));
        let native = Native::new(&Game { rules, ..game }).unwrap();
        // Go by split moves is scored after six moves, which takes far longer than making them.
        let states = if row.means[0] < 7.0 { 2_000 } else { 100_000 };
        let ours = flat_monte_carlo(&native, strategy.is_some(), states * more);
        for (figure, (ours, theirs)) in ours.iter().zip(&row.means).enumerate() {
            let high = if figure == 0 { 2.0 * theirs } else { 100.0 };
            let variance = ours.variance(0.0, high);
            let error = (variance / ours.n + variance / row.playouts).sqrt();
            let off = (ours.mean() - theirs) / error;
            let text = format!(
                "{:4} {:18} {} {:9.4} here, {theirs:9.4} there, {off:5.1} deviations, {} games",
                row.variant,
                row.game,
                if figure == 0 { "length".to_owned() } else { format!("score {figure}") },
                ours.mean(),
                ours.n,
            );
            println!("{text}");
            if off.abs() > 5.0 {
                wrong.push(text);
            }
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 50, "only {compared} rows of the reference's table");
}
