//! Video games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use regulus_diagnostic::Source;
use regulus_player::bounded_file::read_file;
use regulus_player::video::{Pilot, VideoLevel, level_file};
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_search::config::Limits;
use regulus_search::video::Decision;
use regulus_vgdl::{Action, Profile, State};

use crate::error::{DescriptionFault, Error};

/// A video game whose rules were read and checked.
///
/// ```
/// use regulus::{Agent, Limits, VideoGame};
///
/// let level = VideoGame::builtin("caravan")?.level(0)?;
/// let agent: Agent = "auto".parse()?;
/// let (mut state, mut player) = (level.start(1), agent.video_player(1)?);
/// while !state.is_over() {
///     let action = player.act(&state, &Limits::simulations(3)).action;
///     state.advance(action);
/// }
/// println!("{:?} with score {}", state.winner(), state.score());
/// # Ok::<(), regulus::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct VideoGame {
    name: String,
    source: Source,
    profile: Profile,
    levels: Levels,
}

#[derive(Clone, Debug)]
enum Levels {
    BuiltIn(&'static regulus_games::VideoGame),
    /// Of a game that is this file.
    Beside(PathBuf),
    None,
}

impl VideoGame {
    /// A game that comes with Regulus ([`VIDEO_GAMES`](crate::VIDEO_GAMES)), by its name, with or without `vgdl/`
    /// before it.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn builtin(name: &str) -> Result<Self, Error> {
        let short = name.strip_prefix("vgdl/").unwrap_or(name);
        let Some(game) = regulus_games::find_video(short) else {
            let hint = match regulus_games::nearest_video(short) {
                Some(near) => format!("; did you mean `{}`?", near.name),
                None => String::new(),
            };
            return Err(Error::Unknown(format!("there is no built-in video game `{short}`{hint}")));
        };
        let name = format!("vgdl/{}", game.name);
        let source = Source::new(format!("{name}.txt"), game.text);
        VideoGame::new(name, source, Levels::BuiltIn(game))
    }

    /// A game from its description in VGDL. The name is for people and for messages.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        VideoGame::new(name.to_owned(), Source::new(name, text), Levels::None)
    }

    /// A game from a file; its levels are the files `NAME_lvl0.txt`, `NAME_lvl1.txt` and so on beside it.
    ///
    /// # Errors
    /// What is wrong with the file or with the description in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        VideoGame::new(name.into_owned(), read(path)?, Levels::Beside(path.to_owned()))
    }

    fn new(name: String, source: Source, levels: Levels) -> Result<Self, Error> {
        VideoGame { name, source, profile: Profile::default(), levels }.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        let loaded = regulus_vgdl::Game::load(self.source.text(), self.profile);
        match loaded.game {
            Some(_) => Ok(self),
            None => Err(DescriptionFault::video(&self.source, loaded.diagnostics)),
        }
    }

    /// The same game with the rules of the framework of another year.
    ///
    /// # Errors
    /// What is wrong with the text by these rules.
    pub fn with_profile(self, profile: Profile) -> Result<Self, Error> {
        VideoGame { profile, ..self }.checked()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A level of it, by its number.
    ///
    /// # Errors
    /// There is no such level, or something is wrong with it.
    pub fn level(&self, number: usize) -> Result<VideoLevel, Error> {
        let source = match &self.levels {
            Levels::BuiltIn(game) => game.levels.get(number).map(|text| {
                Source::new(format!("{}_lvl{number}.txt", self.name), (*text).to_owned())
            }),
            Levels::Beside(path) => Some(read(&level_file(path, number as u64))?),
            Levels::None => None,
        };
        let Some(source) = source else {
            return Err(Error::Unknown(format!("{} has no level {number}", self.name)));
        };
        self.read_level(&number.to_string(), &source)
    }

    /// A level from its text.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn level_from_text(&self, name: &str, text: &str) -> Result<VideoLevel, Error> {
        self.read_level(name, &Source::new(name, text))
    }

    fn read_level(&self, name: &str, level: &Source) -> Result<VideoLevel, Error> {
        let full = format!("{}:{name}", self.name);
        let loaded = VideoLevel::load(&full, self.source.text(), level.text(), self.profile);
        loaded.map_err(|fault| {
            let source = if fault.in_game { &self.source } else { level };
            DescriptionFault::video(source, fault.diagnostics)
        })
    }
}

fn read(path: &Path) -> Result<Source, Error> {
    let bytes =
        read_file(path, MAX_FILE_BYTES as u64).map_err(|fault| Error::unreadable(path, &fault))?;
    Ok(Source::from_bytes(path.to_string_lossy(), bytes))
}

/// An agent in a video game that goes on.
pub struct VideoPlayer {
    pilot: Pilot,
    /// What it keeps back of the time for an action.
    buffer: Duration,
}

impl VideoPlayer {
    pub(crate) fn new(pilot: Pilot, buffer: Duration) -> Self {
        VideoPlayer { pilot, buffer }
    }

    /// Uses the time before the first tick.
    pub fn begin(&mut self, state: &State, limits: &Limits) {
        self.pilot.begin(state, &self.limits(limits));
    }

    /// Decides what to do in a state.
    pub fn act(&mut self, state: &State, limits: &Limits) -> Decision<Action> {
        self.pilot.act(state, &self.limits(limits))
    }

    fn limits(&self, limits: &Limits) -> Limits {
        Limits { buffer: self.buffer, ..limits.clone() }
    }
}
