//! Times as they are recorded.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds since 1970, to the millisecond.
pub fn now() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    (now * 1e3).round() / 1e3
}

/// A time in seconds, to the microsecond: that is as much as a clock can tell.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
