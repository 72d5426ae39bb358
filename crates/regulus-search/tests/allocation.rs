//! Halving at the root of board games: rounds by hand, whatever divides the budget; what is left is played.

use regulus_game::{Engine, Step};
use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::component::Chosen;
use regulus_search::config::{Config, Limits, SimulationDesign, TreeDesign, TreePolicy};
use regulus_search::stopper::{Progress, Stopper};
use regulus_search::{Asking, Search, SearchResult, Searcher, Turn};
use std::sync::atomic::AtomicBool;

fn native(name: &str, strategy: Option<Strategy>) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let game = match strategy {
        None => game,
        Some(strategy) => game.split(strategy),
    };
    Native::new(&game).expect("supported")
}

fn halving(name: &'static str) -> Config {
    Config { allocation: Chosen::new(name, &[]), ..Config::default() }
}

fn split(config: Config, nodal: bool) -> Config {
    let tree = TreeDesign::Semisplit { nodal };
    Config { tree, simulation: SimulationDesign::Semisplit, ..config }
}

fn search(native: &Native, config: &Config) -> Search<NativeWorker> {
    Search::new(native.worker(), config.clone()).expect("runs")
}

/// The edges of the root: submove, iterations, mean; most iterations first.
fn root<E: Engine>(search: &Search<E>) -> Vec<(Vec<Step>, u32, f64)> {
    let tree = search.tree();
    let node = tree.nodes[0];
    let mut edges: Vec<_> = (node.first..node.first + node.count)
        .map(|e| {
            let edge = tree.edges[e as usize];
            (tree.submove(e).to_vec(), edge.visits, edge.sum / f64::from(edge.visits.max(1)))
        })
        .collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.1));
    edges
}

fn visits<E: Engine>(search: &Search<E>) -> Vec<u32> {
    root(search).iter().map(|edge| edge.1).collect()
}

/// SLIDES, SequentialHalving: how often each move is played out, most often first. What is left over is for the last.
fn rounds(moves: u64, budget: u64) -> Vec<u32> {
    let mut counts = vec![0u64; moves as usize];
    let log = (moves as f64).log2().ceil() as u64;
    let mut left = moves;
    while left > 1 {
        counts[..left as usize].iter_mut().for_each(|count| *count += budget / (left * log));
        left = left.div_ceil(2);
    }
    counts[0] += budget - counts.iter().sum::<u64>();
    counts.iter().map(|count| *count as u32).collect()
}

/// Stops after `stop` iterations and says how much of `whole` is spent: a clock that runs with them.
struct Clock {
    stop: u64,
    whole: u64,
}

impl Stopper for Clock {
    fn stops(&mut self, progress: &Progress) -> bool {
        progress.iterations >= self.stop
    }

    fn share(&self, progress: &Progress) -> f64 {
        progress.iterations as f64 / self.whole as f64
    }
}

fn by_clock(search: &mut Search<NativeWorker>, stop: u64, whole: u64) -> SearchResult {
    search.take_turn(&mut Turn::unlimited().ended_by(Clock { stop, whole })).expect("runs")
}

/// Searches in the time of others, who are asked whether it is over.
fn ponder_until(search: &mut Search<NativeWorker>, stop: impl FnMut() -> bool) {
    let never = AtomicBool::new(false);
    let mut turn = Turn::pondering(&never).ended_by(Asking(stop));
    assert_eq!(search.take_turn(&mut turn).expect("runs").trouble, None);
}

/// 9 moves, 4 rounds of 90: 10 for each of 9, 18 for each of 5, 30 for each of 3, 45 for each of 2.
#[test]
fn rounds_by_hand() {
    assert_eq!(rounds(9, 360), [103, 103, 58, 28, 28, 10, 10, 10, 10]);
    assert_eq!(rounds(4, 64), [24, 24, 8, 8]);
    let native = native("tic-tac-toe", None);
    let mut search = search(&native, &halving("sequential_halving"));
    let thought = search.think(&Limits::simulations(360)).expect("runs");
    assert_eq!(visits(&search), rounds(9, 360));
    // The better of the last two is played.
    let last = &root(&search)[..2];
    let best = if last[0].2 >= last[1].2 { &last[0] } else { &last[1] };
    assert_eq!(thought.chosen.as_deref(), Some(&best.0[..]));
}

