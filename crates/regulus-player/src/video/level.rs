//! A level of a video game with the texts it was read from.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use regulus_games::VIDEO_GAMES;
use regulus_vgdl::{Diagnostic, Game, Generator, Level, Profile, Severity, State};

use crate::hash::sha256;

/// A level that can be played.
#[derive(Clone, Debug)]
pub struct VideoLevel {
    /// What people call it: `vgdl/ferry:0`, or the names of two files.
    pub name: String,
    /// The text of the game.
    pub game_text: Arc<str>,
    /// The text of the level.
    pub level_text: Arc<str>,
    /// The level.
    pub level: Arc<Level>,
}

/// Why texts are no level: what is wrong with the game, or with the level if the game is right.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadFault {
    /// True if it is the text of the game that is wrong.
    pub in_game: bool,
    /// What is wrong, errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for LoadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.in_game { "game" } else { "level" };
        let mut errors = self.diagnostics.iter().filter(|d| d.severity() == Severity::Error);
        match errors.next() {
            Some(error) => write!(f, "the text of the {text} has an error: {error}"),
            None => write!(f, "the text of the {text} cannot be read"),
        }
    }
}

impl std::error::Error for LoadFault {}

impl VideoLevel {
    /// Reads a game and a level of it.
    ///
    /// # Errors
    /// What is wrong with one of the texts.
    pub fn load(
        name: &str,
        game_text: &str,
        level_text: &str,
        profile: Profile,
    ) -> Result<Self, LoadFault> {
        let loaded = Game::load(game_text, profile);
        let diagnostics = loaded.diagnostics;
        let game = loaded.game.ok_or(LoadFault { in_game: true, diagnostics })?;
        let loaded = Level::load(&game, level_text);
        let diagnostics = loaded.diagnostics;
        let level = loaded.level.ok_or(LoadFault { in_game: false, diagnostics })?;
        Ok(VideoLevel {
            name: name.to_owned(),
            game_text: game_text.into(),
            level_text: level_text.into(),
            level,
        })
    }

    /// The rules it is read and run with.
    pub fn profile(&self) -> Profile {
        self.level.game().profile()
    }

    /// The beginning of a game.
    pub fn start(&self, seed: u64) -> State {
        State::new(&self.level, Generator::own(seed))
    }

    /// Whether game and level come with Regulus.
    pub fn is_built_in(&self) -> bool {
        let game = VIDEO_GAMES.iter().find(|game| game.text == &*self.game_text);
        game.is_some_and(|game| game.levels.contains(&&*self.level_text))
    }

    /// The SHA-256 of the texts of game and level.
    pub fn hashes(&self) -> [String; 2] {
        [sha256(&self.game_text), sha256(&self.level_text)]
    }
}

/// The file of a level of a game that is a file: `ferry_lvl2.txt` for `ferry.txt`.
pub fn level_file(game: &Path, level: u64) -> PathBuf {
    let stem = game.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    game.with_file_name(format!("{stem}_lvl{level}.txt"))
}
