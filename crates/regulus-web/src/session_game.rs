//! A game that is played by people and agents, as a session knows it.
//!
//! Board games and video games are behind this one interface; nothing above it knows which of them is played. A
//! [`SessionGame`] has no network, no threads and no clock: it says which search it waits for ([`SessionGame::wanted`]);
//! others make that search on any thread ([`SessionGame::job`]) and report what was found ([`SessionGame::finish`]).
//! What comes in is JSON as visitors send it, what goes out is JSON as they get it. So it does not matter whether a game is in
//! this process or, because strangers wrote its rules, in one of its own.
//!
//! What there is before a game has begun (lists, checks of rules, and how to begin one) is a [`GameKind`].
//!
//! [`GameKind`]: crate::game_kind::GameKind

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::refusal::Refusal;

/// A game that is played.
pub trait SessionGame: Send {
    /// Does what a visitor asks for: a command with its name as `command`.
    fn perform(&mut self, command: &Value) -> Result<Change, Refusal>;

    /// What there is to see, as JSON; with `scene` also how it is drawn.
    fn view(&self, scene: bool) -> Arc<str>;

    /// The game as a file, as JSON.
    fn record(&self) -> Arc<str>;

    /// At most `count` frames from tick `from` on, as JSON, of games that have frames.
    fn film(&mut self, from: usize, count: usize) -> Result<Arc<str>, Refusal>;

    /// The search that the game waits for.
    fn wanted(&self) -> Option<Wanted>;

    /// The search of a ticket; `None` if it is not wanted any more.
    fn job(&self, ticket: u64) -> Option<Box<dyn Job>>;

    /// Takes what a search has found; `None` if it is not wanted any more.
    fn finish(&mut self, ticket: u64, found: Result<Found, String>) -> Option<Change>;
}

/// A search that can be made, on any thread.
pub trait Job: Send {
    /// Searches with at most `memory` bytes. `see` is shown what is thought, as JSON, and says whether to go on; nothing is
    /// found if it says no.
    fn work(
        self: Box<Self>,
        memory: usize,
        see: &mut dyn FnMut(Arc<str>) -> bool,
    ) -> Result<Option<Found>, String>;
}

/// Something has changed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Change {
    /// What has changed since the view before, as JSON, if that is shorter than the view.
    pub step: Option<Arc<str>>,
}

/// A search that a game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wanted {
    /// Tells it from others.
    pub ticket: u64,
    /// How long to wait before it.
    pub delay_ms: u64,
    /// How long it may take.
    pub time_ms: u64,
    /// True if it goes on only while somebody looks, and if the delay counts from the beginning of the search before.
    pub live: bool,
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The move, in the wire encoding; of a video game the letter of an action.
    pub text: String,
    /// The part of the iterations that tried it.
    pub share: f64,
}
