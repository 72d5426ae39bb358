//! A turn of a search: its limits, its clock, and who looks at it. All kinds of search ask it when to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::Limits;
use crate::report::{Snapshot, Totals};
use crate::stopper::{Goal, Progress, STATES_PER_LOOK, Stopper};

/// One turn: when it began, what ends it, and who looks at it.
pub struct Turn<'t> {
    /// Nothing if others end it.
    limits: Option<Limits>,
    start: Instant,
    /// Stages that have begun, and what ends the last of them.
    stages: u32,
    goal: Goal,
    stoppers: Vec<Box<dyn Stopper + 't>>,
    watcher: Option<Watcher<'t>>,
    /// Set when pondering is to stop.
    stop: Option<&'t AtomicBool>,
    /// What had been done when the turn began.
    pub(crate) before: Totals,
    is_over: bool,
}

/// Somebody who looks at a search while it goes on.
struct Watcher<'t> {
    every: Duration,
    next: Instant,
    next_look: u64,
    see: &'t mut dyn FnMut(Snapshot) -> bool,
    /// Nothing more needs to be shown.
    has_seen_enough: bool,
}

impl<'t> Turn<'t> {
    /// A turn within limits.
    pub fn within(limits: &Limits) -> Self {
        let start = Instant::now();
        let goal = Goal::new(limits, 1.0, start);
        Turn { limits: Some(limits.clone()), ..Turn::toward(goal, start) }
    }

    /// The time of others: it ends when this is set, and no move is chosen.
    pub fn pondering(stop: &'t AtomicBool) -> Self {
        Turn { stop: Some(stop), ..Turn::unlimited() }
            .ended_by(Asking(|| stop.load(Ordering::Relaxed)))
    }

    /// A turn that nothing ends but [`Turn::ended_by`]. Only searches of one thread have such turns.
    pub fn unlimited() -> Self {
        Turn::toward(Goal::default(), Instant::now())
    }

    /// A turn, or a part of one, that ends with a goal.
    pub(crate) fn toward(goal: Goal, start: Instant) -> Self {
        Turn {
            limits: None,
            start,
            stages: 0,
            stoppers: goal.stoppers(start),
            goal,
            watcher: None,
            stop: None,
            before: Totals::default(),
            is_over: false,
        }
    }

    /// The same turn, shown about once in the time `every`; it ends early when `see` says false.
    #[must_use]
    pub fn watched(self, every: Duration, see: &'t mut dyn FnMut(Snapshot) -> bool) -> Self {
        let next = Instant::now() + every;
        let watcher = Watcher { every, next, next_look: 0, see, has_seen_enough: false };
        Turn { watcher: Some(watcher), ..self }
    }

    /// The same turn, which somebody else can end, too.
    #[must_use]
    pub fn ended_by(mut self, stopper: impl Stopper + 't) -> Self {
        self.stoppers.push(Box::new(stopper));
        self
    }

    /// Its limits; none at all if others end it.
    pub fn limits(&self) -> Limits {
        self.limits.clone().unwrap_or_default()
    }

    /// Whether limits that were given are accepted.
    pub(crate) fn validate<X>(
        &self,
        validate: impl FnOnce(&Limits) -> Result<(), X>,
    ) -> Result<(), X> {
        self.limits.as_ref().map_or(Ok(()), validate)
    }

    /// Whether it is the time of others: nothing says how long it is, and no move is chosen.
    pub fn is_pondering(&self) -> bool {
        self.stop.is_some()
    }

    /// What tells to stop pondering.
    pub(crate) fn stop(&self) -> Option<&'t AtomicBool> {
        self.stop
    }

    /// Whether the number of simulations is known.
    pub(crate) fn is_counted(&self) -> bool {
        self.limits.as_ref().is_some_and(|limits| limits.time.is_none() && limits.states.is_none())
    }

    /// It begins with what was done before.
    pub(crate) fn begin(&mut self, totals: &mut Totals) {
        self.before = *totals;
        totals.max_depth = 0;
    }

    /// Begins the next stage; false if there is none. If the search may end after a first part of its limits, that is
    /// a stage, and all of them is another one.
    pub(crate) fn next_stage(
        &mut self,
        first: Option<f64>,
        is_content: impl FnOnce() -> bool,
    ) -> bool {
        self.stages += 1;
        let Some((limits, first)) = self.limits.as_ref().zip(first) else {
            return self.stages == 1;
        };
        let part = match self.stages {
            1 => first,
            2 if !self.has_been_left() && !is_content() => 1.0,
            _ => return false,
        };
        self.goal = Goal::new(limits, part, self.start);
        let own = self.goal.stoppers(self.start);
        self.stoppers.iter_mut().zip(own).for_each(|(stopper, own)| *stopper = own);
        self.is_over = false;
        true
    }

    /// What ends the stage.
    pub(crate) fn goal(&self) -> &Goal {
        &self.goal
    }

    /// True if [`Progress::leaders`] is looked at.
    pub(crate) fn needs_leaders(&self) -> bool {
        self.stoppers.iter().any(|stopper| stopper.needs_leaders())
    }

    /// The greatest part of a limit that was spent.
    pub(crate) fn share(&self, progress: &Progress) -> f64 {
        self.stoppers.iter().map(|stopper| stopper.share(progress)).fold(0.0, f64::max)
    }

    /// Asks whether the stage is over.
    pub(crate) fn ask(&mut self, progress: &Progress) -> bool {
        self.is_over |= self.stoppers.iter_mut().any(|stopper| stopper.stops(progress));
        self.is_over
    }

    /// Asks whether the stage is over, and shows how far it is if it is time for that.
    pub(crate) fn look(
        &mut self,
        progress: &Progress,
        snapshot: impl FnOnce() -> Snapshot,
    ) -> bool {
        let is_due = |watcher: &mut Watcher<'_>| watcher.is_due(progress);
        if !self.ask(progress) && self.watcher.as_mut().is_some_and(is_due) {
            self.show(snapshot);
        }
        self.is_over
    }

    /// Shows how far it is, if somebody looks.
    pub(crate) fn show(&mut self, snapshot: impl FnOnce() -> Snapshot) {
        if let Some(watcher) = &mut self.watcher {
            watcher.has_seen_enough = !(watcher.see)(snapshot());
            self.is_over |= watcher.has_seen_enough;
        }
    }

    /// When somebody wants to look next, if all threads come together for that.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        self.watcher.as_ref().map(|watcher| Instant::now() + watcher.every)
    }

    /// There is nothing left to do.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether the stage is over, as of the last question.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether who looks has seen enough.
    pub(crate) fn has_been_left(&self) -> bool {
        self.watcher.as_ref().is_some_and(|watcher| watcher.has_seen_enough)
    }
}

impl Watcher<'_> {
    fn is_due(&mut self, progress: &Progress) -> bool {
        if progress.states < self.next_look {
            return false;
        }
        self.next_look = progress.states + STATES_PER_LOOK;
        let now = Instant::now();
        let due = now >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }
}

/// A caller's question as a stopper.
pub struct Asking<F>(pub F);

impl<F: FnMut() -> bool> Stopper for Asking<F> {
    fn stops(&mut self, _: &Progress) -> bool {
        (self.0)()
    }
}
