//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.

mod analysis;
mod backward;
mod bits;
mod condition;
mod embedding;
mod emit;
mod environment;
mod exits;
mod forward;
mod full_move;
mod guard;
mod jit;
mod keeper;
mod level_graph;
mod levels;
mod list;
mod live;
mod place;
mod playout;
mod relation;
mod segments;
mod set;
mod split_move;
mod star;
mod walker;
mod ways;

pub use emit::Unsupported;
pub use jit::{Native, NativeState, NativeWorker};
pub(crate) use playout::Mode;
