//! Play-outs: who chooses actions below the tree.

mod greedy;
mod mast;
mod one_plus_one;
mod random;
mod stgp;
#[cfg(test)]
mod toy;

use regulus_game::{Random, World};

use super::config::Playout;
use super::ngrams::Table;

pub(crate) use random::any;

/// What a play-out can look at besides the state.
pub(crate) struct Surroundings<'a> {
    /// The numbers of the actions since the root of the tree, in order. It grows by one with every tick, so that
    /// within an iteration its length names the state.
    pub path: &'a [usize],
    /// Statistics of actions.
    pub ngrams: &'a Table,
    /// The least and the greatest value of an iteration in this tick so far; nothing before the first.
    pub bounds: Option<(f64, f64)>,
}

/// Chooses actions below the tree, and learns from what comes of it.
///
/// Every tick of the game calls `begin_tick`. An iteration calls `begin_iteration`, then `value` while it selects (only for selection by evolution), then
/// `begin_playout`, `choose` for every tick, and `end_playout`.
pub(crate) trait Guide<W: World>: Send {
    /// A new tick of the game: what iterations are worth cannot be compared with those before.
    fn begin_tick(&mut self) {}

    /// A new iteration.
    fn begin_iteration(&mut self, _random: &mut Random) {}

    /// What an action is worth in a state, if this guide has an opinion of its own.
    fn value(&mut self, _world: &W, _action: W::Action, _around: &Surroundings<'_>) -> Option<f64> {
        None
    }

    /// A play-out begins; `worth` is what its first state is worth by the score of the search.
    fn begin_playout(&mut self, _worth: f64) {}

    /// The next action. There is always one to choose from.
    fn choose(&mut self, world: &W, around: &Surroundings<'_>, random: &mut Random) -> W::Action;

    /// The play-out is over; `worth` is what its last state is worth.
    fn end_playout(&mut self, _worth: f64, _random: &mut Random) {}
}

/// The guide of a configuration, at the beginning of a game.
pub(crate) fn guide<W: World>(playout: &Playout) -> Box<dyn Guide<W>> {
    match playout {
        Playout::Random => Box::new(random::Uniform),
        Playout::Mast { epsilon } => Box::new(mast::Mast { epsilon: *epsilon }),
        Playout::Nst { epsilon } => Box::new(mast::Nst { epsilon: *epsilon }),
        Playout::OnePlusOne { epsilon } => {
            Box::new(one_plus_one::OnePlusOne::new(*epsilon, W::ACTIONS))
        }
        Playout::Stgp(config) => Box::new(stgp::Evolved::new(config)),
    }
}
