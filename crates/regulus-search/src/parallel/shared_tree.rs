//! One tree for several threads: nodes in an arena that only grows, in chunks that stay where they are.
//!
//! As in the tree of one thread, tried edges of a node stand before untried ones, in the order in which they were
//! first tried. Labels change places for that, under the claim of the node; statistics of untried edges are all
//! zero.

use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use regulus_game::Step;

use super::cells::{Behind, Claim, Counter, Extent, Link, MAX_NODES};
use crate::action::NODAL;
use crate::final_move::modifiers;
use crate::tree::{Edge, HALFWAY, NONE, Tree};

/// An edge: the move or submove to a child, and the statistics of that child.
pub(super) struct SharedEdge {
    pub(super) counter: Counter,
    /// Scores are whole numbers: whatever the order of additions, the sum is exact.
    sum: AtomicU64,
    /// Begin and length of the submove among the steps of the node.
    label: AtomicU64,
    pub(super) link: Link,
}

impl SharedEdge {
    /// The label, for those who have the claim or know that the edge was tried.
    pub(super) fn label(&self) -> (u32, u32) {
        let packed = self.label.load(Ordering::Relaxed);
        ((packed >> 32) as u32, packed as u32)
    }

    /// The sum of scores.
    pub(super) fn sum(&self) -> f64 {
        self.sum.load(Ordering::Relaxed) as f64
    }

    /// An iteration is complete.
    pub(super) fn end(&self, points: f64) {
        self.sum.fetch_add(points as u64, Ordering::Relaxed);
        self.counter.end();
    }
}

/// A node whose moves are known.
pub(super) struct SharedNode {
    pub(super) player: u8,
    pub(super) nodal: bool,
    pub(super) claim: Claim,
    pub(super) extent: Extent,
    pub(super) edges: Box<[SharedEdge]>,
    pub(super) steps: Box<[Step]>,
}

impl SharedNode {
    pub(super) fn new<'m>(
        player: usize,
        nodal: bool,
        submoves: impl Iterator<Item = &'m [Step]>,
    ) -> Self {
        let (mut edges, mut steps) = (Vec::new(), Vec::new());
        for submove in submoves {
            let label = (steps.len() as u64) << 32 | submove.len() as u64;
            edges.push(SharedEdge {
                counter: Counter::new(0),
                sum: AtomicU64::new(0),
                label: AtomicU64::new(label),
                link: Link::new(),
            });
            steps.extend_from_slice(submove);
        }
        SharedNode {
            player: player as u8,
            nodal,
            claim: Claim::new(),
            extent: Extent::new(edges.len() as u32),
            edges: edges.into(),
            steps: steps.into(),
        }
    }

    /// The submove of an edge.
    pub(super) fn submove(&self, edge: u32) -> &[Step] {
        let (start, len) = self.edges[edge as usize].label();
        &self.steps[start as usize..(start + len) as usize]
    }

    fn swap(&self, a: u32, b: u32) {
        let (a, b) = (&self.edges[a as usize].label, &self.edges[b as usize].label);
        let (first, second) = (a.load(Ordering::Relaxed), b.load(Ordering::Relaxed));
        a.store(second, Ordering::Relaxed);
        b.store(first, Ordering::Relaxed);
    }

    /// Makes an untried edge the one after the tried ones, as which it will be tried; gives its new place.
    pub(super) fn put_next(&self, edge: u32) -> u32 {
        let place = self.extent.get().0;
        self.swap(edge, place);
        place
    }

    /// Removes an untried edge.
    pub(super) fn remove_untried(&self, edge: u32) {
        self.extent.shrink();
        self.swap(edge, self.extent.get().1);
    }

    fn tried(&self) -> std::ops::Range<u32> {
        0..self.extent.get().0
    }
}

type Chunk = Box<[OnceLock<SharedNode>]>;

/// The tree. The root is node 0.
pub(super) struct SharedTree {
    chunks: Box<[OnceLock<Chunk>]>,
    /// Nodes in a chunk: a power of two.
    chunk: usize,
    len: AtomicU32,
    /// Iterations through the root.
    pub(super) root: Counter,
    /// Bytes of nodes, and of the statistics of all threads.
    bytes: AtomicUsize,
    pub(super) statistics: AtomicUsize,
    limit: usize,
    full: AtomicBool,
    /// Edges that had been tried when the tree got its root.
    pub(super) tried_before: u64,
}

