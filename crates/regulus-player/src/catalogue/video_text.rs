//! The text of a video game, and where its levels are: built in, or files beside that of the game. The levels of a file
//! `NAME.txt` are `NAME_lvl0.txt`, `NAME_lvl1.txt` and so on.

use std::path::{Path, PathBuf};

use regulus_diagnostic::Source;
use regulus_games::VideoGame;
use regulus_vgdl::Profile;

use super::{NotFound, VIDEO_PREFIX, built_in_video, read_source, stem};
use crate::description_fault::DescriptionFault;
use crate::video::{VideoLevel, level_file};

/// The level that is meant when none is named.
const FIRST_LEVEL: &str = "0";

/// The text of a video game, and where its levels are.
#[derive(Clone, Debug)]
pub struct VideoText {
    /// The name of the game: `vgdl/ferry`, or that of the file without its ending.
    pub name: String,
    /// The text of the game.
    pub source: Source,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    BuiltIn(&'static VideoGame),
    File(PathBuf),
    /// It has no levels but those that are given as text.
    Text,
}

/// Why there is no level: it cannot be found, or has errors.
#[derive(Clone, Debug)]
pub enum LevelFault {
    /// It cannot be found.
    NotFound(NotFound),
    /// Its text or that of the game has errors.
    Description(DescriptionFault),
}

impl VideoText {
    /// A built-in game, by its name with or without `vgdl/` before it.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn built_in(name: &str) -> Result<Self, NotFound> {
        let game = built_in_video(name)?;
        let name = format!("{VIDEO_PREFIX}{}", game.name);
        let source = Source::new(format!("{name}.txt"), game.text);
        Ok(VideoText { name, source, origin: Origin::BuiltIn(game) })
    }

    /// A game that was read from a file.
    pub fn from_file(path: &str, source: Source) -> Self {
        VideoText { name: stem(path).to_owned(), source, origin: Origin::File(path.into()) }
    }

    /// A game that somebody has brought as text.
    pub fn from_text(name: &str, text: &str) -> Self {
        VideoText { name: name.to_owned(), source: Source::new(name, text), origin: Origin::Text }
    }

    /// The short name of a level and its text; of level 0 if none is named. A level is a number or a file.
    ///
    /// # Errors
    /// There is no such level.
    pub fn read_level(&self, level: Option<&str>) -> Result<(String, Source), NotFound> {
        let is_named = level.is_some();
        let level = level.unwrap_or(FIRST_LEVEL);
        if level.is_empty() {
            return Err(NotFound::File(format!("a level is missing after `{}:`", self.name)));
        }
        if !level.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok((stem(level).to_owned(), read_source(level)?));
        }
        // A number that is too large is that of no level.
        let number = level.parse().unwrap_or(u64::MAX);
        let source = match &self.origin {
            Origin::BuiltIn(game) => {
                let text = usize::try_from(number).ok().and_then(|number| game.levels.get(number));
                text.map(|text| Source::new(format!("{}_lvl{number}.txt", self.name), *text))
            }
            Origin::File(path) if path.as_os_str() == "-" => None,
            Origin::File(path) => {
                let path = level_file(path, number);
                let exists = path.is_file();
                exists.then(|| read_source(&path.to_string_lossy())).transpose()?
            }
            Origin::Text => None,
        };
        let source = source.ok_or_else(|| self.no_level(number, is_named))?;
        Ok((number.to_string(), source))
    }

    fn no_level(&self, number: u64, is_named: bool) -> NotFound {
        let name = &self.name;
        let levels = self.levels();
        let message = match (&self.origin, levels.as_slice()) {
            (Origin::File(_), []) if !is_named => {
                format!(
                    "{0} is a video game: give a level, as in {0}:LEVEL.txt",
                    self.source.name()
                )
            }
            (Origin::File(path), []) => {
                let file = level_file(path, number);
                format!("{name} has no level {number}: there is no file {}", file.display())
            }
            (_, [only]) => format!("{name} has no level {number}; its only level is {only}"),
            (_, [first, .., last]) => {
                let gaps = last - first + 1 != levels.len();
                let list = if gaps {
                    levels.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
                } else {
                    format!("{first} to {last}")
                };
                format!("{name} has no level {number}; its levels are {list}")
            }
            (_, []) => format!("{name} has no level {number}"),
        };
        NotFound::Level(message)
    }

    /// The file of the game, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::BuiltIn(_) | Origin::Text => None,
            Origin::File(path) => Some(path),
        }
    }

    /// The file of a level, unless it is built in.
    pub fn level_file(&self, level: Option<&str>) -> Option<PathBuf> {
        let level = level.unwrap_or(FIRST_LEVEL);
        match level.parse() {
            Ok(number) => self.file().map(|path| level_file(path, number)),
            Err(_) => Some(level.into()),
        }
    }

    /// The numbers of the levels that there are.
    pub fn levels(&self) -> Vec<usize> {
        let path = match &self.origin {
            Origin::BuiltIn(game) => return (0..game.levels.len()).collect(),
            Origin::Text => return Vec::new(),
            Origin::File(path) => path,
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let prefix = format!("{}_lvl", self.name);
        let number = |name: &str| -> Option<usize> {
            name.strip_prefix(&prefix)?.strip_suffix(".txt")?.parse().ok()
        };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<usize> =
            entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Loads a level; level 0 if none is named.
    ///
    /// # Errors
    /// There is no such level, or something is wrong with the texts.
    pub fn load(&self, level: Option<&str>, profile: Profile) -> Result<VideoLevel, LevelFault> {
        let (short, source) = self.read_level(level).map_err(LevelFault::NotFound)?;
        self.load_text(&short, &source, profile).map_err(LevelFault::Description)
    }

    /// Loads a level from its text.
    ///
    /// # Errors
    /// What is wrong with the text or with that of the game.
    pub fn load_text(
        &self,
        name: &str,
        level: &Source,
        profile: Profile,
    ) -> Result<VideoLevel, DescriptionFault> {
        let full = format!("{}:{name}", self.name);
        let loaded = VideoLevel::load(&full, self.source.text(), level.text(), profile);
        loaded.map_err(|fault| {
            let source = if fault.in_game { &self.source } else { level };
            DescriptionFault::video(source, fault.diagnostics)
        })
    }
}

/// Takes `game.txt:LEVEL` apart. Colons may be parts of names of files that exist.
pub fn split_level(path: &str) -> (&str, Option<&str>) {
    if Path::new(path).exists() {
        return (path, None);
    }
    let mut colons = path.match_indices(':').map(|(at, _)| at);
    let at = colons.find(|at| Path::new(&path[..*at]).is_file());
    match at.or_else(|| path.rfind(':')) {
        Some(at) => (&path[..at], Some(&path[at + 1..])),
        None => (path, None),
    }
}

/// The file of the game that a file is a level of, by its name: `ferry.txt` for `ferry_lvl2.txt`.
pub fn game_of_level(path: &str) -> Option<String> {
    let (game, number) = path.strip_suffix(".txt")?.rsplit_once("_lvl")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let game = format!("{game}.txt");
    (is_number && Path::new(&game).is_file()).then_some(game)
}
