//! What every part of Regulus that plays games agrees on: how a move is written down ([`Step`],
//! [`Moves`]) and where randomness comes from ([`Random`]).
//!
//! What is **not** here: any one game language.

mod moves;
mod random;

pub use moves::{Moves, Step};
pub use random::Random;
