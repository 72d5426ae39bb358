//! SHOT: budgets, limits, moves, memory, split moves.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::config::{Config, Limits, Mast, SimulationDesign, TreeDesign, Variant};
use regulus_search::shot::Shot;
use regulus_search::stopper::{Progress, Stopper};
use regulus_search::{Asking, Searcher, Turn};

fn native(name: &str) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    Native::new(&game.split(Strategy::Mod)).expect("supported")
}

/// Moves or semimoves, in the tree and in playouts; with MAST.
fn designs() -> Vec<Config> {
    let semisplit = TreeDesign::Semisplit { nodal: false };
    let split = SimulationDesign::Semisplit;
    let mast = |variant| Some(Mast { variant, in_expansion: false, ..Mast::default() });
    vec![
        Config::default(),
        Config { simulation: split, ..Config::default() },
        Config { tree: semisplit, ..Config::default() },
        Config { tree: semisplit, simulation: split, ..Config::default() },
        Config { mast: mast(Variant::Join), ..Config::default() },
        Config {
            tree: semisplit,
            simulation: split,
            mast: mast(Variant::Split),
            ..Config::default()
        },
    ]
}

fn search(native: &Native, config: &Config) -> Shot<NativeWorker> {
    Shot::new(native.worker(), config.clone()).expect("runs")
}

fn legal(native: &Native, state: &<NativeWorker as Engine>::State) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    native.worker().list(&mut state.clone(), &mut moves).expect("runs");
    moves.iter().map(<[Step]>::to_vec).collect()
}

/// 22 moves, 5 rounds, 110 playouts. All have one; then ⌊110 / (11 * 5)⌋ = 2 more for each of 11, 3 for 6, 7 for 3; of
/// the last two the second has 11 more, and the first the 16 that are left.
#[test]
fn rounds_by_hand() {
    let native = native("breakthrough");
    let mut search = search(&native, &Config::default());
    let thought = search.think(&Limits::simulations(110)).expect("runs");
    assert_eq!(thought.totals.iterations, 110);
    let visits: Vec<u32> = search.moves().iter().map(|m| m.visits).collect();
    let expected = [(1, 29), (1, 24), (1, 13), (3, 6), (5, 3), (11, 1)];
    let expected: Vec<u32> =
        expected.into_iter().flat_map(|(moves, visits)| vec![visits; moves]).collect();
    assert_eq!(visits, expected);
}

