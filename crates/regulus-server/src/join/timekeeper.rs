//! Somebody who answers when the search does not.
//!
//! On a machine with too much to do a thread that computes all the time is stopped again and again, and for longer
//! than what is kept back of the deadline. A thread that has slept is let run much sooner. So the
//! search notes the best move it knows from time to time, and the timekeeper, who sleeps, sends the last
//! one noted if no answer has been sent by the time it wakes up.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use regulus_game::Step;
use regulus_player::wire;

use super::words::{Speaker, Word};
use crate::protocol::Lost;

/// A move that was sent.
pub(super) struct Answer {
    pub(super) steps: Vec<Step>,
    pub(super) at: Instant,
}

/// What the timekeeper has to do.
#[derive(Default)]
struct Duty {
    /// When it answers, if a turn is going on.
    at: Option<Instant>,
    /// The best move so far.
    best: Option<Vec<Step>>,
    /// What it has answered and when, or why it could not.
    answer: Option<Result<Answer, Lost>>,
    /// It can go home.
    over: bool,
}

/// Watches the time of turns. [`Timekeeper::run`] is to be run by a thread of its own.
pub(super) struct Timekeeper {
    speaker: Speaker,
    duty: Mutex<Duty>,
    changed: Condvar,
}

/// Sends the timekeeper home in the end, whatever the end is.
pub(super) struct Shift<'k>(&'k Timekeeper);

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.0.duty().over = true;
        self.0.changed.notify_one();
    }
}

impl Timekeeper {
    /// A timekeeper who answers the manager.
    pub(super) fn new(speaker: Speaker) -> Self {
        Timekeeper { speaker, duty: Mutex::default(), changed: Condvar::new() }
    }

    /// For as long as this is kept the timekeeper is there.
    pub(super) fn shift(&self) -> Shift<'_> {
        Shift(self)
    }

    fn duty(&self) -> MutexGuard<'_, Duty> {
        self.duty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches until the end of the shift.
    pub(super) fn run(&self) {
        let mut duty = self.duty();
        while !duty.over {
            let left = duty.at.map(|at| at.saturating_duration_since(Instant::now()));
            duty = match left {
                Some(left) if left.is_zero() => {
                    if let Some(steps) = duty.best.take() {
                        let sent = self.speaker.say(&Word::Say(wire::text(&steps)));
                        duty.answer = Some(sent.map(|()| Answer { steps, at: Instant::now() }));
                        duty.at = None;
                        continue;
                    }
                    // Whatever is noted first will be the answer.
                    self.changed.wait(duty).unwrap_or_else(PoisonError::into_inner)
                }
                Some(left) => {
                    let woken = self.changed.wait_timeout(duty, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(duty).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// A turn begins, which is to be answered at this time.
    pub(super) fn begin(&self, at: Instant) {
        *self.duty() = Duty { at: Some(at), ..Duty::default() };
        self.changed.notify_one();
    }

    /// Notes the best move so far.
    pub(super) fn note(&self, steps: &[Step]) {
        let mut duty = self.duty();
        if let Some(at) = duty.at {
            duty.best = Some(steps.to_vec());
            if Instant::now() >= at {
                self.changed.notify_one();
            }
        }
    }

    /// The turn ends. Nothing if the search may send its answer, or else what was sent instead.
    pub(super) fn end(&self) -> Option<Result<Answer, Lost>> {
        let mut duty = self.duty();
        duty.at = None;
        duty.answer.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::words::Frames;
    use std::io::PipeReader;
    use std::thread;
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn pair() -> (Speaker, Frames<PipeReader>) {
        let (input, output) = std::io::pipe().expect("a pipe");
        (Speaker::new(output), Frames::new(input, 100))
    }

    fn next(frames: &mut Frames<PipeReader>) -> Option<String> {
        let frame = frames.next().expect("readable")?;
        match serde_json::from_slice(&frame).expect("a word") {
            Word::Say(text) => Some(text),
            word => panic!("{word:?}"),
        }
    }

    #[test]
    fn a_search_that_is_late_is_answered_for() {
        let (here, mut there) = pair();
        let keeper = Timekeeper::new(here.clone());
        let steps = wire::parse("1 2 3 4").expect("a move");
        thread::scope(|scope| {
            scope.spawn(|| keeper.run());
            let _shift = keeper.shift();
            // A search that has noted a move and does not come to its end.
            keeper.begin(Instant::now());
            keeper.note(&wire::parse("1 1").expect("a move"));
            assert_eq!(next(&mut there).as_deref(), Some("1 1"));
            let sent = keeper.end().expect("sent").expect("not lost");
            assert_eq!(wire::text(&sent.steps), "1 1");
            // One that is in time, and says so itself.
            keeper.begin(Instant::now() + PATIENCE);
            keeper.note(&steps);
            assert!(keeper.end().is_none());
            // What is noted after its turn is of no use to anybody.
            keeper.note(&steps);
            assert!(keeper.end().is_none());
        });
        drop((keeper, here));
        assert_eq!(next(&mut there), None);
    }

    #[test]
    fn that_nobody_listens_is_told() {
        let (here, there) = pair();
        let keeper = Timekeeper::new(here);
        drop(there);
        thread::scope(|scope| {
            scope.spawn(|| keeper.run());
            let _shift = keeper.shift();
            keeper.begin(Instant::now());
            keeper.note(&wire::parse("1 2").expect("a move"));
            let answer = loop {
                match keeper.duty().answer.take() {
                    Some(answer) => break answer,
                    None => thread::yield_now(),
                }
            };
            assert!(answer.is_err());
        });
    }
}
