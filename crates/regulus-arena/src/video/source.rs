//! Where games and levels come from: built in, or files beside each other. The levels of a file `NAME.txt` are
//! `NAME_lvl0.txt`, `NAME_lvl1.txt` and so on.

use std::path::{Path, PathBuf};

use regulus_player::bounded_file::read_text;
use regulus_player::catalogue::{NotFound, VIDEO_PREFIX, built_in_video};
use regulus_player::video::VideoLevel;
pub use regulus_player::video::level_file;
use regulus_vgdl::Profile;

use super::contest::{ContestLevel, VideoGame};

/// A file is never longer.
const MAX_BYTES: u64 = 4 << 20;

/// Which levels of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Levels {
    /// All.
    All,
    /// Some: numbers, or files.
    Named(Vec<String>),
}

/// The name of a built-in video game as it is written everywhere.
pub fn full_name(game: &regulus_games::VideoGame) -> String {
    format!("{VIDEO_PREFIX}{}", game.name)
}

/// Says that there is no such game, and which one was probably meant.
pub fn no_built_in(unknown: &NotFound) -> String {
    unknown.with_hint("`regulus games` lists them")
}

fn read(path: &Path) -> Result<String, String> {
    read_text(path, MAX_BYTES).map_err(|fault| format!("cannot read {}: {fault}", path.display()))
}

impl VideoGame {
    /// A built-in game by its name, with or without `vgdl/` before it.
    ///
    /// # Errors
    /// There is no such game or level.
    pub fn built_in(name: &str, levels: &Levels, profile: Profile) -> Result<Self, String> {
        let game = built_in_video(name).map_err(|unknown| no_built_in(&unknown))?;
        let (name, text, texts) = (full_name(game), game.text, game.levels);
        let numbers: Vec<String> = match levels {
            Levels::All => (0..texts.len()).map(|level| level.to_string()).collect(),
            Levels::Named(names) => names.clone(),
        };
        let level = |number: &String| {
            let text_of_level = number.parse().ok().and_then(|n: usize| texts.get(n));
            let text_of_level = text_of_level.ok_or_else(|| {
                format!("{name} has no level `{number}`: it has 0 to {}", texts.len() - 1)
            })?;
            let loaded =
                VideoLevel::load(&format!("{name}:{number}"), text, text_of_level, profile);
            let loaded = loaded.map_err(|fault| format!("{name}:{number}: {fault}"))?;
            Ok(ContestLevel::new(number, None, loaded))
        };
        let levels = numbers.iter().map(level).collect::<Result<Vec<_>, String>>()?;
        VideoGame::new(&name, None, levels)
    }

    /// A game from a file, and levels from files.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(
        name: &str,
        path: &Path,
        levels: &Levels,
        profile: Profile,
    ) -> Result<Self, String> {
        let text = read(path)?;
        let files: Vec<(String, PathBuf)> = match levels {
            Levels::All => (0..)
                .map(|number| (number.to_string(), level_file(path, number)))
                .take_while(|(_, file)| file.exists())
                .collect(),
            Levels::Named(names) => names.iter().map(|name| named(path, name)).collect(),
        };
        if files.is_empty() {
            let first = level_file(path, 0);
            return Err(format!("{name} has no level: there is no file {}", first.display()));
        }
        let level = |(level, file): &(String, PathBuf)| {
            let text_of_level = read(file)?;
            let loaded =
                VideoLevel::load(&format!("{name}:{level}"), &text, &text_of_level, profile);
            let loaded = loaded.map_err(|fault| {
                let wrong = if fault.in_game { path } else { file };
                format!("{}: {fault}", wrong.display())
            })?;
            Ok(ContestLevel::new(level, file.to_str(), loaded))
        };
        let levels = files.iter().map(level).collect::<Result<Vec<_>, String>>()?;
        VideoGame::new(name, path.to_str(), levels)
    }
}

/// The name of a level and its file: a number, or a file itself.
fn named(game: &Path, level: &str) -> (String, PathBuf) {
    match level.parse() {
        Ok(number) => (level.to_owned(), level_file(game, number)),
        Err(_) => {
            let path = PathBuf::from(level);
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(level);
            (stem.to_owned(), path)
        }
    }
}
