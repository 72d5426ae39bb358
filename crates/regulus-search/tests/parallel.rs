//! Searches with several threads: what they add up, what does not depend on threads, what is not lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use regulus_game::{Engine, Moves, Step};
use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::config::{
    Config, FinalSelection, Learning, Limits, Mast, Method, Parallel, Rave, SimulationDesign,
    TreeDesign, TreePolicy, Variant,
};
use regulus_search::parallel::{RootParallel, TreeParallel};
use regulus_search::{MoveReport, Search, SearchResult, Searcher, Turn};

fn native(name: &str) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let game = game.split(Strategy::Mod);
    Native::new(&game).expect("supported")
}

fn root(
    native: &Native,
    config: &Config,
    trees: u32,
    threads: usize,
) -> RootParallel<NativeWorker> {
    let config = Config { parallel: Parallel::Root { trees }, ..config.clone() };
    RootParallel::new(|| native.worker(), config, threads).expect("runs")
}

fn shared(native: &Native, config: &Config, threads: u32) -> TreeParallel<NativeWorker> {
    let config = Config { parallel: Parallel::Tree { threads }, ..config.clone() };
    TreeParallel::new(|| native.worker(), config).expect("runs")
}

const SEMISPLIT: SimulationDesign = SimulationDesign::Semisplit;

/// What threads can share a tree for.
fn shareable() -> Vec<Config> {
    let split = |nodal| Config {
        tree: TreeDesign::Semisplit { nodal },
        simulation: SEMISPLIT,
        ..Config::default()
    };
    let mix = Mast { variant: Variant::Mix { threshold: 7 }, ..Mast::default() };
    vec![
        Config::default(),
        Config { mast: Some(Mast::default()), ..Config::default() },
        Config { simulation: SEMISPLIT, ..Config::default() },
        split(false),
        split(true),
        Config { mast: Some(mix), final_selection: FinalSelection::MostVisited, ..split(true) },
        Config { simulation: SimulationDesign::Orthodox, ..split(true) },
        Config {
            final_selection: FinalSelection::RobustMax { extension: 0.5 },
            tree_policy: TreePolicy {
                decisive: regulus_search::config::Decisive::Wins,
                ..TreePolicy::default()
            },
            ..Config::default()
        },
    ]
}

/// What only trees of their own can do.
fn others() -> Vec<Config> {
    let rollup =
        |nodal| TreeDesign::Rollup { nodal, min_simulations_factor: 1.0, min_score_diff: 0.0 };
    let rave = |variant| Some(Rave { variant, ..Rave::default() });
    let learning = Learning {
        method: Method::Ppa { alpha: 0.32 },
        features: regulus_search::config::Features::Cells,
        keep: false,
    };
    let solver = TreePolicy { solver: true, ..TreePolicy::default() };
    vec![
        Config { mast: Some(Mast::default()), rave: rave(Variant::Join), ..Config::default() },
        Config { tree: rollup(false), simulation: SEMISPLIT, ..Config::default() },
        Config { tree: rollup(true), ..Config::default() },
        Config { learning: Some(learning), ..Config::default() },
        Config { tree_policy: solver, ..Config::default() },
        Config { transpositions: true, ..Config::default() },
        Config {
            tree: TreeDesign::Semisplit { nodal: true },
            final_selection: FinalSelection::Rollup { factor: 1.0 },
            ..Config::default()
        },
    ]
}

fn legal(native: &Native, state: &<NativeWorker as Engine>::State) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    native.worker().list(&mut state.clone(), &mut moves).expect("runs");
    moves.iter().map(<[Step]>::to_vec).collect()
}

type Found = (SearchResult, Vec<MoveReport>);

/// Two turns of several trees.
fn two_turns(native: &Native, config: &Config, threads: usize, limits: &Limits) -> Vec<Found> {
    let mut search = root(native, config, 3, threads);
    let mut turns = Vec::new();
    for _ in 0..2 {
        let thought = search.think(limits).expect("runs");
        let chosen = thought.chosen.clone().expect("goes on");
        turns.push((thought, search.moves()));
        search.advance(&chosen).expect("runs");
    }
    turns
}

#[test]
fn several_trees_do_not_depend_on_threads() {
    let native = native("breakthrough");
    for config in shareable().into_iter().chain(others()) {
        for limits in [Limits::simulations(400), Limits::states(20_000)] {
            let one = two_turns(&native, &config, 1, &limits);
            assert_eq!(one, two_turns(&native, &config, 1, &limits), "{config:?}");
            assert_eq!(one, two_turns(&native, &config, 2, &limits), "{config:?}");
            assert_eq!(one, two_turns(&native, &config, 3, &limits), "{config:?}");
            if let Some(limit) = limits.simulations
                && !matches!(config.final_selection, FinalSelection::RobustMax { .. })
            {
                assert!(one.iter().all(|turn| turn.0.totals.iterations == limit), "{config:?}");
            }
        }
    }
}

