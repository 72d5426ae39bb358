//! Several trees, each searched by itself.

use std::time::{Duration, Instant};

use regulus_game::{Engine, Step};
use rustc_hash::FxHashMap;

use super::merge::{add_up, most_visited};
use super::thread_pool::{Halt, work_together};
use super::turn::{Team, take_turn};
use crate::config::{Config, Parallel, TreePolicy};
use crate::failure::Failure;
use crate::report::{MAX_VARIATION, MoveReport, SearchResult, Totals};
use crate::search::Search;
use crate::searcher::Searcher;
use crate::stopper::Goal;
use crate::turn::{Asking, Turn};

/// How long a thread that has several trees stays with one of them, if nothing says how much time there is.
const ROUND: Duration = Duration::from_millis(5);

/// One of the trees.
struct Share<'p, E: Engine> {
    search: &'p mut Search<E>,
    before: Totals,
    goal: Goal,
}

/// A search with several trees, which are added up in the end.
pub struct RootParallel<E: Engine> {
    config: Config,
    trees: Vec<Search<E>>,
    /// Totals of each when the turn began.
    before: Vec<Totals>,
    root_summary: Search<E>,
    threads: usize,
}

/// A search that only speaks for others: it has nothing that is learned.
pub(super) fn root_summary<E: Engine>(
    engine: E,
    config: &Config,
) -> Result<Search<E>, Failure<E::Error>> {
    let tree_policy = TreePolicy { solver: config.tree_policy.solver, ..TreePolicy::default() };
    let plain = Config {
        tree_policy,
        transpositions: false,
        mast: None,
        learning: None,
        replies: None,
        ..config.part(0, 1)
    };
    Search::new(engine, plain)
}

impl<E> RootParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// A search from the beginning of a game, with the number of trees that the configuration says; at most
    /// `threads` threads work on them. Each tree has an engine, and one more is needed. The first tree is the one
    /// that a search by itself would have.
    pub fn new(
        mut engine: impl FnMut() -> E,
        config: Config,
        threads: usize,
    ) -> Result<Self, Failure<E::Error>> {
        config.validate()?;
        let count = match config.parallel {
            Parallel::Root { trees } => trees as usize,
            _ => 1,
        };
        let trees = (0..count).map(|i| Search::new(engine(), config.part(i, count)));
        Ok(RootParallel {
            trees: trees.collect::<Result<_, _>>()?,
            before: vec![Totals::default(); count],
            root_summary: root_summary(engine(), &config)?,
            threads: threads.clamp(1, count),
            config,
        })
    }

    /// The trees.
    pub fn trees(&self) -> &[Search<E>] {
        &self.trees
    }

    fn since(&self) -> impl Iterator<Item = Totals> {
        self.trees.iter().zip(&self.before).map(|(tree, before)| tree.sim.totals.since(*before))
    }

    fn roots(&self) -> Vec<(usize, u32)> {
        let grown = |(number, tree): (usize, &Search<E>)| {
            (!tree.tree.nodes.is_empty()).then_some((number, 0))
        };
        self.trees.iter().enumerate().filter_map(grown).collect()
    }
}

impl<E> Searcher<E::Error> for RootParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// A limit of simulations or states is divided among the trees; one of time holds for all of them.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<E::Error>> {
        take_turn(self, turn)
    }

    /// All moves of the position that the trees know, most visited first.
    fn moves(&self) -> Vec<MoveReport> {
        let mut depths: FxHashMap<Vec<Step>, u32> = FxHashMap::default();
        for report in self.trees.iter().flat_map(Searcher::moves) {
            let depth = depths.entry(report.steps).or_default();
            *depth = report.depth.max(*depth);
        }
        let mut moves = self.root_summary.moves();
        for report in &mut moves {
            report.depth = depths.get(&report.steps).copied().unwrap_or(report.depth);
        }
        moves
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<E::Error>> {
        self.trees.iter_mut().try_for_each(|tree| tree.advance(steps))?;
        self.root_summary.advance(steps)?;
        self.sum_up();
        Ok(())
    }
}

