//! What a visitor sees of a run, as it is sent.

use regulus_scene::Stage;
use serde::Serialize;

use super::driver::Driver;
use super::frame::Frame;

/// Everything there is to see.
#[derive(Serialize, Debug)]
pub struct VideoView<'r> {
    /// The session.
    pub id: &'r str,
    /// What is played.
    pub game: VideoGameView<'r>,
    /// How it is drawn, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'r Stage>,
    /// What changes.
    #[serde(flatten)]
    pub now: Now<'r>,
    /// All sprites.
    pub frame: Frame,
}

/// What is played.
#[derive(Serialize, Debug)]
pub struct VideoGameView<'r> {
    /// Its name.
    pub name: &'r str,
    /// The number of the level, if the game is built in.
    pub level: Option<usize>,
    /// How many levels it has.
    pub levels: usize,
    /// The rules of which year.
    pub profile: &'static str,
    /// True if the texts were uploaded.
    pub uploaded: bool,
}

/// What can change of a run, but its sprites.
#[derive(Serialize, Debug)]
pub struct Now<'r> {
    /// Grows with every change.
    pub revision: u64,
    /// Grows with every beginning.
    pub run: u64,
    /// Where the randomness of the game comes from.
    pub seed: u64,
    /// Who plays.
    pub driver: &'r Driver,
    /// What goes on.
    pub status: VideoStatus,
    /// The state in a sentence.
    pub text: String,
    /// How many ticks were played.
    pub ticks: usize,
    /// The actions of the avatar, a letter each.
    pub actions: String,
    /// True if an agent does not play by itself.
    pub paused: bool,
    /// The time between ticks of an agent.
    pub tick_ms: u64,
}

/// A change.
#[derive(Serialize, Debug)]
pub struct Step<'r> {
    /// The revision before it.
    pub from: u64,
    /// What changes.
    #[serde(flatten)]
    pub now: Now<'r>,
    /// The frames since then, each by its difference to the one before.
    pub frames: &'r [Frame],
}

/// A part of a run.
#[derive(Serialize, Debug)]
pub struct Film {
    /// Of which run.
    pub run: u64,
    /// How many ticks it has.
    pub ticks: usize,
    /// Frames one after the other: the first with all sprites, the others by what changes.
    pub frames: Vec<Frame>,
}

/// What goes on in a run.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum VideoStatus {
    /// A human is to act.
    Waiting,
    /// An agent plays.
    Running,
    /// An agent does not play.
    Paused,
    /// Nothing more can happen.
    Over,
    /// It was played before.
    Replay,
}
