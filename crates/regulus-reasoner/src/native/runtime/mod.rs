//! Running the code: states, memory, and the operations of the engine.

pub(crate) mod children;
pub(crate) mod lanes;
pub(crate) mod room;
pub(crate) mod runner;
pub(crate) mod state;
pub(crate) mod worker;