#[test]
fn budgets_are_never_exceeded_and_moves_are_legal() {
    for name in ["eight-puzzle", "tic-tac-toe", "yavalath", "rolit", "chess", "english-draughts"] {
        let native = native(name);
        for config in designs() {
            let mut search = search(&native, &config);
            for budget in [1, 2, 60, 7, 200, 33, 60, 60, 60, 60] {
                let known = legal(&native, search.position());
                let thought = search.think(&Limits::simulations(budget)).expect("runs");
                assert!(thought.totals.iterations <= budget, "{name} {config:?}");
                let Some(chosen) = thought.chosen else {
                    assert!(known.is_empty(), "{name} {config:?}");
                    break;
                };
                assert!(known.contains(&chosen), "{name} {config:?}: {chosen:?}");
                let moves = search.moves();
                assert!(moves.iter().all(|m| known.contains(&m.steps)), "{name} {config:?}");
                assert!(moves.iter().all(|m| (0.0..=1.0).contains(&m.mean)), "{name} {config:?}");
                if config.tree.is_orthodox() {
                    assert_eq!(moves.len(), known.len(), "{name} {config:?}");
                }
                search.advance(&chosen).expect("runs");
            }
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let native = native("breakthrough");
    for config in designs() {
        for limits in [Limits::simulations(700), Limits::states(30_000)] {
            let run = |config: &Config, watched: bool| {
                let mut search = search(&native, config);
                let mut turns = Vec::new();
                for _ in 0..3 {
                    let mut snapshots = 0;
                    let thought = if watched {
                        let see = &mut |_: regulus_search::Snapshot| {
                            snapshots += 1;
                            true
                        };
                        search.watch(&limits, Duration::ZERO, see).expect("runs")
                    } else {
                        search.think(&limits).expect("runs")
                    };
                    turns.push((thought.clone(), search.moves()));
                    assert!(!watched || snapshots > 0);
                    search.advance(&thought.chosen.expect("a move")).expect("runs");
                }
                turns
            };
            let turns = run(&config, false);
            assert_eq!(turns, run(&config, false), "{config:?}");
            assert_eq!(turns, run(&config, true), "{config:?}: who looks changes nothing");
            assert_ne!(turns, run(&Config { seed: 1, ..config.clone() }, false), "{config:?}");
            if limits.states.is_some() {
                let states = turns[0].0.totals.nodal_states;
                assert!((30_000..30_300).contains(&states), "{states} {config:?}");
            }
        }
    }
}

/// A clock that runs with playouts: the budget is found out while the search goes on.
struct Clock(u64);

impl Stopper for Clock {
    fn stops(&mut self, progress: &Progress) -> bool {
        progress.iterations >= self.0
    }

    fn share(&self, progress: &Progress) -> f64 {
        progress.iterations as f64 / self.0 as f64
    }
}

/// All the time is used, and half of the moves or less have most of it: rounds were those of the whole.
#[test]
fn time_is_used_up_and_halved() {
    let native = native("breakthrough");
    for config in designs() {
        let mut search = search(&native, &config);
        let thought = search.take_turn(&mut Turn::unlimited().ended_by(Clock(5000))).expect("runs");
        assert_eq!(thought.totals.iterations, 5000);
        let mut visits: Vec<u32> = search.moves().iter().map(|m| m.visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        let total: u32 = visits.iter().sum();
        let best: u32 = visits[..visits.len().min(11)].iter().sum();
        assert!(best > total * 7 / 10, "{config:?}: {visits:?}");
    }
}

#[test]
fn a_limit_of_time_ends_the_search() {
    let native = native("breakthrough");
    for config in designs() {
        let mut search = search(&native, &config);
        let start = Instant::now();
        let thought = search.think(&Limits::time(Duration::from_millis(50))).expect("runs");
        assert!(thought.chosen.is_some() && thought.totals.iterations > 0);
        assert!(start.elapsed() < Duration::from_secs(20));
        let mut left = 300;
        let stop = || {
            left -= 1;
            left == 0
        };
        let never = AtomicBool::new(false);
        let mut turn = Turn::pondering(&never).ended_by(Asking(stop));
        let playouts = search.take_turn(&mut turn).expect("runs").totals.iterations;
        assert!((250..=300).contains(&playouts), "asked after every playout: {playouts}");
    }
}

/// A position of a random game in which the player to move can win at once, and the moves that do.
fn win_in_one(
    native: &Native,
    seed: u64,
) -> Option<(<NativeWorker as Engine>::State, Vec<Vec<Step>>)> {
    let mut worker = native.worker();
    let mut random = Random::new(seed);
    let mut state = worker.initial();
    loop {
        if !worker.run_keeper(&mut state).ok()? {
            return None;
        }
        let player = worker.player(&state);
        let mut wins = Vec::new();
        let moves = legal(native, &state);
        for steps in &moves {
            let mut next = state.clone();
            worker.apply(&mut next, steps);
            let over = !worker.run_keeper(&mut next).ok()? || worker.count(&mut next).ok()? == 0;
            if over && worker.score(&next, player) == worker.score_bound(player) {
                wins.push(steps.clone());
            }
        }
        if !wins.is_empty() && wins.len() < moves.len() {
            return Some((state, wins));
        }
        if moves.is_empty() {
            return None;
        }
        worker.apply(&mut state, &moves[random.below(moves.len() as u64) as usize]);
    }
}

#[test]
fn a_win_in_one_is_found() {
    for name in ["tic-tac-toe", "connect-four", "breakthrough"] {
        let native = native(name);
        for config in designs() {
            let mut found = 0;
            for seed in 0..6 {
                let Some((position, wins)) = win_in_one(&native, seed) else { continue };
                let config = Config { seed, ..config.clone() };
                let searching = Shot::from_position(native.worker(), position, config.clone());
                let mut search = searching.expect("runs");
                let chosen = search.think(&Limits::simulations(3000)).expect("runs").chosen;
                assert!(wins.contains(&chosen.expect("a move")), "{name} {config:?}");
                found += 1;
            }
            assert!(found >= 4, "{name}: {found}");
        }
    }
}

#[test]
fn memory_is_respected_and_the_search_goes_on() {
    let native = native("breakthrough");
    for config in designs() {
        let memory = 1 << 20;
        let config = Config { memory, ..config };
        let mut search = search(&native, &config);
        let thought = search.think(&Limits::simulations(60_000)).expect("runs");
        // Rounds may leave a little of a budget over.
        let playouts = thought.totals.iterations;
        assert!((59_000..=60_000).contains(&playouts), "{playouts} {config:?}");
        assert!(thought.bytes <= memory + memory / 20, "{} {config:?}", thought.bytes);
        assert!(thought.bytes > memory / 3, "{} {config:?}", thought.bytes);
        search.advance(&thought.chosen.expect("a move")).expect("runs");
        let thought = search.think(&Limits::simulations(500)).expect("runs");
        assert!(thought.chosen.is_some() && thought.bytes <= memory + memory / 20);
        let mut search = self::search(&native, &config);
        let limits = Limits { memory: true, ..Limits::simulations(1_000_000) };
        let stopped = search.think(&limits).expect("runs");
        assert!(stopped.totals.iterations < 1_000_000, "{config:?}");
    }
}

/// What was found is found again in the next turn.
#[test]
fn entries_are_kept_from_turn_to_turn() {
    let native = native("connect-four");
    let mut search = search(&native, &Config::default());
    let chosen = search.think(&Limits::simulations(3000)).expect("runs").chosen.expect("a move");
    search.advance(&chosen).expect("runs");
    assert!(search.moves().is_empty(), "nothing was thought about this position yet");
    search.think(&Limits::simulations(10)).expect("runs");
    let visits: u32 = search.moves().iter().map(|m| m.visits).sum();
    assert!(visits > 100, "{visits}");
}
