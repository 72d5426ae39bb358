//! Searches beside the pseudocode.

use std::sync::atomic::{AtomicUsize, Ordering};

use regulus_game::Engine;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, Limits};
use regulus_search::{Search, Searcher};

use crate::kinds::kinds;
use crate::paper::Paper;

/// Compares a node and everything below it; gives the number of nodes.
pub fn compare<E: Engine, F: Engine>(
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
            if let Some(spread) = tree.spread.get(index) {
                let found = (spread.squares, spread.least, spread.greatest, spread.prior);
                let s = &child_node.spread;
                assert_eq!(found.0, s.squares, "{what}: squares");
                assert_eq!((found.1, found.2), (s.least, s.greatest), "{what}: extremes");
                assert_eq!(found.3, s.prior, "{what}: score after the move");
            }
            nodes += compare(search, paper, tree.edges[index].child, child, what);
        }
    }
    nodes
}

/// Plays turns of these numbers of iterations with both, and compares trees and moves after each.
pub fn check<E>(engine: impl Fn() -> E, kinds: Vec<u16>, config: &Config, turns: &[u64], what: &str)
where
    E: Engine + Send,
    E::State: Send,
{
    let mut paper = Paper::new(engine(), config.clone());
    paper.kinds = kinds;
    let mut search = Search::new(engine(), config.clone()).expect("runs");
    for (turn, iterations) in turns.iter().enumerate() {
        let what = format!("{what}, turn {turn}, {config:?}");
        let thought = search.think(&Limits::simulations(*iterations)).expect("runs");
        paper.begin_turn(*iterations);
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
pub type Job<'j> = (&'j str, &'j Native, Config, &'j [u64]);

/// All comparisons, shared out among the cores.
pub fn check_all(jobs: &[Job<'_>]) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((what, native, config, turns)) =
                    jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    check(|| native.worker(), kinds(native.game()), config, turns, what);
                }
            });
        }
    });
}
