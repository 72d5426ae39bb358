//! The optimised search against the pseudocode: the same tree, node by node, for the same random
//! numbers, over thousands of iterations and several turns.

mod paper;

use std::sync::atomic::{AtomicUsize, Ordering};

use paper::Paper;
use regulus_game::Engine;
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decay, Features, FinalSelection, Learning, Limits, Mast, Method, Policy, Rave,
    SimulationDesign, TreeDesign, Variant,
};
use regulus_search::{Search, action};

/// A game with the split points of a strategy.
fn game(name: &str, text: &str, strategy: Option<Strategy>) -> Game {
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    match strategy {
        None => game,
        Some(strategy) => Game { rules: strategy.apply(&game.rules), ..game },
    }
}

fn built_in(name: &str) -> &'static str {
    regulus_games::find(name).expect("built in").text
}

/// A built-in game on another board.
fn on_board(name: &str, board: &str) -> String {
    let mut text = built_in(name).to_owned();
    let start = text.find("#board").expect("a board");
    let end = start + text[start..].find("\n\n").expect("an end");
    text.replace_range(start..end, board);
    text
}

/// Breakthrough on 4 x 5 squares.
fn small_breakthrough(strategy: Strategy) -> Native {
    let board = "#board = rectangle(up, down, left, right,
        [blackPawn, blackPawn, blackPawn, blackPawn]
        [blackPawn, blackPawn, blackPawn, blackPawn]
        [empty, empty, empty, empty]
        [whitePawn, whitePawn, whitePawn, whitePawn]
        [whitePawn, whitePawn, whitePawn, whitePawn])";
    let text = on_board("breakthrough", board);
    Native::new(&game("breakthrough", &text, Some(strategy))).expect("supported")
}

/// English draughts on 6 x 6 squares, a draw after 6 quiet turns: captures of several steps, and semimoves
/// that turn out dead.
fn small_draughts(strategy: Strategy) -> Native {
    let board = "#board = rectangle(northWest, southEast, southWest, northEast,
        [        ,         , blackMan, blackMan,         ,         ]
        [        , empty   , empty   , blackMan, blackMan,         ]
        [whiteMan, whiteMan, empty   , empty   , blackMan, blackMan]
        [        , whiteMan, whiteMan, empty   , empty   ,         ]
        [        ,         , whiteMan, whiteMan,         ,         ])";
    let text = on_board("english-draughts", board).replace("20", "6");
    Native::new(&game("english-draughts", &text, Some(strategy))).expect("supported")
}

fn native(name: &str, strategy: Option<Strategy>) -> Native {
    Native::new(&game(name, built_in(name), strategy)).expect("supported")
}

/// Compares a node and everything below it; gives the number of nodes.
fn compare<E: Engine, F: Engine>(
    search: &Search<E>,
    paper: &Paper<F>,
    node: u32,
    v: usize,
    what: &str,
) -> usize {
    let (tree, p) = (search.tree(), &paper.nodes[v]);
    let Some(n) = tree.nodes.get(node as usize) else {
        assert!(p.children.is_empty(), "{what}: a leaf has no children");
        return 1;
    };
    let untried = p.untried.as_ref().expect("listed");
    assert_eq!(n.tried as usize, p.children.len(), "{what}: tried");
    assert_eq!((n.count - n.tried) as usize, untried.len(), "{what}: untried");
    assert_eq!(n.nodal, p.nodal, "{what}");
    let mut nodes = 1;
    for (e, edge) in (n.first..n.first + n.count).zip(p.children.iter().chain(untried)) {
        let index = e as usize;
        assert_eq!(tree.submove(e), edge.submove, "{what}: submove");
        if let Some(amaf) = tree.amaf.get(index) {
            let found = (amaf.sum, f64::from(amaf.count));
            assert_eq!(found, (edge.amaf.sum, edge.amaf.weight), "{what}: AMAF");
        }
        if let Some(amaf) = tree.amaf_split.get(index) {
            let found = (amaf.sum, f64::from(amaf.count));
            assert_eq!(found, (edge.amaf_split.sum, edge.amaf_split.weight), "{what}: split");
        }
        if let Some(child) = edge.node {
            let child_node = &paper.nodes[child];
            assert_eq!(tree.edges[index].visits, child_node.iterations, "{what}: visits");
            assert_eq!(tree.edges[index].sum, child_node.score_sum, "{what}: score sum");
            nodes += compare(search, paper, tree.edges[index].child, child, what);
        }
    }
    nodes
}

