//! How long a decision may take (GVGAI-THESIS Algorithm 3.1), in time, iterations or ticks.

use std::time::{Duration, Instant};

use crate::config::Limits;
use crate::stopper::{Progress, Stopper, Time};

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
}

struct Clock {
    start: Instant,
    end: Instant,
    buffer: Duration,
    inside: Time,
}

impl Budget {
    /// The budget of a decision that begins now. Without any limit it is one iteration.
    pub fn new(limits: &Limits) -> Self {
        let clock = limits.time.map(|time| {
            let start = Instant::now();
            let stop = start + time.saturating_sub(limits.buffer);
            Clock {
                start,
                end: start + time,
                buffer: limits.buffer,
                inside: Time::new(start, stop),
            }
        });
        let unlimited = clock.is_none() && limits.states.is_none();
        Budget {
            simulations: limits.simulations.or(unlimited.then_some(1)),
            ticks_limit: limits.states,
            clock,
            iterations: 0,
            ticks: 0,
            idle: 0,
            ticks_before: 0,
        }
    }

    /// Whether there is enough for another iteration. There is always one.
    pub fn another(&mut self) -> bool {
        if self.iterations == 0 {
            return true;
        }
        let counted =
            self.simulations.is_none_or(|limit| self.iterations < limit) && !self.ticks_spent();
        counted && self.clock.as_ref().is_none_or(|clock| clock.another(self.iterations))
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
        let progress = Progress { states: self.ticks, ..Progress::default() };
        self.ticks_spent() || self.clock.as_mut().is_some_and(|clock| clock.inside.stops(&progress))
    }
}

impl Clock {
    /// Algorithm 3.1, line 11: there is time for two more average iterations, and more than the buffer.
    fn another(&self, iterations: u64) -> bool {
        let now = Instant::now();
        let left = self.end.saturating_duration_since(now);
        let average = (now - self.start).as_secs_f64() / iterations as f64;
        left > self.buffer && left.as_secs_f64() > 2.0 * average
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
