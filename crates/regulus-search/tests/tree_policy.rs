//! Parts of selection and expansion, one by one: what the root does next is what the formula says, computed here from
//! the statistics that the tree shows.

use regulus_game::Engine;
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::config::{
    Config, Decisive, Limits, Mast, SimulationDesign, TreeDesign, TreePolicy, Variant,
};
use regulus_search::tree::{Edge, Tree};
use regulus_search::video::{Chosen, Selection, widening};
use regulus_search::{Search, SearchResult, Searcher};

const C: f64 = 0.4;
/// The highest score in the games of these tests.
const BOUND: f64 = 100.0;

fn native(name: &str, splits: bool) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let rules = if splits { Strategy::Mod.apply(&game.rules) } else { game.rules.clone() };
    Native::new(&Game { rules, ..game }).expect("supported")
}

fn think(search: &mut Search<NativeWorker>, iterations: u64) -> SearchResult {
    search.think(&Limits::simulations(iterations)).expect("runs")
}

fn plain() -> TreePolicy {
    TreePolicy::default()
}

fn config(tree_policy: TreePolicy) -> Config {
    Config { tree_policy, exploration: C, ..Config::default() }
}

/// Makes one iteration after the other; before each `value` says what the edges of the root are worth, and
/// one of the best must get it. Only where all were tried.
fn follows(config: &Config, value: impl Fn(&Tree, usize, f64) -> f64) {
    let native = native("breakthrough", false);
    let mut search = Search::new(native.worker(), config.clone()).expect("runs");
    think(&mut search, 200);
    for _ in 0..300 {
        let visits = f64::from(search.root_visits());
        let root = search.tree().nodes[0];
        assert_eq!(root.tried, root.count);
        let range = root.first as usize..(root.first + root.count) as usize;
        let values: Vec<f64> = range.clone().map(|e| value(search.tree(), e, visits)).collect();
        let before: Vec<u32> =
            search.tree().edges[range.clone()].iter().map(|e| e.visits).collect();
        think(&mut search, 1);
        let after = &search.tree().edges[range];
        let chosen =
            (0..values.len()).find(|i| after[*i].visits > before[*i]).expect("one of them");
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(values[chosen] > best - 1e-9, "{} is not {best}", values[chosen]);
    }
}

fn mean(edge: &Edge) -> f64 {
    edge.sum / BOUND / f64::from(edge.visits)
}

fn uct(edge: &Edge, mean: f64, visits: f64) -> f64 {
    mean + C * (visits.ln() / f64::from(edge.visits)).sqrt()
}

#[test]
fn uct_by_parts_is_uct() {
    let part = TreePolicy { selection: Some(Selection::Uct { c: C }), ..plain() };
    follows(&config(part), |tree, e, visits| uct(&tree.edges[e], mean(&tree.edges[e]), visits));
}

#[test]
fn mixmax_mixes_mean_and_maximum() {
    let part = TreePolicy { mixmax: 0.25, ..plain() };
    follows(&config(part), |tree, e, visits| {
        let mixed = 0.25 * tree.spread[e].greatest / BOUND + 0.75 * mean(&tree.edges[e]);
        uct(&tree.edges[e], mixed, visits)
    });
}

#[test]
fn bias_fades_with_iterations() {
    follows(&config(TreePolicy { score_bias: 2.0, ..plain() }), |tree, e, visits| {
        let edge = &tree.edges[e];
        // Whoever has moved in Breakthrough has the full score until somebody else moves.
        assert_eq!(tree.spread[e].prior, 1.0);
        uct(edge, mean(edge), visits) + 2.0 / f64::from(edge.visits + 1)
    });
}

#[test]
fn tuned_single_player_and_adaptive_c_use_the_spread() {
    let deviation = |tree: &Tree, e: usize| {
        let edge = &tree.edges[e];
        tree.spread[e].squares / BOUND / BOUND / f64::from(edge.visits) - mean(edge) * mean(edge)
    };
    let tuned = TreePolicy { selection: Some(Selection::Ucb1Tuned), ..plain() };
    follows(&config(tuned), |tree, e, visits| {
        let edge = &tree.edges[e];
        let part = visits.ln() / f64::from(edge.visits);
        let spread = deviation(tree, e) + (2.0 * part).sqrt();
        mean(edge) + (part * spread.min(0.25)).sqrt()
    });
    let single =
        TreePolicy { selection: Some(Selection::SinglePlayer { c: C, d: 2.0 }), ..plain() };
    follows(&config(single), |tree, e, visits| {
        let edge = &tree.edges[e];
        let term = deviation(tree, e).max(0.0) + 2.0 / f64::from(edge.visits);
        uct(edge, mean(edge), visits) + term.sqrt()
    });
    let adaptive =
        TreePolicy { selection: Some(Selection::AdaptiveC { c: C, global: false }), ..plain() };
    follows(&config(adaptive), |tree, e, visits| {
        let (edge, spread) = (&tree.edges[e], &tree.spread[e]);
        let range = (spread.greatest - spread.least) / BOUND;
        mean(edge) + C * range * (visits.ln() / f64::from(edge.visits)).sqrt()
    });
}

