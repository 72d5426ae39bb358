//! Runs the rules of a game: legal moves, semimoves, applying and undoing them, the keeper, random
//! playouts.
//!
//! [`Program`] is the automaton of the rules. The [`Interpreter`] walks it literally: it is small,
//! portable, and the oracle for everything faster.
//!
//! What is **not** here: files, clocks, threads, and any source of randomness but the one that is
//! passed in.

pub mod error;
mod interpreter;
mod legality;
#[cfg(feature = "native")]
pub mod native;
#[cfg(not(feature = "native"))]
#[path = "no_native.rs"]
pub mod native;
mod operation;
mod perft;
mod playout;
mod program;
mod state;

pub use error::RunError;
pub use interpreter::{Interpreter, Worker};
pub use perft::{divide, perft, semimove_perft};
pub use playout::{Playout, Playouts, random_playout, semisplit_playout};
pub use program::{Action, Condition, Edge, Node, Program};
pub use state::State;
