//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.

mod analysis;
mod backward;
mod bits;
mod collect;
mod condition;
mod embedding;
mod emit;
mod entries;
mod environment;
mod exits;
mod forward;
mod full_move;
mod guard;
mod jit;
mod keeper;
mod lines;
mod list;
mod parallel;
mod place;
mod playout;
mod relation;
mod rest;
mod segments;
mod set;
mod split_move;
mod star;
mod walk;
mod width;

pub use emit::Unsupported;
pub use jit::{Native, NativeState, NativeWorker};
pub(crate) use playout::Mode;