/// Makes iterations and looks at the root before and after each.
fn watch(config: &Config, mut see: impl FnMut(&Tree, u32, bool)) {
    let native = native("breakthrough", false);
    let mut search = Search::new(native.worker(), config.clone()).expect("runs");
    think(&mut search, 1);
    for _ in 0..400 {
        let (before, visits) = (search.tree().clone(), search.root_visits());
        think(&mut search, 1);
        see(&before, visits, search.tree().nodes[0].tried > before.nodes[0].tried);
    }
}

#[test]
fn urgency_decides_between_new_and_known_children() {
    let best = |tree: &Tree, visits: u32| {
        let values = tree.tried_edges(0).map(|e| {
            let edge = &tree.edges[e as usize];
            uct(edge, mean(edge), f64::from(visits))
        });
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let (mut grown, mut waited) = (0, 0);
    let urgency = Chosen::new("first_play", &[("value", 0.9)]);
    watch(&config(TreePolicy { urgency, ..plain() }), |tree, visits, grows| {
        let untried = tree.nodes[0].tried < tree.nodes[0].count;
        assert_eq!(grows, untried && 0.9 > best(tree, visits));
        grown += u32::from(grows);
        waited += u32::from(untried && !grows);
    });
    assert!(grown > 0 && waited > 0);
    let urgency = Chosen::new("partial_expansion", &[("k", 0.5), ("c", C)]);
    watch(&config(TreePolicy { urgency, ..plain() }), |tree, visits, grows| {
        let tried = f64::from(tree.nodes[0].tried);
        let urgent = 0.5 + C * (2.0 * f64::from(visits).ln() / (1.0 + tried)).sqrt();
        let untried = tree.nodes[0].tried < tree.nodes[0].count;
        let best = best(tree, visits);
        // Equal numbers may differ in their last bits.
        if (urgent - best).abs() > 1e-12 {
            assert_eq!(grows, untried && urgent > best);
        }
    });
}

#[test]
fn widening_limits_the_children() {
    let made = |chosen: Chosen| {
        let entry = widening::REGISTRY.iter().find(|entry| entry.name == chosen.name);
        entry.expect("registered").build(&chosen)
    };
    let chosen = Chosen::new("widening", &[("a", 40.0), ("b", 1.4)]);
    let widening = made(chosen);
    watch(&config(TreePolicy { widening: chosen, ..plain() }), |tree, visits, grows| {
        let root = tree.nodes[0];
        let allowed = widening.children(visits, root.count as usize);
        assert_eq!(grows, (root.tried as usize) < allowed);
    });
    let chosen =
        Chosen::new("unpruning", &[("threshold", 60.0), ("k_init", 3.0), ("a", 50.0), ("b", 1.3)]);
    let unpruning = made(chosen);
    let mut last: Option<Tree> = None;
    watch(&config(TreePolicy { widening: chosen, ..plain() }), |tree, visits, _| {
        // From the threshold on only the first children get iterations.
        if let Some(before) = &last
            && visits > 61
        {
            let allowed = unpruning.children(visits - 1, tree.nodes[0].count as usize) as u32;
            let first = tree.nodes[0].first;
            let pruned = first + allowed..first + tree.nodes[0].tried;
            for e in pruned {
                assert_eq!(tree.edges[e as usize].visits, before.edges[e as usize].visits);
            }
        }
        last = Some(tree.clone());
    });
}

#[test]
fn shared_nodes_count_all_ways_to_them() {
    for splits in [false, true] {
        let native = native("tic-tac-toe", splits);
        let mut base = Config { transpositions: true, ..Config::default() };
        if splits {
            base.tree = TreeDesign::Semisplit { nodal: true };
            base.simulation = SimulationDesign::Semisplit;
        }
        let mut search = Search::new(native.worker(), base).expect("runs");
        think(&mut search, 20_000);
        let tree = search.tree();
        let mut parents = vec![0; tree.nodes.len()];
        for (number, node) in tree.nodes.iter().enumerate() {
            let edges = &tree.edges[node.first as usize..(node.first + node.count) as usize];
            let sum: u32 = edges.iter().map(|edge| edge.visits).sum();
            assert_eq!(sum, tree.visits[number], "node {number}");
            for edge in edges.iter().filter(|edge| (edge.child as usize) < tree.nodes.len()) {
                parents[edge.child as usize] += 1;
            }
        }
        assert!(parents.iter().any(|count| *count > 1), "moves can be exchanged");
        // No game has more positions than 5,478 with three rows of three.
        let nodal = tree.nodes.iter().filter(|node| node.nodal).count();
        assert!(nodal <= 5478, "{nodal}");
        // What is kept after a move is consistent, too.
        let chosen = think(&mut search, 10).chosen.expect("a move");
        search.advance(&chosen).expect("runs");
        let root = search.tree().visits[0];
        think(&mut search, 100);
        assert_eq!(search.tree().visits[0], root + 100);
    }
}

/// Every part alone, on every design that takes it: whole games of legal moves, twice the same.
#[test]
fn parts_play_legal_games_that_can_be_repeated() {
    let with = |tree_policy| config(tree_policy);
    let mut parts = vec![
        with(TreePolicy { selection: Some(Selection::Ucb1Tuned), ..plain() }),
        with(TreePolicy { selection: Some(Selection::EpsilonGreedy { epsilon: 0.2 }), ..plain() }),
        with(TreePolicy { selection: Some(Selection::Random), ..plain() }),
        with(TreePolicy { mixmax: 0.1, ..plain() }),
        with(TreePolicy {
            reversal: Chosen::new("last_positions", &[("positions", 5.0), ("factor", 0.95)]),
            ..plain()
        }),
        with(TreePolicy { urgency: Chosen::new("first_play", &[("value", 1.0)]), ..plain() }),
        with(TreePolicy {
            urgency: Chosen::new("partial_expansion", &[("k", 0.5), ("c", C)]),
            ..plain()
        }),
        with(TreePolicy {
            widening: Chosen::new("widening", &[("a", 5.0), ("b", 1.4)]),
            ..plain()
        }),
        with(TreePolicy { decisive: Decisive::Wins, ..plain() }),
        with(TreePolicy { decisive: Decisive::WinsAndBlocks, ..plain() }),
        with(TreePolicy { solver: true, ..plain() }),
        Config { transpositions: true, ..with(TreePolicy { solver: true, ..plain() }) },
    ];
    let mast = Some(Mast { variant: Variant::Split, ..Mast::default() });
    let history = Some(Selection::ProgressiveHistory { c: C, w: 1.0 });
    parts.push(Config { mast, ..with(TreePolicy { selection: history, ..plain() }) });
    let bias = Some(Chosen::new("progressive_bias", &[("c", C), ("w", 1.0)]).into());
    parts.push(Config { mast, ..with(TreePolicy { selection: bias, ..plain() }) });
    let rollup =
        TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };
    let designs = [
        (TreeDesign::Orthodox, SimulationDesign::Orthodox),
        (TreeDesign::Semisplit { nodal: false }, SimulationDesign::Semisplit),
        (TreeDesign::Semisplit { nodal: true }, SimulationDesign::Semisplit),
        (rollup, SimulationDesign::Semisplit),
    ];
    for (tree, simulation) in designs {
        let native = native("breakthrough", !tree.is_orthodox());
        for part in &parts {
            let config = Config { tree, simulation, ..part.clone() };
            if config.validate().is_err() {
                assert!(tree.is_rollup(), "{config:?}");
                continue;
            }
            let play = || {
                let mut search = Search::new(native.worker(), config.clone()).expect("runs");
                let mut moves = Vec::new();
                while let Some(chosen) = think(&mut search, 40).chosen {
                    let mut position = search.position().clone();
                    let legal = search.engine().is_legal(&mut position, &chosen).expect("runs");
                    assert!(legal, "{config:?}: {chosen:?}");
                    search.advance(&chosen).expect("runs");
                    moves.push(chosen);
                }
                moves
            };
            assert_eq!(play(), play(), "{config:?}");
        }
    }
}
