//! Agents for board games: files, names, words.

pub(crate) mod explain;
pub(crate) mod heuristic;
pub(crate) mod name;
pub(crate) mod nested;
pub(crate) mod reader;
pub(crate) mod shot;
pub(crate) mod writer;
