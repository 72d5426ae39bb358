//! A game that was played, as a file: seed and actions, with fingerprints that prove it.

use std::fmt;
use std::path::Path;

use regulus_vgdl::{Action, Profile, State, Winner};
use serde::{Deserialize, Serialize};

use super::level::{LoadFault, VideoLevel};
use crate::bounded_file::read_text;
use crate::saved_game::write_json;

/// A replay has no more bytes.
pub const MAX_REPLAY_BYTES: u64 = 1 << 24;

/// How many ticks lie between two fingerprints.
const CHECK_EVERY: usize = 50;

/// What is kept of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Replay {
    /// The version of the format.
    pub replay: u32,
    /// The name of the level.
    pub game: String,
    /// The rules it was played with: `2021` or `2015`.
    pub profile: String,
    /// The SHA-256 of the text of the game.
    pub game_sha256: String,
    /// The SHA-256 of the text of the level.
    pub level_sha256: String,
    /// The text of the game, unless it is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_text: Option<String>,
    /// The text of the level, unless it is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_text: Option<String>,
    /// Who played.
    pub agent: String,
    /// The seed of the game.
    pub seed: u64,
    /// All actions, a letter each: N nothing, U up, L left, D down, R right, S use.
    pub actions: String,
    /// Fingerprints of states, in hexadecimal digits: after every 50 ticks and at the end.
    pub fingerprints: Vec<String>,
    /// The score at the end.
    pub score: i32,
    /// Whether it was won; nothing if it was not over.
    pub won: Option<bool>,
}

/// Why a replay is not what it says.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayFault {
    /// A file of another format.
    Format(String),
    /// The texts in it are no level.
    Load(LoadFault),
    /// It is of another game or level than the one at hand.
    OtherText(&'static str),
    /// The game went differently from a tick on, or before it.
    Differs {
        /// Ticks after which the fingerprint is another one.
        ticks: usize,
    },
    /// The result is another one.
    OtherResult(String),
}

impl fmt::Display for ReplayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayFault::Format(why) => write!(f, "this is no replay: {why}"),
            ReplayFault::Load(fault) => fault.fmt(f),
            ReplayFault::OtherText(what) => {
                write!(f, "the replay was made with another text of the {what}")
            }
            ReplayFault::Differs { ticks } => {
                write!(f, "the game goes differently: another state after {ticks} ticks")
            }
            ReplayFault::OtherResult(why) => write!(f, "the game ends differently: {why}"),
        }
    }
}

impl std::error::Error for ReplayFault {}

impl Replay {
    /// The version of the format.
    pub const FORMAT: u32 = 1;

