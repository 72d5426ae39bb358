//! One tree for several threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use regulus_game::{Engine, Step};
use rustc_hash::FxHashMap;

use super::cells::Apart;
use super::merge::most_visited;
use super::root::root_summary;
use super::shared_tree::SharedTree;
use super::thread_pool::{Halt, work_together};
use super::turn::{Team, take_turn};
use super::worker::Worker;
use crate::config::{Config, Parallel};
use crate::failure::Failure;
use crate::report::{MAX_VARIATION, MoveReport, SearchResult, Totals};
use crate::search::Search;
use crate::searcher::Searcher;
use crate::stopper::{Goal, Progress};
use crate::turn::Turn;

/// A search in which several threads share one tree.
pub struct TreeParallel<E: Engine> {
    config: Config,
    tree: SharedTree,
    workers: Vec<Worker<E>>,
    root_summary: Search<E>,
}

/// What all threads have done in this turn.
struct Done {
    /// Iterations that were given out.
    iterations: Apart<AtomicU64>,
    /// Nodal states, if they are limited.
    states: Apart<AtomicU64>,
}

/// The most iterations that are given out at once.
const MOST_AT_ONCE: u64 = 64;

impl Done {
    /// Gives out some iterations to one of `threads` threads; none if the limit is reached. Towards the end they are
    /// fewer, so that no thread has many left when the others have none.
    fn give_out(&self, limit: Option<u64>, threads: u64) -> u64 {
        let Some(limit) = limit else { return u64::MAX };
        let left = limit.saturating_sub(self.iterations.0.load(Ordering::Relaxed));
        let some = (left / (4 * threads)).clamp(1, MOST_AT_ONCE);
        let given = self.iterations.0.fetch_add(some, Ordering::Relaxed);
        some.min(limit.saturating_sub(given))
    }
}

impl<E> TreeParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// A search from the beginning of a game, with the number of threads that the configuration says. Each thread
    /// has an engine, and one more is needed.
    pub fn new(mut engine: impl FnMut() -> E, config: Config) -> Result<Self, Failure<E::Error>> {
        config.validate()?;
        let count = match config.parallel {
            Parallel::Tree { threads } => threads as usize,
            _ => 1,
        };
        let workers = (0..count)
            .map(|i| Ok(Worker::new(Search::new(engine(), config.part(i, 1))?.sim, count)))
            .collect::<Result<_, Failure<E::Error>>>()?;
        Ok(TreeParallel {
            tree: SharedTree::new(config.memory),
            workers,
            root_summary: root_summary(engine(), &config)?,
            config,
        })
    }

    /// Iterations through the root, those of earlier turns that are still in the tree included.
    pub fn root_visits(&self) -> u32 {
        self.tree.root.0.counts().visits
    }

    /// Iterations were left half done.
    fn empty_tree(&mut self) {
        self.tree = self.tree.emptied();
        self.workers.iter_mut().for_each(Worker::forget_tree);
    }

    fn since(&self) -> impl Iterator<Item = Totals> {
        self.workers.iter().map(|worker| worker.sim.totals.since(worker.before))
    }

    #[cfg(test)]
    pub(super) fn tree(&self) -> &SharedTree {
        &self.tree
    }
}

impl<E> Searcher<E::Error> for TreeParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// A limit of simulations is exact; one of states is exceeded by the iterations that are under way when it is
    /// reached.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<E::Error>> {
        take_turn(self, turn)
    }

    /// All moves of the position that the tree knows, most visited first.
    fn moves(&self) -> Vec<MoveReport> {
        let mut moves = self.root_summary.moves();
        if self.tree.is_empty() {
            return moves;
        }
        let depths: FxHashMap<Vec<Step>, u32> = self.tree.depths().into_iter().collect();
        for report in &mut moves {
            report.depth = depths.get(&report.steps).copied().unwrap_or(0);
        }
        moves
    }

    /// The part of the tree below the move becomes the tree.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<E::Error>> {
        let keeps = self.config.keep_tree && !self.tree.is_empty();
        let below = if keeps { self.tree.find(0, steps) } else { None };
        self.tree = match below {
            Some((node, visits)) => self.tree.subtree(node, visits),
            None => self.tree.emptied(),
        };
        for worker in &mut self.workers {
            worker.forget_tree();
            worker.sim.advance(steps).map_err(Failure::Game)?;
        }
        self.root_summary.advance(steps)?;
        self.sum_up();
        Ok(())
    }
}

