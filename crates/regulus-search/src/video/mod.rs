//! Agents for video games: one player, real time, any [`World`](regulus_game::World).
//!
//! GVGAI-THESIS is T. Schuster, *MCTS based agent for general video games* (2015). Read the code beside its
//! chapters 3 and 4.

mod config;
mod ngrams;
mod player;
mod playout;

pub use player::{Decision, Known, Player};

pub use config::{
    Algorithm, Config, Evolution, EvolutionKind, Expansion, FinalChoice, Generation, Mcts, Ngrams,
    Normalisation, Parameters, Playout, Score, Selection, Stgp, Tree,
};