    /// Reads a replay.
    ///
    /// # Errors
    /// A file that cannot be read, or is no replay.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Replay::parse(&read_text(path, MAX_REPLAY_BYTES)?).map_err(std::io::Error::other)
    }

    /// Reads the text of a replay.
    ///
    /// # Errors
    /// A text that is none.
    pub fn parse(text: &str) -> Result<Self, ReplayFault> {
        let replay: Replay =
            serde_json::from_str(text).map_err(|error| ReplayFault::Format(error.to_string()))?;
        if replay.replay != Replay::FORMAT {
            let (found, known) = (replay.replay, Replay::FORMAT);
            let why = format!("format {found} is not known, only {known}");
            return Err(ReplayFault::Format(why));
        }
        replay.actions()?;
        replay.profile()?;
        Ok(replay)
    }

    /// Writes the replay. A file of this name is replaced when the new one is complete, not before.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_json(self, path)
    }

    /// The actions.
    ///
    /// # Errors
    /// A letter that is none.
    pub fn actions(&self) -> Result<Vec<Action>, ReplayFault> {
        let action = |letter| {
            Action::from_letter(letter)
                .ok_or_else(|| ReplayFault::Format(format!("`{letter}` is no action")))
        };
        self.actions.chars().map(action).collect()
    }

    /// The rules it was played with.
    ///
    /// # Errors
    /// A profile that does not exist.
    pub fn profile(&self) -> Result<Profile, ReplayFault> {
        self.profile.parse().map_err(ReplayFault::Format)
    }

    /// The level, if the replay has its text.
    ///
    /// # Errors
    /// Texts that are no level.
    pub fn level(&self) -> Result<Option<VideoLevel>, ReplayFault> {
        let (Some(game), Some(level)) = (&self.game_text, &self.level_text) else {
            return Ok(None);
        };
        let loaded = VideoLevel::load(&self.game, game, level, self.profile()?);
        loaded.map(Some).map_err(ReplayFault::Load)
    }

    /// Plays the game again and compares every fingerprint and the result.
    ///
    /// # Errors
    /// The first difference.
    pub fn verify(&self, level: &VideoLevel) -> Result<(), ReplayFault> {
        let [game, map] = level.hashes();
        if game != self.game_sha256 {
            return Err(ReplayFault::OtherText("game"));
        }
        if map != self.level_sha256 {
            return Err(ReplayFault::OtherText("level"));
        }
        let mut again = Recorder::new(level, self.seed);
        let actions = self.actions()?;
        for &action in &actions {
            if again.state().is_over() {
                let why = format!("it is over after {} ticks already", again.actions.len());
                return Err(ReplayFault::OtherResult(why));
            }
            again.advance(action);
        }
        let found = again.replay(level, &self.agent, false);
        let differs = self.fingerprints.iter().zip(&found.fingerprints).position(|(a, b)| a != b);
        if let Some(index) = differs {
            let ticks = ((index + 1) * CHECK_EVERY).min(actions.len());
            return Err(ReplayFault::Differs { ticks });
        }
        if self.fingerprints.len() != found.fingerprints.len() {
            let why = "fingerprints are missing, or there are too many".to_owned();
            return Err(ReplayFault::Format(why));
        }
        if (self.score, self.won) != (found.score, found.won) {
            let word = |won| match won {
                None => "not over",
                Some(true) => "won",
                Some(false) => "lost",
            };
            let why = format!(
                "{} with score {}, not {} with score {}",
                word(found.won),
                found.score,
                word(self.won),
                self.score
            );
            return Err(ReplayFault::OtherResult(why));
        }
        Ok(())
    }
}

/// A game that is being played, and everything a replay needs of it.
pub struct Recorder {
    state: State,
    seed: u64,
    actions: Vec<Action>,
    fingerprints: Vec<u64>,
}

impl Recorder {
    /// The beginning of a game.
    pub fn new(level: &VideoLevel, seed: u64) -> Self {
        let state = level.start(seed);
        Recorder { state, seed, actions: Vec::new(), fingerprints: Vec::new() }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The actions so far.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Plays one tick.
    pub fn advance(&mut self, action: Action) {
        self.state.advance(action);
        self.actions.push(action);
        if self.actions.len().is_multiple_of(CHECK_EVERY) {
            self.fingerprints.push(self.state.fingerprint());
        }
    }

    /// The game so far as a replay, with the texts of game and level if they are asked for.
    pub fn replay(&self, level: &VideoLevel, agent: &str, texts: bool) -> Replay {
        let mut fingerprints = self.fingerprints.clone();
        if !self.actions.len().is_multiple_of(CHECK_EVERY) || self.actions.is_empty() {
            fingerprints.push(self.state.fingerprint());
        }
        let [game_sha256, level_sha256] = level.hashes();
        let over = self.state.is_over();
        Replay {
            replay: Replay::FORMAT,
            game: level.name.clone(),
            profile: level.profile().name().to_owned(),
            game_sha256,
            level_sha256,
            game_text: texts.then(|| level.game_text.to_string()),
            level_text: texts.then(|| level.level_text.to_string()),
            agent: agent.to_owned(),
            seed: self.seed,
            actions: self.actions.iter().map(|action| action.letter()).collect(),
            fingerprints: fingerprints.iter().map(|print| format!("{print:016x}")).collect(),
            score: self.state.score(),
            won: over.then(|| self.state.winner() == Winner::Won),
        }
    }
}
