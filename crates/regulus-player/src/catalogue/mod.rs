//! What a word means: a game that is built in, a file, an agent. Everybody who is given a word asks here, so that it
//! means the same everywhere, and who misspells one hears what was probably meant.

mod agent;
mod video_text;

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use regulus_diagnostic::{Source, did_you_mean};
use regulus_games::{BuiltIn, GAMES, VIDEO_GAMES, VideoGame};
use regulus_rbg::limits::MAX_FILE_BYTES;

use crate::bounded_file::{ReadFault, read_file};
use crate::description_fault::DescriptionFault;
use crate::loaded_game::LoadedGame;

pub use agent::{MAX_AGENT_BYTES, agent, agent_file, unknown_agent};
pub use video_text::{LevelFault, VideoText, game_of_level, split_level};

/// What names of built-in video games begin with.
pub const VIDEO_PREFIX: &str = "vgdl/";

/// Why a word means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// There is no such game, level or agent.
    Unknown {
        /// That there is none.
        message: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// The game has no such level.
    Level(String),
    /// A file cannot be read, or is something else.
    File(String),
}

/// Behind a longer message a hint has a line of its own.
const LONG: usize = 80;

fn hinted(message: &str, hint: &str) -> String {
    let between = if message.len() > LONG { "\n" } else { "; " };
    format!("{message}{between}{hint}")
}

impl NotFound {
    /// There is nothing of this name; was one of the known names meant?
    pub fn among<'a>(
        message: String,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        NotFound::Unknown { message, near: did_you_mean(name, known).map(str::to_owned) }
    }

    /// The message, with where to look if nothing similar is known.
    pub fn with_hint(&self, otherwise: &str) -> String {
        match self {
            NotFound::Unknown { message, near: None } => hinted(message, otherwise),
            found => found.to_string(),
        }
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Unknown { message, near: Some(near) } => {
                hinted(message, &format!("did you mean `{near}`?")).fmt(f)
            }
            NotFound::Unknown { message, near: None }
            | NotFound::Level(message)
            | NotFound::File(message) => message.fmt(f),
        }
    }
}

impl std::error::Error for NotFound {}

/// The built-in board game of a name, in any spelling.
///
/// # Errors
/// There is none; a video game may be meant as well.
pub fn built_in(name: &str) -> Result<&'static BuiltIn, NotFound> {
    regulus_games::find(name).ok_or_else(|| {
        let message = format!("there is no built-in game `{name}`");
        NotFound::Unknown { message, near: nearest_game(name) }
    })
}

/// The built-in game that a misspelt name probably means: `hex`, or `vgdl/caravan`.
fn nearest_game(misspelt: &str) -> Option<String> {
    let board = did_you_mean(misspelt, GAMES.iter().map(|game| game.name)).map(str::to_owned);
    let video = || {
        let known = regulus_games::find_video(misspelt).map(|game| game.name);
        let name = known.or_else(|| nearest_video(misspelt))?;
        Some(format!("{VIDEO_PREFIX}{name}"))
    };
    board.or_else(video)
}

fn nearest_video(misspelt: &str) -> Option<&'static str> {
    did_you_mean(misspelt, VIDEO_GAMES.iter().map(|game| game.name))
}

/// The built-in video game of a name in any spelling, with or without `vgdl/` before it.
///
/// # Errors
/// There is none.
pub fn built_in_video(name: &str) -> Result<&'static VideoGame, NotFound> {
    let short = name.strip_prefix(VIDEO_PREFIX).unwrap_or(name);
    regulus_games::find_video(short).ok_or_else(|| NotFound::Unknown {
        message: format!("there is no built-in video game `{VIDEO_PREFIX}{short}`"),
        near: nearest_video(short).map(|near| format!("{VIDEO_PREFIX}{near}")),
    })
}

/// The built-in games that were loaded: each is read and compiled once.
#[derive(Default)]
pub struct Catalogue {
    loaded: Mutex<Vec<Arc<LoadedGame>>>,
}

impl Catalogue {
    /// A built-in game, ready to be played.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn game(&self, name: &str) -> Result<Arc<LoadedGame>, NotFound> {
        let built_in = built_in(name)?;
        // Whoever comes second waits: reading the same twice would take as long.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.iter().find(|game| game.name() == built_in.name) {
            return Ok(Arc::clone(known));
        }
        let game = load_built_in(built_in).map_err(|fault| NotFound::File(fault.to_string()))?;
        let game = Arc::new(game);
        loaded.push(Arc::clone(&game));
        Ok(game)
    }
}

