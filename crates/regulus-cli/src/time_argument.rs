//! Times as arguments.

use std::time::Duration;

use regulus_arena::duration_or_zero;
use regulus_player::limit;

/// Reads `500ms`, `2.5s` or 0.
pub fn time(text: &str) -> Result<Duration, String> {
    duration_or_zero("time", text)
}

/// Reads a number of milliseconds.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    limit::parse_duration("time", &format!("{text}ms"))
        .map_err(|_| "must be a number of milliseconds, above 0 and at most a day".to_owned())
}
