//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.

mod analysis;
mod bits;
mod embedding;
mod emit;
mod guard;
mod jit;
mod keeper;
mod list;
mod playout;
mod relation;
mod segments;
mod set;

pub use emit::Unsupported;
pub use jit::{Native, NativeState, NativeWorker};
pub(crate) use playout::Mode;
