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
//! about may decide about others, so that nothing is supposed about how he chooses between equals. But where p is
//! sure of a score, the ends that the rules have with such a score may leave only one to q (`outcomes.rs`). For two
//! players and a constant sum that is the solver of the papers. It holds for semimoves as it does for moves: in the
//! middle of a move the same player chooses again.

use regulus_game::Engine;

use crate::endgame::combine;
use crate::search::Search;
use crate::tree::{Bound, Node};

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

impl<E: Engine> Search<E> {
    /// True if nothing more can be found out about the best move of the position.
    pub fn is_solved(&self) -> bool {
        self.solved
    }

    /// The greatest score that some child of a node makes sure of for the player who chooses.
    pub(crate) fn best_low(&self, n: Node) -> u32 {
        let player = usize::from(n.player) - 1;
        let edges = n.first..n.first + n.count;
        edges.map(|e| self.tree.bounds_of(e)[player].low).max().unwrap_or(0)
    }

    /// What some child of a node makes sure of for the player who chooses, and what one of those that were tried may
    /// give him at best.
    pub(crate) fn known_at(&self, n: Node) -> Bound {
        let player = usize::from(n.player) - 1;
        let tried = n.first..n.first + n.tried;
        let high = tried.map(|e| self.tree.bounds_of(e)[player].high).max().unwrap_or(0);
        Bound { low: self.best_low(n), high }
    }

    /// True if another child is at least as good whatever happens, and this one cannot be the best that is sure; or if
    /// its score is known and others may surpass it, so that there is nothing to be learned.
    pub(crate) fn is_dominated(&self, n: Node, edge: u32, known: Bound) -> bool {
        let Bound { low, high } = self.tree.bounds_of(edge)[usize::from(n.player) - 1];
        high < known.low || (high == known.low && low < high) || (low == high && high < known.high)
    }

    /// True if all scores behind an edge are known: the iteration may end there.
    pub(crate) fn is_proven(&self, edge: u32) -> bool {
        let bounds = self.tree.bounds_of(edge);
        !bounds.is_empty() && bounds.iter().all(|bound| bound.is_exact())
    }

    /// A shared node may know more than an edge to it does: takes that over, here and above.
    pub(crate) fn refresh_bounds(&mut self, edge: u32) {
        let child = self.tree.edges[edge as usize].child;
        let Some(node) = self.tree.nodes.get(child as usize).copied() else { return };
        if node.count > 0 && self.narrow(edge, node) {
            self.narrow_above(self.path.len());
        }
    }

    /// An edge of the node at the end of the path turned out to be dead and is gone: what is known of the others is all
    /// there is.
    pub(crate) fn narrow_without_dead(&mut self) {
        match self.path.last() {
            Some(last) => self.refresh_bounds(last.edge),
            None => self.look_at_root(),
        }
    }

    /// The game ended where the iteration left the tree: its scores are those of the last edge, and bounds above
    /// it may become narrower.
    pub(crate) fn prove(&mut self) {
        let Some(last) = self.path.last().copied() else { return };
        let exact = |points: &f64| Bound::exact(*points as u32);
        let bounds: Vec<Bound> = self.points[1..].iter().map(exact).collect();
        self.set_bounds(last.edge, &bounds);
    }

    /// Bounds of an edge have become narrower: goes up the first so many levels of the path.
    fn narrow_above(&mut self, levels: usize) {
        for i in (0..levels).rev() {
            let node = self.tree.nodes[self.path[i].node as usize];
            if i == 0 {
                self.solved = self.is_decided(node);
                break;
            }
            if !self.narrow(self.path[i - 1].edge, node) {
                break;
            }
        }
    }

    /// Gives an edge the bounds of the node behind it; false if it has them already.
    fn narrow(&mut self, edge: u32, node: Node) -> bool {
        let players = self.scales.len() - 1;
        let mut new = std::mem::take(&mut self.combined);
        new.resize(players, Bound { low: 0, high: 0 });
        let edges = (node.first..node.first + node.count).map(|e| self.tree.bounds_of(e));
        combine(edges, usize::from(node.player) - 1, &mut new);
        let old = &mut self.tree.bounds[edge as usize * players..][..players];
        if self.config.tree_policy.proof_search > 0 {
            // More may be known than follows from the children.
            new.iter_mut().zip(&*old).for_each(|(new, old)| *new = new.and(*old));
        }
        self.outcomes.narrow(&mut new);
        let changed = *old != *new;
        old.copy_from_slice(&new);
        self.combined = new;
        changed
    }

    /// Finds out whether the root is solved, after it has changed.
    pub(crate) fn look_at_root(&mut self) {
        self.solved = self.config.tree_policy.solver
            && self.tree.nodes.first().is_some_and(|root| self.is_decided(*root));
    }

    /// The highest score that is still possible for who chooses at a node. Untried edges have the widest bounds.
    pub(crate) fn highest(&self, node: Node) -> u32 {
        let player = usize::from(node.player) - 1;
        let edges = node.first..node.first + node.count;
        edges.map(|e| self.tree.bounds_of(e)[player].high).max().unwrap_or(0)
    }

    /// Bounds behind the last edge of the path are known: bounds above it may become narrower.
    pub(crate) fn set_bounds(&mut self, edge: u32, bounds: &[Bound]) {
        let start = edge as usize * bounds.len();
        self.tree.bounds[start..start + bounds.len()].copy_from_slice(bounds);
        self.narrow_above(self.path.len());
    }

    /// True if some child is at least as good as any other can be.
    fn is_decided(&self, node: Node) -> bool {
        let chooser = usize::from(node.player) - 1;
        let edges = node.first..node.first + node.count;
        let bounds = |e: u32| self.tree.bounds_of(e)[chooser];
        let best_low = self.best_low(node);
        let Some(best) = edges.clone().find(|e| bounds(*e).low == best_low) else { return false };
        edges.filter(|e| *e != best).all(|e| bounds(e).high <= best_low) && bounds(best).is_exact()
    }
}
