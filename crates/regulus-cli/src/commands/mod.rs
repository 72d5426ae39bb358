//! One file per command.

pub mod agents;
pub mod bench;
pub mod check;
pub mod experiment;
pub mod explain;
pub mod fmt;
mod game;
pub mod games;
pub mod join;
pub mod manager;
pub mod match_games;
mod performance;
pub mod perft;
pub mod play;
pub mod replay;
pub mod run_rules;
pub mod serve;
pub mod show;
pub mod signature;
pub mod summary;
pub mod think;
pub mod trace;

use std::io::{self, Write};

use serde::Serialize;

pub use game::CommandGame;

/// Prints one JSON object on standard output.
fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}
