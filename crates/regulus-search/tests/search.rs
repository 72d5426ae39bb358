//! Whole searches: determinism, limits, memory, tree reuse, final selection, any number of players.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use regulus_game::{Engine, Moves, Step};
use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::config::{
    Config, Decisive, FinalSelection, Limits, Mast, Rave, SimulationDesign, TreeDesign, TreePolicy,
    Variant,
};
use regulus_search::{Asking, MoveReport, Search, SearchResult, Searcher, Turn};

fn native(name: &str, strategy: Option<Strategy>) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let game = match strategy {
        None => game,
        Some(strategy) => game.split(strategy),
    };
    Native::new(&game).expect("supported")
}

fn search(native: &Native, config: &Config) -> Search<NativeWorker> {
    Search::new(native.worker(), config.clone()).expect("runs")
}

fn think<X: std::fmt::Debug>(search: &mut impl Searcher<X>, limits: &Limits) -> SearchResult {
    search.think(limits).expect("runs")
}

fn rollup(nodal: bool) -> TreeDesign {
    TreeDesign::Rollup { nodal, min_simulations_factor: 1.0, min_score_diff: 0.0 }
}

/// One of each design, with statistics that fit.
fn designs() -> Vec<Config> {
    let semisplit = SimulationDesign::Semisplit;
    let context = Mast { variant: Variant::Context, ..Mast::default() };
    let mix = Mast { variant: Variant::Mix { threshold: 7 }, ..Mast::default() };
    let rave = |variant| Some(Rave { variant, ..Rave::default() });
    vec![
        Config::default(),
        Config { mast: Some(Mast::default()), rave: Some(Rave::default()), ..Config::default() },
        Config {
            tree: TreeDesign::Semisplit { nodal: false },
            simulation: semisplit,
            ..Config::default()
        },
        Config {
            tree: TreeDesign::Semisplit { nodal: true },
            simulation: semisplit,
            mast: Some(mix),
            rave: rave(Variant::Mix { threshold: 7 }),
            ..Config::default()
        },
        Config {
            tree: rollup(false),
            simulation: semisplit,
            mast: Some(context),
            rave: rave(Variant::Context),
            ..Config::default()
        },
        Config { tree: rollup(true), ..Config::default() },
    ]
}

fn legal(native: &Native, state: &<NativeWorker as Engine>::State) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    native.worker().list(&mut state.clone(), &mut moves).expect("runs");
    moves.iter().map(<[Step]>::to_vec).collect()
}

