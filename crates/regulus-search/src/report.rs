//! What a search tells about itself.

use regulus_game::{Engine, Step};

use crate::final_move::modifiers;
use crate::search::Search;
use crate::select::amaf_mean;
use crate::tree::{Bound, HALFWAY};

/// Sums over iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Iterations.
    pub iterations: u64,
    /// Nodal states computed, in the tree and in simulations.
    pub nodal_states: u64,
    /// States computed, intermediate and dead ones included. Where the engine plays whole simulations by
    /// itself, only their nodal states are known.
    pub states: u64,
    /// The depth of iterations in the tree, in moves, summed.
    pub depth_sum: u64,
    /// The deepest iteration.
    pub max_depth: u64,
}

impl Totals {
    /// The mean depth of iterations in the tree, in moves.
    pub fn mean_depth(&self) -> f64 {
        self.depth_sum as f64 / self.iterations.max(1) as f64
    }

    /// What was done since then.
    pub(crate) fn since(self, before: Totals) -> Totals {
        Totals {
            iterations: self.iterations - before.iterations,
            nodal_states: self.nodal_states - before.nodal_states,
            states: self.states - before.states,
            depth_sum: self.depth_sum - before.depth_sum,
            max_depth: self.max_depth,
        }
    }

    /// Those of two searches.
    pub(crate) fn and(self, other: Totals) -> Totals {
        Totals {
            iterations: self.iterations + other.iterations,
            nodal_states: self.nodal_states + other.nodal_states,
            states: self.states + other.states,
            depth_sum: self.depth_sum + other.depth_sum,
            max_depth: self.max_depth.max(other.max_depth),
        }
    }
}

/// One legal move of the position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub steps: Vec<Step>,
    /// Iterations.
    pub visits: u32,
    /// The mean score as a part of the player's score bound; 0 without iterations.
    pub mean: f64,
    /// The AMAF mean, with RAVE.
    pub amaf: Option<f64>,
    /// What is proven about the score of the player behind it, if something is.
    pub proven: Option<Bound>,
    /// How many moves deep the tree is below, this move included.
    pub depth: u32,
}

/// What a turn has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` if the game is over, or if it was the time of others.
    pub chosen: Option<Vec<Step>>,
    /// What was done in this turn.
    pub totals: Totals,
    /// The nodes of the tree, in the sense of the papers: one for each state in it.
    pub nodes: u64,
    /// Bytes of tree and statistics.
    pub bytes: usize,
    /// Why the search has ended before its limits, if it has: somewhere the rules could not go on. The move is what
    /// was known to be best then, or any legal one.
    pub trouble: Option<String>,
}

/// A search that goes on, as [`Searcher::watch`](crate::Searcher::watch) shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// What was done in this turn so far.
    pub totals: Totals,
    /// The nodes of the tree.
    pub nodes: u64,
    /// Bytes of tree and statistics.
    pub bytes: usize,
    /// The moves of the position, as [`Searcher::moves`](crate::Searcher::moves) gives them, but without depths: these would have the
    /// whole tree walked through.
    pub moves: Vec<MoveReport>,
    /// The moves that are expected: in every position the one with most iterations.
    pub variation: Vec<Vec<Step>>,
}

/// The longest variation that is shown, in moves.
pub(crate) const MAX_VARIATION: usize = 12;

impl<E: Engine> Search<E> {
    pub(crate) fn moves_so_far(&self) -> Vec<MoveReport> {
        self.reports(&|_, _| 0)
    }

    pub(crate) fn reports(&self, depth: &impl Fn(&Self, u32) -> u32) -> Vec<MoveReport> {
        let mut found = self.collect(depth);
        found.sort_by_key(|report| std::cmp::Reverse(report.visits));
        found
    }

    /// The moves with most iterations, one after the other, as far as there are any.
    pub(crate) fn variation(&self) -> Vec<Vec<Step>> {
        let (mut moves, mut prefix, mut node) = (Vec::new(), Vec::new(), 0);
        while moves.len() < MAX_VARIATION && (node as usize) < self.tree.nodes.len() {
            let visits = |e: &u32| self.tree.edges[*e as usize].visits;
            // The first of several, as elsewhere.
            let Some(e) = self.tree.tried_edges(node).rev().max_by_key(visits) else { break };
            prefix.extend_from_slice(self.tree.submove(e));
            if self.tree.ends_move(e) {
                moves.push(modifiers(&prefix));
                prefix.clear();
            }
            node = self.tree.edges[e as usize].child;
        }
        moves
    }

    /// The moves of the position in the order of the tree. The way into a long move is not on the stack.
    fn collect(&self, depth: &impl Fn(&Self, u32) -> u32) -> Vec<MoveReport> {
        let (mut found, mut prefix) = (Vec::new(), Vec::new());
        // Nodes inside the move, the next edge of each, and how many steps lead there.
        let mut open: Vec<(u32, u32, usize)> =
            self.tree.nodes.first().map(|root| (0, root.first, 0)).into_iter().collect();
        while let Some((node, next, length)) = open.last_mut() {
            let n = self.tree.nodes[*node as usize];
            let edges = if self.sim.config.tree.is_orthodox() { n.count } else { n.tried };
            prefix.truncate(*length);
            if *next == n.first + edges {
                open.pop();
                continue;
            }
            let e = *next;
            *next += 1;
            prefix.extend_from_slice(self.tree.submove(e));
            let edge = self.tree.edges[e as usize];
            match self.tree.nodes.get(edge.child as usize) {
                Some(child) if !child.nodal => open.push((edge.child, child.first, prefix.len())),
                _ if self.sim.config.tree.is_orthodox() || self.tree.ends_move(e) => {
                    let scale = self.sim.scales[usize::from(n.player)];
                    let mean = edge.sum * scale / f64::from(edge.visits.max(1));
                    let amaf = self.tree.amaf.get(e as usize).and_then(|a| amaf_mean(a, scale));
                    let depth = if edge.visits > 0 { depth(self, e) } else { 0 };
                    let (steps, proven) = (modifiers(&prefix), self.proven(e, n.player));
                    let visits = edge.visits;
                    found.push(MoveReport { steps, visits, mean, amaf, proven, depth });
                }
                _ => {}
            }
        }
        found
    }

    /// The bound of a player's score behind an edge, if it says something.
    fn proven(&self, edge: u32, player: u8) -> Option<Bound> {
        let bound = *self.tree.bounds_of(edge).get(usize::from(player) - 1)?;
        let known =
            bound.low > 0 || f64::from(bound.high) * self.sim.scales[usize::from(player)] < 1.0;
        known.then_some(bound)
    }

    /// The number of moves on the longest way down from a nodal node.
    pub(crate) fn depth_below(&self, node: u32) -> u32 {
        let mut deepest = 0;
        let mut waiting = vec![(node, 0)];
        // A shared node is looked at once, on the first way that leads to it.
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((node, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            if node >= HALFWAY || self.sim.config.transpositions && !seen.insert(node) {
                continue;
            }
            for e in self.tree.tried_edges(node) {
                let child = self.tree.edges[e as usize].child;
                waiting.push((child, depth + u32::from(self.tree.ends_move(e))));
            }
        }
        deepest
    }
}