/// One thread: iterations until a limit of all is reached, the clock says so, or it is called off. In the end, all
/// that it has done is in the tree.
fn work<E: Engine>(
    worker: &mut Worker<E>,
    tree: &SharedTree,
    end: &End<'_>,
    done: &Done,
) -> Result<(), E::Error> {
    let goal = end.goal;
    // The others are limits of all threads together.
    let own = Goal { deadline: end.until, memory: goal.memory, ..Goal::default() };
    let mut turn = Turn::toward(own, Instant::now());
    let (mut left, mut iterations) = (0, 0);
    loop {
        if left == 0 {
            left = done.give_out(goal.simulations, end.threads);
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let before = worker.sim.totals.nodal_states;
        worker.iterate(tree)?;
        iterations += 1;
        let states_reached = goal.states.is_some_and(|limit| {
            let more = worker.sim.totals.nodal_states - before;
            more + done.states.0.fetch_add(more, Ordering::Relaxed) >= limit
        });
        let progress = Progress {
            iterations,
            states: worker.sim.totals.nodal_states - worker.before.nodal_states,
            full: tree.is_full(),
            leaders: (0, 0),
        };
        if states_reached || end.halt.is_called() || turn.ask(&progress) {
            break;
        }
    }
    worker.close(tree);
    Ok(())
}

/// What ends the work of all threads.
struct End<'e> {
    goal: &'e Goal,
    until: Option<Instant>,
    halt: &'e Halt<'e>,
    threads: u64,
}

impl<E> Team for TreeParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    type Engine = E;

    fn config(&self) -> &Config {
        &self.config
    }

    fn begin_turn(&mut self) -> Result<bool, E::Error> {
        self.workers.iter_mut().for_each(Worker::begin_turn);
        self.workers[0].prepare_root(&self.tree)
    }

    fn run(
        &mut self,
        goal: &Goal,
        until: Option<Instant>,
        halt: &Halt<'_>,
    ) -> Result<(), E::Error> {
        let totals = self.totals();
        let done = Done {
            iterations: Apart(AtomicU64::new(totals.iterations)),
            states: Apart(AtomicU64::new(totals.nodal_states)),
        };
        let threads = self.workers.len() as u64;
        let end = End { goal, until: goal.until(until), halt, threads };
        let tree = &self.tree;
        if tree.node(0).extent.get().0 == 0 {
            // The first edge of the root: nobody could do anything before it is there.
            let alone = Goal { simulations: Some(totals.iterations + 1), ..goal.clone() };
            let first = End { goal: &alone, ..end };
            let outcome = work(&mut self.workers[0], tree, &first, &done);
            if outcome.is_err() {
                self.empty_tree();
                return outcome;
            }
            if self.is_done(goal) {
                return Ok(());
            }
            let made = self.totals();
            done.iterations.0.store(made.iterations, Ordering::Relaxed);
        }
        let tree = &self.tree;
        let outcome = work_together(self.workers.iter_mut().collect(), halt, |worker| {
            work(worker, tree, &end, &done)
        });
        if outcome.is_err() {
            self.empty_tree();
        }
        outcome
    }

    fn round(&self) -> Option<Duration> {
        None
    }

    fn is_done(&self, goal: &Goal) -> bool {
        goal.is_late() || goal.is_reached(&self.totals(), self.tree.is_full())
    }

    fn sum_up(&mut self) {
        let empty = self.root_summary.tree.emptied();
        self.root_summary.tree =
            if self.tree.is_empty() { empty } else { self.tree.first_move(0, empty) };
    }

    fn root_summary(&mut self) -> &mut Search<E> {
        &mut self.root_summary
    }

    fn exchange_random(&mut self) {
        std::mem::swap(&mut self.root_summary.sim.random, &mut self.workers[0].sim.random);
    }

    fn totals(&self) -> Totals {
        self.since().fold(Totals::default(), Totals::and)
    }

    fn nodes(&self) -> u64 {
        let tried: u64 = self.workers.iter().map(Worker::tried).sum();
        self.tree.tried_before + tried + 1
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    fn variation(&self) -> Vec<Vec<Step>> {
        let (mut moves, mut node) = (Vec::new(), Some(0));
        while let Some(from) = node.filter(|_| moves.len() < MAX_VARIATION) {
            let sum = self.tree.first_move(from, self.root_summary.tree.emptied());
            let Some(steps) = most_visited(&sum) else { break };
            node = self.tree.find(from, &steps).map(|found| found.0);
            moves.push(steps);
        }
        moves
    }
}