impl<E: Engine> Share<'_, E> {
    fn is_done(&self) -> bool {
        let totals = self.search.sim.totals.since(self.before);
        self.search.is_solved() || self.goal.is_reached(&totals, self.search.tree.full)
    }

    fn run(&mut self, until: Option<Instant>, halt: &Halt<'_>) -> Result<(), E::Error> {
        let goal = Goal { deadline: until, ..self.goal.clone() };
        let mut turn = Turn::toward(goal, Instant::now()).ended_by(Asking(|| halt.is_called()));
        turn.before = self.before;
        self.search.iterate_until_over(&mut turn)?;
        if self.search.is_solved() && self.goal.deadline.is_some() {
            // What one has found out need not be found out by others. Without a clock they go on, since who is first
            // would depend on the threads.
            halt.call();
        }
        Ok(())
    }
}

impl<E> Team for RootParallel<E>
where
    E: Engine + Send,
    E::State: Send,
{
    type Engine = E;

    fn config(&self) -> &Config {
        &self.config
    }

    fn begin_turn(&mut self) -> Result<bool, E::Error> {
        let mut moves = true;
        for (tree, before) in self.trees.iter_mut().zip(&mut self.before) {
            *before = tree.sim.totals;
            tree.sim.totals.max_depth = 0;
            moves &= tree.prepare_root()?;
        }
        Ok(moves)
    }

    fn run(
        &mut self,
        goal: &Goal,
        until: Option<Instant>,
        halt: &Halt<'_>,
    ) -> Result<(), E::Error> {
        let count = self.trees.len();
        let mut groups: Vec<Vec<Share<'_, E>>> = Vec::new();
        groups.resize_with(self.threads, Vec::new);
        for (i, (search, before)) in self.trees.iter_mut().zip(&self.before).enumerate() {
            let part = Share { search, before: *before, goal: goal.of_tree(i, count) };
            if !part.is_done() {
                groups[i % self.threads].push(part);
            }
        }
        let end = goal.until(until);
        work_together(groups, halt, |mut group: Vec<Share<'_, E>>| {
            for i in 0..group.len() {
                // The time that is left is divided among the trees that are left.
                let left = (group.len() - i) as u32;
                let now = Instant::now();
                let until = end.map(|end| now + end.saturating_duration_since(now) / left);
                group[i].run(until, halt)?;
                if halt.is_called() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn round(&self) -> Option<Duration> {
        (self.threads < self.trees.len()).then(|| ROUND * self.trees.len() as u32)
    }

    fn is_done(&self, goal: &Goal) -> bool {
        let count = self.trees.len();
        let mut totals = self.since();
        let is_done = |(i, tree): (usize, &Search<E>)| {
            let since = totals.next().unwrap_or_default();
            tree.is_solved() || goal.of_tree(i, count).is_reached(&since, tree.tree.full)
        };
        let timed = goal.deadline.is_some();
        goal.is_late()
            || timed && self.trees.iter().any(Search::is_solved)
            || self.trees.iter().enumerate().all(is_done)
    }

    fn sum_up(&mut self) {
        self.root_summary.tree =
            add_up(&self.trees, self.roots(), self.root_summary.tree.emptied());
    }

    fn root_summary(&mut self) -> &mut Search<E> {
        &mut self.root_summary
    }

    fn exchange_random(&mut self) {
        std::mem::swap(&mut self.root_summary.sim.random, &mut self.trees[0].sim.random);
    }

    fn totals(&self) -> Totals {
        self.since().fold(Totals::default(), Totals::and)
    }

    fn nodes(&self) -> u64 {
        self.trees.iter().map(|tree| tree.tree.tried + 1).sum()
    }

    fn bytes(&self) -> usize {
        self.trees.iter().map(Search::bytes).sum()
    }

    fn variation(&self) -> Vec<Vec<Step>> {
        let (mut moves, mut nodes) = (Vec::new(), self.roots());
        while moves.len() < MAX_VARIATION && !nodes.is_empty() {
            let sum = add_up(&self.trees, nodes.clone(), self.root_summary.tree.emptied());
            let Some(steps) = most_visited(&sum) else { break };
            nodes.retain_mut(|(number, node)| match self.trees[*number].tree.find(*node, &steps) {
                Some((below, _)) => {
                    *node = below;
                    true
                }
                None => false,
            });
            moves.push(steps);
        }
        moves
    }
}
