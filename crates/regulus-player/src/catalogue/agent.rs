//! Agents by their names and from files.

use std::path::Path;
use std::sync::Arc;

use regulus_agent::{
    COLLECTION, Described, NESTED_COLLECTION, SHOT_COLLECTION, VIDEO_COLLECTION, any_by_name,
    read_any,
};

use super::NotFound;
use crate::auto::AUTO;
use crate::bounded_file::read_text;

/// A configuration file is never longer.
pub const MAX_AGENT_BYTES: u64 = 1 << 20;

/// The agent of a name, for games of either kind.
///
/// # Errors
/// There is none.
pub fn agent(name: &str) -> Result<Arc<dyn Described>, NotFound> {
    any_by_name(name).map_err(|why| unknown_agent(why, name))
}

/// That there is no agent of a name, and which one was probably meant.
pub fn unknown_agent(why: String, name: &str) -> NotFound {
    let board = COLLECTION.iter().chain(SHOT_COLLECTION).chain(NESTED_COLLECTION);
    NotFound::among(why, name, board.chain(VIDEO_COLLECTION).copied().chain([AUTO]))
}

/// The agent of a configuration file; its name is that of the file without folder and ending.
///
/// # Errors
/// What is wrong with the file or with what is in it.
pub fn agent_file(path: &Path) -> Result<Arc<dyn Described>, NotFound> {
    let wrong = |why: String| NotFound::File(why);
    let text = read_text(path, MAX_AGENT_BYTES)
        .map_err(|fault| wrong(format!("cannot read {}: {fault}", path.display())))?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    read_any(&name, &text).map_err(|problem| wrong(format!("{}: {problem}", path.display())))
}