const SLOT_BYTES: usize = size_of::<OnceLock<SharedNode>>();
const EDGE_BYTES: usize = size_of::<SharedEdge>();
const STEP_BYTES: usize = size_of::<Step>();
/// What two allocations cost besides their contents.
const ALLOCATIONS: usize = 32;

impl SharedTree {
    /// An empty tree that will take at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        let most = (limit / (SLOT_BYTES + ALLOCATIONS)).min(MAX_NODES as usize);
        let chunk = (most / 256).clamp(64, 8192).next_power_of_two();
        let chunks: Box<[OnceLock<Chunk>]> = (0..most / chunk).map(|_| OnceLock::new()).collect();
        let table = size_of_val(&*chunks);
        SharedTree {
            chunks,
            chunk,
            len: AtomicU32::new(0),
            root: Counter::new(0),
            bytes: AtomicUsize::new(table),
            statistics: AtomicUsize::new(0),
            limit,
            full: AtomicBool::new(false),
            tried_before: 0,
        }
    }

    /// An empty tree for the same threads.
    pub(super) fn emptied(&self) -> Self {
        let statistics = AtomicUsize::new(self.statistics.load(Ordering::Relaxed));
        SharedTree { statistics, ..SharedTree::new(self.limit) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len.load(Ordering::Relaxed) == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// Bytes of nodes and of the statistics of all threads.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) + self.statistics.load(Ordering::Relaxed)
    }

    /// True if some nodes with so many edges and steps fit: then their bytes are taken.
    pub(super) fn take_room(&self, nodes: usize, edges: usize, steps: usize) -> bool {
        let more = Self::room(nodes, edges, steps);
        let before = self.bytes.fetch_add(more, Ordering::Relaxed);
        let fits = before + more + self.statistics.load(Ordering::Relaxed) <= self.limit
            && !self.is_full();
        if !fits {
            self.bytes.fetch_sub(more, Ordering::Relaxed);
        }
        fits
    }

    fn room(nodes: usize, edges: usize, steps: usize) -> usize {
        nodes * (SLOT_BYTES + ALLOCATIONS) + edges * EDGE_BYTES + steps * STEP_BYTES
    }

    /// Takes room for the root, whether it fits or not.
    pub(super) fn take_root_room(&self, edges: usize, steps: usize) {
        self.bytes.fetch_add(Self::room(1, edges, steps), Ordering::Relaxed);
    }

    /// Adds a node for which there is room; gives its number, or nothing if there are no more numbers.
    pub(super) fn add(&self, node: SharedNode) -> Option<u32> {
        let number = self.len.fetch_add(1, Ordering::Relaxed);
        let Some(chunk) = self.chunks.get(number as usize / self.chunk) else {
            self.len.fetch_sub(1, Ordering::Relaxed);
            return None;
        };
        if chunk.get().is_none() {
            // If another thread is faster, this one was made in vain; nobody waits until memory is there.
            let _ = chunk.set((0..self.chunk).map(|_| OnceLock::new()).collect());
        }
        let slot = &chunk.get()?[number as usize % self.chunk];
        slot.set(node).ok().map(|()| number)
    }

    /// A node whose number was published.
    pub(super) fn node(&self, number: u32) -> &SharedNode {
        let chunk = self.chunks[number as usize / self.chunk].get();
        let node = chunk.and_then(|chunk| chunk[number as usize % self.chunk].get());
        node.expect("a number is published when its node is there")
    }

    fn take(&mut self, number: u32) -> Option<SharedNode> {
        let chunk = self.chunks[number as usize / self.chunk].get_mut()?;
        chunk[number as usize % self.chunk].take()
    }

    /// The node that a move leads to from a node, and its iterations.
    pub(super) fn find(&self, number: u32, steps: &[Step]) -> Option<(u32, u32)> {
        let node = self.node(number);
        for e in node.tried() {
            let edge = &node.edges[e as usize];
            let Behind::Node(below) = edge.link.behind() else { continue };
            let submove = modifiers(node.submove(e));
            let Some(rest) = steps.strip_prefix(&*submove) else { continue };
            let nodal = self.node(below).nodal;
            if nodal && rest.is_empty() {
                return Some((below, edge.counter.counts().visits));
            }
            if !nodal && let Some(found) = self.find(below, rest) {
                return Some(found);
            }
        }
        None
    }

    /// The part of the tree below a node, as a tree. Nodes move; what is not below is gone.
    pub(super) fn subtree(&mut self, root: u32, visits: u32) -> SharedTree {
        let mut copy = SharedTree { root: Counter::new(visits), ..self.emptied() };
        let mut waiting = VecDeque::from([root]);
        // Nodes are added in the order in which they got their numbers.
        let mut next = 1;
        while let Some(old) = waiting.pop_front() {
            let Some(node) = self.take(old) else { continue };
            for edge in &node.edges {
                if let Behind::Node(below) = edge.link.behind() {
                    edge.link.publish(next);
                    next += 1;
                    waiting.push_back(below);
                }
            }
            copy.tried_before += u64::from(node.extent.get().0);
            copy.take_root_room(node.edges.len(), node.steps.len());
            copy.add(node);
        }
        copy
    }

    /// The nodes of the first move, as a tree of one thread. Edges that end the move have no node behind them.
    pub(super) fn first_move(&self, from: u32, mut copy: Tree) -> Tree {
        let mut waiting = VecDeque::from([(from, NONE)]);
        while let Some((number, above)) = waiting.pop_front() {
            let node = self.node(number);
            let (tried, count) = node.extent.get();
            let submoves = (0..count as usize).map(|e| node.submove(e as u32));
            let new = copy.add_node(usize::from(node.player), node.nodal, NODAL, submoves);
            if let Some(above) = copy.edges.get_mut(above as usize) {
                above.child = new;
            }
            copy.nodes[new as usize].tried = tried;
            copy.tried += u64::from(tried);
            let first = copy.nodes[new as usize].first;
            for e in 0..tried {
                let edge = &node.edges[e as usize];
                let child = match edge.link.behind() {
                    Behind::Nothing { halfway: true } | Behind::Begun { halfway: true } => HALFWAY,
                    Behind::Node(below) if !self.node(below).nodal => {
                        waiting.push_back((below, first + e));
                        NONE
                    }
                    _ => NONE,
                };
                let visits = edge.counter.counts().visits;
                copy.edges[(first + e) as usize] = Edge { sum: edge.sum(), visits, child };
            }
        }
        copy
    }

    /// How deep the tree is below each move of the root, that move included.
    pub(super) fn depths(&self) -> Vec<(Vec<Step>, u32)> {
        let mut found = Vec::new();
        let mut waiting = vec![(0, Vec::new())];
        while let Some((number, prefix)) = waiting.pop() {
            let node = self.node(number);
            for e in node.tried() {
                let mut steps: Vec<Step> = prefix.clone();
                steps.extend(modifiers(node.submove(e)));
                match node.edges[e as usize].link.behind() {
                    Behind::Node(below) if !self.node(below).nodal => waiting.push((below, steps)),
                    Behind::Node(below) => found.push((steps, 1 + self.depth_below(below))),
                    _ => found.push((steps, 1)),
                }
            }
        }
        found
    }

    fn depth_below(&self, root: u32) -> u32 {
        let (mut deepest, mut waiting) = (0, vec![(root, 0)]);
        while let Some((number, depth)) = waiting.pop() {
            let node = self.node(number);
            for e in node.tried() {
                let link = node.edges[e as usize].link.behind();
                let below = match link {
                    Behind::Node(below) => Some(self.node(below).nodal),
                    Behind::Nothing { halfway } | Behind::Begun { halfway } => Some(!halfway),
                };
                let depth = depth + u32::from(below == Some(true));
                deepest = deepest.max(depth);
                if let Behind::Node(below) = link {
                    waiting.push((below, depth));
                }
            }
        }
        deepest
    }

    /// All iterations that are under way: none between turns.
    #[cfg(test)]
    pub(super) fn unobserved(&self) -> u64 {
        let nodes = (0..self.len.load(Ordering::Relaxed)).map(|number| self.node(number));
        let edges = nodes.flat_map(|node| node.edges.iter());
        let counts = edges.map(|edge| u64::from(edge.counter.counts().unobserved));
        u64::from(self.root.counts().unobserved) + counts.sum::<u64>()
    }
}
