//! Board games.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use regulus_diagnostic::Source;
use regulus_player::bounded_file::read_file;
use regulus_player::{Course, Position};
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_rbg::split::Strategy;

use crate::error::{DescriptionFault, Error};
use crate::prepared::Prepared;

/// A board game whose rules were read and checked. Copies share everything, compiled code as well.
#[derive(Clone)]
pub struct Game {
    shared: Arc<Shared>,
}

struct Shared {
    name: String,
    source: Source,
    rules: regulus_rbg::Game,
    /// True if the interpreter runs it whatever else could.
    interpreted: bool,
    /// Made when a position is first asked for.
    course: OnceLock<Arc<Course>>,
    prepared: Prepared,
}

impl Game {
    /// A game that comes with Regulus ([`GAMES`](crate::GAMES)), by its name or an alias.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn builtin(name: &str) -> Result<Self, Error> {
        let Some(game) = regulus_games::find(name) else {
            let hint = match nearest_game(name) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return Err(Error::Unknown(format!("there is no built-in game `{name}`{hint}")));
        };
        Game::from_source(game.name, Source::new(format!("{}.rbg", game.name), game.text))
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
        let loaded = regulus_rbg::load(&source);
        match loaded.game {
            Some(rules) => Ok(Game::new(name, source, rules, false)),
            None => Err(DescriptionFault::board(&source, loaded.diagnostics)),
        }
    }

    fn new(name: &str, source: Source, rules: regulus_rbg::Game, interpreted: bool) -> Self {
        let (course, prepared) = (OnceLock::new(), Prepared::default());
        let name = name.to_owned();
        Game { shared: Arc::new(Shared { name, source, rules, interpreted, course, prepared }) }
    }

    /// The same game with the split points of a strategy: they are where its moves are divided into semimoves.
    pub fn split(&self, strategy: Strategy) -> Self {
        let rules = self.rules();
        let split = regulus_rbg::Game { rules: strategy.apply(&rules.rules), ..rules.clone() };
        Game::new(self.name(), self.source().clone(), split, self.shared.interpreted)
    }

    /// The same game, but the interpreter runs it even where there could be machine code.
    pub fn interpreted(&self) -> Self {
        Game::new(self.name(), self.source().clone(), self.rules().clone(), true)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The text it was read from.
    pub fn source(&self) -> &Source {
        &self.shared.source
    }

    /// The rules: board, pieces, players, variables, and what players may do.
    pub fn rules(&self) -> &regulus_rbg::Game {
        &self.shared.rules
    }

    /// The names of the players, in their order.
    pub fn players(&self) -> &[String] {
        self.rules().declarations.players()
    }

    /// Why the interpreter runs it; nothing if machine code does.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.course().why_interpreted()
    }

    /// The position in which it begins. Every position that can be reached goes out from it.
    ///
    /// # Errors
    /// The rules go wrong before anybody has moved.
    pub fn start(&self) -> Result<Position, Error> {
        Ok(Position::new(self.course())?)
    }

    fn course(&self) -> &Arc<Course> {
        let new = if self.shared.interpreted { Course::interpreted } else { Course::new };
        self.shared.course.get_or_init(|| new(self.rules()))
    }

    pub(crate) fn prepared(&self) -> &Prepared {
        &self.shared.prepared
    }

    pub(crate) fn is_interpreted(&self) -> bool {
        self.shared.interpreted
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.name()).finish()
    }
}

/// The built-in game that a misspelt name probably means: `hex`, or `vgdl/caravan`.
pub fn nearest_game(misspelt: &str) -> Option<String> {
    let video = || {
        let game = regulus_games::find_video(misspelt);
        game.or_else(|| regulus_games::nearest_video(misspelt))
    };
    let board = regulus_games::nearest(misspelt).map(|game| game.name.to_owned());
    board.or_else(|| video().map(|game| format!("vgdl/{}", game.name)))
}
