//! Agents for board games: files, names, words.

pub(crate) mod explain;
mod learning;
pub(crate) mod name;
pub(crate) mod reader;
pub(crate) mod writer;
