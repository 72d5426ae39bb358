//! A turn of several threads: they run until a limit is reached or somebody wants to look, come together, and the
//! move is chosen from what they know together.

use std::time::{Duration, Instant};

use regulus_game::{Engine, Step};

use super::thread_pool::Halt;
use crate::any_move::{Choice, settle};
use crate::config::{Config, Limits};
use crate::failure::Failure;
use crate::report::{SearchResult, Snapshot, Totals};
use crate::search::Search;

/// When a part of a turn ends.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// Iterations in this turn.
    pub(super) simulations: Option<u64>,
    /// Nodal states in this turn.
    pub(super) states: Option<u64>,
    /// The end of the time.
    pub(super) deadline: Option<Instant>,
    /// Stop when memory is full.
    pub(super) memory: bool,
}

impl Goal {
    /// Nothing ends it.
    pub(super) fn none() -> Self {
        Goal { simulations: None, states: None, deadline: None, memory: false }
    }

    /// A part of the limits.
    pub(super) fn new(limits: &Limits, part: f64, start: Instant) -> Self {
        let portion = |limit: u64| ((limit as f64 * part).ceil() as u64).min(limit);
        let time = limits.time.map(|time| time.saturating_sub(limits.buffer).mul_f64(part));
        Goal {
            simulations: limits.simulations.map(portion),
            states: limits.states.map(portion),
            deadline: time.map(|time| start + time),
            memory: limits.memory,
        }
    }

    /// True if the numbers of a turn reach it.
    pub(super) fn is_reached(&self, totals: &Totals, full: bool) -> bool {
        self.simulations.is_some_and(|limit| totals.iterations >= limit)
            || self.states.is_some_and(|limit| totals.nodal_states >= limit)
            || (self.memory && full)
    }

    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What one of several trees has to do of it: the first ones get what cannot be divided.
    pub(super) fn share(&self, number: usize, trees: usize) -> Goal {
        let (number, trees) = (number as u64, trees as u64);
        let share = |limit: u64| limit / trees + u64::from(number < limit % trees);
        let (simulations, states) = (self.simulations.map(share), self.states.map(share));
        Goal { simulations, states, ..self.clone() }
    }

    /// The deadline, or an earlier moment.
    pub(super) fn until(&self, moment: Option<Instant>) -> Option<Instant> {
        self.deadline.into_iter().chain(moment).min()
    }
}

/// Several threads and what they search in.
pub(super) trait Team {
    /// What runs the game.
    type Engine: Engine;

    /// The configuration of the whole.
    fn config(&self) -> &Config;
    /// A turn begins: false if there are no moves.
    fn begin_turn(&mut self) -> Result<bool, <Self::Engine as Engine>::Error>;
    /// Lets all work until the goal is reached, the moment has come, or they are called off.
    fn run(
        &mut self,
        goal: &Goal,
        until: Option<Instant>,
        halt: &Halt<'_>,
    ) -> Result<(), <Self::Engine as Engine>::Error>;
    /// True if nothing is left to do for the goal.
    fn is_done(&self, goal: &Goal) -> bool;
    /// Fills the tree of [`Team::root_summary`] with the sums of what is known about the first move.
    fn sum_up(&mut self);
    /// The search that speaks for all: it has the position and a tree for sums, and searches nothing itself.
    fn root_summary(&mut self) -> &mut Search<Self::Engine>;
    /// Exchanges the random numbers of the root summary and of the first worker, so that one worker alone is what a
    /// search by itself is.
    fn exchange_random(&mut self);
    /// What was done in this turn.
    fn totals(&self) -> Totals;
    /// Nodes, in the sense of the papers.
    fn nodes(&self) -> u64;
    /// Bytes of trees and statistics.
    fn bytes(&self) -> usize;
    /// The moves that are expected, after [`Team::sum_up`].
    fn variation(&self) -> Vec<Vec<Step>>;
}

/// How often somebody wants to look, and how.
pub(super) type Watch<'w> = (Duration, &'w mut dyn FnMut(Snapshot) -> bool);

type Error<T> = <<T as Team>::Engine as Engine>::Error;

/// Searches the position and chooses a move.
pub(super) fn think<T: Team>(
    team: &mut T,
    limits: &Limits,
    watch: Option<Watch<'_>>,
) -> Result<SearchResult, Failure<Error<T>>> {
    limits.validate(team.config())?;
    think_valid(team, limits, watch).map_err(Failure::Game)
}

fn think_valid<T: Team>(
    team: &mut T,
    limits: &Limits,
    mut watch: Option<Watch<'_>>,
) -> Result<SearchResult, Error<T>> {
    let searched = search_parts(team, limits, &mut watch);
    team.sum_up();
    team.exchange_random();
    let found = team.root_summary().final_move();
    team.exchange_random();
    let root_summary = team.root_summary();
    let position = root_summary.sim.alive.then_some(&root_summary.sim.position);
    let Choice { chosen, trouble } =
        settle(&mut root_summary.sim.engine, position, searched, found)?;
    let (totals, nodes, bytes) = (team.totals(), team.nodes(), team.bytes());
    Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
}

fn search_parts<T: Team>(
    team: &mut T,
    limits: &Limits,
    watch: &mut Option<Watch<'_>>,
) -> Result<(), Error<T>> {
    let start = Instant::now();
    if !team.begin_turn()? {
        return Ok(());
    }
    let first = team.config().first_part();
    for (i, part) in first.into_iter().chain([1.0]).enumerate() {
        if i > 0 {
            team.sum_up();
            team.exchange_random();
            let is_robust = team.root_summary().is_robust();
            team.exchange_random();
            if is_robust {
                break;
            }
        }
        if run_part(team, &Goal::new(limits, part, start), watch)? {
            break;
        }
    }
    Ok(())
}

/// True if the watcher has seen enough.
fn run_part<T: Team>(
    team: &mut T,
    goal: &Goal,
    watch: &mut Option<Watch<'_>>,
) -> Result<bool, Error<T>> {
    loop {
        let until = watch.as_ref().map(|(every, _)| Instant::now() + *every);
        team.run(goal, until, &Halt::new(None))?;
        if team.is_done(goal) {
            return Ok(false);
        }
        if let Some((_, see)) = watch {
            team.sum_up();
            let (totals, nodes, bytes) = (team.totals(), team.nodes(), team.bytes());
            let variation = team.variation();
            let moves = team.root_summary().moves_so_far();
            if !see(Snapshot { totals, nodes, bytes, moves, variation }) {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_divided_without_loss() {
        let goal = Goal::new(&Limits::simulations(10), 1.0, Instant::now());
        let shares = |goal: &Goal, trees| -> Vec<Option<u64>> {
            (0..trees).map(|i| goal.share(i, trees).simulations).collect()
        };
        assert_eq!(shares(&goal, 4), [Some(3), Some(3), Some(2), Some(2)]);
        assert_eq!(shares(&goal, 1), [Some(10)]);
        let goal = Goal::new(&Limits::simulations(2), 1.0, Instant::now());
        assert_eq!(shares(&goal, 3), [Some(1), Some(1), Some(0)]);
        // Two thirds of ten are seven.
        let part = Goal::new(&Limits::simulations(10), 1.0 / 1.5, Instant::now());
        assert_eq!(part.simulations, Some(7));
    }
}
