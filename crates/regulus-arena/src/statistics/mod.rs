//! What results prove: one file per concept, each formula with its source.
//!
//! A result of one game is a number from 0 (lost) to 1 (won). Games are played in pairs with swapped
//! seats and the same random numbers, so the two results of a pair depend on each other; what counts
//! pairs ([`Pentanomial`]) is right about that, what counts games ([`Trinomial`]) is for games that
//! were played singly.

pub mod elo;
mod interval;
mod likelihood;
mod mean;
pub mod normal;
mod outcomes;
mod sprt;

pub use interval::{Interval, normal_interval, wilson_interval};
pub use likelihood::likelihood_of_superiority;
pub use mean::Mean;
pub use outcomes::{Pentanomial, Score, Trinomial};
pub use sprt::{Bounds, Sprt, Verdict};
