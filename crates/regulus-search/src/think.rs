//! A turn: iterations until a stopper says stop, then the final selection.

use std::time::{Duration, Instant};

use regulus_game::{Engine, Moves};

use crate::any_move::{Choice, settle};
use crate::config::{FinalSelection, Limits};
use crate::failure::Failure;
use crate::report::{SearchResult, Snapshot, Totals};
use crate::search::Search;
use crate::stopper::{Progress, STATES_PER_LOOK, Stopper, share, stoppers};

/// Somebody who looks at a search while it goes on.
pub(crate) struct Watcher<'w> {
    every: Duration,
    next: Instant,
    next_look: u64,
    pub(crate) see: &'w mut dyn FnMut(Snapshot) -> bool,
}

impl<'w> Watcher<'w> {
    pub(crate) fn new(every: Duration, see: &'w mut dyn FnMut(Snapshot) -> bool) -> Self {
        Watcher { every, next: Instant::now() + every, next_look: 0, see }
    }

    pub(crate) fn is_due(&mut self, progress: &Progress) -> bool {
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

impl<E: Engine> Search<E> {
    /// Searches the position within limits and chooses a move. At least one iteration is made, even if a
    /// limit is already exceeded.
    pub fn think(&mut self, limits: &Limits) -> Result<SearchResult, Failure<E::Error>> {
        self.think_within(limits, None)
    }

    /// [`Search::think`], showing how far it is about so often. The search stops early when `see` says
    /// false.
    pub fn think_watched(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Snapshot) -> bool,
    ) -> Result<SearchResult, Failure<E::Error>> {
        self.think_within(limits, Some(Watcher::new(every, see)))
    }

    fn think_within(
        &mut self,
        limits: &Limits,
        watcher: Option<Watcher<'_>>,
    ) -> Result<SearchResult, Failure<E::Error>> {
        limits.validate(&self.sim.config)?;
        let start = Instant::now();
        let mut parts = Vec::new();
        if let FinalSelection::RobustMax { extension } = self.sim.config.final_selection {
            parts.push(stoppers(limits, 1.0 / (1.0 + extension), start));
        }
        parts.push(stoppers(limits, 1.0, start));
        self.run(parts, limits.simulations, watcher).map_err(Failure::Game)
    }

    /// Searches the position with stoppers of the caller's.
    pub fn think_with(
        &mut self,
        stoppers: Vec<Box<dyn Stopper>>,
    ) -> Result<SearchResult, E::Error> {
        self.run(vec![stoppers], None, None)
    }

    /// Goes on searching until told to stop: for the opponent's time. The question is asked after every
    /// iteration.
    pub fn ponder(&mut self, mut stop: impl FnMut() -> bool) -> Result<Totals, E::Error> {
        let before = self.sim.totals;
        self.sim.totals.max_depth = 0;
        if self.prepare_root()? {
            self.begin_allocation(false, None);
            while !self.is_solved() && !stop() {
                self.iterate()?;
            }
        }
        Ok(self.sim.since(before))
    }

    fn run(
        &mut self,
        parts: Vec<Vec<Box<dyn Stopper>>>,
        simulations: Option<u64>,
        watcher: Option<Watcher<'_>>,
    ) -> Result<SearchResult, E::Error> {
        let before = self.sim.totals;
        self.sim.totals.max_depth = 0;
        let searched = self.search_parts(parts, simulations, before, watcher);
        let found = self.final_move();
        let position = self.sim.alive.then_some(&self.sim.position);
        let Choice { chosen, trouble } = settle(&mut self.sim.engine, position, searched, found)?;
        if trouble.is_some() {
            // Moves that were too many take half a gigabyte.
            self.sim.episode.moves = Moves::new();
        }
        let (totals, nodes, bytes) = (self.sim.since(before), self.tree.tried + 1, self.bytes());
        Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
    }

    fn search_parts(
        &mut self,
        parts: Vec<Vec<Box<dyn Stopper>>>,
        simulations: Option<u64>,
        before: Totals,
        mut watcher: Option<Watcher<'_>>,
    ) -> Result<(), E::Error> {
        if !self.prepare_root()? {
            return Ok(());
        }
        self.begin_allocation(true, simulations);
        for (i, part) in parts.into_iter().enumerate() {
            if i > 0 && self.is_robust() {
                break;
            }
            if self.iterate_until(part, before, watcher.as_mut())? {
                break;
            }
        }
        Ok(())
    }

    /// True if the watcher has seen enough.
    pub(crate) fn iterate_until(
        &mut self,
        mut stoppers: Vec<Box<dyn Stopper + '_>>,
        before: Totals,
        mut watcher: Option<&mut Watcher<'_>>,
    ) -> Result<bool, E::Error> {
        let needs_leaders = stoppers.iter().any(|stopper| stopper.needs_leaders());
        loop {
            self.iterate()?;
            let progress = Progress {
                iterations: self.sim.totals.iterations - before.iterations,
                states: self.sim.totals.nodal_states - before.nodal_states,
                full: self.tree.full,
                leaders: if needs_leaders { self.leaders() } else { (0, 0) },
            };
            if self.is_solved() {
                return Ok(false);
            }
            if let Some(allocation) = self.catalogue.as_mut().and_then(|c| c.allocation.as_mut()) {
                allocation.share = share(&stoppers, &progress);
            }
            if stoppers.iter_mut().any(|stopper| stopper.stops(&progress)) {
                return Ok(false);
            }
            if let Some(watcher) = &mut watcher
                && watcher.is_due(&progress)
                && !(watcher.see)(self.snapshot(before))
            {
                return Ok(true);
            }
        }
    }

    fn snapshot(&self, before: Totals) -> Snapshot {
        Snapshot {
            totals: self.sim.since(before),
            nodes: self.tree.tried + 1,
            bytes: self.bytes(),
            moves: self.moves_so_far(),
            variation: self.variation(),
        }
    }

    /// The iterations of the two most visited edges of the root.
    fn leaders(&self) -> (u32, u32) {
        self.tree.tried_edges(0).fold((0, 0), |(first, second), e| {
            let visits = self.tree.edges[e as usize].visits;
            if visits > first { (visits, first) } else { (first, second.max(visits)) }
        })
    }
}