/// Plays turns of so many iterations with both, and compares trees and moves after each.
fn check<E: Engine>(engine: impl Fn() -> E, config: &Config, turns: &[u64], what: &str) {
    let mut paper = Paper::new(engine(), config.clone());
    let mut search = Search::new(engine(), config.clone()).expect("runs");
    for (turn, iterations) in turns.iter().enumerate() {
        let what = format!("{what}, turn {turn}, {config:?}");
        let thought = search.think(&Limits::simulations(*iterations)).expect("runs");
        for _ in 0..thought.totals.iterations {
            paper.iteration();
        }
        let nodes = compare(&search, &paper, 0, paper.root, &what);
        assert_eq!(search.root_visits(), paper.nodes[paper.root].iterations, "{what}");
        assert_eq!(thought.chosen, paper.final_move(), "{what}: the move");
        let Some(chosen) = thought.chosen else {
            assert!(turn > 0, "{what}: the game is over");
            return;
        };
        assert!(nodes > 5 || turn > 0, "{what}: {nodes} nodes");
        assert_eq!(thought.totals.iterations, *iterations, "{what}");
        search.advance(&chosen).expect("runs");
        paper.advance(&chosen);
    }
}

/// One comparison: a game, a configuration, iterations per turn.
type Job<'j> = (&'j str, &'j Native, Config, &'j [u64]);

/// All comparisons, shared out among the cores.
fn check_all(jobs: &[Job<'_>]) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((what, native, config, turns)) =
                    jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    check(|| native.worker(), config, turns, what);
                }
            });
        }
    });
}

const SEMISPLIT: SimulationDesign = SimulationDesign::Semisplit;
const ORTHODOX: SimulationDesign = SimulationDesign::Orthodox;

fn trees() -> Vec<TreeDesign> {
    let rollup = |nodal, min_simulations_factor, min_score_diff| TreeDesign::Rollup {
        nodal,
        min_simulations_factor,
        min_score_diff,
    };
    vec![
        TreeDesign::Orthodox,
        TreeDesign::Semisplit { nodal: false },
        TreeDesign::Semisplit { nodal: true },
        rollup(false, 1.0, 0.0),
        rollup(true, 1.0, 0.0),
        rollup(true, 3.0, 10.0),
    ]
}

const VARIANTS: [Variant; 5] = [
    Variant::Standard,
    Variant::Split,
    Variant::Join,
    Variant::Context,
    Variant::Mix { threshold: 7 },
];

const POLICIES: [Policy; 3] =
    [Policy::EpsilonGreedy { epsilon: 0.4 }, Policy::Gibbs { temperature: 0.3 }, Policy::Roulette];

/// The factor is a power of two: whether it is multiplied once or many times, nothing is rounded.
const DECAYS: [Decay; 4] = [
    Decay::None,
    Decay::Move { factor: 0.25 },
    Decay::Batch { factor: 0.5, simulations: 20 },
    Decay::Simulation { factor: 0.5 },
];

const SELECTIONS: [FinalSelection; 4] = [
    FinalSelection::Greedy,
    FinalSelection::Rollup { factor: 0.3 },
    FinalSelection::Rollup { factor: 1.0 },
    FinalSelection::MostVisited,
];

#[test]
fn every_tree_and_simulation_design() {
    let games = [
        ("tic-tac-toe", native("tic-tac-toe", None)),
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("english-draughts", native("english-draughts", Some(Strategy::ModPlus))),
        ("breakthrough", native("breakthrough", Some(Strategy::ModShift))),
        ("chess", native("chess", Some(Strategy::Mod))),
        ("rolit", native("rolit", Some(Strategy::ModPlusShift))),
        ("eight-puzzle", native("eight-puzzle", Some(Strategy::Mod))),
    ];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for final_selection in SELECTIONS {
                    let seed = jobs.len() as u64;
                    let plain = Config::default();
                    let config = Config { tree, simulation, final_selection, seed, ..plain };
                    if config.validate().is_ok() {
                        jobs.push((name, native, config, &[1000, 500, 500]));
                    }
                }
            }
        }
    }
    check_all(&jobs);
}

