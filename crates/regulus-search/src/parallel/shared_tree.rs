//! One tree for several threads: nodes in an arena that only grows, in chunks that stay where they are.
//!
//! As in the tree of one thread, tried edges of a node stand before untried ones, in the order in which they were
//! first tried. Labels change places for that, under the claim of the node; statistics of untried edges are all
//! zero.
//!
//! Numbers of nodes and memory for edges come from the [`BlockAllocator`] of each worker, see `block_allocator.rs`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use regulus_game::Step;

use super::block_allocator::BlockAllocator;
use super::cells::{Apart, Behind, Claim, Counter, Extent, Link, MAX_NODES, Tally};
use crate::action::NODAL;
use crate::final_move::modifiers;
use crate::tree::{Edge, HALFWAY, NONE, Tree};

/// An edge: the move or submove to a child, and the statistics of that child.
pub(super) struct SharedEdge {
    pub(super) tally: Tally,
    /// Begin and length of the submove among the steps of the node.
    label: AtomicU64,
    pub(super) link: Link,
}

impl SharedEdge {
    /// One that no node has yet.
    pub(super) fn new() -> Self {
        SharedEdge { tally: Tally::new(), label: AtomicU64::new(0), link: Link::new() }
    }

    /// The iterations that are complete.
    pub(super) fn visits(&self) -> u32 {
        self.tally.counter.counts().visits
    }
}

/// A step in one cell: blocks of steps are filled while others read what is already there.
pub(super) struct SharedStep(AtomicU64);

impl SharedStep {
    /// One that no node has yet.
    pub(super) fn new() -> Self {
        SharedStep(AtomicU64::new(0))
    }

    fn set(&self, step: Step) {
        let packed = u64::from(step.action as u32) << 32 | u64::from(step.vertex);
        self.0.store(packed, Ordering::Relaxed);
    }

    fn get(&self) -> Step {
        let packed = self.0.load(Ordering::Relaxed);
        Step { action: (packed >> 32) as i32, vertex: packed as u16 }
    }
}

/// A node whose moves are known.
pub(super) struct SharedNode {
    pub(super) player: u8,
    pub(super) nodal: bool,
    pub(super) claim: Claim,
    pub(super) extent: Extent,
    /// Its edges are these from the first on; the block has those of other nodes, too.
    edges: Arc<[SharedEdge]>,
    first: u32,
    count: u32,
    steps: Arc<[SharedStep]>,
}

impl SharedNode {
    /// All edges, those that turned out dead included.
    pub(super) fn edges(&self) -> &[SharedEdge] {
        &self.edges[self.first as usize..][..self.count as usize]
    }

    /// The submove of an edge, for those who have the claim or know that the edge was tried.
    pub(super) fn submove(&self, edge: u32) -> impl ExactSizeIterator<Item = Step> {
        let packed = self.edges()[edge as usize].label.load(Ordering::Relaxed);
        let (start, len) = ((packed >> 32) as usize, packed as u32 as usize);
        self.steps[start..start + len].iter().map(SharedStep::get)
    }

    fn swap(&self, a: u32, b: u32) {
        let (a, b) = (&self.edges()[a as usize].label, &self.edges()[b as usize].label);
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

    /// All submoves but those that turned out dead.
    fn submoves(&self) -> Vec<Vec<Step>> {
        (0..self.extent.get().1).map(|e| self.submove(e).collect()).collect()
    }
}

/// What a new node is about.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) player: usize,
    pub(super) nodal: bool,
}

type Chunk = Box<[OnceLock<SharedNode>]>;

/// The tree. The root is node 0.
pub(super) struct SharedTree {
    chunks: Box<[OnceLock<Chunk>]>,
    /// Nodes in a chunk: a power of two.
    chunk: usize,
    pub(super) limit: usize,
    full: AtomicBool,
    /// Edges that had been tried when the tree got its root.
    pub(super) tried_before: u64,
    /// Numbers of nodes that were given out.
    pub(super) len: Apart<AtomicU32>,
    /// Iterations through the root.
    pub(super) root: Apart<Counter>,
    /// Bytes of nodes and views, and of the statistics of all threads.
    bytes: Apart<AtomicUsize>,
    pub(super) statistics: Apart<AtomicUsize>,
}

