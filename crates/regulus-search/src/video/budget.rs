//! How long a decision may take (GVGAI-THESIS Algorithm 3.1), in time, iterations or ticks.
//!
//! Who is a few milliseconds late is disqualified, and on a machine with other work a thread may be stopped for
//! longer than that. So the clock is looked at every few ticks, and as much time is kept back as has passed
//! between two looks lately: then the next pause, or the next tick of a slow game, does no harm. Before the first tick
//! nothing is known about the machine, and there is plenty of time: then a good part of it is kept back.

use std::time::{Duration, Instant};

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
}

/// The longest time between two looks at the clock in the last decisions.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pause(Duration);

impl Pause {
    /// A pause counts half after 1,400 decisions, a minute of the competition: what has happened once on a busy
    /// machine happens again. If there are such pauses all the time, the next one comes when most of the time
    /// for a decision is still left.
    const KEPT: f64 = 0.9995;

    /// The next long pause may be this much longer.
    const LONGER: f64 = 2.0;

    /// The part of the time before the first tick that is kept back: of one second longer than the 100 ms for which Linux
    /// stops a group of processes that has used up its share of the processors.
    const UNKNOWN: u32 = 8;

    pub fn longest(self) -> Duration {
        self.0
    }

    /// After a decision in which this was the longest time between two looks.
    fn after(self, longest: Duration) -> Pause {
        Pause(self.0.mul_f64(Pause::KEPT).max(longest))
    }
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
    /// The most that can be: something must be left to think in.
    most_kept: Duration,
    last_look: Instant,
    /// The longest time between two looks.
    longest: Duration,
    /// The tick of the next look within an iteration.
    next_look: u64,
}

impl Budget {
    /// The budget of a decision that begins now. Without any limit it is one iteration.
    pub fn new(limits: &Limits, pause: Pause) -> Self {
        let clock = limits.time.map(|time| Clock::new(time, limits.buffer, pause));
        Budget::with(limits, clock)
    }

    /// The budget of the time before the first tick, which begins now.
    pub fn before_the_first_tick(limits: &Limits) -> Self {
        let clock = limits.time.map(|time| {
            let buffer = limits.buffer.max(time / Pause::UNKNOWN);
            Clock::new(time, buffer, Pause::default())
        });
        Budget::with(limits, clock)
    }

    fn with(limits: &Limits, clock: Option<Clock>) -> Self {
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

    /// The limit of iterations.
    pub fn simulations(&self) -> Option<u64> {
        self.simulations
    }

    /// The part of ticks and time that was spent, whatever is more; time as of the last look at the clock.
    pub fn share(&self) -> f64 {
        let ticks = |limit: u64| (self.ticks + self.idle) as f64 / limit.max(1) as f64;
        let by_ticks = self.ticks_limit.map_or(0.0, ticks);
        self.clock.as_ref().map_or(by_ticks, |clock| by_ticks.max(clock.share()))
    }

    /// What was learned about pauses, for the next decision.
    pub fn pause(&self, before: Pause) -> Pause {
        let longest = |clock: &Clock| clock.longest.min(clock.end - clock.start);
        self.clock.as_ref().map_or(before, |clock| before.after(longest(clock)))
    }
}

impl Clock {
    fn new(time: Duration, buffer: Duration, pause: Pause) -> Self {
        let start = Instant::now();
        let most_kept = time - time / 16;
        Clock {
            start,
            end: start + time,
            kept: buffer.max(pause.0.mul_f64(Pause::LONGER).min(most_kept)),
            most_kept,
            last_look: start,
            longest: Duration::ZERO,
            next_look: 0,
        }
    }

    fn look(&mut self) -> Instant {
        let now = Instant::now();
        self.passed(now - self.last_look);
        self.last_look = now;
        now
    }

    /// So much time has passed since the last look. If that was long, the next pause of this decision may be as well.
    fn passed(&mut self, time: Duration) {
        if time > self.longest {
            self.longest = time;
            self.kept = self.kept.max(time.mul_f64(Pause::LONGER).min(self.most_kept));
        }
    }

    /// Algorithm 3.1, line 11: there is time for two more average iterations, and more than the buffer.
    fn another(&mut self, iterations: u64) -> bool {
        let now = self.look();
        let left = self.end.saturating_duration_since(now);
        let average = (now - self.start).as_secs_f64() / iterations as f64;
        left > self.kept && left.as_secs_f64() > 2.0 * average
    }

    fn share(&self) -> f64 {
        let usable = (self.end - self.start).saturating_sub(self.kept).as_secs_f64();
        let spent = (self.last_look - self.start).as_secs_f64();
        if usable > 0.0 { spent / usable } else { 1.0 }
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
        let mut budget = Budget::new(limits, Pause::default());
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
    fn the_share_of_ticks_or_time_that_is_more_counts() {
        let both = Limits { states: Some(50), ..Limits::time(Duration::from_secs(3600)) };
        let mut budget = Budget::new(&both, Pause::default());
        assert_eq!((budget.share(), budget.simulations()), (0.0, None));
        (0..20).for_each(|_| budget.tick());
        assert_eq!(budget.share(), 0.4);
        let hours = Duration::from_secs(1800);
        if let Some(clock) = &mut budget.clock {
            clock.last_look += hours;
        }
        assert!((0.5..0.51).contains(&budget.share()), "{}", budget.share());
        assert_eq!(Budget::new(&Limits::simulations(7), Pause::default()).share(), 0.0);
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

    #[test]
    fn a_pause_is_kept_back_until_it_is_forgotten() {
        let kept = |pause| {
            let limits = Limits {
                buffer: Duration::from_millis(5),
                ..Limits::time(Duration::from_millis(40))
            };
            Budget::new(&limits, pause).clock.map(|clock| clock.kept.as_millis())
        };
        let after = |milliseconds| Pause::default().after(Duration::from_millis(milliseconds));
        assert_eq!(kept(Pause::default()), Some(5));
        assert_eq!(kept(after(12)), Some(24));
        assert_eq!(kept(after(300)), Some(37));
        let first = |time, milliseconds| {
            let limits = Limits {
                buffer: Duration::from_millis(5),
                ..Limits::time(Duration::from_millis(time))
            };
            let mut clock = Budget::before_the_first_tick(&limits).clock.expect("a limit of time");
            clock.passed(Duration::from_millis(milliseconds));
            clock.kept.as_millis()
        };
        // An eighth of the second; twice a longer pause; never all of it; the buffer if that is more.
        assert_eq!((first(1000, 0), first(1000, 62)), (125, 125));
        assert_eq!((first(1000, 200), first(1000, 2000)), (400, 937));
        assert_eq!(first(16, 0), 5);
        let later = (0..4000).fold(after(12), |pause, _| pause.after(Duration::ZERO));
        assert_eq!(kept(later), Some(5));
    }
}
