//! Video games on the command line: `vgdl/NAME:LEVEL` for built-in ones, `game.txt:LEVEL` for files. A level is
//! a number or a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use regulus_arena::video::source::{level_file, no_built_in};
use regulus_games::{VIDEO_GAMES, VideoGame};
use regulus_player::video::{LoadFault, VideoLevel};
use regulus_vgdl::{Code, Game, Profile, Severity};

use crate::failure::Failure;
use crate::game_argument::{read_source, stem};
use regulus_rbg::Source;

pub use regulus_arena::video::source::BUILT_IN as PREFIX;

/// The level that is meant when none is named.
const FIRST_LEVEL: &str = "0";

/// A video game, and the level that was asked for.
pub struct VideoArgument {
    /// The name of the game: `vgdl/ferry`, or that of the file without its ending.
    name: String,
    /// The text of the game.
    pub game: Source,
    /// What stands behind the colon.
    pub level: Option<String>,
    origin: Origin,
}

enum Origin {
    BuiltIn(&'static VideoGame),
    File(PathBuf),
}

/// The built-in game of an argument that begins with `vgdl/`, unless it is a file.
pub fn built_in(argument: &str) -> Result<Option<VideoArgument>, Failure> {
    let Some(rest) = argument.strip_prefix(PREFIX) else { return Ok(None) };
    let (name, level) = match rest.split_once(':') {
        Some((name, level)) => (name, Some(level.to_owned())),
        None => (rest, None),
    };
    if let Some(game) = regulus_games::find_video(name) {
        let name = format!("{PREFIX}{}", game.name);
        let source = Source::new(format!("{name}.txt"), game.text);
        return Ok(Some(VideoArgument {
            name,
            game: source,
            level,
            origin: Origin::BuiltIn(game),
        }));
    }
    if Path::new(split_level(argument).0).exists() {
        return Ok(None);
    }
    Err(Failure::Failed(no_built_in(name)))
}

/// Takes `game.txt:LEVEL` apart. Colons may be parts of names of files that exist.
pub fn split_level(argument: &str) -> (&str, Option<&str>) {
    if Path::new(argument).exists() {
        return (argument, None);
    }
    let mut colons = argument.match_indices(':').map(|(at, _)| at);
    let at = colons.find(|at| Path::new(&argument[..*at]).is_file());
    match at.or_else(|| argument.rfind(':')) {
        Some(at) => (&argument[..at], Some(&argument[at + 1..])),
        None => (argument, None),
    }
}

/// Whether a text is a video game. One that is too broken to tell is taken for what its file is called.
pub fn is_video_game(path: &str, text: &str) -> bool {
    let is_named = path.ends_with(".txt") || path.ends_with(".vgdl");
    let has_directive =
        || ["#players", "#pieces", "#board", "#rules"].iter().any(|d| text.contains(d));
    regulus_vgdl::is_game(text) || is_named && !has_directive()
}

/// The file of the game that a file is a level of, by its name: `ferry.txt` for `ferry_lvl2.txt`.
pub fn game_of_level(path: &str) -> Option<String> {
    let (game, number) = path.strip_suffix(".txt")?.rsplit_once("_lvl")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let game = format!("{game}.txt");
    (is_number && Path::new(&game).is_file()).then_some(game)
}

/// Whether game and level come with Regulus.
pub fn is_built_in(level: &VideoLevel) -> bool {
    let game = VIDEO_GAMES.iter().find(|game| game.text == &*level.game_text);
    game.is_some_and(|game| game.levels.contains(&&*level.level_text))
}

impl VideoArgument {
    /// A game that was read from a file.
    pub fn from_file(path: &str, game: Source, level: Option<&str>) -> Self {
        VideoArgument {
            name: stem(path).to_owned(),
            game,
            level: level.map(str::to_owned),
            origin: Origin::File(path.into()),
        }
    }

    /// The short name of the level and its text; level 0 if the argument names none.
    pub fn read_level(&self) -> Result<(String, Source), Failure> {
        let level = self.level.as_deref().unwrap_or(FIRST_LEVEL);
        if level.is_empty() {
            let message = format!("a level is missing after `{}:`", self.name);
            return Err(Failure::Failed(message));
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
        };
        source.map(|source| (number.to_string(), source)).ok_or_else(|| self.no_level(number))
    }

    fn no_level(&self, number: u64) -> Failure {
        let name = &self.name;
        let levels = self.levels();
        let message = match (&self.origin, levels.as_slice()) {
            (Origin::File(_), []) if self.level.is_none() => {
                format!("{0} is a video game: give a level, as in {0}:LEVEL.txt", self.game.name())
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
            (Origin::BuiltIn(_), []) => format!("{name} has no level {number}"),
        };
        Failure::Failed(message)
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file of the game, unless it is built in.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::BuiltIn(_) => None,
            Origin::File(path) => Some(path),
        }
    }

    /// The file of the level that was asked for, unless it is built in.
    pub fn level_file(&self) -> Option<PathBuf> {
        let level = self.level.as_deref().unwrap_or(FIRST_LEVEL);
        match level.parse() {
            Ok(number) => self.file().map(|path| level_file(path, number)),
            Err(_) => Some(level.into()),
        }
    }

    /// The numbers of the levels that there are.
    pub fn levels(&self) -> Vec<usize> {
        let path = match &self.origin {
            Origin::BuiltIn(game) => return (0..game.levels.len()).collect(),
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

    /// Says that a part of the text is no part of the game: whoever wrote it may think otherwise.
    fn warn(&self, profile: Profile) -> Result<(), Failure> {
        let diagnostics = Game::load(self.game.text(), profile).diagnostics;
        let mut err = anstream::stderr().lock();
        for diagnostic in diagnostics.iter().filter(|d| d.code == Code::ReadingStops) {
            writeln!(err, "{}\n", diagnostic.render(&self.game, true))?;
        }
        Ok(())
    }

    /// Loads the level. Errors of the descriptions are shown on standard error.
    pub fn load(&self, profile: Profile) -> Result<VideoLevel, Failure> {
        let (short, level) = self.read_level()?;
        let name = format!("{}:{short}", self.name);
        let (game_text, level_text) = (self.game.text(), level.text());
        self.warn(profile)?;
        VideoLevel::load(&name, game_text, level_text, profile).map_err(|fault| {
            let source = if fault.in_game { &self.game } else { &level };
            match show(source, &fault) {
                Ok(()) => Failure::Failed(format!("{} has errors", source.name())),
                Err(error) => error.into(),
            }
        })
    }
}

/// Shows what is wrong with a text on standard error.
fn show(source: &Source, fault: &LoadFault) -> std::io::Result<()> {
    let mut err = anstream::stderr().lock();
    for diagnostic in fault.diagnostics.iter().filter(|d| d.severity() == Severity::Error) {
        writeln!(err, "{}\n", diagnostic.render(source, true))?;
    }
    Ok(())
}
