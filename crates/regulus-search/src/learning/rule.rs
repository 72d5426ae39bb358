//! How a policy learns: the registry of rules.
//!
//! A new rule is one file in this folder that implements [`Rule`], and one line in [`make`].

use std::ops::Range;

use regulus_game::Random;

use super::played::Played;
use super::rows::Chosen;
use super::{mast, nst, ppa};
use crate::config::Method;

/// A policy for playouts that learns from every iteration.
pub(crate) trait Rule: Send {
    /// Makes room for codes below a number.
    fn grow(&mut self, codes: usize);

    /// Whether it learns about moves that were not chosen.
    fn learns_from_others(&self) -> bool {
        false
    }

    /// Whether this time any move will do, whatever was learned.
    fn is_blind(&mut self, random: &mut Random) -> bool {
        let _ = random;
        false
    }

    /// Chooses one of several moves, if it is not blind this time: its index, and the sum of the weights if it was drawn by weights.
    fn choose(&mut self, played: &Played, offered: &[u32], random: &mut Random) -> (usize, f64);

    /// Whether it can choose from rows of codes.
    fn chooses_rows(&self) -> bool {
        false
    }

    /// The same for the moves of some rows of [`Played`], if it can.
    fn choose_row(
        &mut self,
        played: &Played,
        rows: Range<usize>,
        random: &mut Random,
    ) -> Option<(Chosen, f64)> {
        let _ = (played, rows, random);
        None
    }

    /// Learns from an iteration that ended with these points of the players.
    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>);

    /// A move of the game was played.
    fn next_turn(&mut self) {}

    /// Forgets everything.
    fn forget(&mut self);

    /// Whether no more memory may be taken than codes need.
    fn freeze(&mut self, frozen: bool) {
        let _ = frozen;
    }

    /// How many bytes it takes.
    fn bytes(&self) -> usize;
}

/// How an iteration ended.
pub(crate) struct Outcome<'o> {
    /// The scores of the players from 0 to 1; entry 0 is not used.
    pub(crate) values: &'o [f64],
    /// Codes below this stand for moves that came when there was no memory left; nothing is learned about them.
    pub(crate) nameless: usize,
}

impl Outcome<'_> {
    /// PPA learns from the winner. Where there are more players or scores than winning and losing, a winner is
    /// every player with the highest score, unless all have it: nobody wins a draw.
    pub(crate) fn wins(&self, player: usize) -> bool {
        let players = &self.values[1..];
        let highest = players.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.values[player] == highest && players.iter().any(|value| *value < highest)
    }
}

/// The rule that a configuration asks for.
pub(crate) fn make(method: Method) -> Box<dyn Rule> {
    match method {
        Method::Ppa { alpha } => Box::new(ppa::Ppa::new(alpha)),
        Method::Mast { k } => Box::new(mast::Mast::new(k)),
        Method::Nst { length, threshold, policy, decay } => {
            Box::new(nst::Nst::new(length, threshold, policy, decay))
        }
    }
}
