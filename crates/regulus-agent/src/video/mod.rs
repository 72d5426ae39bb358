//! Agents for video games: files, names, words.

pub(crate) mod explain;
pub(crate) mod name;
pub(crate) mod reader;
pub(crate) mod writer;
