//! A kind of games: what the server has of it before anything is played. There are two, board games and video games; the
//! same addresses, the same sessions and the same sandbox serve both.

use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use crate::board::BoardGames;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::session_game::SessionGame;
use crate::video::VideoGames;

/// What is known of a kind of games.
pub struct About {
    /// Its name, by which a sandbox knows it.
    pub name: &'static str,
    /// What its addresses begin with: nothing, or a path.
    pub path: &'static str,
    /// What leads to a session on the page: `session` in `#session=ID`.
    pub link: &'static str,
    /// All commands, as they are in addresses.
    pub commands: &'static [&'static str],
    /// All games, as JSON. They are read when this is first asked for.
    pub games: &'static LazyLock<Arc<str>>,
    /// All agents, as JSON.
    pub agents: &'static LazyLock<Arc<str>>,
}

/// A kind of games.
pub trait GameKind: Send + Sync {
    /// What is known of it.
    fn about(&self) -> &'static About;

    /// Reads a request to check rules.
    fn check(&self, request: &Value, limits: &Limits) -> Result<Check, Refusal>;

    /// Reads a request to begin a game.
    fn begin(&self, request: &Value, limits: &Limits) -> Result<Beginning, Refusal>;

    /// Changes the last view of a game that cannot go on, beyond what all views have.
    fn show_failure(&self, _view: &mut Map<String, Value>, _why: &str) {}
}

/// A check that can be made: it says what is wrong with rules, as JSON.
pub type Check = Box<dyn FnOnce(&Limits) -> Result<Arc<str>, Refusal> + Send>;

/// Begins a game; the text is the name of its session.
type Start = Box<dyn FnOnce(String, Arc<Limits>) -> Result<Box<dyn SessionGame>, Refusal> + Send>;

/// A game that can be begun.
pub struct Beginning {
    /// True if a visitor brought the rules: they run in a process of their own.
    pub brought: bool,
    /// Begins it as the game of a session.
    pub start: Start,
}

impl Beginning {
    /// Of a game that is made by `start` from the name of the session and the limits.
    pub fn new<G: SessionGame + 'static>(
        brought: bool,
        start: impl FnOnce(String, Arc<Limits>) -> Result<G, Refusal> + Send + 'static,
    ) -> Self {
        let start: Start =
            Box::new(move |id, limits| Ok(Box::new(start(id, limits)?) as Box<dyn SessionGame>));
        Beginning { brought, start }
    }
}

/// All kinds of games.
pub fn all() -> Vec<Arc<dyn GameKind>> {
    vec![Arc::new(BoardGames::default()), Arc::new(VideoGames)]
}

/// The kind with a name.
pub fn named(name: &str) -> Result<Arc<dyn GameKind>, Refusal> {
    all().into_iter().find(|kind| kind.about().name == name).ok_or_else(Refusal::internal)
}

/// The longest name of rules that a visitor brings, in characters.
const MAX_NAME: usize = 100;

/// The name of rules that a visitor brings, cut if it is too long.
pub fn short_name(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// Refuses texts that are too long.
pub fn check_length(bytes: usize, limits: &Limits) -> Result<(), Refusal> {
    if bytes <= limits.text_bytes {
        return Ok(());
    }
    let message = format!("the rules have more than {} bytes", limits.text_bytes);
    Err(Refusal::new(413, "too_large", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The description of the interface has every command, and no other.
    #[test]
    fn commands_are_described() {
        let text = include_str!("../openapi.json");
        let document: Value = serde_json::from_str(text).expect("JSON");
        let paths = document["paths"].as_object().expect("addresses");
        for kind in all() {
            let About { name, path, commands, .. } = kind.about();
            let session = format!("{path}/sessions/{{id}}/");
            let of_session = paths.iter().filter_map(|(path, methods)| {
                methods.get("post").and(path.strip_prefix(session.as_str()))
            });
            let mut described: Vec<&str> = of_session.collect();
            let mut known = commands.to_vec();
            described.sort_unstable();
            known.sort_unstable();
            assert_eq!(described, known, "{name}");
        }
    }
}
