//! A game as a file: enough to play it again move by move.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bounded_file::read_text;

/// A saved game is not longer.
const MAX_BYTES: u64 = 1 << 24;

/// What is saved of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    /// The name of the game.
    pub game: String,
    /// The seed of the agent.
    pub seed: u64,
    /// The name of the agent.
    pub agent: String,
    /// The seat of the human, from 1; 0 if there was none.
    pub seat: usize,
    /// All moves, in the wire encoding.
    pub moves: Vec<String>,
    /// Every player's score at this point.
    pub scores: Vec<u32>,
    /// Whether the game is over by its rules.
    pub finished: bool,
    /// Whether the human has resigned.
    pub resigned: bool,
}

impl SavedGame {
    /// Reads a game.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(serde_json::from_str(&read_text(path, MAX_BYTES)?)?)
    }

    /// Writes the game. A file of this name is replaced when the new one is complete, not before.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_json(self, path)
    }
}

/// Writes a file of JSON. A file of this name is replaced when the new one is complete, not before.
pub(crate) fn write_json(value: &impl Serialize, path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; what is saved is a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    serde_json::to_writer_pretty(&mut new, value)?;
    writeln!(new)?;
    new.persist(path)?;
    Ok(())
}