#[test]
fn any_budget_gives_the_rounds_of_the_slides() {
    for (game, budget) in [("breakthrough", 1000), ("breakthrough", 10_000), ("connect-four", 777)]
    {
        let native = native(game, None);
        let mut search = search(&native, &halving("sequential_halving"));
        search.think(&Limits::simulations(budget)).expect("runs");
        let found = visits(&search);
        assert_eq!(found, rounds(found.len() as u64, budget), "{game} {budget}");
    }
}

/// A search that is stopped early is the beginning of the one that is not: at the end of the first round the better
/// half is left.
#[test]
fn time_is_divided_as_iterations_are_and_the_better_half_is_left() {
    let native = native("breakthrough", None);
    let config = halving("sequential_halving");
    let mut whole = search(&native, &config);
    let moves = {
        whole.think(&Limits::simulations(1)).expect("runs");
        visits(&whole).len() as u64
    };
    // Every round is a multiple of what it is divided by: 22 moves, then 11, 6, 3, 2.
    let budget = 22 * 5 * 6;
    assert_eq!(moves, 22);
    let mut whole = search(&native, &config);
    by_clock(&mut whole, budget, budget);
    let mut first = search(&native, &config);
    by_clock(&mut first, budget / 5, budget);
    assert!(visits(&first).iter().all(|visits| *visits == 6));
    let worst_left = root(&whole)
        .iter()
        .filter(|edge| edge.1 > 6)
        .map(|edge| root(&first).iter().find(|other| other.0 == edge.0).expect("the same").2)
        .fold(f64::INFINITY, f64::min);
    let out: Vec<f64> = root(&whole).iter().filter(|edge| edge.1 == 6).map(|edge| edge.2).collect();
    assert_eq!(out.len(), 11);
    assert!(out.iter().all(|mean| *mean <= worst_left), "{out:?} {worst_left}");
    // States are divided in the same way; the last two have half of a fifth each, more or less.
    let mut by_states = search(&native, &config);
    by_states.think(&Limits::states(60_000)).expect("runs");
    let found = visits(&by_states);
    let total: u32 = found.iter().sum();
    let last_round = f64::from(found[0] + found[1] - 2 * found[2]) / f64::from(total);
    assert!((0.1..0.3).contains(&last_round), "{found:?}");
    assert!(found.iter().all(|visits| *visits > 0));
}

#[test]
fn every_move_is_tried_even_if_time_is_over_at_once() {
    let native = native("breakthrough", None);
    let mut search = search(&native, &halving("sequential_halving"));
    by_clock(&mut search, 22, 1);
    assert!(visits(&search).iter().all(|visits| *visits == 1));
}

/// Iterations of this turn for every edge of the root, most first, with submove and mean.
fn gained<E: Engine>(
    search: &Search<E>,
    before: &[(Vec<Step>, u32, f64)],
) -> Vec<(Vec<Step>, u32, f64)> {
    let known = |submove: &[Step]| before.iter().find(|e| e.0 == submove).map_or(0, |e| e.1);
    let mut edges = root(search);
    edges.iter_mut().for_each(|edge| edge.1 -= known(&edge.0));
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.1));
    edges
}

fn root_before<E: Engine>(search: &Search<E>) -> Vec<(Vec<Step>, u32, f64)> {
    if search.tree().nodes.is_empty() { Vec::new() } else { root(search) }
}

