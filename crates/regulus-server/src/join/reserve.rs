//! How long an agent may think for a move, and what it keeps back of the deadline.

use std::time::{Duration, Instant};

use regulus_search::config::Limits;

/// What is thought about a move if nobody says how long.
const UNLIMITED: Duration = Duration::from_secs(1);

/// How much of the longest delay is left of it after a turn without one: half of it after 700 turns.
const FORGETTING: f64 = 0.999;

/// The longest delay, times this, is kept back. A delay is seen between the end of the search and the answer; those
/// before the deadline was heard and after the answer was sent cannot be seen.
const UNSEEN: f64 = 1.5;

/// The largest part of a deadline that is kept back because of delays.
const MOST: f64 = 0.8;

/// How long a search is waited for to stop by itself, and the part of what is kept back that this may be.
const GRACE: (Duration, f64) = (Duration::from_millis(3), 0.25);

/// What is kept back of deadlines.
///
/// That is what the configuration says, though not more than half of a deadline. On a machine with too much to
/// do it may not be enough, and only whoever runs there can find out how much is: how much later than planned
/// answers were sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reserve {
    buffer: Duration,
    /// The longest delay, the longer ago the less of it.
    delay: Duration,
}

impl Reserve {
    /// A reserve as it is configured, when nothing is known about delays.
    pub(super) fn new(buffer: Duration) -> Self {
        Reserve { buffer, delay: Duration::ZERO }
    }

    /// An answer was sent later than planned by `delay`.
    pub(super) fn observe(&mut self, delay: Duration) {
        self.delay = self.delay.mul_f64(FORGETTING).max(delay);
    }

    /// What is kept back of a deadline.
    fn of(&self, deadline: Duration) -> Duration {
        let because_of_delays = self.delay.mul_f64(UNSEEN).min(deadline.mul_f64(MOST));
        self.buffer.min(deadline / 2).max(because_of_delays)
    }

    /// After this time an answer is sent even if the search goes on.
    pub(super) fn answer_time(&self, deadline: Duration) -> Duration {
        let kept_back = self.of(deadline);
        deadline - kept_back + GRACE.0.min(kept_back.mul_f64(GRACE.1))
    }

    /// The limits of a turn that began at `began`. "Using a simulations or states limit causes ignoring the time limit from
    /// the game manager" (THESIS 4.3): then there is no deadline here.
    pub(super) fn turn_limits(
        &self,
        limits: &Limits,
        deadline: Option<Duration>,
        began: Instant,
    ) -> Limits {
        let deadline = deadline.filter(|_| !is_counted(limits));
        let left =
            deadline.map(|deadline| (deadline - self.of(deadline)).saturating_sub(began.elapsed()));
        let mut limits = Limits { buffer: Duration::ZERO, ..limits.clone() };
        limits.time = match (limits.time, left) {
            (Some(time), Some(left)) => Some(time.min(left)),
            (time, left) => time.or(left),
        };
        if limits.time.is_none() && !is_counted(&limits) {
            limits.time = Some(UNLIMITED);
        }
        limits
    }
}

/// True if a search ends after some simulations or states, however long they take.
pub(super) fn is_counted(limits: &Limits) -> bool {
    limits.simulations.is_some() || limits.states.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn the_buffer_is_kept_back() {
        let later = Instant::now() + ms(1_000_000);
        let time = |limits: &Limits, deadline, buffer| {
            Reserve::new(ms(buffer)).turn_limits(limits, deadline, later).time
        };
        let none = Limits::default();
        assert_eq!(time(&none, Some(ms(400)), 100), Some(ms(300)));
        assert_eq!(time(&none, Some(ms(50)), 100), Some(ms(25)));
        assert_eq!(time(&none, None, 100), Some(UNLIMITED));
        assert_eq!(time(&Limits::simulations(5), None, 100), None);
        assert_eq!(time(&Limits::simulations(5), Some(ms(400)), 100), None);
        assert_eq!(time(&Limits::states(5), Some(ms(400)), 100), None);
        let both = Limits { simulations: Some(5), ..Limits::time(ms(500)) };
        assert_eq!(time(&both, Some(ms(400)), 100), Some(ms(500)));
        assert_eq!(time(&Limits::time(ms(200)), Some(ms(400)), 100), Some(ms(200)));
        assert_eq!(time(&Limits::time(ms(500)), Some(ms(400)), 100), Some(ms(300)));
    }

    #[test]
    fn delays_make_it_larger_for_some_time() {
        let mut reserve = Reserve::new(ms(100));
        reserve.observe(ms(60));
        assert_eq!(reserve.of(ms(400)), ms(100));
        reserve.observe(ms(200));
        assert_eq!(reserve.of(ms(400)), ms(300));
        assert_eq!(reserve.of(ms(1000)), ms(300));
        // There is always some time to think.
        assert_eq!(reserve.of(ms(50)), ms(40));
        (0..700).for_each(|_| reserve.observe(Duration::ZERO));
        assert!((140..160).contains(&reserve.of(ms(400)).as_millis()));
        (0..700).for_each(|_| reserve.observe(Duration::ZERO));
        assert_eq!(reserve.of(ms(400)), ms(100));
    }

    #[test]
    fn answers_are_due_after_the_search_and_before_the_deadline() {
        let reserve = Reserve::new(ms(100));
        assert_eq!(reserve.answer_time(ms(400)), ms(303));
        assert_eq!(reserve.answer_time(ms(8)), ms(5));
        assert_eq!(Reserve::new(ms(0)).answer_time(ms(400)), ms(400));
    }

    #[test]
    fn what_has_passed_is_gone() {
        let Some(began) = Instant::now().checked_sub(Duration::from_secs(1)) else { return };
        let limits = Reserve::new(ms(0)).turn_limits(&Limits::default(), Some(ms(400)), began);
        assert_eq!(limits.time, Some(Duration::ZERO));
    }
}
