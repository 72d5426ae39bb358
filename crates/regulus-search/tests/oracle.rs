//! The optimised search against the pseudocode: the same tree, node by node, for the same random
//! numbers.

mod paper;

use paper::Paper;
use regulus_game::Engine;
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decay, Limits, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};
use regulus_search::{Search, action};

/// A built-in game with the split points of a strategy.
fn game(name: &str, strategy: Option<Strategy>) -> Game {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    match strategy {
        None => game,
        Some(strategy) => Game { rules: strategy.apply(&game.rules), ..game },
    }
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

/// Runs both and compares from time to time.
fn check<E: Engine>(engine: impl Fn() -> E, config: &Config, iterations: u64, what: &str) {
    let mut paper = Paper::new(engine(), config.clone());
    let mut search = Search::new(engine(), config.clone()).expect("runs");
    let parts = 4;
    for part in 1..=parts {
        for _ in 0..iterations / parts {
            paper.iteration();
        }
        let progress = search.ponder(stop_after(iterations / parts)).expect("runs");
        assert_eq!(progress.iterations, iterations / parts);
        let what = format!("{what}, part {part}, {config:?}");
        let nodes = compare(&search, &paper, 0, 0, &what);
        assert!(nodes > 5, "{what}: {nodes} nodes");
        assert_eq!(search.root_visits(), paper.nodes[0].iterations);
    }
}

fn stop_after(count: u64) -> impl FnMut() -> bool {
    let mut left = count + 1;
    move || {
        left -= 1;
        left == 0
    }
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

#[test]
fn every_tree_and_simulation_design() {
    let games = [
        ("tic-tac-toe", None, 2000),
        ("hare-and-hounds", Some(Strategy::Mod), 2000),
        ("english-draughts", Some(Strategy::ModPlus), 600),
        ("breakthrough", Some(Strategy::ModShift), 600),
        ("chess", Some(Strategy::Mod), 300),
        ("eight-puzzle", Some(Strategy::Mod), 300),
    ];
    for (name, strategy, iterations) in games {
        let native = Native::new(&game(name, strategy)).expect("supported");
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                let config = Config { tree, simulation, seed: 5, ..Config::default() };
                check(|| native.worker(), &config, iterations, name);
            }
        }
    }
}

/// Every accepted variant of MAST and RAVE, each with its own policy, phases and decay.
#[test]
fn every_statistic() {
    let games = [
        ("hare-and-hounds", Strategy::Mod, 1000),
        ("breakthrough", Strategy::ModShift, 160),
        ("english-draughts", Strategy::ModPlus, 80),
    ];
    let variants = [
        Variant::Standard,
        Variant::Split,
        Variant::Join,
        Variant::Context,
        Variant::Mix { threshold: 7 },
    ];
    let policies = [
        Policy::EpsilonGreedy { epsilon: 0.4 },
        Policy::Gibbs { temperature: 0.3 },
        Policy::Roulette,
    ];
    let decays = [
        Decay::None,
        Decay::Batch { factor: 0.5, simulations: 20 },
        Decay::Simulation { factor: 0.5 },
    ];
    let mut accepted = 0;
    for (name, strategy, iterations) in games {
        let native = Native::new(&game(name, Some(strategy))).expect("supported");
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for (i, variant) in variants.into_iter().enumerate() {
                    let joined = variant == Variant::Join && !tree.is_orthodox();
                    let mast = Mast {
                        variant,
                        policy: policies[i % 3],
                        in_expansion: !joined,
                        in_playouts: i != 3,
                        tree_only: i == 1,
                        decay: decays[(i + 1) % 3],
                    };
                    let rave = Rave {
                        variant,
                        equivalence: 250.0,
                        reference: if i % 2 == 0 { 0 } else { 20 },
                    };
                    let plain = Config { tree, simulation, exploration: 0.2, ..Config::default() };
                    let configs = [
                        Config { mast: Some(mast), ..plain.clone() },
                        Config { rave: Some(rave), ..plain.clone() },
                        Config { mast: Some(mast), rave: Some(rave), ..plain.clone() },
                    ];
                    for config in configs.iter().filter(|c| c.validate().is_ok()) {
                        accepted += 1;
                        check(|| native.worker(), config, iterations, name);
                    }
                }
            }
        }
    }
    assert!(accepted > 150, "{accepted}");
}

#[test]
fn the_interpreter_gives_the_same_kind_of_tree() {
    let interpreter = Interpreter::new(&game("tic-tac-toe", None));
    let config =
        Config { rave: Some(Rave::default()), mast: Some(Mast::default()), ..Config::default() };
    check(|| interpreter.worker(), &config, 400, "tic-tac-toe");
}

#[test]
fn keys_tell_submoves_apart() {
    let native = Native::new(&game("breakthrough", None)).expect("supported");
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