/// First semimoves are halved; dead ones, as in draughts, were never there. Where the tree was kept the rounds of a turn
/// are the same, and the statistics are those of all turns.
#[test]
fn the_move_begins_with_what_is_left_in_every_turn() {
    for (game, strategy, nodal, budget) in [
        ("english-draughts", Some(Strategy::ModPlus), true, 4000),
        ("english-draughts", Some(Strategy::Mod), false, 4000),
        ("breakthrough", Some(Strategy::Mod), true, 5000),
        ("amazons", Some(Strategy::Mod), false, 3000),
        ("breakthrough", None, true, 3000),
    ] {
        let native = native(game, strategy);
        let plain = halving("sequential_halving");
        let config = if strategy.is_some() { split(plain, nodal) } else { plain };
        let mut search = search(&native, &config);
        let mut kept = 0;
        for turn in 0..4 {
            let before = root_before(&search);
            kept += before.iter().map(|edge| edge.1).sum::<u32>();
            let thought = search.think(&Limits::simulations(budget)).expect("runs");
            let chosen = thought.chosen.expect("a move");
            let edges = gained(&search, &before);
            let counts: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
            let what = format!("{game} {strategy:?}, turn {turn}");
            assert_eq!(counts, rounds(counts.len() as u64, budget), "{what}");
            // What a round leaves over is for the one that is left; without it the better of two is.
            let last = if counts.len() == 1 || counts[0] > counts[1] || edges[0].2 > edges[1].2 {
                &edges[0]
            } else {
                &edges[1]
            };
            let begin: Vec<Step> = last.0.iter().copied().filter(|s| s.is_modifier()).collect();
            assert!(chosen.starts_with(&begin), "{what}");
            search.advance(&chosen).expect("runs");
        }
        assert!(kept > 0, "{game}: a tree was kept");
    }
}

/// A pass over 22 moves is 22 + 2 * 11 + 4 * 6 + 8 * 3 + 16 * 2 iterations; nothing needs to be known about limits.
#[test]
fn anytime_halving_goes_over_the_moves_again_and_again() {
    let native = native("breakthrough", None);
    let mut search = search(&native, &halving("anytime_halving"));
    let pass = 22 + 22 + 24 + 24 + 32;
    by_clock(&mut search, pass, u64::MAX);
    let expected: Vec<u32> = [(2, 31), (1, 15), (3, 7), (5, 3), (11, 1)]
        .into_iter()
        .flat_map(|(moves, visits)| vec![visits; moves])
        .collect();
    assert_eq!(visits(&search), expected);
    // Pondering goes on with new passes.
    let mut left = 9 * pass;
    let stop = || {
        left -= 1;
        left == 0
    };
    ponder_until(&mut search, stop);
    assert!(visits(&search).iter().all(|visits| *visits >= 9));
}

/// Without a budget there are no rounds: selection decides, as it does without halving.
#[test]
fn pondering_selects() {
    let native = native("breakthrough", None);
    let ponder = |config: &Config| {
        let mut search = search(&native, config);
        let mut left = 500;
        let stop = || {
            left -= 1;
            left < 0
        };
        ponder_until(&mut search, stop);
        root(&search)
    };
    assert_eq!(ponder(&halving("sequential_halving")), ponder(&Config::default()));
}

/// With the solver what is proven counts: the search of a won position ends, and the win is played.
#[test]
fn a_proven_win_is_played() {
    let native = native("tic-tac-toe", None);
    for name in ["sequential_halving", "anytime_halving"] {
        let tree_policy = TreePolicy { solver: true, ..TreePolicy::default() };
        let mut search = search(&native, &Config { tree_policy, ..halving(name) });
        for _ in 0..4 {
            let thought = search.think(&Limits::simulations(2)).expect("runs");
            search.advance(&thought.chosen.expect("a move")).expect("runs");
        }
        let thought = search.think(&Limits::simulations(20_000)).expect("runs");
        assert!(search.is_solved(), "five moves are left");
        let chosen = thought.chosen.expect("a move");
        let moves = search.moves();
        let bound = |m: &regulus_search::MoveReport| m.proven.map_or((0, 100), |b| (b.low, b.high));
        let low = moves.iter().find(|m| m.steps == chosen).map(|m| bound(m).0).expect("known");
        assert!(moves.iter().all(|m| bound(m).0 <= low), "nothing proven is better");
    }
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let native = native("breakthrough", Some(Strategy::Mod));
    for name in ["sequential_halving", "anytime_halving"] {
        for config in [halving(name), split(halving(name), true)] {
            for limits in [Limits::simulations(900), Limits::states(30_000)] {
                let run = || {
                    let mut search = search(&native, &config);
                    let thought = search.think(&limits).expect("runs");
                    (thought, search.moves())
                };
                assert_eq!(run(), run());
            }
        }
    }
}
