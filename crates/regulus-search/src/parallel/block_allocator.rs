//! What a worker has for the nodes that it will make: numbers and memory, which it takes from the tree for many nodes at
//! once. So workers do not write to the same places at every node, and memory comes in pieces for which the system is
//! seldom asked: by the single node, the allocator would ask it page by page, and all threads wait for that.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::cells::MAX_NODES;
use super::shared_tree::{SLOT_BYTES, SharedEdge, SharedStep, SharedTree};

/// Numbers that are taken at once.
const NUMBERS: u32 = 16;
/// A block is this part of the memory of a tree, and has at most `MOST_BYTES` bytes.
const SHARE: usize = 1024;
const MOST_BYTES: usize = 128 << 10;

/// Edges or steps of several nodes, one after the other.
pub(super) struct Block<T> {
    cells: Arc<[T]>,
    used: usize,
    in_any_case: bool,
}

impl<T> Block<T> {
    fn new(in_any_case: bool) -> Self {
        Block { cells: Arc::new([]), used: 0, in_any_case }
    }

    /// `count` cells that follow each other: the block that has them, and the first of them there. Nothing if memory
    /// is full.
    pub(super) fn take(
        &mut self,
        tree: &SharedTree,
        count: usize,
        new: impl Fn() -> T,
    ) -> Option<(Arc<[T]>, usize)> {
        if self.cells.len() - self.used < count {
            let usual = (tree.limit / SHARE).min(MOST_BYTES) / size_of::<T>();
            // What does not fit as a whole block may fit by itself.
            let sizes = [usual.max(count), count];
            let size = sizes.into_iter().find(|size| self.is_given(tree, size * size_of::<T>()))?;
            self.cells = (0..size).map(|_| new()).collect();
            self.used = 0;
        }
        let first = self.used;
        self.used += count;
        Some((self.cells.clone(), first))
    }

    fn is_given(&self, tree: &SharedTree, bytes: usize) -> bool {
        if self.in_any_case {
            tree.take_in_any_case(bytes);
            return true;
        }
        tree.take_bytes(bytes)
    }
}

/// Numbers and memory for nodes to come.
pub(super) struct BlockAllocator {
    numbers: std::ops::Range<u32>,
    pub(super) edges: Block<SharedEdge>,
    pub(super) steps: Block<SharedStep>,
}

impl BlockAllocator {
    fn with(in_any_case: bool) -> Self {
        BlockAllocator {
            numbers: 0..0,
            edges: Block::new(in_any_case),
            steps: Block::new(in_any_case),
        }
    }

    /// Nothing yet.
    pub(super) fn new() -> Self {
        BlockAllocator::with(false)
    }

    /// One that takes memory even if a tree is full: for the root, and for what had memory before.
    pub(super) fn in_any_case() -> Self {
        BlockAllocator::with(true)
    }

    /// The number of the next node.
    pub(super) fn number(&mut self, tree: &SharedTree) -> Option<u32> {
        if self.numbers.is_empty() {
            if !self.edges.is_given(tree, NUMBERS as usize * SLOT_BYTES) {
                return None;
            }
            let first = tree.len.0.fetch_add(NUMBERS, Ordering::Relaxed);
            self.numbers = first..first.saturating_add(NUMBERS).min(MAX_NODES);
        }
        self.numbers.next()
    }
}
