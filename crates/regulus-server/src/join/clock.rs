//! How long an agent may think for a move.

use std::time::{Duration, Instant};

use regulus_search::config::Limits;

/// What is thought about a move if nobody says how long.
const UNLIMITED: Duration = Duration::from_secs(1);

/// The limits of a turn. `since` is when the time of the turn began, `buffer` is kept back of the
/// deadline, though never more than half of it: less than half would be no time to think.
pub(super) fn turn_limits(
    limits: &Limits,
    deadline: Option<Duration>,
    since: Instant,
    buffer: Duration,
) -> Limits {
    let left = deadline.map(|deadline| {
        deadline.saturating_sub(buffer.min(deadline / 2)).saturating_sub(since.elapsed())
    });
    let mut limits = Limits { buffer: Duration::ZERO, ..limits.clone() };
    limits.time = match (limits.time, left) {
        (Some(time), Some(left)) => Some(time.min(left)),
        (time, left) => time.or(left),
    };
    let counted = limits.simulations.is_some() || limits.states.is_some();
    if limits.time.is_none() && !counted {
        limits.time = Some(UNLIMITED);
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_kept_back() {
        let ms = Duration::from_millis;
        let now = Instant::now() + ms(1_000_000);
        let time =
            |limits: &Limits, deadline, buffer| turn_limits(limits, deadline, now, ms(buffer)).time;
        let none = Limits::default();
        assert_eq!(time(&none, Some(ms(400)), 100), Some(ms(300)));
        assert_eq!(time(&none, Some(ms(50)), 100), Some(ms(25)));
        assert_eq!(time(&none, None, 100), Some(UNLIMITED));
        assert_eq!(time(&Limits::simulations(5), None, 100), None);
        assert_eq!(time(&Limits::simulations(5), Some(ms(400)), 100), Some(ms(300)));
        assert_eq!(time(&Limits::time(ms(200)), Some(ms(400)), 100), Some(ms(200)));
        assert_eq!(time(&Limits::time(ms(500)), Some(ms(400)), 100), Some(ms(300)));
    }

    #[test]
    fn what_has_passed_is_gone() {
        let Some(since) = Instant::now().checked_sub(Duration::from_secs(1)) else { return };
        let limits = turn_limits(
            &Limits::default(),
            Some(Duration::from_millis(400)),
            since,
            Duration::ZERO,
        );
        assert_eq!(limits.time, Some(Duration::ZERO));
    }
}
