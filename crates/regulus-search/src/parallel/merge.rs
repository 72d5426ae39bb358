//! What several trees know about the first move, added up level by level: one small tree, from which the move is
//! chosen as from any other.

use std::collections::VecDeque;

use regulus_game::{Engine, Step};
use rustc_hash::FxHashMap;

use crate::action::NODAL;
use crate::final_move::modifiers;
use crate::search::Search;
use crate::tree::{Edge, HALFWAY, NONE, Tree};

/// An edge of the sum: the same submove in several trees.
#[derive(Default)]
struct Summand {
    submove: Vec<Step>,
    /// Trees, and the edges there.
    parts: Vec<(usize, u32)>,
    tried: bool,
}

/// The edges of a node of the sum, in the order in which the trees have them.
#[derive(Default)]
struct Summands {
    all: Vec<Summand>,
    places: FxHashMap<Vec<Step>, usize>,
}

impl Summands {
    /// Adds the edges of a node of a tree, behind a prefix.
    fn add<E: Engine>(&mut self, trees: &[Search<E>], number: usize, node: u32, prefix: &[Step]) {
        let tree = &trees[number].tree;
        let n = tree.nodes[node as usize];
        for e in n.first..n.first + n.count {
            let submove = [prefix, tree.submove(e)].concat();
            let place = *self.places.entry(submove.clone()).or_insert_with(|| {
                self.all.push(Summand { submove, ..Summand::default() });
                self.all.len() - 1
            });
            let summand = &mut self.all[place];
            summand.parts.push((number, e));
            summand.tried |= e < n.first + n.tried;
        }
    }

    /// Where one tree has rolled up an edge that leads into a move and another has not, it is rolled up in all: an
    /// edge that is missing was rolled up, or is dead.
    fn roll_up<E: Engine>(&mut self, trees: &[Search<E>], present: usize) {
        let mut i = 0;
        while i < self.all.len() {
            let summand = &self.all[i];
            let mut numbers: Vec<usize> = summand.parts.iter().map(|part| part.0).collect();
            numbers.dedup();
            let leads_on = |part: &(usize, u32)| !trees[part.0].tree.ends_move(part.1);
            if numbers.len() < present && summand.parts.iter().any(leads_on) {
                let Summand { submove, parts, .. } = std::mem::take(&mut self.all[i]);
                let prefix = modifiers(&submove);
                for (number, e) in parts {
                    let below = trees[number].tree.edges[e as usize].child;
                    if below < HALFWAY {
                        self.add(trees, number, below, &prefix);
                    }
                }
            }
            i += 1;
        }
        // What was rolled up has left empty places.
        self.all.retain(|summand| !summand.parts.is_empty());
    }
}

/// The sum of what trees know about the move at some of their nodes. Edges that end the move have no node behind them.
pub(super) fn add_up<E: Engine>(
    trees: &[Search<E>],
    nodes: Vec<(usize, u32)>,
    mut sum: Tree,
) -> Tree {
    if nodes.is_empty() {
        return sum;
    }
    let mut waiting = VecDeque::from([(nodes, NONE)]);
    while let Some((nodes, above)) = waiting.pop_front() {
        let mut edges = Summands::default();
        for (number, node) in &nodes {
            edges.add(trees, *number, *node, &[]);
        }
        let (number, node) = nodes[0];
        let first_node = trees[number].tree.nodes[node as usize];
        if trees[number].sim.config.tree.is_rollup() {
            edges.roll_up(trees, nodes.len());
        }
        // Tried ones first.
        edges.all.sort_by_key(|summand| !summand.tried);
        let submoves = edges.all.iter().map(|summand| summand.submove.as_slice());
        let player = usize::from(first_node.player);
        let new = sum.add_node(player, first_node.nodal, NODAL, submoves);
        if let Some(above) = sum.edges.get_mut(above as usize) {
            above.child = new;
        }
        let first = sum.nodes[new as usize].first;
        let tried = edges.all.iter().filter(|summand| summand.tried).count();
        sum.nodes[new as usize].tried = tried as u32;
        sum.tried += tried as u64;
        for (e, summand) in (first..).zip(edges.all) {
            let below = fill_edge(trees, &summand, &mut sum, e);
            if !below.is_empty() {
                waiting.push_back((below, e));
            }
        }
    }
    sum
}

/// Adds up the statistics of an edge; gives the nodes behind it, if it leads into a move.
fn fill_edge<E: Engine>(
    trees: &[Search<E>],
    summand: &Summand,
    sum: &mut Tree,
    e: u32,
) -> Vec<(usize, u32)> {
    let mut total = Edge { sum: 0.0, visits: 0, child: NONE };
    let mut below = Vec::new();
    let i = e as usize;
    for (number, edge) in &summand.parts {
        let tree = &trees[*number].tree;
        let part = tree.edges[*edge as usize];
        total.sum += part.sum;
        total.visits = total.visits.saturating_add(part.visits);
        if !trees[*number].tree.ends_move(*edge) {
            total.child = HALFWAY;
            if part.child < HALFWAY {
                below.push((*number, part.child));
            }
        }
        for (sums, parts) in [(&mut sum.amaf, &tree.amaf), (&mut sum.amaf_split, &tree.amaf_split)]
        {
            if let (Some(to), Some(from)) = (sums.get_mut(i), parts.get(*edge as usize)) {
                to.sum += from.sum;
                to.count = to.count.saturating_add(from.count);
            }
        }
        // What one tree has proven is true in all.
        let bounds = tree.bounds_of(*edge);
        let start = i * bounds.len();
        for (known, bound) in sum.bounds[start..].iter_mut().zip(bounds) {
            known.low = known.low.max(bound.low);
            known.high = known.high.min(bound.high);
        }
    }
    sum.edges[i] = total;
    below
}

/// The move with most iterations, level by level; the first of several, as elsewhere.
pub(super) fn most_visited(sum: &Tree) -> Option<Vec<Step>> {
    let (mut steps, mut node) = (Vec::new(), 0);
    loop {
        let visits = |e: &u32| sum.edges[*e as usize].visits;
        sum.nodes.get(node as usize)?;
        let e = sum.tried_edges(node).rev().max_by_key(visits)?;
        steps.extend(modifiers(sum.submove(e)));
        match sum.edges[e as usize].child {
            HALFWAY => return None,
            NONE => return Some(steps),
            below => node = below,
        }
    }
}
