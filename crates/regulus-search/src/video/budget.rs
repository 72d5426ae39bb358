//! How long a decision may take (GVGAI-THESIS Algorithm 3.1), in time, iterations or ticks.
//!
//! In a slow game a single iteration can take longer than all the time there is, so the clock is looked at every
//! few ticks, not only between iterations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::proposal::Proposal;
use crate::config::Limits;

/// What a decision may still spend. The clock is looked at only if there is a limit of time.
pub(crate) struct Budget {
    simulations: Option<u64>,
    ticks_limit: Option<u64>,
    clock: Option<Clock>,
    /// Iterations so far.
    pub iterations: u64,
    /// Ticks of the forward model so far.
    pub ticks: u64,
    /// Iterations without any, as at the end of a game in a closed loop; they count as one, or a limit of
    /// ticks would never be reached.
    idle: u64,
    ticks_before: u64,
    /// Where what would be done is said, and the number of the decision.
    proposal: Option<(Arc<Proposal>, u32)>,
}

/// A look costs as much as some percent of a fast tick.
const TICKS_PER_LOOK: u64 = 4;

/// If more time than this passes between looks, every tick is followed by one.
const SLOW: Duration = Duration::from_micros(200);

struct Clock {
    start: Instant,
    end: Instant,
    /// How much of the time is kept back.
    kept: Duration,
    last_look: Instant,
    /// The tick of the next look within an iteration.
    next_look: u64,
}

impl Budget {
    /// The budget of a decision that begins now. Without any limit it is one iteration.
    pub fn new(limits: &Limits) -> Self {
        let clock = limits.time.map(|time| Clock::new(time, limits.buffer));
        let unlimited = clock.is_none() && limits.states.is_none();
        Budget {
            simulations: limits.simulations.or(unlimited.then_some(1)),
            ticks_limit: limits.states,
            clock,
            iterations: 0,
            ticks: 0,
            idle: 0,
            ticks_before: 0,
            proposal: None,
        }
    }

    /// If there is a limit of time, it is said from now on what would be done.
    pub fn proposing(mut self, proposal: &Arc<Proposal>, decision: u32) -> Self {
        self.proposal = self.clock.is_some().then(|| (Arc::clone(proposal), decision));
        self
    }

    /// Whether anybody wants to know.
    pub fn proposes(&self) -> bool {
        self.proposal.is_some()
    }

    /// If there were no more time, the action of this number would be played.
    pub fn propose(&self, action: usize) {
        if let Some((proposal, decision)) = &self.proposal {
            proposal.propose(*decision, action, self.iterations, self.ticks);
        }
    }

    /// Whether there is enough for another iteration. There is always one.
    pub fn another(&mut self) -> bool {
        if self.iterations == 0 {
            return true;
        }
        let counted =
            self.simulations.is_none_or(|limit| self.iterations < limit) && !self.ticks_spent();
        counted && self.clock.as_mut().is_none_or(|clock| clock.another(self.iterations))
    }

    /// A tick of the forward model was played.
    pub fn tick(&mut self) {
        self.ticks += 1;
    }

    /// An iteration is over.
    pub fn iteration(&mut self) {
        self.iterations += 1;
        self.idle += u64::from(self.ticks == self.ticks_before);
        self.ticks_before = self.ticks;
    }

    fn ticks_spent(&self) -> bool {
        self.ticks_limit.is_some_and(|limit| self.ticks + self.idle >= limit)
    }

    /// Whether an iteration must end where it is: in a slow game a single one can take longer than all the
    /// time there is.
    pub fn spent(&mut self) -> bool {
        self.ticks_spent() || self.clock.as_mut().is_some_and(|clock| clock.spent(self.ticks))
    }
}

impl Clock {
    fn new(time: Duration, buffer: Duration) -> Self {
        let start = Instant::now();
        Clock { start, end: start + time, kept: buffer, last_look: start, next_look: 0 }
    }

    fn look(&mut self) -> Instant {
        let now = Instant::now();
        self.last_look = now;
        now
    }

    /// Algorithm 3.1, line 11: there is time for two more average iterations, and more than the buffer.
    fn another(&mut self, iterations: u64) -> bool {
        let now = self.look();
        let left = self.end.saturating_duration_since(now);
        let average = (now - self.start).as_secs_f64() / iterations as f64;
        left > self.kept && left.as_secs_f64() > 2.0 * average
    }

    fn spent(&mut self, ticks: u64) -> bool {
        if ticks < self.next_look {
            return false;
        }
        let before = self.last_look;
        let now = self.look();
        let slow = now - before > SLOW;
        self.next_look = ticks + if slow { 1 } else { TICKS_PER_LOOK };
        self.end.saturating_duration_since(now) <= self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iterations(limits: &Limits, ticks_each: u64) -> (u64, u64) {
        let mut budget = Budget::new(limits);
        while budget.another() {
            for _ in 0..ticks_each {
                if budget.spent() {
                    break;
                }
                budget.tick();
            }
            budget.iteration();
        }
        (budget.iterations, budget.ticks)
    }

    #[test]
    fn whatever_comes_first_ends_the_search() {
        assert_eq!(iterations(&Limits::simulations(7), 10), (7, 70));
        assert_eq!(iterations(&Limits::states(25), 10), (3, 25));
        let both = Limits { states: Some(1000), ..Limits::simulations(4) };
        assert_eq!(iterations(&both, 10), (4, 40));
        assert_eq!(iterations(&Limits::states(25), 0), (25, 0));
    }

    #[test]
    fn there_is_always_one_iteration() {
        assert_eq!(iterations(&Limits::simulations(0), 10), (1, 10));
        assert_eq!(iterations(&Limits::default(), 10), (1, 10));
        assert_eq!(iterations(&Limits::time(Duration::ZERO), 10), (1, 0));
    }

    #[test]
    fn time_ends_a_search_even_within_an_iteration() {
        let limits =
            Limits { buffer: Duration::from_millis(1), ..Limits::time(Duration::from_millis(3)) };
        let start = Instant::now();
        let (count, _) = iterations(&limits, u64::MAX);
        assert!(start.elapsed() >= Duration::from_millis(2));
        assert_eq!(count, 1);
    }
}
