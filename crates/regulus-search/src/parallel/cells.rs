//! What threads change at the same time, each as one small cell. This file is compiled twice: here, and by a test
//! that tries out all orders in which threads can do things (`tests/parallel_model.rs`); so it takes its atomics
//! from the module above it and nothing else.
//!
//! Orders of memory: statistics are numbers by themselves, nothing else is read because of them, so they are relaxed.
//! A node that is made, and an edge that becomes a tried one, are published: whoever sees the number must also see
//! what was written before it, so these are pairs of release and acquire.

use super::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Iterations of an edge or a node: those that are complete (N), and those under way (O, the unobserved samples of
/// WU-UCT), changed together.
#[derive(Debug)]
pub(crate) struct Counter(AtomicU64);

/// N and O.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    pub(crate) visits: u32,
    pub(crate) unobserved: u32,
}

impl Counts {
    fn of(packed: u64) -> Self {
        Counts { visits: (packed >> 32) as u32, unobserved: packed as u32 }
    }

    /// N + O.
    pub(crate) fn all(self) -> u32 {
        self.visits.saturating_add(self.unobserved)
    }
}

impl Counter {
    pub(crate) fn new(visits: u32) -> Self {
        Counter(AtomicU64::new(u64::from(visits) << 32))
    }

    /// An iteration comes this way; gives what was before.
    pub(crate) fn begin(&self) -> Counts {
        Counts::of(self.0.fetch_add(1, Ordering::Relaxed))
    }

    /// An iteration that came this way is complete.
    pub(crate) fn end(&self) {
        // One more visit and one less under way: in one addition, so that nobody sees half of it.
        self.0.fetch_add((1 << 32) - 1, Ordering::Relaxed);
    }

    /// Adds iterations that are complete and were not counted when they began; gives what is known then.
    pub(crate) fn exchange(&self, visits: u32) -> Counts {
        if visits == 0 {
            return self.counts();
        }
        let more = u64::from(visits) << 32;
        Counts::of(self.0.fetch_add(more, Ordering::Relaxed).wrapping_add(more))
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts::of(self.0.load(Ordering::Relaxed))
    }
}

/// The statistics of an edge: iterations, and the sum of their scores. Scores are whole numbers: whatever the order of
/// additions, the sum is exact.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) counter: Counter,
    sum: AtomicU64,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Tally { counter: Counter::new(0), sum: AtomicU64::new(0) }
    }

    /// An iteration that [began](Counter::begin) is complete.
    pub(crate) fn end(&self, points: u64) {
        self.sum.fetch_add(points, Ordering::Relaxed);
        self.counter.end();
    }

    /// The sum of scores, and iterations.
    pub(crate) fn known(&self) -> (u64, Counts) {
        (self.sum.load(Ordering::Relaxed), self.counter.counts())
    }

    /// Adds the scores of some iterations that were not counted when they began, and these; gives the sum and the
    /// complete iterations that are known then.
    pub(crate) fn exchange(&self, points: u64, visits: u32) -> (u64, u32) {
        let sum = match points {
            0 => self.sum.load(Ordering::Relaxed),
            _ => self.sum.fetch_add(points, Ordering::Relaxed) + points,
        };
        (sum, self.counter.exchange(visits).visits)
    }
}

/// A place in memory that shares no cache line with others: some processors fetch two lines at a time.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

/// What is behind an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Behind {
    /// No node yet; a nodal state if not `halfway`.
    Nothing { halfway: bool },
    /// A node that a thread is making.
    Begun { halfway: bool },
    /// The node of this number.
    Node(u32),
}

/// The way from an edge to the node behind it, which one thread makes.
#[derive(Debug)]
pub(crate) struct Link(AtomicU32);

const NOTHING: u32 = u32::MAX;
const HALFWAY: u32 = u32::MAX - 1;
const BEGUN: u32 = u32::MAX - 2;
const BEGUN_HALFWAY: u32 = u32::MAX - 3;

/// Numbers of nodes are below this.
pub(crate) const MAX_NODES: u32 = u32::MAX - 4;

impl Link {
    pub(crate) fn new() -> Self {
        Link(AtomicU32::new(NOTHING))
    }

    pub(crate) fn behind(&self) -> Behind {
        // Acquire: what the thread that made the node has written.
        match self.0.load(Ordering::Acquire) {
            NOTHING => Behind::Nothing { halfway: false },
            HALFWAY => Behind::Nothing { halfway: true },
            BEGUN => Behind::Begun { halfway: false },
            BEGUN_HALFWAY => Behind::Begun { halfway: true },
            number => Behind::Node(number),
        }
    }

    /// The edge leads into a move. For the thread that is trying it, before others see it.
    pub(crate) fn lead_halfway(&self) {
        self.0.store(HALFWAY, Ordering::Relaxed);
    }

    /// True for one thread, which has to make the node and then [`Link::publish`] it, or [`Link::give_up`].
    pub(crate) fn begin(&self, halfway: bool) -> bool {
        let (from, to) = if halfway { (HALFWAY, BEGUN_HALFWAY) } else { (NOTHING, BEGUN) };
        self.0.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The node is made.
    pub(crate) fn publish(&self, number: u32) {
        self.0.store(number, Ordering::Release);
    }

    /// The node cannot be made.
    pub(crate) fn give_up(&self, halfway: bool) {
        self.0.store(if halfway { HALFWAY } else { NOTHING }, Ordering::Relaxed);
    }
}

/// The right to expand a node, which one thread has at a time. Nobody waits for it.
#[derive(Debug)]
pub(crate) struct Claim(AtomicBool);

impl Claim {
    pub(crate) fn new() -> Self {
        Claim(AtomicBool::new(false))
    }

    /// True if the right was free; then [`Claim::release`] must follow.
    pub(crate) fn take(&self) -> bool {
        self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Whoever takes it next sees what was changed.
    pub(crate) fn release(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// How many edges a node has, and how many of them were tried; changed by whoever has the claim.
#[derive(Debug)]
pub(crate) struct Extent {
    tried: AtomicU32,
    count: AtomicU32,
}

impl Extent {
    pub(crate) fn new(count: u32) -> Self {
        Extent { tried: AtomicU32::new(0), count: AtomicU32::new(count) }
    }

    /// Tried edges, whose labels do not change any more, and all edges.
    pub(crate) fn get(&self) -> (u32, u32) {
        // Acquire: the labels of the edges that were tried.
        (self.tried.load(Ordering::Acquire), self.count.load(Ordering::Relaxed))
    }

    /// One more edge was tried: what is known of it is published.
    pub(crate) fn grow(&self) {
        self.tried.store(self.tried.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    /// The last of the untried edges is dead.
    pub(crate) fn shrink(&self) {
        self.count.store(self.count.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
    }
}
