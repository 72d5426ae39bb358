//! Whether the record of a run can be true: its game played again.

use regulus_player::video::{ReplayFault, VideoLevel};

use super::record::VideoRecord;
use crate::record::Record;

/// Plays the run of a record again: every fingerprint, the end and the score must be those of the rules.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(record: &VideoRecord, level: &VideoLevel) -> Result<(), ReplayFault> {
    record.contradiction().map_or(Ok(()), |why| Err(ReplayFault::Format(why)))?;
    record.replay(None).verify(level)
}
