//! Limits as small parts that are asked after every iteration; the first that says stop, stops.

use std::time::{Duration, Instant};

use crate::config::Limits;
use crate::report::Totals;

/// How far a turn has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Iterations in this turn.
    pub iterations: u64,
    /// Nodal states in this turn.
    pub states: u64,
    /// Memory is full.
    pub full: bool,
    /// Iterations of the most visited move of the root, and of the second: kept only if a stopper has
    /// asked for it.
    pub leaders: (u32, u32),
}

/// Says when a search is to stop.
pub trait Stopper {
    /// True if the search is to stop.
    fn stops(&mut self, progress: &Progress) -> bool;

    /// True if [`Progress::leaders`] is looked at.
    fn needs_leaders(&self) -> bool {
        false
    }

    /// The part of its limit that was spent, from 0 on; for those who divide it into rounds. A limit of
    /// iterations says nothing: rounds count these themselves.
    fn share(&self, progress: &Progress) -> f64 {
        let _ = progress;
        0.0
    }
}

struct Simulations(u64);

impl Stopper for Simulations {
    fn stops(&mut self, progress: &Progress) -> bool {
        progress.iterations >= self.0
    }
}

struct States(u64);

impl Stopper for States {
    fn stops(&mut self, progress: &Progress) -> bool {
        progress.states >= self.0
    }

    fn share(&self, progress: &Progress) -> f64 {
        progress.states as f64 / self.0.max(1) as f64
    }
}

struct Memory;

impl Stopper for Memory {
    fn stops(&mut self, progress: &Progress) -> bool {
        progress.full
    }
}

/// How many nodal states pass at most between looks at the clock: in fast games some ten microseconds.
pub(crate) const STATES_PER_LOOK: u64 = 256;

/// Looks at the clock are not to be further apart than this, if iterations are not.
const LOOK: Duration = Duration::from_micros(100);

/// Games differ in speed by a factor of thousands, and so do the phases of one; how many states pass
/// between looks is found out while the search goes on.
struct Time {
    start: Instant,
    end: Instant,
    last_look: Instant,
    next_look: u64,
    /// How many states and iterations pass until the next look.
    step: u64,
}

impl Time {
    fn new(start: Instant, end: Instant) -> Self {
        Time { start, end, last_look: start, next_look: 0, step: 1 }
    }

    /// The step after one that took `took`.
    fn next_step(step: u64, took: Duration) -> u64 {
        if took > LOOK {
            let slower = took.as_nanos() / LOOK.as_nanos();
            (u128::from(step) / (slower + 1)).max(1) as u64
        } else if took < LOOK / 2 {
            (step * 2).min(STATES_PER_LOOK)
        } else {
            step
        }
    }
}

impl Stopper for Time {
    fn stops(&mut self, progress: &Progress) -> bool {
        // An iteration may pass no state, if all is proven inside a move.
        let done = progress.states + progress.iterations;
        if done < self.next_look {
            return false;
        }
        let now = Instant::now();
        self.step = Time::next_step(self.step, now - self.last_look);
        self.last_look = now;
        self.next_look = done + self.step;
        now >= self.end
    }

    /// As of the last look at the clock.
    fn share(&self, _: &Progress) -> f64 {
        let all = self.end.saturating_duration_since(self.start).as_secs_f64();
        let spent = (self.last_look - self.start).as_secs_f64();
        if all > 0.0 { spent / all } else { 1.0 }
    }
}

/// The second most visited move cannot get as many iterations as the first before the limit.
struct NoCatchingUp {
    simulations: Option<u64>,
    time: Option<(Instant, Instant)>,
    next_look: u64,
}