/// Every accepted variant of MAST and RAVE, each with its own policy, phases and decay.
#[test]
fn every_statistic() {
    let games = [
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
    ];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for (i, variant) in VARIANTS.into_iter().enumerate() {
                    let joined = variant == Variant::Join && !tree.is_orthodox();
                    let mast = Mast {
                        variant,
                        policy: POLICIES[i % 3],
                        in_expansion: !joined,
                        in_playouts: i != 3,
                        tree_only: i == 1,
                        decay: DECAYS[(i + 1) % 4],
                    };
                    let reference = if i % 2 == 0 { 0 } else { 20 };
                    let rave = Rave { variant, equivalence: 250.0, reference };
                    let seed = jobs.len() as u64;
                    let plain =
                        Config { tree, simulation, exploration: 0.2, seed, ..Config::default() };
                    let configs = [
                        Config { mast: Some(mast), ..plain.clone() },
                        Config { rave: Some(rave), ..plain.clone() },
                        Config { mast: Some(mast), rave: Some(rave), ..plain },
                    ];
                    let accepted = configs.into_iter().filter(|c| c.validate().is_ok());
                    jobs.extend(accepted.map(|c| (*name, native, c, [1400, 600].as_slice())));
                }
            }
        }
    }
    assert!(jobs.len() > 150, "{}", jobs.len());
    check_all(&jobs);
}

/// Every policy with every decay, in every phase, for every variant of MAST.
#[test]
fn every_policy_and_decay() {
    let native = small_breakthrough(Strategy::Mod);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let designs = [
        (TreeDesign::Orthodox, ORTHODOX),
        (TreeDesign::Semisplit { nodal: true }, SEMISPLIT),
        (trees()[4], ORTHODOX),
    ];
    for (tree, simulation) in designs {
        for variant in VARIANTS {
            for policy in POLICIES {
                for decay in DECAYS {
                    for (in_playouts, in_expansion, tree_only) in
                        [(true, true, false), (true, false, true), (false, true, false)]
                    {
                        let mast =
                            Mast { variant, policy, in_playouts, in_expansion, tree_only, decay };
                        let seed = jobs.len() as u64;
                        let plain = Config { tree, simulation, seed, ..Config::default() };
                        let config = Config { mast: Some(mast), ..plain };
                        if config.validate().is_ok() {
                            jobs.push((
                                "small breakthrough",
                                &native,
                                config,
                                &[700, 500, 400, 400],
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 350, "{}", jobs.len());
    check_all(&jobs);
}

/// RAVE with its reference count (TGRAVE) and threshold, on every tree that has it.
#[test]
fn every_reference_and_threshold() {
    let native = small_draughts(Strategy::Mod);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let variants = VARIANTS.into_iter().chain([Variant::Mix { threshold: 30 }]);
    for variant in variants {
        for tree in trees() {
            for reference in [0, 5, 50, 500] {
                for simulation in [ORTHODOX, SEMISPLIT] {
                    let rave = Rave { variant, equivalence: 100.0, reference };
                    let seed = jobs.len() as u64;
                    let plain = Config { tree, simulation, seed, ..Config::default() };
                    let config = Config { rave: Some(rave), ..plain };
                    if config.validate().is_ok() {
                        jobs.push(("small draughts", &native, config, &[1200, 800]));
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 90, "{}", jobs.len());
    check_all(&jobs);
}

/// Learned playout policies with every kind of features, on every tree, against the pseudocode of PPA: draughts has
/// moves of several steps, and listed moves.
#[test]
fn every_learned_policy() {
    let games = [
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
    ];
    let methods = [
        Method::Ppa { alpha: 0.04 },
        Method::Ppa { alpha: 1.28 },
        Method::Mast { k: 4.0 },
        Method::Mast { k: 256.0 },
    ];
    let features = [Features::None, Features::Cells, Features::Neighbours];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for method in methods {
                for (i, features) in features.into_iter().enumerate() {
                    let learning = Some(Learning { method, features, keep: i == 1 });
                    let seed = jobs.len() as u64;
                    let rave = (i == 2 && tree.is_orthodox()).then(Rave::default);
                    let config = Config { tree, learning, rave, seed, ..Config::default() };
                    jobs.push((name, native, config, &[160, 80]));
                }
            }
        }
    }
    check_all(&jobs);
}

#[test]
fn the_interpreter_gives_the_same_kind_of_tree() {
    let interpreter = Interpreter::new(&game("tic-tac-toe", built_in("tic-tac-toe"), None));
    let config =
        Config { rave: Some(Rave::default()), mast: Some(Mast::default()), ..Config::default() };
    check(|| interpreter.worker(), &config, &[400, 200], "tic-tac-toe");
}

#[test]
fn keys_tell_submoves_apart() {
    let native = native("breakthrough", None);
    let mut search = Search::new(native.worker(), Config::default()).expect("runs");
    search.think(&Limits::simulations(2000)).expect("runs");
    let tree = search.tree();
    let mut keys = std::collections::HashMap::new();
    for e in 0..tree.edges.len() as u32 {
        let submove = tree.submove(e);
        let known = keys.entry(action::submove_key(action::NODAL, submove)).or_insert(submove);
        assert_eq!(*known, submove);
    }
    assert!(keys.len() > 100);
}
