//! A game that can be played: its rules at work, how it is drawn, and agents that are prepared for it.

use std::sync::{Arc, Mutex, PoisonError};

use regulus_player::{AUTO, Course, PreparedAgent, auto_agent};
use regulus_rbg::{Game, Severity, Source, load};
use regulus_scene::{Hints, Picture};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// So many agents are kept prepared for a game.
const KEPT_MINDS: usize = 4;

/// A game that can be played.
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its text, if it was uploaded.
    pub text: Option<String>,
    /// The rules at work.
    pub course: Arc<Course>,
    /// How it is drawn.
    pub picture: Picture,
    /// Agents that were used last, the last one at the end.
    prepared_agents: Mutex<Vec<(String, Arc<PreparedAgent>)>>,
}

impl Setting {
    /// Prepares a built-in game.
    pub fn built_in(name: &str) -> Result<Self, Refusal> {
        let Some(built_in) = regulus_games::find(name) else {
            let near = regulus_games::nearest(name);
            let hint = near.map_or("`/api/v1/games` lists them".to_owned(), |near| {
                format!("did you mean `{}`?", near.name)
            });
            return Err(Refusal::not_found(format!("there is no game `{name}`; {hint}")));
        };
        let game = read(built_in.name, built_in.text)?;
        let picture = Picture::new(&game, &Hints::read(built_in.text));
        Ok(Setting::new(built_in.name.to_owned(), None, &game, picture))
    }

    /// Prepares uploaded rules.
    pub fn uploaded(name: &str, text: &str, limits: &Limits) -> Result<Self, Refusal> {
        let game = read(name, text)?;
        let vertices = game.board.len();
        if vertices > limits.vertices {
            return Err(Refusal::rules(format!(
                "the board has {vertices} vertices; at most {} can be played here",
                limits.vertices
            )));
        }
        let picture = Picture::new(&game, &Hints::read(text));
        Ok(Setting::new(name.to_owned(), Some(text.to_owned()), &game, picture))
    }

    fn new(name: String, text: Option<String>, game: &Game, picture: Picture) -> Self {
        let course = Course::new(game);
        Setting { name, text, course, picture, prepared_agents: Mutex::default() }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.course.game()
    }

    /// The names of the players.
    pub fn players(&self) -> &[String] {
        self.game().declarations.players()
    }

    /// An agent that is prepared for the game.
    pub fn prepared_agent(&self, agent: &str, memory: usize) -> Result<Arc<PreparedAgent>, String> {
        // Whoever comes second waits: preparing the same twice would take as long.
        let mut prepared_agents =
            self.prepared_agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = prepared_agents.iter().position(|(name, _)| name == agent) {
            let known = prepared_agents.remove(at);
            prepared_agents.push(known.clone());
            return Ok(known.1);
        }
        let name = if agent == AUTO { auto_agent(self.game()) } else { agent };
        let mut made = regulus_agent::by_name(name)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        if made.search.parallel().most_threads() > processors {
            return Err(format!("{name} wants more threads than this machine has processors"));
        }
        made.search.set_memory(memory);
        let prepared_agent = Arc::new(PreparedAgent::new(&made, self.game()));
        if prepared_agents.len() >= KEPT_MINDS {
            prepared_agents.remove(0);
        }
        prepared_agents.push((agent.to_owned(), Arc::clone(&prepared_agent)));
        Ok(prepared_agent)
    }
}

/// Reads rules; the first error is the refusal.
fn read(name: &str, text: &str) -> Result<Game, Refusal> {
    let source = Source::new(name, text);
    let loaded = load(&source);
    if let Some(game) = loaded.game {
        return Ok(game);
    }
    let errors = || loaded.diagnostics.iter().filter(|d| d.severity() == Severity::Error);
    let message = errors().next().map_or("the rules cannot be read".to_owned(), |first| {
        let line = source.line_column(first.span.start).line;
        let others = match errors().count() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        format!("line {line}: {}{others}", first.message)
    });
    Err(Refusal::rules(message))
}