impl Stopper for NoCatchingUp {
    fn stops(&mut self, progress: &Progress) -> bool {
        let lead = u64::from(progress.leaders.0 - progress.leaders.1);
        if progress.iterations < self.next_look {
            return false;
        }
        self.next_look = progress.iterations + 64;
        let by_count = self.simulations.map(|limit| limit.saturating_sub(progress.iterations));
        let by_time = self.time.map(|(start, end)| {
            let now = Instant::now();
            let rate = progress.iterations as f64 / (now - start).as_secs_f64().max(1e-9);
            (rate * end.saturating_duration_since(now).as_secs_f64()) as u64
        });
        let left = by_count.into_iter().chain(by_time).min();
        left.is_some_and(|left| lead > left)
    }

    fn needs_leaders(&self) -> bool {
        true
    }
}

/// Limits, or a part of them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Goal {
    /// Iterations in this turn.
    pub(crate) simulations: Option<u64>,
    /// Nodal states in this turn.
    pub(crate) states: Option<u64>,
    /// The end of the time.
    pub(crate) deadline: Option<Instant>,
    /// Stop when memory is full.
    pub(crate) memory: bool,
    /// Stop when the second most visited move is out of reach.
    pub(crate) no_catching_up: bool,
}

impl Goal {
    /// Limits, each multiplied by `part`.
    pub(crate) fn new(limits: &Limits, part: f64, start: Instant) -> Self {
        let portion = |limit: u64| ((limit as f64 * part).ceil() as u64).min(limit);
        let time = limits.time.map(|time| time.saturating_sub(limits.buffer).mul_f64(part));
        Goal {
            simulations: limits.simulations.map(portion),
            states: limits.states.map(portion),
            deadline: time.map(|time| start + time),
            memory: limits.memory,
            no_catching_up: limits.no_catching_up,
        }
    }

    /// Those who say when it is reached.
    pub(crate) fn stoppers<'s>(&self, start: Instant) -> Vec<Box<dyn Stopper + 's>> {
        let mut all: Vec<Box<dyn Stopper>> = Vec::new();
        if let Some(limit) = self.simulations {
            all.push(Box::new(Simulations(limit)));
        }
        if let Some(limit) = self.states {
            all.push(Box::new(States(limit)));
        }
        if let Some(end) = self.deadline {
            all.push(Box::new(Time::new(start, end)));
        }
        if self.memory {
            all.push(Box::new(Memory));
        }
        if self.no_catching_up {
            let time = self.deadline.map(|end| (start, end));
            let simulations = self.simulations;
            all.push(Box::new(NoCatchingUp { simulations, time, next_look: 0 }));
        }
        all
    }

