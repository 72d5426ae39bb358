//! Agents for video games: one player, real time, any [`World`](regulus_game::World).
//!
//! GVGAI-THESIS is T. Schuster, *MCTS based agent for general video games* (2015). Read the code beside its
//! chapters 3 and 4; [`Config`] says what an agent is made of, and `mcts.rs` has the map of the search.
//!
//! Selections, expansions and scores are registered parts: [`selection::REGISTRY`], [`expansion::REGISTRY`],
//! [`score::REGISTRY`]. So are most of the [`Modifications`] that can be added: [`urgency::REGISTRY`],
//! [`widening::REGISTRY`], [`reversal::REGISTRY`], [`reply::REGISTRY`], [`allocation::REGISTRY`].

mod bounds;
mod budget;
mod config;
mod considered;
mod descent;
mod evolution;
pub mod expansion;
mod final_choice;
mod growth;
mod mcts;
mod modification;
mod ngrams;
mod one_step;
mod player;
mod playout;
mod preset;
pub mod reply;
pub mod score;
mod tree;
mod validation;

pub use crate::component::{
    Chosen, Entry, Parameter, Selection, allocation, reversal, selection, urgency, widening,
};
pub use config::{
    ActionChoice, Algorithm, Config, Evolution, EvolutionKind, Expansion, FinalChoice, Generation,
    Mcts, Ngrams, Normalisation, Playout, Score, Span, Stgp, Tree,
};
pub use modification::Modifications;
pub use player::{Decision, Known, Player};
