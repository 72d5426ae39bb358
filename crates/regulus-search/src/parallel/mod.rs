//! Several threads for one search (G. Chaslot, M. Winands and J. van den Herik, *Parallel Monte-Carlo Tree Search*,
//! 2008).
//!
//! - [`RootParallel`]: several trees, each a whole [`Search`](crate::Search) with a seed of its own. What they know about the moves of the
//!   position is added up in the order of the trees. With a limit in simulations or states the result depends on
//!   the seed, the limits and the number of trees, never on the number of threads nor on time.
//! - [`TreeParallel`]: one tree for all threads. Iterations that are under way count in selection (A. Liu et al.,
//!   *Watch the Unobserved: A Simple Approach to Parallelizing Monte Carlo Tree Search*, ICLR 2020). No thread
//!   waits for another: one that comes to a node which another is making simulates from there.
//!
//! | file | what |
//! |---|---|
//! | `turn.rs` | a turn: limits, looks at it, the final move |
//! | `thread_pool.rs` | threads, their errors and panics |
//! | `root.rs`, `merge.rs` | several trees; adding up what they know |
//! | `tree.rs`, `worker.rs`, `shared_tree.rs` | one tree; iterations on it; its nodes |
//! | `views.rs` | what each thread knows of the nodes that all come through |
//! | `block_allocator.rs` | numbers and memory for the nodes that a thread makes |
//! | `cells.rs` | what threads change at the same time |
//!
//! What is **not** here: selection, simulations and final selection themselves, which are those of one thread.

mod block_allocator;
mod cells;
mod merge;
mod root;
mod shared_tree;
#[cfg(test)]
mod tests;
mod thread_pool;
mod tree;
mod turn;
mod views;
mod worker;

pub use root::RootParallel;
pub use tree::TreeParallel;

/// Where the cells have their atomics from.
mod atomic {
    pub(super) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
}