/// Whole moves and what is known about them.
fn known<X>(search: &impl Searcher<X>) -> Vec<(Vec<Step>, u32, f64)> {
    let moves = search.moves().into_iter();
    moves.map(|m| (m.steps, m.visits, m.mean * f64::from(m.visits))).collect()
}

/// The sums are those of three searches that were made one after the other with the same seeds.
#[test]
fn sums_are_sums() {
    let native = native("breakthrough");
    for config in shareable().into_iter().chain(others()) {
        if config.tree.is_rollup() {
            // Trees that are rolled up in different places are brought to the same first.
            continue;
        }
        let config = Config { final_selection: FinalSelection::Greedy, seed: 5, ..config };
        let mut all = root(&native, &config, 3, 2);
        let thought = all.think(&Limits::simulations(500)).expect("runs");
        let mut sums: Vec<(Vec<Step>, u32, f64)> = Vec::new();
        for (tree, share) in all.trees().iter().zip([167, 167, 166]) {
            let mut alone = Search::new(native.worker(), tree.config().clone()).expect("runs");
            let totals = alone.think(&Limits::simulations(share)).expect("runs").totals;
            assert_eq!(totals.iterations, share);
            for (steps, visits, sum) in known(&alone) {
                match sums.iter_mut().find(|known| known.0 == steps) {
                    Some(known) => (known.1, known.2) = (known.1 + visits, known.2 + sum),
                    None => sums.push((steps, visits, sum)),
                }
            }
        }
        assert_eq!(thought.totals.iterations, 500);
        let moves = all.moves();
        assert_eq!(moves.len(), sums.len(), "{config:?}");
        for found in moves {
            let expected = sums.iter().find(|known| known.0 == found.steps).expect("known");
            assert_eq!(found.visits, expected.1, "{config:?}");
            let mean = expected.2 / f64::from(expected.1.max(1));
            assert!((found.mean - mean).abs() < 1e-9, "{config:?}: {found:?} {mean}");
        }
    }
}

/// Of the sums, the move is chosen as the final selection says.
#[test]
fn the_move_is_chosen_from_the_sums() {
    let native = native("breakthrough");
    for final_selection in [FinalSelection::Greedy, FinalSelection::MostVisited] {
        let config = Config { final_selection, ..Config::default() };
        for seed in 0..8 {
            let mut all = root(&native, &Config { seed, ..config.clone() }, 4, 2);
            let chosen = all.think(&Limits::simulations(800)).expect("runs").chosen;
            let moves = all.moves();
            let best = moves.iter().filter(|m| m.visits > 0).map(|m| match final_selection {
                FinalSelection::Greedy => m.mean,
                _ => f64::from(m.visits),
            });
            let best = best.fold(f64::NEG_INFINITY, f64::max);
            let found = moves.iter().find(|m| Some(&m.steps) == chosen.as_ref()).expect("known");
            let value = match final_selection {
                FinalSelection::Greedy => found.mean,
                _ => f64::from(found.visits),
            };
            assert_eq!(value, best);
        }
    }
}

/// One worker alone is a search by itself, in all turns, of whatever kind.
#[test]
fn one_is_one() {
    for name in ["breakthrough", "english-draughts", "yavalath"] {
        let native = native(name);
        let shared_too = shareable().len();
        for (i, config) in shareable().into_iter().chain(others()).enumerate() {
            let mut plain = Search::new(native.worker(), config.clone()).expect("runs");
            let mut tree = root(&native, &config, 1, 1);
            let mut one = (i < shared_too).then(|| shared(&native, &config, 1));
            for turn in 0..4 {
                // One that is long enough for views of nodes at several levels.
                let limits = Limits::simulations(if turn == 1 { 3000 } else { 300 });
                let expected = plain.think(&limits).expect("runs");
                let found = tree.think(&limits).expect("runs");
                assert_eq!(found, expected, "{name} {config:?}");
                assert_eq!(tree.moves(), plain.moves(), "{name} {config:?}");
                if let Some(one) = &mut one {
                    let found = one.think(&limits).expect("runs");
                    assert_eq!(found.chosen, expected.chosen, "{name} {turn} {config:?}");
                    assert_eq!(found.totals, expected.totals, "{name} {config:?}");
                    assert_eq!(found.nodes, expected.nodes, "{name} {config:?}");
                    assert_eq!(one.moves(), plain.moves(), "{name} {config:?}");
                    assert_eq!(one.root_visits(), plain.root_visits());
                }
                let Some(chosen) = expected.chosen else { break };
                plain.advance(&chosen).expect("runs");
                tree.advance(&chosen).expect("runs");
                one.iter_mut().for_each(|one| one.advance(&chosen).expect("runs"));
            }
        }
    }
}

