//! When a turn began, and how long an agent may think for a move.

use std::time::{Duration, Instant};

use regulus_search::config::Limits;

/// What is thought about a move if nobody says how long.
const UNLIMITED: Duration = Duration::from_secs(1);

/// When the time of a turn began, as far as the side of a player can know.
///
/// For the manager it begins when it has the move before. A player hears of that when he listens, which may
/// be later: while he puts a move into his tree or prepares the next game, messages wait. What has
/// waited may have come right after the last thing that was heard or said, so that is when the
/// time is taken to have begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnClock {
    /// The next message cannot have come before this.
    quiet: Instant,
    /// When the last move of this game was made or heard of.
    moved: Option<Instant>,
}

impl TurnClock {
    /// A clock for somebody who has just said that he is ready.
    pub(super) fn new(now: Instant) -> Self {
        TurnClock { quiet: now, moved: None }
    }

    /// A message was heard; `waited` says that it was there before anybody listened.
    pub(super) fn heard(&mut self, now: Instant, waited: bool) {
        if !waited {
            self.quiet = now;
        }
    }

    /// That message was a move of somebody else.
    pub(super) fn others_moved(&mut self) {
        self.moved = Some(self.quiet);
    }

    /// A move was sent.
    pub(super) fn sent(&mut self, now: Instant) {
        (self.quiet, self.moved) = (now, Some(now));
    }

    /// A new game begins. The manager may have waited for other players before its first move.
    pub(super) fn reset(&mut self) {
        self.moved = None;
    }

    /// When the turn began.
    pub(super) fn began(&self) -> Instant {
        self.moved.unwrap_or(self.quiet)
    }
}

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
    fn turns_begin_when_the_message_may_have_come() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut clock = TurnClock::new(at(0));
        // The first move of a game: whenever the manager asks for it.
        clock.heard(at(100), false);
        assert_eq!(clock.began(), at(100));
        clock.sent(at(120));
        // An answer that is waited for, and one that has come while a tree was tidied up.
        clock.heard(at(150), false);
        clock.others_moved();
        clock.heard(at(155), false);
        assert_eq!(clock.began(), at(150));
        clock.sent(at(180));
        clock.heard(at(200), true);
        clock.others_moved();
        clock.heard(at(201), true);
        assert_eq!(clock.began(), at(180));
        // Nothing is known about the time between games.
        clock.heard(at(300), false);
        clock.reset();
        clock.heard(at(350), true);
        assert_eq!(clock.began(), at(300));
    }

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
