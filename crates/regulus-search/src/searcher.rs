//! What searches of all kinds have in common.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use regulus_game::Step;

use crate::config::Limits;
use crate::failure::Failure;
use crate::nested::Line;
use crate::report::{MoveReport, SearchResult, Snapshot};
use crate::turn::Turn;

/// A search of a game, turn after turn; `X` is the error of the game's engine.
pub trait Searcher<X>: Send {
    /// Searches the position until the turn is over. Chooses a move unless it is the time of others.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<X>>;

    /// What is known about the moves of the position, most visited first.
    fn moves(&self) -> Vec<MoveReport>;

    /// Plays a legal move. What is known of the positions behind it stays known.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<X>>;

    /// The best sequence of moves from the position on, if the search keeps one.
    fn best_line(&self) -> Option<&Line> {
        None
    }

    /// Searches the position within limits and chooses a move.
    fn think(&mut self, limits: &Limits) -> Result<SearchResult, Failure<X>> {
        self.take_turn(&mut Turn::within(limits))
    }

    /// [`Searcher::think`], showing about once in the time `every` how far it is; stops early when `see` says false.
    fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Snapshot) -> bool,
    ) -> Result<SearchResult, Failure<X>> {
        self.take_turn(&mut Turn::within(limits).watched(every, see))
    }

    /// Searches the position until told to stop, while others think. What cannot go on then is met again in the own
    /// turn, and told there.
    fn ponder(&mut self, stop: &AtomicBool) {
        let _ = self.take_turn(&mut Turn::pondering(stop));
    }
}
