//! The tree of a tick: nodes in one array, children by the numbers of their actions.

use std::collections::BTreeMap;

use regulus_game::World;

use super::bounds::Bounds;
use crate::component::reversal::Position;

/// A node by its index; the root is the first.
pub(crate) type Index = u32;

/// The root.
pub(crate) const ROOT: Index = 0;

/// What is known about a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Iterations that came through it.
    pub visits: u32,
    /// The sum of their values.
    pub sum: f64,
    /// The sum of squared differences from their mean: unlike the sum of squares it stays exact when values
    /// are large and close together.
    deviation: f64,
    /// The least and the greatest of them.
    pub bounds: Bounds,
}

impl Node {
    const NEW: Node = Node { visits: 0, sum: 0.0, deviation: 0.0, bounds: Bounds::NONE };

    /// The mean of the values; 0 before the first.
    pub fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / f64::from(self.visits) }
    }

    /// The variance of the values, as of all there are.
    pub fn variance(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.deviation / f64::from(self.visits) }
    }

    fn add(&mut self, value: f64) {
        let before = self.mean();
        let first = self.visits == 0;
        self.visits += 1;
        self.sum += value;
        if !first {
            self.deviation += ((value - before) * (value - self.mean())).max(0.0);
        }
        self.bounds.include(value);
    }
}

/// The tree. States are kept for closed loops only, and their memory is used again in the next tick.
pub(crate) struct Tree<W: World> {
    nodes: Vec<Node>,
    /// For every node a child for every action; 0 if there is none, for the root is nobody's child.
    children: Vec<Index>,
    states: Vec<W>,
    /// The ticks of the edges to nodes, if they are not all 1.
    ticks: Vec<u32>,
    /// Nodes in which a macro-action has lost the game, and nodes behind single steps from them.
    dangers: BTreeMap<Index, Danger>,
    /// Where the avatar was in nodes, if that counts.
    positions: Vec<Option<Position>>,
    /// For every node that was pruned the ranks of its children by their actions, beginning with 1; 0 for those
    /// that there were not.
    ranks: BTreeMap<Index, Vec<u8>>,
    limit: usize,
    /// What the states that were kept since the last reset take.
    bytes: usize,
}

/// What is known about dangers at a node.
#[derive(Clone, Copy, Default, Debug)]
struct Danger {
    /// New edges of the node are single steps.
    here: bool,
    /// The edge to the node is a single step.
    single: bool,
}

/// The most bytes that the states of a tree may take: those of a game with very many sprites are large.
const MAX_STATE_BYTES: usize = 128 << 20;

impl<W: World> Tree<W> {
    /// An empty tree for at most `limit` nodes.
    pub fn new(limit: usize) -> Self {
        Tree {
            nodes: Vec::new(),
            children: Vec::new(),
            states: Vec::new(),
            ticks: Vec::new(),
            dangers: BTreeMap::new(),
            positions: Vec::new(),
            ranks: BTreeMap::new(),
            limit,
            bytes: 0,
        }
    }

    /// A root only.
    pub fn reset(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.ticks.clear();
        self.dangers.clear();
        self.positions.clear();
        self.ranks.clear();
        if self.bytes > MAX_STATE_BYTES / 4 {
            // The next tick need not have the same nodes: their memory would be added to this.
            self.states.clear();
        }
        self.bytes = 0;
        self.push();
    }

    /// Whether there is room for `count` more nodes.
    pub fn has_room(&self, count: usize) -> bool {
        self.nodes.len() + count <= self.limit && self.bytes < MAX_STATE_BYTES
    }

    fn push(&mut self) -> Index {
        let index = self.nodes.len() as Index;
        self.nodes.push(Node::NEW);
        self.children.resize(self.nodes.len() * W::ACTIONS, ROOT);
        index
    }

    /// Adds a child.
    pub fn add(&mut self, parent: Index, action: W::Action) -> Index {
        let child = self.push();
        self.children[parent as usize * W::ACTIONS + W::number(action)] = child;
        child
    }