/// Reads a built-in game.
///
/// # Errors
/// None for the games that are built in: their tests see to it.
pub fn load_built_in(game: &BuiltIn) -> Result<LoadedGame, DescriptionFault> {
    LoadedGame::read(game.name, Source::new(format!("{}.rbg", game.name), game.text))
}

/// The text of a game of either kind that a word or a path means.
pub enum GameText {
    /// The short name and the text of a board game.
    Board(String, Source),
    /// A video game.
    Video {
        /// The game.
        game: VideoText,
        /// The level that was asked for: what stands behind the colon.
        level: Option<String>,
    },
}

/// Finds the game that a word means: a built-in one, or a file (`-` is standard input). A video game may have a level
/// behind a colon.
///
/// # Errors
/// There is no such game, or the file cannot be read.
pub fn find_game(word: &str) -> Result<GameText, NotFound> {
    if let Some(built_in) = find_built_in_video(word)? {
        return Ok(built_in);
    }
    if !looks_like_path(word) {
        match built_in(word) {
            Ok(game) => {
                let source = Source::new(format!("{}.rbg", game.name), game.text);
                return Ok(GameText::Board(game.name.to_owned(), source));
            }
            Err(NotFound::Unknown { near, .. }) if !Path::new(word).exists() => {
                let message = format!("there is no built-in game or file `{word}`");
                return Err(NotFound::Unknown { message, near });
            }
            Err(_) => {}
        }
    }
    find_file(word)
}

/// Finds the built-in video game of a word that begins with `vgdl/`, unless it is a file.
///
/// # Errors
/// There is neither.
pub fn find_built_in_video(word: &str) -> Result<Option<GameText>, NotFound> {
    let Some(rest) = word.strip_prefix(VIDEO_PREFIX) else { return Ok(None) };
    let (name, level) = match rest.split_once(':') {
        Some((name, level)) => (name, Some(level.to_owned())),
        None => (rest, None),
    };
    match VideoText::built_in(name) {
        Ok(game) => Ok(Some(GameText::Video { game, level })),
        Err(_) if Path::new(split_level(word).0).exists() => Ok(None),
        Err(unknown) => Err(unknown),
    }
}

/// Finds the game in a file, whatever is built in.
///
/// # Errors
/// The file cannot be read.
pub fn find_file(path: &str) -> Result<GameText, NotFound> {
    let (path, level) = split_level(path);
    let source = read_source(path)?;
    if is_video_game(path, source.text()) {
        let level = level.map(str::to_owned);
        return Ok(GameText::Video { game: VideoText::from_file(path, source), level });
    }
    match level {
        None => Ok(GameText::Board(stem(path).to_owned(), source)),
        Some(_) => Err(NotFound::File(format!("{path} is no video game: it has no levels"))),
    }
}

/// True if a word can only be meant as a file.
fn looks_like_path(word: &str) -> bool {
    word == "-"
        || word.contains(['/', '\\', ':'])
        || word.ends_with(".rbg")
        || word.ends_with(".txt")
}

/// Whether a text is a video game. One that is too broken to tell is taken for what its file is called.
pub fn is_video_game(path: &str, text: &str) -> bool {
    let is_named = path.ends_with(".txt") || path.ends_with(".vgdl");
    let has_directive =
        || ["#players", "#pieces", "#board", "#rules"].iter().any(|d| text.contains(d));
    regulus_vgdl::is_game(text) || is_named && !has_directive()
}

/// The name of a file without folder and ending.
pub fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|s| s.to_str()).unwrap_or(path)
}

/// Reads a description: a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or is too long.
pub fn read_source(path: &str) -> Result<Source, NotFound> {
    let name = if path == "-" { "<stdin>" } else { path };
    match read_bounded(path, MAX_FILE_BYTES as u64) {
        Ok(bytes) => Ok(Source::from_bytes(name, bytes)),
        Err(_) if regulus_games::find(path).is_some() => Err(NotFound::File(format!(
            "cannot read {path}: there is no such file (the built-in game of this name needs no check)"
        ))),
        Err(fault) => Err(NotFound::File(format!("cannot read {path}: {fault}"))),
    }
}

/// At most `most` bytes: a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or is too long.
pub fn read_bounded(path: &str, most: u64) -> Result<Vec<u8>, ReadFault> {
    if path != "-" {
        return read_file(Path::new(path), most);
    }
    let mut bytes = Vec::new();
    io::stdin().take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadFault::TooLong { most }) } else { Ok(bytes) }
}
