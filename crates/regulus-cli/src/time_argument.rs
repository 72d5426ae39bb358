//! Times as arguments.

use std::time::Duration;

use regulus_player::limit;

/// Reads `500ms`, `2.5s` or 0.
pub fn time(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s" | "0ms") {
        return Ok(Duration::ZERO);
    }
    limit::parse_duration("time", text)
}

/// Reads a number of milliseconds.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    limit::parse_duration("time", &format!("{text}ms"))
        .map_err(|_| "must be a number of milliseconds, above 0 and at most a day".to_owned())
}
