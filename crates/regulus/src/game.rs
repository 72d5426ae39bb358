//! Board games.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use regulus_diagnostic::Source;
use regulus_player::bounded_file::read_file;
use regulus_player::catalogue::{built_in, load_built_in};
use regulus_player::{LoadedGame, Position};
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_rbg::split::Strategy;

use crate::error::Error;

/// A board game whose rules were read and checked. Copies share everything, compiled code as well.
#[derive(Clone)]
pub struct Game(Arc<LoadedGame>);

impl Game {
    /// A game that comes with Regulus ([`GAMES`](crate::GAMES)), by its name or an alias.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn builtin(name: &str) -> Result<Self, Error> {
        Ok(Game(Arc::new(load_built_in(built_in(name)?)?)))
    }

    /// A game from its description in RBG. The name is for people and for messages.
    ///
    /// # Errors
    /// What is wrong with the text:
    ///
    /// ```
    /// let text = "#players = me(100) #pieces = e, x #variables =
    ///             #board = rectangle(up, down, left, right, [e, e])
    ///             #rules = ->me {ee} [x] ->>";
    /// let error = regulus::Game::from_text("mine.rbg", text).err().expect("there is no piece `ee`");
    /// assert!(error.to_string().contains("mine.rbg:3"), "{error}");
    /// ```
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        Game::from_source(name, Source::new(name, text))
    }

    /// A game from a file; its name is that of the file without folder and ending.
    ///
    /// # Errors
    /// What is wrong with the file or with the description in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = read_file(path, MAX_FILE_BYTES as u64)
            .map_err(|fault| Error::unreadable(path, &fault))?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Game::from_source(&name, Source::from_bytes(path.to_string_lossy(), bytes))
    }

    /// A game from a text that has a name of its own.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_source(name: &str, source: Source) -> Result<Self, Error> {
        Ok(Game(Arc::new(LoadedGame::read(name, source)?)))
    }

    /// The same game with the split points of a strategy: they are where its moves are divided into semimoves.
    pub fn split(&self, strategy: Strategy) -> Self {
        Game(Arc::new(self.0.with_split(strategy)))
    }

    /// The same game, but the interpreter runs it even where there could be machine code.
    pub fn interpreted(&self) -> Self {
        Game(Arc::new(self.0.interpreted()))
    }

    /// The game with all that is made of its rules while it is played.
    pub fn loaded(&self) -> &Arc<LoadedGame> {
        &self.0
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The text it was read from.
    pub fn source(&self) -> &Source {
        self.0.source()
    }

    /// The rules: board, pieces, players, variables, and what players may do.
    pub fn rules(&self) -> &regulus_rbg::Game {
        self.0.rules()
    }

    /// The names of the players, in their order.
    pub fn players(&self) -> &[String] {
        self.0.players()
    }

    /// Why the interpreter runs it; nothing if machine code does.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.0.why_interpreted()
    }

    /// The position in which it begins. Every position that can be reached goes out from it.
    ///
    /// # Errors
    /// The rules go wrong before anybody has moved.
    pub fn start(&self) -> Result<Position, Error> {
        Ok(Position::new(&self.0)?)
    }
}

impl From<LoadedGame> for Game {
    fn from(game: LoadedGame) -> Self {
        Game(Arc::new(game))
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.name()).finish()
    }
}
