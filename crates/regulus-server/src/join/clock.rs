//! When a turn began.

use std::time::Instant;

/// When the time of a turn began, as far as the side of a player can know.
///
/// For the manager it begins when it has the move before. A player hears of that when he listens, which may
/// be later: while he puts a move into his tree or prepares the next game, messages wait. What has
/// waited may have come right after the last thing that was heard or said. Plans are made for the
/// worst; nobody is called late before that is certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnClock {
    /// When the last message came.
    last: Moment,
    /// When the last move of this game was made or heard of.
    moved: Option<Moment>,
}

/// A moment that is known to lie between two.
#[derive(Clone, Copy, Debug)]
struct Moment {
    earliest: Instant,
    latest: Instant,
}

impl TurnClock {
    /// A clock for somebody who has just said that he is ready.
    pub(super) fn new(now: Instant) -> Self {
        TurnClock { last: Moment { earliest: now, latest: now }, moved: None }
    }

    /// A message was heard; `waited` says that it was there before anybody listened.
    pub(super) fn heard(&mut self, now: Instant, waited: bool) {
        self.last.latest = now;
        if !waited {
            self.last.earliest = now;
        }
    }

    /// That message was a move of somebody else.
    pub(super) fn others_moved(&mut self) {
        self.moved = Some(self.last);
    }

    /// A move was sent.
    pub(super) fn sent(&mut self, now: Instant) {
        self.last = Moment { earliest: now, latest: now };
        self.moved = Some(self.last);
    }

    /// A new game begins. The manager may have waited for other players before its first move.
    pub(super) fn reset(&mut self) {
        self.moved = None;
    }

    /// When the turn may have begun.
    pub(super) fn began(&self) -> Instant {
        self.moved.unwrap_or(self.last).earliest
    }

    /// When the turn has certainly begun.
    pub(super) fn surely_began(&self) -> Instant {
        self.moved.unwrap_or(self.last).latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        assert_eq!((clock.began(), clock.surely_began()), (at(180), at(200)));
        // Nothing is known about the time between games.
        clock.heard(at(300), false);
        clock.reset();
        clock.heard(at(350), true);
        assert_eq!(clock.began(), at(300));
    }
}