/// Games are played to the end with legal moves by both kinds; iterations are exactly as many as asked for, and all
/// are found at the root.
#[test]
fn whole_games_lose_no_iteration() {
    for name in ["tic-tac-toe", "rolit", "chess", "english-draughts", "eight-puzzle"] {
        let native = native(name);
        for config in shareable() {
            let config = Config {
                final_selection: FinalSelection::MostVisited,
                tree_policy: TreePolicy::default(),
                ..config
            };
            let mut trees = root(&native, &config, 3, 2);
            let mut tree = shared(&native, &config, 3);
            let mut plain = Search::new(native.worker(), config.clone()).expect("runs");
            for _ in 0..10 {
                let known = legal(&native, plain.position());
                let visits = tree.root_visits();
                let thought = tree.think(&Limits::simulations(61)).expect("runs");
                let Some(chosen) = thought.chosen else {
                    assert_eq!(trees.think(&Limits::simulations(61)).expect("runs").chosen, None);
                    break;
                };
                assert!(known.contains(&chosen), "{name} {config:?}: {chosen:?}");
                assert_eq!(thought.totals.iterations, 61, "{name} {config:?}");
                assert_eq!(tree.root_visits(), visits + 61, "{name} {config:?}");
                let moves = tree.moves();
                assert!(moves.iter().all(|m| known.contains(&m.steps)), "{name} {config:?}");
                if config.tree.is_orthodox() {
                    // An earlier turn may have ended at the node before it had edges: these are known of it.
                    let sum: u32 = moves.iter().map(|m| m.visits).sum();
                    assert!((61..=tree.root_visits()).contains(&sum), "{name} {config:?}");
                    if visits == 0 {
                        assert_eq!(sum, 61, "{name} {config:?}");
                    }
                }
                let below = moves.iter().find(|m| m.steps == chosen).map_or(0, |m| m.visits);
                let thought = trees.think(&Limits::simulations(61)).expect("runs");
                assert_eq!(thought.totals.iterations, 61, "{name} {config:?}");
                let other = thought.chosen.expect("goes on");
                assert!(known.contains(&other), "{name} {config:?}: {other:?}");
                tree.advance(&chosen).expect("runs");
                trees.advance(&chosen).expect("runs");
                plain.advance(&chosen).expect("runs");
                assert!([0, below].contains(&tree.root_visits()), "{name} {config:?}");
            }
        }
    }
}

#[test]
fn memory_is_limited() {
    let native = native("chess");
    let memory = 3 << 20;
    for config in [&shareable()[0], &shareable()[1], &shareable()[4]] {
        let config = Config { memory, ..config.clone() };
        let until_full = Limits { memory: true, ..Limits::simulations(1_000_000) };
        let mut tree = shared(&native, &config, 3);
        let thought = tree.think(&until_full).expect("runs");
        assert!(thought.totals.iterations < 1_000_000, "{config:?}");
        assert!((memory / 2..=memory).contains(&thought.bytes), "{config:?}: {}", thought.bytes);
        // It goes on without growing.
        let thought = tree.think(&Limits::simulations(300)).expect("runs");
        assert_eq!(thought.totals.iterations, 300);
        assert!(thought.bytes <= memory, "{config:?}: {}", thought.bytes);
        let mut trees = root(&native, &config, 3, 2);
        trees.think(&until_full).expect("runs");
        let thought = trees.think(&Limits::simulations(300)).expect("runs");
        assert!(thought.bytes <= memory * 105 / 100, "{config:?}: {}", thought.bytes);
    }
}