    /// True if the numbers of a turn reach it.
    pub(crate) fn is_reached(&self, totals: &Totals, full: bool) -> bool {
        self.simulations.is_some_and(|limit| totals.iterations >= limit)
            || self.states.is_some_and(|limit| totals.nodal_states >= limit)
            || (self.memory && full)
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What one of several trees has to do of it: the first ones get what cannot be divided.
    pub(crate) fn of_tree(&self, number: usize, trees: usize) -> Goal {
        let (number, trees) = (number as u64, trees as u64);
        let share = |limit: u64| limit / trees + u64::from(number < limit % trees);
        let (simulations, states) = (self.simulations.map(share), self.states.map(share));
        Goal { simulations, states, ..self.clone() }
    }

    /// The deadline, or an earlier moment.
    pub(crate) fn until(&self, moment: Option<Instant>) -> Option<Instant> {
        self.deadline.into_iter().chain(moment).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Turn;

    fn stoppers(limits: &Limits) -> Vec<Box<dyn Stopper>> {
        let now = Instant::now();
        Goal::new(limits, 1.0, now).stoppers(now)
    }

    #[test]
    fn goals_are_divided_without_loss() {
        let goal =
            |simulations, part| Goal::new(&Limits::simulations(simulations), part, Instant::now());
        let shares = |goal: &Goal, trees| -> Vec<Option<u64>> {
            (0..trees).map(|i| goal.of_tree(i, trees).simulations).collect()
        };
        assert_eq!(shares(&goal(10, 1.0), 4), [Some(3), Some(3), Some(2), Some(2)]);
        assert_eq!(shares(&goal(10, 1.0), 1), [Some(10)]);
        assert_eq!(shares(&goal(2, 1.0), 3), [Some(1), Some(1), Some(0)]);
        // Two thirds of ten are seven.
        assert_eq!(goal(10, 1.0 / 1.5).simulations, Some(7));
    }

    #[test]
    fn whatever_stops_first_stops() {
        let limits = Limits { states: Some(500), memory: true, ..Limits::simulations(100) };
        let mut all = stoppers(&limits);
        let mut stops = |progress: Progress| all.iter_mut().any(|s| s.stops(&progress));
        assert!(!stops(Progress { iterations: 99, states: 499, ..Progress::default() }));
        assert!(stops(Progress { iterations: 100, ..Progress::default() }));
        assert!(stops(Progress { states: 500, ..Progress::default() }));
        assert!(stops(Progress { full: true, ..Progress::default() }));
    }

    #[test]
    fn a_lead_is_safe_when_it_exceeds_what_is_left() {
        let limits = Limits { no_catching_up: true, ..Limits::simulations(1000) };
        let mut stopper = stoppers(&limits).pop().expect("the last");
        assert!(stopper.needs_leaders());
        let at = |iterations, leaders| Progress { iterations, leaders, ..Progress::default() };
        assert!(!stopper.stops(&at(600, (500, 100))));
        assert!(stopper.stops(&at(664, (500, 100))));
    }

    #[test]
    fn slow_games_look_at_the_clock_more_often() {
        let settled = |state: Duration| {
            (0..100).fold(1, |step, _| Time::next_step(step, state * step as u32))
        };
        assert_eq!(settled(Duration::from_nanos(10)), STATES_PER_LOOK);
        assert!((50..=100).contains(&settled(Duration::from_micros(1))));
        assert_eq!(settled(Duration::from_millis(1)), 1);
        // A thread that was not running for some time looks as often as before soon after.
        let paused = Time::next_step(STATES_PER_LOOK, Duration::from_millis(4));
        let after = (0..8).fold(paused, |step, _| Time::next_step(step, Duration::from_micros(2)));
        assert_eq!(after, STATES_PER_LOOK);
    }

    #[test]
    fn iterations_without_states_end_by_the_clock() {
        let start = Instant::now();
        let mut time = Time::new(start, start + Duration::from_millis(5));
        let at = |iterations| Progress { iterations, ..Progress::default() };
        assert!((0..u64::from(u32::MAX)).any(|iterations| time.stops(&at(iterations))));
        assert!(Instant::now() >= start + Duration::from_millis(5));
    }

    #[test]
    fn the_share_of_the_limit_that_is_nearest_counts() {
        let start = Instant::now();
        let limits = Limits { states: Some(500), ..Limits::simulations(100) };
        let at = |states| Progress { iterations: 90, states, ..Progress::default() };
        assert_eq!(Turn::within(&limits).share(&at(200)), 0.4);
        let mut time = Time::new(start, start + Duration::from_millis(200));
        assert_eq!(time.share(&at(0)), 0.0);
        time.last_look = start + Duration::from_millis(50);
        assert_eq!(time.share(&at(0)), 0.25);
        let turn = Turn::unlimited().ended_by(States(1000)).ended_by(time);
        assert_eq!(turn.share(&at(100)), 0.25);
        assert_eq!(turn.share(&at(300)), 0.3);
        assert_eq!(Time::new(start, start).share(&at(0)), 1.0);
    }

    #[test]
    fn the_buffer_is_subtracted() {
        let buffer = Duration::from_millis(50);
        let limits = Limits { buffer, ..Limits::time(Duration::from_millis(40)) };
        let mut all = stoppers(&limits);
        assert!(all[0].stops(&Progress::default()));
    }
}