    /// The child behind an action.
    pub fn child(&self, parent: Index, action: W::Action) -> Option<Index> {
        let child = self.children[parent as usize * W::ACTIONS + W::number(action)];
        (child != ROOT).then_some(child)
    }

    /// A node.
    pub fn node(&self, index: Index) -> &Node {
        &self.nodes[index as usize]
    }

    /// Keeps the state of the newest node.
    pub fn keep(&mut self, index: Index, state: &W) {
        self.bytes += state.bytes();
        match self.states.get_mut(index as usize) {
            Some(kept) => kept.clone_from(state),
            None => self.states.push(state.clone()),
        }
    }

    /// The state of a node that keeps one.
    pub fn state(&self, index: Index) -> &W {
        &self.states[index as usize]
    }

    /// How many ticks the edge to a node is.
    pub fn ticks(&self, index: Index) -> usize {
        self.ticks.get(index as usize).map_or(1, |ticks| *ticks as usize)
    }

    /// Remembers how many ticks the edge to a node is.
    pub fn set_ticks(&mut self, index: Index, ticks: usize) {
        self.ticks.resize(self.nodes.len(), 1);
        self.ticks[index as usize] = ticks as u32;
    }

    /// Takes a child out of the tree; new edges of its parent are single steps.
    pub fn take_out(&mut self, parent: Index, action: W::Action) {
        self.children[parent as usize * W::ACTIONS + W::number(action)] = ROOT;
        self.dangers.entry(parent).or_default().here = true;
    }

    /// Whether new edges of a node are single steps.
    pub fn is_dangerous(&self, index: Index) -> bool {
        self.dangers.get(&index).is_some_and(|danger| danger.here)
    }

    /// Whether the edge to a node is a single step.
    pub fn is_single(&self, index: Index) -> bool {
        self.dangers.get(&index).is_some_and(|danger| danger.single)
    }

    /// The edge to a node is a single step.
    pub fn set_single(&mut self, index: Index) {
        self.dangers.entry(index).or_default().single = true;
    }

    /// Where the avatar was in a node, if that was remembered.
    pub fn position(&self, index: Index) -> Option<Position> {
        self.positions.get(index as usize).copied().flatten()
    }

    /// Remembers where the avatar is in a node.
    pub fn set_position(&mut self, index: Index, position: Option<Position>) {
        self.positions.resize(self.nodes.len(), None);
        self.positions[index as usize] = position;
    }

    /// The rank of a child by the number of its action; nothing if its parent was not pruned.
    pub fn rank(&self, parent: Index, action: usize) -> Option<u8> {
        self.ranks.get(&parent).map(|ranks| ranks[action])
    }

    /// Ranks the children of a node by their means; of equals the one with more visits comes first, and then
    /// the one whose action has the lower number.
    pub fn rank_children(&mut self, parent: Index) {
        let first = parent as usize * W::ACTIONS;
        let children = &self.children[first..first + W::ACTIONS];
        let mut order: Vec<usize> = (0..W::ACTIONS).filter(|a| children[*a] != ROOT).collect();
        let node = |action: usize| &self.nodes[children[action] as usize];
        order.sort_by(|&a, &b| {
            let by_mean = node(b).mean().total_cmp(&node(a).mean());
            by_mean.then(node(b).visits.cmp(&node(a).visits))
        });
        let mut ranks = vec![0; W::ACTIONS];
        order.iter().zip(1..).for_each(|(action, rank)| ranks[*action] = rank);
        self.ranks.insert(parent, ranks);
    }

    /// Backpropagation: an iteration came through these nodes.
    pub fn update(&mut self, path: &[Index], value: f64) {
        for &index in path {
            self.nodes[index as usize].add(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_survives_large_values() {
        let mut node = Node::NEW;
        for value in [1e7 + 1.0, 1e7 + 3.0, 1e7 + 1.0, 1e7 + 3.0] {
            node.add(value);
        }
        assert_eq!((node.visits, node.mean()), (4, 1e7 + 2.0));
        assert!((node.variance() - 1.0).abs() < 1e-6);
        assert_eq!(node.bounds.range(), 2.0);
    }
}
