//! An agent in a board game.

use std::time::Duration;

use regulus_game::Step;
use regulus_player::{Position, PreparedAgent};
use regulus_reasoner::RunError;
use regulus_search::config::Limits;
use regulus_search::{MoveReport, SearchResult, Searcher, Snapshot};

use crate::error::Error;

/// An agent in a game that goes on. It keeps what it has found out from one move to the next.
pub struct Player {
    search: Box<dyn Searcher<RunError>>,
    position: Position,
}

impl Player {
    pub(crate) fn new(
        prepared_agent: &PreparedAgent,
        position: Position,
        seed: u64,
    ) -> Result<Self, Error> {
        let search = prepared_agent.searcher(seed, position.moves())?;
        Ok(Player { search, position })
    }

    /// Searches the position; what it gives has the move to play, or none if the game is over.
    ///
    /// # Errors
    /// Limits that this search cannot obey, or rules that cannot go on.
    pub fn think(&mut self, limits: &Limits) -> Result<SearchResult, Error> {
        Ok(self.search.think(limits)?)
    }

    /// Searches the position and shows about once in the time `every` how far it is; stops early when `see` says false.
    ///
    /// # Errors
    /// As for [`Player::think`].
    pub fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Snapshot) -> bool,
    ) -> Result<SearchResult, Error> {
        Ok(self.search.watch(limits, every, see)?)
    }

    /// What is known about the moves of the position, most visited first.
    pub fn moves(&self) -> Vec<MoveReport> {
        self.search.moves()
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move, whoever has chosen it.
    ///
    /// # Errors
    /// The move is illegal, or the rules cannot go on.
    pub fn advance(&mut self, steps: &[Step]) -> Result<(), Error> {
        self.position.play(steps)?;
        let played = self.position.moves().last().unwrap_or_default();
        Ok(self.search.advance(played)?)
    }
}
