//! Video games.

use std::path::Path;
use std::time::Duration;

use regulus_diagnostic::Source;
use regulus_player::DescriptionFault;
use regulus_player::bounded_file::read_file;
use regulus_player::catalogue::VideoText;
use regulus_player::video::{Pilot, VideoLevel};
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_search::config::Limits;
use regulus_search::video::Decision;
use regulus_vgdl::{Action, Profile, State};

use crate::error::Error;

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
    text: VideoText,
    profile: Profile,
}

impl VideoGame {
    /// A game that comes with Regulus ([`VIDEO_GAMES`](crate::VIDEO_GAMES)), by its name, with or without `vgdl/`
    /// before it.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn builtin(name: &str) -> Result<Self, Error> {
        VideoGame::new(VideoText::built_in(name)?)
    }

    /// A game from its description in VGDL. The name is for people and for messages.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        VideoGame::new(VideoText::from_text(name, text))
    }

    /// A game from a file; its levels are the files `NAME_lvl0.txt`, `NAME_lvl1.txt` and so on beside it.
    ///
    /// # Errors
    /// What is wrong with the file or with the description in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = read_file(path, MAX_FILE_BYTES as u64)
            .map_err(|fault| Error::unreadable(path, &fault))?;
        let path = path.to_string_lossy();
        VideoGame::new(VideoText::from_file(&path, Source::from_bytes(&*path, bytes)))
    }

    fn new(text: VideoText) -> Result<Self, Error> {
        VideoGame { text, profile: Profile::default() }.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        let loaded = regulus_vgdl::Game::load(self.text.source.text(), self.profile);
        match loaded.game {
            Some(_) => Ok(self),
            None => Err(DescriptionFault::video(&self.text.source, loaded.diagnostics).into()),
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
        &self.text.name
    }

    /// A level of it, by its number.
    ///
    /// # Errors
    /// There is no such level, or something is wrong with it.
    pub fn level(&self, number: usize) -> Result<VideoLevel, Error> {
        Ok(self.text.load(Some(&number.to_string()), self.profile)?)
    }

    /// A level from its text.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn level_from_text(&self, name: &str, text: &str) -> Result<VideoLevel, Error> {
        Ok(self.text.load_text(name, &Source::new(name, text), self.profile)?)
    }
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
