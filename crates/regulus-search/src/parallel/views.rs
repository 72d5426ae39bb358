//! What one thread knows of the nodes that all threads come through.
//!
//! Every iteration begins at the root, so all threads would read and write the same few edges in each of them, and a
//! processor that reads what another has just written waits for it: in a fast game longer than a simulation takes. A
//! worker therefore has a *view* of every node that is hot: a copy of its edges, in which it selects and counts as a
//! search by itself does, and which it exchanges with the tree from time to time. What others do not know yet is added
//! to the tree, what they have added is read.
//!
//! - All that is unknown at a node, by whatever number of threads, is at most a 32nd ([`STALE`]) of its visits: that
//!   is how often views are exchanged. A node is hot if that is every few iterations of each thread ([`FEWEST`]).
//! - Iterations under way (WU-UCT) are not counted in views: they are fewer than those that are not exchanged yet,
//!   and correct what is chosen only where visits are few. There, below the hot nodes, they are counted as ever.
//! - Hot nodes have no untried edges, or memory is full: the edges of a view are always the same.
//! - What was seen is always what was exchanged and all that this thread has done since. A single thread sees all, and
//!   chooses as a search by itself.
//! - Views last until all threads come together. Then all is exchanged, and nothing is missing in the tree.

use super::cells::Behind;
use super::shared_tree::SharedTree;
use crate::tree::{Edge, HALFWAY, NONE};

/// Of this many visits of a node one may be unknown to others.
const STALE: u32 = 32;
/// The fewest iterations between two exchanges of a view; with fewer it would cost more than it saves.
const FEWEST: u32 = 4;
/// More would save nothing.
const MOST: u32 = 256;

/// What others do not know of an edge.
#[derive(Clone, Copy, Default)]
struct Own {
    sum: u64,
    visits: u32,
    /// The view of the node behind it, counted from 1; 0 if there is none.
    view: u32,
}

/// A node as one thread sees it.
struct View {
    node: u32,
    player: u8,
    /// As in the tree of one thread: the numbers of nodes are those of the shared one.
    edges: Vec<Edge>,
    own: Vec<Own>,
    /// Iterations until the next exchange.
    left: u32,
}

/// What an edge of a view takes.
const EDGE_BYTES: usize = size_of::<Edge>() + size_of::<Own>();
/// What a view takes besides, allocations included.
const VIEW_BYTES: usize = size_of::<View>() + 32;

/// The views of one thread.
pub(super) struct Views {
    threads: u32,
    /// The first is that of the root.
    views: Vec<View>,
    /// Iterations through the root: all that are known, and those that others do not know.
    root_visits: u32,
    own_visits: u32,
    bytes: usize,
}

impl Views {
    /// None yet, of a tree for `threads` threads.
    pub(super) fn new(threads: usize) -> Self {
        let threads = threads as u32;
        Views { threads, views: Vec::new(), root_visits: 0, own_visits: 0, bytes: 0 }
    }

    /// The view of the root, and the iterations through it.
    pub(super) fn root(&self) -> Option<(u32, u32)> {
        (!self.views.is_empty()).then_some((0, self.root_visits))
    }

    /// True if a node with `visits` visits is to have a view.
    pub(super) fn is_hot(&self, visits: u32) -> bool {
        visits / (STALE * FEWEST) >= self.threads
    }

    /// Makes the view of a node with some tried edges, all that can be tried. It was come to by an edge of a view, or it is the
    /// root. Nothing if memory is full.
    pub(super) fn look(
        &mut self,
        tree: &SharedTree,
        number: u32,
        tried: u32,
        above: Option<(u32, u32)>,
    ) -> Option<u32> {
        let bytes = VIEW_BYTES + tried as usize * EDGE_BYTES;
        if !tree.take_bytes(bytes) {
            return None;
        }
        self.bytes += bytes;
        let view = self.views.len() as u32;
        self.views.push(View {
            node: number,
            player: tree.node(number).player,
            edges: vec![Edge { sum: 0.0, visits: 0, child: NONE }; tried as usize],
            own: vec![Own::default(); tried as usize],
            left: 0,
        });
        self.exchange(tree, view);
        if let Some((above, edge)) = above {
            self.views[above as usize].own[edge as usize].view = view + 1;
        }
        Some(view)
    }

    pub(super) fn edges(&self, view: u32) -> &[Edge] {
        &self.views[view as usize].edges
    }

    /// The view of the node behind an edge.
    pub(super) fn below(&self, view: u32, edge: u32) -> Option<u32> {
        self.views[view as usize].own[edge as usize].view.checked_sub(1)
    }

    /// The node behind an edge became known.
    pub(super) fn learn(&mut self, view: u32, edge: u32, below: u32) {
        self.views[view as usize].edges[edge as usize].child = below;
    }

    /// An iteration that came through an edge is complete.
    pub(super) fn end(&mut self, tree: &SharedTree, (view, edge): (u32, u32), points: &[f64]) {
        let seen = &mut self.views[view as usize];
        let points = points[usize::from(seen.player)];
        let (known, own) = (&mut seen.edges[edge as usize], &mut seen.own[edge as usize]);
        known.visits += 1;
        known.sum += points;
        own.visits += 1;
        own.sum += points as u64;
        seen.left -= 1;
        if seen.left == 0 {
            self.exchange(tree, view);
        }
    }

    /// An iteration is complete; `own` if others do not know.
    pub(super) fn end_root(&mut self, own: bool) {
        self.root_visits += 1;
        self.own_visits += u32::from(own);
    }

    /// Tells the tree what this thread has done at a node, and looks at what others have done.
    fn exchange(&mut self, tree: &SharedTree, view: u32) {
        let seen = &mut self.views[view as usize];
        let shared = tree.node(seen.node).edges();
        let mut all = 0u32;
        for ((known, own), edge) in seen.edges.iter_mut().zip(&mut seen.own).zip(shared) {
            let (sum, visits) = edge.tally.exchange(own.sum, own.visits);
            (own.sum, own.visits) = (0, 0);
            known.sum = sum as f64;
            // The first iteration of another thread may be under way.
            known.visits = visits.max(1);
            all = all.saturating_add(visits);
            if known.child >= HALFWAY
                && let Behind::Node(below) = edge.link.behind()
            {
                known.child = below;
            }
        }
        seen.left = (all / (STALE * self.threads)).clamp(1, MOST);
        if view == 0 {
            self.root_visits = tree.root.0.exchange(self.own_visits).visits;
            self.own_visits = 0;
        }
    }

    /// Exchanges all and forgets the views.
    pub(super) fn close(&mut self, tree: &SharedTree) {
        for view in 0..self.views.len() {
            self.exchange(tree, view as u32);
        }
        tree.give_back(self.bytes);
        self.forget();
    }

    /// Forgets the views of a tree that is gone.
    pub(super) fn forget(&mut self) {
        *self = Views::new(self.threads as usize);
    }
}
