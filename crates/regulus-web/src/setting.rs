//! A game that can be played: its rules at work, how it is drawn, and agents that are prepared for it.

use std::sync::Arc;

use regulus_player::catalogue;
use regulus_player::{AUTO, LoadedGame, PreparedAgent};
use regulus_rbg::{Game, Source};
use regulus_scene::{Hints, Picture};

use crate::limits::Limits;
use crate::refusal::Refusal;

/// A game that can be played.
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its text, if it was uploaded.
    pub text: Option<String>,
    /// The rules at work.
    pub game: Arc<LoadedGame>,
    /// How it is drawn.
    pub picture: Picture,
}

impl Setting {
    /// Prepares a built-in game.
    pub fn built_in(name: &str) -> Result<Self, Refusal> {
        let built_in = catalogue::built_in(name).map_err(|unknown| {
            Refusal::not_found(unknown.with_hint("`/api/v1/games` lists them"))
        })?;
        let game = read(built_in.name, built_in.text)?;
        let picture = Picture::new(game.rules(), &Hints::read(built_in.text));
        Ok(Setting::new(built_in.name.to_owned(), None, game, picture))
    }

    /// Prepares uploaded rules.
    pub fn uploaded(name: &str, text: &str, limits: &Limits) -> Result<Self, Refusal> {
        let game = read(name, text)?;
        let vertices = game.rules().board.len();
        if vertices > limits.vertices {
            return Err(Refusal::rules(format!(
                "the board has {vertices} vertices; at most {} can be played here",
                limits.vertices
            )));
        }
        let picture = Picture::new(game.rules(), &Hints::read(text));
        Ok(Setting::new(name.to_owned(), Some(text.to_owned()), game, picture))
    }

    fn new(name: String, text: Option<String>, game: LoadedGame, picture: Picture) -> Self {
        Setting { name, text, game: Arc::new(game), picture }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.game.rules()
    }

    /// The names of the players.
    pub fn players(&self) -> &[String] {
        self.game().declarations.players()
    }

    /// An agent that is prepared for the game.
    pub fn prepared_agent(&self, agent: &str, memory: usize) -> Result<PreparedAgent, String> {
        let name = if agent == AUTO { self.game.auto_agent() } else { agent };
        let mut made = regulus_agent::by_name(name)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        if made.search.parallel.most_threads() > processors {
            return Err(format!("{name} wants more threads than this machine has processors"));
        }
        made.search.memory = memory;
        Ok(PreparedAgent::in_game(&made, &self.game))
    }
}

/// Reads rules; the first error is the refusal.
fn read(name: &str, text: &str) -> Result<LoadedGame, Refusal> {
    LoadedGame::read(name, Source::new(name, text)).map_err(|fault| {
        Refusal::rules(match fault.first() {
            None => "the rules cannot be read".to_owned(),
            Some((line, message, 0)) => format!("line {line}: {message}"),
            Some((line, message, more)) => format!("line {line}: {message} (and {more} more)"),
        })
    })
}
