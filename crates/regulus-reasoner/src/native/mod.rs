//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.

mod analysis;
mod backward;
mod bits;
mod bulk;
mod choice;
mod condition;
mod embedding;
mod emit;
mod environment;
mod exits;
mod forward;
mod full_move;
mod guard;
mod implication;
mod inner_walk;
mod jit;
mod keeper;
mod line;
mod list;
mod place;
mod playout;
mod relation;
mod seek;
mod segments;
mod selection;
mod set;
mod split_move;
mod star;
mod stretch;
mod ways;

pub use emit::Unsupported;
pub use jit::{Native, NativeState, NativeWorker};
pub(crate) use playout::Mode;