/// What the number of a node costs.
pub(super) const SLOT_BYTES: usize = size_of::<OnceLock<SharedNode>>();

impl SharedTree {
    /// An empty tree that will take at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        let most = (limit / SLOT_BYTES).min(MAX_NODES as usize);
        let chunk = (most / 256).clamp(64, 8192).next_power_of_two();
        let chunks: Box<[OnceLock<Chunk>]> = (0..most / chunk).map(|_| OnceLock::new()).collect();
        let table = size_of_val(&*chunks);
        SharedTree {
            chunks,
            chunk,
            len: Apart(AtomicU32::new(0)),
            root: Apart(Counter::new(0)),
            bytes: Apart(AtomicUsize::new(table)),
            statistics: Apart(AtomicUsize::new(0)),
            limit,
            full: AtomicBool::new(false),
            tried_before: 0,
        }
    }

    /// An empty tree for the same threads.
    pub(super) fn emptied(&self) -> Self {
        let statistics = AtomicUsize::new(self.statistics.0.load(Ordering::Relaxed));
        SharedTree { statistics: Apart(statistics), ..SharedTree::new(self.limit) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len.0.load(Ordering::Relaxed) == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// Bytes of nodes and of the statistics of all threads.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.0.load(Ordering::Relaxed) + self.statistics.0.load(Ordering::Relaxed)
    }

    /// True if `more` bytes fit: then they are taken.
    pub(super) fn take_bytes(&self, more: usize) -> bool {
        let before = self.bytes.0.fetch_add(more, Ordering::Relaxed);
        let fits = before + more + self.statistics.0.load(Ordering::Relaxed) <= self.limit;
        if !fits {
            self.give_back(more);
        }
        fits
    }

    /// Takes bytes, whether they fit or not.
    pub(super) fn take_in_any_case(&self, more: usize) {
        self.bytes.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Bytes are not needed any more.
    pub(super) fn give_back(&self, bytes: usize) {
        self.bytes.0.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Adds a node with an untried edge for each submove; gives its number, or nothing if it does not fit.
    pub(super) fn add<'m>(
        &self,
        allocator: &mut BlockAllocator,
        kind: Kind,
        submoves: impl ExactSizeIterator<Item = &'m [Step]> + Clone,
    ) -> Option<u32> {
        let count = submoves.len();
        let total = submoves.clone().map(<[Step]>::len).sum();
        let number = allocator.number(self)?;
        let chunk = self.chunks.get(number as usize / self.chunk)?;
        if chunk.get().is_none() {
            // If another thread is faster, this one was made in vain; nobody waits until memory is there.
            let _ = chunk.set((0..self.chunk).map(|_| OnceLock::new()).collect());
        }
        let (edges, first) = allocator.edges.take(self, count, SharedEdge::new)?;
        let (steps, mut start) = allocator.steps.take(self, total, SharedStep::new)?;
        for (edge, submove) in edges[first..].iter().zip(submoves) {
            edge.label.store((start as u64) << 32 | submove.len() as u64, Ordering::Relaxed);
            for (cell, step) in steps[start..].iter().zip(submove) {
                cell.set(*step);
            }
            start += submove.len();
        }
        let node = SharedNode {
            player: kind.player as u8,
            nodal: kind.nodal,
            claim: Claim::new(),
            extent: Extent::new(count as u32),
            edges,
            first: first as u32,
            count: count as u32,
            steps,
        };
        let slot = &chunk.get()?[number as usize % self.chunk];
        slot.set(node).ok().map(|()| number)
    }

    fn get(&self, number: u32) -> Option<&SharedNode> {
        let chunk = self.chunks.get(number as usize / self.chunk)?.get()?;
        chunk[number as usize % self.chunk].get()
    }

    /// A node whose number was published.
    pub(super) fn node(&self, number: u32) -> &SharedNode {
        self.get(number).expect("a number is published when its node is there")
    }

    fn take(&mut self, number: u32) -> Option<SharedNode> {
        let chunk = self.chunks[number as usize / self.chunk].get_mut()?;
        chunk[number as usize % self.chunk].take()
    }

    /// The node that a move leads to from a node, and its iterations.
    pub(super) fn find(&self, number: u32, steps: &[Step]) -> Option<(u32, u32)> {
        // Nodes inside the move, the edges of each that are left, and what is left of the move there.
        let mut open = vec![(number, self.node(number).tried(), steps)];
        while let Some((number, edges, rest)) = open.last_mut() {
            let Some(e) = edges.next() else {
                open.pop();
                continue;
            };
            let node = self.node(*number);
            let edge = &node.edges()[e as usize];
            let Behind::Node(below) = edge.link.behind() else { continue };
            let submove = modifiers(&Vec::from_iter(node.submove(e)));
            let Some(rest) = rest.strip_prefix(&*submove) else { continue };
            if !self.node(below).nodal {
                open.push((below, self.node(below).tried(), rest));
            } else if rest.is_empty() {
                return Some((below, edge.visits()));
            }
        }
        None
    }

    /// The part of the tree below a node, as a tree. What is not below is gone.
    pub(super) fn subtree(&mut self, root: u32, visits: u32) -> SharedTree {
        let mut copy = SharedTree { root: Apart(Counter::new(visits)), ..self.emptied() };
        let mut allocator = BlockAllocator::in_any_case();
        let mut waiting = VecDeque::from([root]);
        // Nodes are added in the order in which they got their numbers.
        let mut next = 1;
        while let Some(old) = waiting.pop_front() {
            let Some(old) = self.take(old) else { continue };
            let kind = Kind { player: usize::from(old.player), nodal: old.nodal };
            let added = copy.add(&mut allocator, kind, old.submoves().iter().map(Vec::as_slice));
            let Some(number) = added else { break };
            let new = copy.node(number);
            for (from, to) in old.edges().iter().zip(new.edges()).take(old.tried().len()) {
                let (sum, counts) = from.tally.known();
                to.tally.exchange(sum, counts.visits);
                match from.link.behind() {
                    Behind::Node(below) => {
                        to.link.publish(next);
                        next += 1;
                        waiting.push_back(below);
                    }
                    Behind::Nothing { halfway: true } | Behind::Begun { halfway: true } => {
                        to.link.lead_halfway();
                    }
                    _ => {}
                }
                new.extent.grow();
            }
            copy.tried_before += old.tried().len() as u64;
        }
        copy
    }

    /// The nodes of the first move, as a tree of one thread. Edges that end the move have no node behind them.
    pub(super) fn first_move(&self, from: u32, mut copy: Tree) -> Tree {
        let mut waiting = VecDeque::from([(from, NONE)]);
        while let Some((number, above)) = waiting.pop_front() {
            let node = self.node(number);
            let tried = node.tried().end;
            let submoves = node.submoves();
            let submoves = submoves.iter().map(Vec::as_slice);
            let new = copy.add_node(usize::from(node.player), node.nodal, NODAL, submoves);
            if let Some(above) = copy.edges.get_mut(above as usize) {
                above.child = new;
            }
            copy.nodes[new as usize].tried = tried;
            copy.tried += u64::from(tried);
            let first = copy.nodes[new as usize].first;
            for e in 0..tried {
                let edge = &node.edges()[e as usize];
                let child = match edge.link.behind() {
                    Behind::Nothing { halfway: true } | Behind::Begun { halfway: true } => HALFWAY,
                    Behind::Node(below) if !self.node(below).nodal => {
                        waiting.push_back((below, first + e));
                        NONE
                    }
                    _ => NONE,
                };
                let (sum, counts) = edge.tally.known();
                copy.edges[(first + e) as usize] =
                    Edge { sum: sum as f64, visits: counts.visits, child };
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
                steps.extend(modifiers(&Vec::from_iter(node.submove(e))));
                match node.edges()[e as usize].link.behind() {
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
                let link = node.edges()[e as usize].link.behind();
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
        let nodes = (0..self.len.0.load(Ordering::Relaxed)).filter_map(|number| self.get(number));
        let edges = nodes.flat_map(|node| node.edges().iter());
        let counts = edges.map(|edge| u64::from(edge.tally.counter.counts().unobserved));
        u64::from(self.root.0.counts().unobserved) + counts.sum::<u64>()
    }
}