/// 64 bits are enough for the actions of MAST-context (THESIS 3.3 has the actions themselves): no key stands for two. Only
/// debug builds count.
#[test]
fn keys_of_contexts_do_not_collide() {
    for name in ["chess", "english-draughts", "breakthrough", "amazons"] {
        let native = native(name, Some(Strategy::ModPlusShift));
        for variant in [Variant::Context, Variant::Mix { threshold: 7 }] {
            let config = Config {
                tree: TreeDesign::Semisplit { nodal: true },
                simulation: SimulationDesign::Semisplit,
                mast: Some(Mast { variant, ..Mast::default() }),
                ..Config::default()
            };
            let mut search = search(&native, &config);
            think(&mut search, &Limits::states(20_000));
            assert_eq!(search.key_collisions(), 0, "{name}");
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same_search() {
    let native = native("breakthrough", Some(Strategy::Mod));
    for config in designs() {
        for limits in [Limits::simulations(700), Limits::states(30_000)] {
            let run = |config: &Config| {
                let mut search = search(&native, config);
                let thought = think(&mut search, &limits);
                (thought, search.moves())
            };
            let (thought, moves) = run(&config);
            assert_eq!((thought.clone(), moves.clone()), run(&config), "{config:?}");
            // Repeated reasoning costs time and changes nothing else.
            let slow = Config { reasoning_overhead: 3, ..config.clone() };
            assert_eq!((thought.clone(), moves.clone()), run(&slow), "{config:?}");
            let other = run(&Config { seed: 1, ..config.clone() });
            assert_ne!(moves, other.1, "{config:?}");
            match limits.simulations {
                Some(count) => assert_eq!(thought.totals.iterations, count),
                None => assert!((30_000..30_300).contains(&thought.totals.nodal_states)),
            }
        }
    }
}

/// Games of every number of players are played to the end with legal moves, the tree reused.
#[test]
fn every_design_plays_whole_games() {
    let games = ["eight-puzzle", "tic-tac-toe", "yavalath", "rolit", "chess", "english-draughts"];
    for name in games {
        let native = native(name, Some(Strategy::Mod));
        for config in designs() {
            let mut search = search(&native, &config);
            for turn in 0..12 {
                let known = legal(&native, search.position());
                let visits = search.root_visits();
                let thought = think(&mut search, &Limits::simulations(60));
                let Some(chosen) = thought.chosen else {
                    assert!(known.is_empty() || turn > 0, "{name} {config:?}");
                    break;
                };
                assert!(known.contains(&chosen), "{name} {config:?}: {chosen:?}");
                assert_eq!(search.root_visits(), visits + 60);
                let moves = search.moves();
                assert!(moves.iter().all(|m| known.contains(&m.steps)), "{name} {config:?}");
                let below = moves.iter().find(|m| m.steps == chosen).map_or(0, |m| m.visits);
                search.advance(&chosen).expect("runs");
                assert!(search.root_visits() <= below, "{name}: reuse invents nothing");
            }
        }
    }
}

#[test]
fn the_tree_below_a_move_is_kept() {
    let native = native("connect-four", Some(Strategy::Mod));
    for config in designs() {
        let mut search = search(&native, &config);
        let chosen = think(&mut search, &Limits::simulations(3000)).chosen.expect("a move");
        let before: Vec<MoveReport> = search.moves();
        let expected = before.iter().find(|m| m.steps == chosen).expect("known").visits;
        let nodes = search.tree().tried;
        search.advance(&chosen).expect("runs");
        assert_eq!(search.root_visits(), expected, "{config:?}");
        assert!(search.tree().tried > 0 && search.tree().tried < nodes);
        think(&mut search, &Limits::simulations(500));
        assert_eq!(search.root_visits(), expected + 500);
        // The children of the root have been visited as often as the root, but for its own simulation.
        let tree = search.tree();
        let below: u32 = tree.tried_edges(0).map(|e| tree.edges[e as usize].visits).sum();
        assert!(below <= expected + 500 && below + 2 >= expected + 500, "{below} {expected}");
    }
}

#[test]
fn a_tree_that_is_not_kept_is_the_tree_of_a_new_search() {
    let native = native("connect-four", Some(Strategy::Mod));
    for config in designs() {
        let mut search = search(&native, &Config { keep_tree: false, ..config.clone() });
        let chosen = think(&mut search, &Limits::simulations(700)).chosen.expect("a move");
        search.advance(&chosen).expect("runs");
        assert_eq!(search.root_visits(), 0, "{config:?}");
        think(&mut search, &Limits::simulations(300));
        assert_eq!(search.root_visits(), 300, "{config:?}");
    }
}

/// Two thousand moves with as many replies to each: looking at all of them would take seconds before the first
/// simulation.
#[test]
fn looking_for_blocks_has_an_end() {
    let native = native("amazons", None);
    let tree_policy = TreePolicy { decisive: Decisive::WinsAndBlocks, ..TreePolicy::default() };
    let mut search = search(&native, &Config { tree_policy, ..Config::default() });
    let thought = think(&mut search, &Limits::simulations(1));
    assert!((20_000..30_000).contains(&thought.totals.states), "{:?}", thought.totals);
}

#[test]
fn memory_is_respected_and_the_search_goes_on() {
    let native = native("breakthrough", Some(Strategy::Mod));
    for config in designs() {
        let memory = 1 << 20;
        let config = Config { memory, ..config };
        let mut search = search(&native, &config);
        let thought = think(&mut search, &Limits::simulations(12_000));
        assert_eq!(thought.totals.iterations, 12_000);
        assert!(thought.bytes <= memory + memory / 20, "{} {config:?}", thought.bytes);
        assert!(thought.bytes > memory / 2, "{} {config:?}", thought.bytes);
        // After a move there is room again.
        search.advance(&thought.chosen.expect("a move")).expect("runs");
        let tried = search.tree().tried;
        think(&mut search, &Limits::simulations(500));
        assert!(search.tree().tried > tried, "{config:?}");
        // As a stopper it ends the search instead.
        let mut search = self::search(&native, &config);
        let limits = Limits { memory: true, ..Limits::simulations(1_000_000) };
        assert!(think(&mut search, &limits).totals.iterations < 12_000);
    }
}

/// Plays moves given by their vertices' numbers in the list of legal moves until a player can win at
/// once, then asks for the win.
#[test]
fn a_win_in_one_is_found() {
    for name in ["tic-tac-toe", "connect-four"] {
        let native = native(name, Some(Strategy::Mod));
        for config in designs() {
            let mut found = 0;
            for seed in 0..6 {
                let Some((position, wins)) = win_in_one(&native, seed) else { continue };
                let config = Config { seed, ..config.clone() };
                let searching = Search::from_position(native.worker(), position, config.clone());
                let mut search = searching.expect("runs");
                let chosen = think(&mut search, &Limits::simulations(3000)).chosen;
                assert!(wins.contains(&chosen.expect("a move")), "{name} {config:?}");
                found += 1;
            }
            assert!(found >= 4, "{name}: {found}");
        }
    }
}

type Winning<S> = Option<(S, Vec<Vec<Step>>)>;

/// A position of a random game in which the player to move can win at once.
fn win_in_one(native: &Native, seed: u64) -> Winning<<NativeWorker as Engine>::State> {
    let mut worker = native.worker();
    let mut random = regulus_game::Random::new(seed);
    let mut state = worker.initial();
    let mut steps = Vec::new();
    while worker.run_keeper(&mut state).expect("runs") {
        let player = worker.player(&state);
        let wins = |worker: &mut NativeWorker, steps: &[Step]| {
            let mut next = state.clone();
            worker.apply(&mut next, steps);
            let over = !worker.run_keeper(&mut next).expect("runs")
                || worker.count(&mut next).expect("runs") == 0;
            over && worker.score(&next, player) == worker.score_bound(player)
        };
        let all = legal(native, &state);
        let winning: Vec<_> = all.iter().filter(|m| wins(&mut worker, m)).cloned().collect();
        if !winning.is_empty() && winning.len() < all.len() {
            return Some((state, winning));
        }
        if !worker.sample(&mut state, &mut random, &mut steps).expect("runs") {
            return None;
        }
        worker.apply(&mut state, &steps);
    }
    None
}

#[test]
fn final_selections() {
    let native = native("breakthrough", Some(Strategy::Mod));
    let tree = TreeDesign::Semisplit { nodal: true };
    let with = |final_selection| {
        let config = Config { tree, final_selection, ..Config::default() };
        let mut search = search(&native, &config);
        let thought = think(&mut search, &Limits::simulations(3000));
        (thought.chosen.expect("a move"), search.moves(), thought.totals.iterations)
    };
    let (greedy, moves, _) = with(FinalSelection::Greedy);
    let of = |steps: &[Step]| moves.iter().find(|m| m.steps == steps).expect("known");
    // A final roll-up with a factor of at least 1 is not worse than the greedy choice.
    let (rolled, _, _) = with(FinalSelection::Rollup { factor: 1.0 });
    assert!(of(&rolled).mean >= of(&greedy).mean && of(&rolled).visits >= of(&greedy).visits);
    // With factor 0 it is the best mean of all.
    let (best, _, _) = with(FinalSelection::Rollup { factor: 0.0 });
    assert!(moves.iter().all(|m| m.mean <= of(&best).mean));
    let (robust, _, iterations) = with(FinalSelection::RobustMax { extension: 0.5 });
    assert!((2000..=3000).contains(&iterations), "{iterations}");
    assert!(moves.iter().any(|m| m.steps == robust));
    let (most, _, _) = with(FinalSelection::MostVisited);
    assert!(moves.iter().any(|m| m.steps == most));
    // In an orthodox tree the most visited move is the first of the report.
    let config = Config { final_selection: FinalSelection::MostVisited, ..Config::default() };
    let mut search = search(&native, &config);
    let chosen = think(&mut search, &Limits::simulations(3000)).chosen;
    let moves = search.moves();
    let known = moves.iter().find(|m| Some(&m.steps) == chosen.as_ref()).expect("known");
    assert_eq!(known.visits, moves[0].visits);
    assert_eq!(moves.iter().map(|m| m.visits).sum::<u32>(), 3000);
    assert!(moves[0].depth >= 2 && moves[0].mean > 0.0 && moves[0].mean < 1.0);
}

#[test]
fn a_lead_that_cannot_be_caught_ends_the_search() {
    let native = native("tic-tac-toe", None);
    let config = Config { final_selection: FinalSelection::MostVisited, ..Config::default() };
    let whole = think(&mut search(&native, &config), &Limits::simulations(5000));
    let limits = Limits { no_catching_up: true, ..Limits::simulations(5000) };
    let short = think(&mut search(&native, &config), &limits);
    assert_eq!(short.chosen, whole.chosen);
    assert!(short.totals.iterations < 5000);
}

#[test]
fn time_is_kept_and_pondering_stops_when_told() {
    let native = native("breakthrough", None);
    let mut search = search(&native, &Config::default());
    think(&mut search, &Limits::simulations(10));
    let start = Instant::now();
    let limits =
        Limits { buffer: Duration::from_millis(50), ..Limits::time(Duration::from_millis(100)) };
    let thought = think(&mut search, &limits);
    assert!(start.elapsed() >= Duration::from_millis(50));
    assert!(thought.totals.iterations > 1);
    let visits = search.root_visits();
    let mut questions = 0;
    let never = AtomicBool::new(false);
    let mut turn = Turn::pondering(&never).ended_by(Asking(|| {
        questions += 1;
        questions > 40
    }));
    let pondered = search.take_turn(&mut turn).expect("runs");
    assert_eq!((pondered.totals.iterations, pondered.chosen), (40, None));
    assert_eq!(search.root_visits(), visits + 40);
}

/// Dead semimoves leave the tree: at the end of a search every tried edge of a chess position leads to
/// a legal move.
#[test]
fn dead_semimoves_never_enter_the_tree() {
    let native = native("chess", Some(Strategy::Mod));
    for nodal in [false, true] {
        let config = Config {
            tree: TreeDesign::Semisplit { nodal },
            simulation: SimulationDesign::Semisplit,
            ..Config::default()
        };
        let mut search = search(&native, &config);
        let first: Vec<Step> = legal(&native, search.position()).iter().map(|m| m[0]).collect();
        let mut semimoves = Vec::new();
        native.worker().semimoves(&mut search.position().clone(), &mut semimoves).expect("runs");
        let dead = semimoves.iter().filter(|s| !first.contains(s)).count();
        assert!(dead > 0, "rooks and bishops cannot move at first");
        think(&mut search, &Limits::simulations(400));
        let (tree, root) = (search.tree(), search.tree().nodes[0]);
        assert_eq!(root.count as usize, semimoves.len() - dead);
        assert_eq!(root.tried, root.count);
        assert!(tree.tried_edges(0).all(|e| first.contains(&tree.submove(e)[0])));
    }
}
