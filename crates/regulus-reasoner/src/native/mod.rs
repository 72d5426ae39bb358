//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.

mod analysis;
mod backward;
mod bits;
mod compiler;
mod condition;
mod count;
mod drawing;
mod embedding;
mod emit;
mod environment;
mod exits;
mod forward;
mod full_move;
mod game;
mod guard;
mod keeper;
mod list;
mod listing;
mod place;
mod playout;
mod relation;
mod segments;
mod semimoves;
mod set;
mod split_move;
mod star;
mod state;
mod ways;
mod worker;

pub use emit::Unsupported;
pub use game::{Native, Operation};
pub(crate) use playout::Mode;
pub use state::NativeState;
pub use worker::{NativeUndo, NativeWorker};
