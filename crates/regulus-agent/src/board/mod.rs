//! Agents for board games: files, names, words.

mod allocation;
pub(crate) mod explain;
mod learning;
pub(crate) mod name;
pub(crate) mod nested;
mod parallel;
pub(crate) mod reader;
pub(crate) mod shot;
mod tree_policy;
pub(crate) mod writer;
