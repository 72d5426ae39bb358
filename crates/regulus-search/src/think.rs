//! A turn of a tree search: iterations until it is over, then the final selection.

use regulus_game::{Engine, Moves, Step};

use crate::any_move::{Choice, settle};
use crate::failure::Failure;
use crate::report::{MoveReport, SearchResult, Snapshot, Totals};
use crate::search::Search;
use crate::searcher::Searcher;
use crate::stopper::Progress;
use crate::turn::Turn;

impl<E> Searcher<E::Error> for Search<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// At least one iteration is made, even if a limit is already exceeded; but none if it is the time of others and
    /// they have ended it already.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<E::Error>> {
        turn.validate(|limits| limits.validate(&self.sim.config))?;
        turn.begin(&mut self.sim.totals);
        let searched = self.search(turn);
        let chooses = !turn.is_pondering();
        let found = if chooses { self.final_move() } else { Ok(None) };
        let position = (chooses && self.sim.alive).then_some(&self.sim.position);
        let settled = settle(&mut self.sim.engine, position, searched, found);
        let Choice { chosen, trouble } = settled.map_err(Failure::Game)?;
        if trouble.is_some() {
            // Moves that were too many take half a gigabyte.
            self.sim.episode.moves = Moves::new();
        }
        let totals = self.sim.totals.since(turn.before);
        let (nodes, bytes) = (self.tree.tried + 1, self.bytes());
        Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
    }

    /// All moves of the position that the tree knows, most visited first. In an orthodox tree these are
    /// all legal moves; in others those that were tried.
    fn moves(&self) -> Vec<MoveReport> {
        self.reports(&|this, edge| 1 + this.depth_below(this.tree.edges[edge as usize].child))
    }

    /// Plays a legal move: the part of the tree below it becomes the tree if trees are kept, and statistics that
    /// decay after every move do so.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<E::Error>> {
        let keeps = self.sim.config.keep_tree && !self.tree.nodes.is_empty();
        let below = if keeps { self.tree.find(0, steps) } else { None };
        match below {
            Some((node, visits)) => {
                self.tree = self.tree.subtree(node);
                self.tree.root_visits = visits;
            }
            None => self.tree = self.tree.emptied(),
        }
        if let Some(catalogue) = &mut self.catalogue {
            catalogue.next_turn(&self.tree);
        }
        self.sim.advance(steps).map_err(Failure::Game)
    }
}

impl<E: Engine> Search<E> {
    fn search(&mut self, turn: &mut Turn<'_>) -> Result<(), E::Error> {
        if !self.prepare_root()? {
            return Ok(());
        }
        self.begin_allocation(!turn.is_pondering(), turn.limits().simulations);
        if turn.is_pondering() && (self.is_solved() || turn.ask(&Progress::default())) {
            return Ok(());
        }
        while turn.next_stage(self.sim.config.first_part(), || self.is_robust()) {
            self.iterate_until_over(turn)?;
        }
        Ok(())
    }

    /// One stage of a turn.
    pub(crate) fn iterate_until_over(&mut self, turn: &mut Turn<'_>) -> Result<(), E::Error> {
        let (before, needs_leaders) = (turn.before, turn.needs_leaders());
        loop {
            self.iterate()?;
            if self.is_solved() {
                return Ok(());
            }
            let progress = Progress {
                iterations: self.sim.totals.iterations - before.iterations,
                states: self.sim.totals.nodal_states - before.nodal_states,
                full: self.tree.full,
                leaders: if needs_leaders { self.leaders() } else { (0, 0) },
            };
            if let Some(allocation) = self.catalogue.as_mut().and_then(|c| c.allocation.as_mut()) {
                allocation.share = turn.share(&progress);
            }
            if turn.look(&progress, || self.snapshot(before)) {
                return Ok(());
            }
        }
    }

    fn snapshot(&self, before: Totals) -> Snapshot {
        Snapshot {
            totals: self.sim.totals.since(before),
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
