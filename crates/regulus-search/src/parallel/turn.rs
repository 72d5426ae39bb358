//! A turn of several threads: they run until a limit is reached or somebody wants to look, come together, and the
//! move is chosen from what they know together.

use std::time::{Duration, Instant};

use regulus_game::{Engine, Step};

use super::thread_pool::Halt;
use crate::any_move::{Choice, settle};
use crate::config::Config;
use crate::failure::Failure;
use crate::report::{SearchResult, Snapshot, Totals};
use crate::search::Search;
use crate::stopper::Goal;
use crate::turn::Turn;

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
    /// How long they work before they come together if nothing says how much time there is; nothing if all can work
    /// all the time.
    fn round(&self) -> Option<Duration>;
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

type Error<T> = <<T as Team>::Engine as Engine>::Error;

/// Searches the position, and chooses a move unless it is the time of others.
pub(super) fn take_turn<T: Team>(
    team: &mut T,
    turn: &mut Turn<'_>,
) -> Result<SearchResult, Failure<Error<T>>> {
    let chooses = !turn.is_pondering();
    if chooses {
        turn.limits().validate(team.config())?;
    }
    let searched = search(team, turn);
    team.sum_up();
    let found = if chooses { with_random(team, Search::final_move) } else { Ok(None) };
    let sim = &mut team.root_summary().sim;
    let position = (chooses && sim.alive).then_some(&sim.position);
    let settled = settle(&mut sim.engine, position, searched, found);
    let Choice { chosen, trouble } = settled.map_err(Failure::Game)?;
    let (totals, nodes, bytes) = (team.totals(), team.nodes(), team.bytes());
    Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
}

/// Asks the root summary, with the random numbers of the first worker.
fn with_random<T: Team, R>(team: &mut T, ask: impl FnOnce(&mut Search<T::Engine>) -> R) -> R {
    team.exchange_random();
    let answer = ask(team.root_summary());
    team.exchange_random();
    answer
}

fn search<T: Team>(team: &mut T, turn: &mut Turn<'_>) -> Result<(), Error<T>> {
    if !team.begin_turn()? {
        return Ok(());
    }
    let is_robust = |team: &mut T| {
        team.sum_up();
        with_random(team, |root_summary| root_summary.is_robust())
    };
    while turn.next_stage(team.config().first_part(), || is_robust(team)) {
        run_stage(team, turn)?;
    }
    Ok(())
}

fn run_stage<T: Team>(team: &mut T, turn: &mut Turn<'_>) -> Result<(), Error<T>> {
    let halt = Halt::new(turn.stop());
    while !halt.is_called() {
        let round = team.round().filter(|_| turn.is_pondering());
        let until = turn.next_look().or_else(|| round.map(|round| Instant::now() + round));
        team.run(turn.goal(), until, &halt)?;
        if team.is_done(turn.goal()) {
            break;
        }
        turn.show(|| {
            team.sum_up();
            let (totals, nodes, bytes) = (team.totals(), team.nodes(), team.bytes());
            let variation = team.variation();
            let moves = team.root_summary().moves_so_far();
            Snapshot { totals, nodes, bytes, moves, variation }
        });
        if turn.is_over() {
            break;
        }
    }
    Ok(())
}
