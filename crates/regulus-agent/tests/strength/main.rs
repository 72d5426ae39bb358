//! How well the agents play, with fixed seeds and limits in simulations or states: the same on every
//! machine.

mod arena;
mod matches;
mod position;
mod search_for_positions;
mod tactics;
