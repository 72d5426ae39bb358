//! Proven scores: MCTS-Solver (Winands, Bjoernsson and Saito 2008) with bounds (Cazenave and Saffidine 2010), for
//! any number of players and scores.
//!
//! Every edge has a lower and an upper bound of the score of every player behind it, if all play as well as they
//! can. The end of a game gives exact scores. At a node whose player is p,
//!
//! ```text
//! low_p  = max low_p(child)      high_p = max high_p(child)
//! low_q  = min low_q(child)      high_q = max high_q(child)      for q other than p
//! ```
//!
//! where for q only children count that p may choose: those with `high_p(child) >= low_p`. What he does not care
//! about may decide about others, so that nothing is assumed about how he chooses between equals. But where p is
//! sure of a score, the ends that the rules have with such a score may leave only one to q (`outcomes.rs`). For two
//! players and a constant sum that is the solver of the papers. It holds for semimoves as it does for moves: in the
//! middle of a move the same player chooses again.

use crate::endgame::combine;
use crate::episode::Passed;
use crate::outcomes::Outcomes;
use crate::tree::{Bound, Node, Tree};

impl Bound {
    /// True if the score is known.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// What two bounds say together.
    pub(crate) fn and(self, other: Bound) -> Bound {
        Bound { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The narrowest that has all scores of both.
    pub(crate) fn or(self, other: Bound) -> Bound {
        Bound { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// A score that is known.
    pub(crate) fn exact(score: u32) -> Bound {
        Bound { low: score, high: score }
    }

    /// True if a score is possible.
    pub(crate) fn contains(self, score: u32) -> bool {
        (self.low..=self.high).contains(&score)
    }
}

impl Tree {
    /// The bounds of the scores of one player behind edges.
    fn bounds_for(
        &self,
        player: usize,
        edges: std::ops::Range<u32>,
    ) -> impl Iterator<Item = Bound> + Clone {
        edges.map(move |e| self.bounds_of(e)[player])
    }

    /// The greatest score that some child of a node makes sure of for the player who chooses.
    pub(crate) fn best_low(&self, n: Node) -> u32 {
        let bounds = self.bounds_for(usize::from(n.player) - 1, n.first..n.first + n.count);
        bounds.map(|bound| bound.low).max().unwrap_or(0)
    }

    /// The highest score that is still possible for who chooses at a node. Untried edges have the widest bounds.
    pub(crate) fn highest(&self, n: Node) -> u32 {
        let bounds = self.bounds_for(usize::from(n.player) - 1, n.first..n.first + n.count);
        bounds.map(|bound| bound.high).max().unwrap_or(0)
    }

    /// What some child of a node makes sure of for the player who chooses, and what one of those that were tried may
    /// give him at best.
    pub(crate) fn known_at(&self, n: Node) -> Bound {
        let tried = self.bounds_for(usize::from(n.player) - 1, n.first..n.first + n.tried);
        Bound { low: self.best_low(n), high: tried.map(|bound| bound.high).max().unwrap_or(0) }
    }

    /// True if another child is at least as good whatever happens, and this one cannot be the best that is sure; or if
    /// its score is known and others may surpass it, so that there is nothing to be learned.
    pub(crate) fn is_dominated(&self, n: Node, edge: u32, known: Bound) -> bool {
        let Bound { low, high } = self.bounds_of(edge)[usize::from(n.player) - 1];
        high < known.low || (high == known.low && low < high) || (low == high && high < known.high)
    }

    /// True if all scores behind an edge are known: the iteration may end there.
    pub(crate) fn is_proven(&self, edge: u32) -> bool {
        let bounds = self.bounds_of(edge);
        !bounds.is_empty() && bounds.iter().all(|bound| bound.is_exact())
    }

    /// True if some child is at least as good as any other can be.
    fn is_decided(&self, node: Node) -> bool {
        let chooser = usize::from(node.player) - 1;
        let edges = node.first..node.first + node.count;
        let bounds = |e: u32| self.bounds_of(e)[chooser];
        let best_low = self.best_low(node);
        let Some(best) = edges.clone().find(|e| bounds(*e).low == best_low) else { return false };
        edges.filter(|e| *e != best).all(|e| bounds(e).high <= best_low) && bounds(best).is_exact()
    }
}

/// The solver at work. Paths are those of the iteration at hand.
pub(crate) struct Solver {
    /// The best move of the position is known.
    pub(crate) solved: bool,
    /// With what the game can end.
    outcomes: Outcomes,
    /// More may be known about an edge than follows from what is behind it.
    keeps_bounds: bool,
    /// Bounds that are being put together.
    combined: Vec<Bound>,
}

impl Solver {
    /// For a game that can end like this.
    pub(crate) fn new(outcomes: Outcomes, keeps_bounds: bool) -> Self {
        Solver { solved: false, outcomes, keeps_bounds, combined: Vec::new() }
    }

    /// A shared node may know more than an edge to it does: takes that over, here and above.
    pub(crate) fn refresh_bounds(&mut self, tree: &mut Tree, path: &[Passed], edge: u32) {
        let child = tree.edges[edge as usize].child;
        let Some(node) = tree.nodes.get(child as usize).copied() else { return };
        if node.count > 0 && self.narrow(tree, edge, node) {
            self.narrow_above(tree, path);
        }
    }

    /// An edge of the node at the end of the path turned out to be dead and is gone: what is known of the others is all
    /// there is.
    pub(crate) fn narrow_without_dead(&mut self, tree: &mut Tree, path: &[Passed]) {
        match path.last() {
            Some(last) => self.refresh_bounds(tree, path, last.edge),
            None => self.look_at_root(tree),
        }
    }

    /// The game ended where the iteration left the tree: its scores are those of the last edge, and bounds above
    /// it may become narrower.
    pub(crate) fn prove(&mut self, tree: &mut Tree, path: &[Passed], points: &[f64]) {
        let exact = |points: &f64| Bound::exact(*points as u32);
        let bounds: Vec<Bound> = points[1..].iter().map(exact).collect();
        self.set_bounds(tree, path, &bounds);
    }

    /// Bounds behind the last edge of the path are known: bounds above it may become narrower.
    pub(crate) fn set_bounds(&mut self, tree: &mut Tree, path: &[Passed], bounds: &[Bound]) {
        let Some(last) = path.last() else { return };
        let start = last.edge as usize * bounds.len();
        tree.bounds[start..start + bounds.len()].copy_from_slice(bounds);
        self.narrow_above(tree, path);
    }

    /// Bounds of the last edge of a path have become narrower: goes up.
    fn narrow_above(&mut self, tree: &mut Tree, path: &[Passed]) {
        for i in (0..path.len()).rev() {
            let node = tree.nodes[path[i].node as usize];
            if i == 0 {
                self.solved = tree.is_decided(node);
                break;
            }
            if !self.narrow(tree, path[i - 1].edge, node) {
                break;
            }
        }
    }

    /// Gives an edge the bounds of the node behind it; false if it has them already.
    fn narrow(&mut self, tree: &mut Tree, edge: u32, node: Node) -> bool {
        let players = tree.bounds_of(edge).len();
        let new = &mut self.combined;
        new.resize(players, Bound { low: 0, high: 0 });
        let edges = (node.first..node.first + node.count).map(|e| tree.bounds_of(e));
        combine(edges, usize::from(node.player) - 1, new);
        let old = &mut tree.bounds[edge as usize * players..][..players];
        if self.keeps_bounds {
            new.iter_mut().zip(&*old).for_each(|(new, old)| *new = new.and(*old));
        }
        self.outcomes.narrow(new);
        let changed = *old != **new;
        old.copy_from_slice(new);
        changed
    }

    /// Finds out whether the root is solved, after it has changed.
    pub(crate) fn look_at_root(&mut self, tree: &Tree) {
        self.solved = tree.nodes.first().is_some_and(|root| tree.is_decided(*root));
    }
}
