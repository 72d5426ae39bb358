//! What cannot be seen from outside: iterations under way, and what errors leave behind.

use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::RunError;
use regulus_reasoner::native::Native;

use super::cells::Behind;
use super::shared_tree::SharedTree;
use super::{RootParallel, TreeParallel};
use crate::config::{Config, Limits, Mast, Parallel, SimulationDesign, TreeDesign};
use crate::{Failure, Search, SearchResult, Searcher};

fn compiled(name: &str, text: &str) -> Native {
    let loaded = regulus_rbg::load(&Source::new(name, text));
    let game = loaded.game.expect("valid");
    let game = game.split(Strategy::Mod);
    Native::new(&game).expect("supported")
}

fn built_in(name: &str) -> Native {
    compiled(name, regulus_games::find(name).expect("built in").text)
}

/// A game without end: whoever simulates it fails.
fn endless() -> Native {
    compiled(
        "endless",
        "#players = a(100) #pieces = e, x #variables =
         #board = rectangle(up, down, left, right, [e,e,e])
         #rules = (->a (left* + right*) ({e} [x] + {x} [e]))*",
    )
}

/// Iterations through an edge went on through edges of the node behind it, or ended there: the one at least that
/// tried it first, unless that made the node, too. Gives how many nodes there are.
fn assert_nothing_is_lost(tree: &SharedTree, from: u32, above: u32, ended: u32) -> u32 {
    let (node, mut nodes) = (tree.node(from), 1);
    let sum: u32 = node.edges().iter().map(|edge| edge.visits()).sum();
    assert!(sum + ended <= above, "{sum} of {above}");
    for edge in node.edges() {
        if let Behind::Node(below) = edge.link.behind() {
            let ended = u32::from(tree.node(below).nodal);
            nodes += assert_nothing_is_lost(tree, below, edge.visits(), ended);
        }
    }
    nodes
}

#[test]
fn nothing_is_under_way_between_turns() {
    let native = built_in("breakthrough");
    let split = Config {
        tree: TreeDesign::Semisplit { nodal: true },
        simulation: SimulationDesign::Semisplit,
        mast: Some(Mast::default()),
        ..Config::default()
    };
    for config in [Config::default(), split] {
        let config = Config { parallel: Parallel::Tree { threads: 4 }, ..config };
        let mut search = TreeParallel::new(|| native.worker(), config).expect("runs");
        for turn in 0..3 {
            let before = search.root_visits();
            // Enough for views of nodes at several levels.
            let thought = search.think(&Limits::simulations(15_000)).expect("runs");
            let tree = search.tree();
            assert_eq!(tree.unobserved(), 0);
            assert_eq!(search.root_visits(), before + 15_000);
            // Every iteration that went through the root is that of one edge; those from before it was the root
            // may have ended there.
            let sum: u32 = tree.node(0).edges().iter().map(|edge| edge.visits()).sum();
            let before = if turn == 0 { 0 } else { before };
            assert!((15_000..=15_000 + before).contains(&sum), "{sum}");
            let nodes = assert_nothing_is_lost(tree, 0, search.root_visits(), 0);
            search.advance(&thought.chosen.expect("goes on")).expect("runs");
            let tree = search.tree();
            assert_eq!(tree.unobserved(), 0);
            let kept = search.root_visits();
            assert!(kept == 0 || assert_nothing_is_lost(tree, 0, kept, 0) < nodes);
        }
    }
}

#[test]
fn errors_come_out_and_the_search_can_be_asked_again() {
    let native = endless();
    let error = RunError::EndlessGame.to_string();
    // A move is played all the same.
    let trouble = |thought: Result<SearchResult, Failure<RunError>>| {
        let thought = thought.expect("a move");
        assert!(thought.chosen.is_some());
        thought.trouble
    };
    let limits = Limits::simulations(100);
    let alone = Search::new(native.worker(), Config::default()).expect("runs").think(&limits);
    assert_eq!(trouble(alone), Some(error.clone()));
    let config = Config { parallel: Parallel::Root { trees: 3 }, ..Config::default() };
    let mut trees = RootParallel::new(|| native.worker(), config, 2).expect("runs");
    let config = Config { parallel: Parallel::Tree { threads: 3 }, ..Config::default() };
    let mut tree = TreeParallel::new(|| native.worker(), config).expect("runs");
    for _ in 0..2 {
        assert_eq!(trouble(trees.think(&limits)), Some(error.clone()));
        assert_eq!(trouble(tree.think(&limits)), Some(error.clone()));
        assert_eq!(tree.tree().unobserved(), 0);
    }
}
