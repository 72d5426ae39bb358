//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.
//!
//! | room | what is in it |
//! |---|---|
//! | `analysis/` | what is known about a game before code is made, as facts: numbering, relations, segments, lengths, exclusions |
//! | `sets/` | code for parts without modifiers, as sets of vertices; conditions; which modifiers can come next |
//! | `keeper/` | code for the keeper's moves, and which of several ways is his |
//! | `enumerate/` | code that goes through the moves of a position |
//! | `draw/` | code that draws moves and plays random games |
//! | `runtime/` | running code: states, memory and its bounds, the engine's operations |
//! | `emit.rs`, `compiler.rs` | the `Emitter` that the rooms add to; from emitted functions to memory that runs |
//! | `game.rs` | a game and the code of its operations, made when first asked for |

mod analysis;
mod compiler;
mod draw;
mod emit;
mod enumerate;
mod game;
mod keeper;
mod runtime;
mod sets;

pub use analysis::describe::Pass;
pub(crate) use draw::playout::Mode;
pub use emit::Unsupported;
pub use game::{Native, Operation};
pub use runtime::state::NativeState;
pub use runtime::worker::{NativeUndo, NativeWorker};