/// A move that wins is proven by any of the trees, and known to all.
#[test]
fn what_one_tree_proves_is_proven() {
    let native = native("tic-tac-toe");
    let tree_policy = TreePolicy { solver: true, ..TreePolicy::default() };
    let config = Config { tree_policy, ..Config::default() };
    let mut trees = root(&native, &config, 2, 2);
    let mut position = native.worker().initial();
    // X and O play until X wins with the next move: found by a search that knows.
    let mut alone = Search::new(native.worker(), config).expect("runs");
    for _ in 0..9 {
        let thought = trees.think(&Limits::simulations(4000)).expect("runs");
        let Some(chosen) = thought.chosen else { break };
        let moves = trees.moves();
        let each: Vec<_> = trees.trees().iter().map(Searcher::moves).collect();
        for found in &moves {
            let proven = each.iter().flatten().filter(|m| m.steps == found.steps);
            let lows = proven.clone().filter_map(|m| m.proven).map(|bound| bound.low);
            let highs = proven.filter_map(|m| m.proven).map(|bound| bound.high);
            assert_eq!(found.proven.map(|bound| bound.low), lows.max());
            assert_eq!(found.proven.map(|bound| bound.high), highs.min());
        }
        alone.think(&Limits::simulations(4000)).expect("runs");
        trees.advance(&chosen).expect("runs");
        alone.advance(&chosen).expect("runs");
        position.clone_from(alone.position());
    }
    // Best play is a draw.
    let engine = native.worker();
    let scores: Vec<u32> = (1..=2).map(|player| engine.score(&position, player)).collect();
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn watching_changes_nothing_and_can_stop() {
    let native = native("breakthrough");
    for config in shareable() {
        let limits = Limits::simulations(3000);
        let mut alone = root(&native, &config, 3, 2);
        let expected = alone.think(&limits).expect("runs");
        let mut watched = root(&native, &config, 3, 2);
        let mut snapshots = Vec::new();
        let every = Duration::from_micros(500);
        let found = watched
            .watch(&limits, every, &mut |snapshot| {
                snapshots.push(snapshot);
                true
            })
            .expect("runs");
        assert_eq!(found, expected, "{config:?}");
        assert_eq!(watched.moves(), alone.moves(), "{config:?}");
        let mut tree = shared(&native, &config, 2);
        let mut seen = 0;
        let endless = Limits::time(Duration::from_secs(3600));
        let stopped = tree.watch(&endless, every, &mut |snapshot| {
            seen += 1;
            let sum: u32 = snapshot.moves.iter().map(|m| m.visits).sum();
            assert!(u64::from(sum) <= snapshot.totals.iterations);
            snapshots.push(snapshot);
            seen < 3
        });
        assert!(stopped.expect("runs").chosen.is_some() && seen == 3, "{config:?}");
        let mut trees = root(&native, &config, 3, 2);
        let stopped = trees.watch(&endless, every, &mut |snapshot| {
            snapshots.push(snapshot);
            false
        });
        assert!(stopped.expect("runs").chosen.is_some(), "{config:?}");
        let known = legal(&native, alone.trees()[0].position());
        for snapshot in snapshots {
            assert!(snapshot.variation.first().is_none_or(|steps| known.contains(steps)));
            assert!(snapshot.moves.iter().all(|m| known.contains(&m.steps)));
        }
    }
}

fn iterations<X: std::fmt::Debug>(turn: Result<SearchResult, X>) -> u64 {
    turn.expect("runs").totals.iterations
}

/// Ponders and is told to stop, later and later, until something was done before that; gives how many iterations.
fn ponder_until_stopped(mut ponder: impl FnMut(&AtomicBool) -> u64 + Send) -> u64 {
    let made = (0..).map(|attempt| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let pondering = scope.spawn(|| ponder(&stop));
            (0..1u64 << attempt).for_each(|_| std::thread::yield_now());
            stop.store(true, Ordering::Relaxed);
            pondering.join().expect("ends")
        })
    });
    made.into_iter().find(|made| *made > 0).expect("it has some time at last")
}

#[test]
fn time_is_shared_and_pondering_stops() {
    let native = native("breakthrough");
    let config = Config::default();
    // More trees than threads: all get their share.
    let mut trees = root(&native, &config, 5, 2);
    let limits = Limits::time(Duration::from_millis(60));
    let thought = trees.think(&limits).expect("runs");
    assert!(thought.chosen.is_some());
    assert!(trees.trees().iter().all(|tree| tree.root_visits() > 0));
    assert!(
        ponder_until_stopped(|stop| iterations(trees.take_turn(&mut Turn::pondering(stop)))) > 0
    );
    let mut tree = shared(&native, &config, 2);
    assert!(tree.think(&limits).expect("runs").chosen.is_some());
    let before = tree.root_visits();
    let made = ponder_until_stopped(|stop| iterations(tree.take_turn(&mut Turn::pondering(stop))));
    assert_eq!(u64::from(tree.root_visits() - before), made);
    // Told to stop before it has begun.
    let stop = AtomicBool::new(true);
    assert_eq!(iterations(tree.take_turn(&mut Turn::pondering(&stop))), 0);
    assert_eq!(iterations(trees.take_turn(&mut Turn::pondering(&stop))), 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let native = native("tic-tac-toe");
    let config = Config { parallel: Parallel::Root { trees: 2 }, ..Config::default() };
    assert!(Search::new(native.worker(), config).is_err());
    for config in others() {
        let config = Config { parallel: Parallel::Tree { threads: 2 }, ..config };
        let sound = matches!(config.final_selection, FinalSelection::Rollup { .. });
        assert_eq!(TreeParallel::new(|| native.worker(), config).is_ok(), sound);
    }
    let mut trees = root(&native, &Config::default(), 2, 2);
    assert!(trees.think(&Limits::default()).is_err());
}
