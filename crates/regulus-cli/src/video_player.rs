//! Who plays a video game: a person, an agent, or a replay.

use std::path::Path;

use regulus_agent::VideoAgent;
use regulus_player::video::{Pilot, Replay, VideoLevel};
use regulus_search::config::Limits;
use regulus_vgdl::Action;

use crate::agent_argument::find_agent;
use crate::failure::Failure;

/// What the names of replays begin with where an agent is asked for.
pub const REPLAY: &str = "replay:";

/// Who plays.
pub enum VideoPlayer {
    /// A person.
    Human,
    /// An agent.
    Agent(Box<VideoAgent>),
    /// A game that was played before.
    Replay(Recording),
}

/// A game that was played before.
pub struct Recording {
    agent: String,
    seed: u64,
    actions: Vec<Action>,
}

impl VideoPlayer {
    /// Finds an agent, or reads a replay of a level and checks it.
    pub fn find(argument: &str, level: &VideoLevel) -> Result<Self, Failure> {
        let Some(file) = argument.strip_prefix(REPLAY) else {
            return Ok(VideoPlayer::Agent(Box::new(read_video_agent(argument)?)));
        };
        let replay = Replay::read(Path::new(file))
            .map_err(|error| Failure::Failed(format!("cannot read {file}: {error}")))?;
        let fault = |why: &dyn std::fmt::Display| Failure::Failed(format!("{file}: {why}"));
        if replay.profile != level.profile().name() {
            let why = format!("the replay has the rules of {}: give --profile", replay.profile);
            return Err(fault(&why));
        }
        replay.verify(level).map_err(|why| fault(&why))?;
        let actions = replay.actions().map_err(|why| fault(&why))?;
        Ok(VideoPlayer::Replay(Recording { agent: replay.agent, seed: replay.seed, actions }))
    }

    /// Who acts for the avatar in a game; nothing for a person.
    pub fn pilot(&self, seed: u64) -> Result<Option<Pilot>, Failure> {
        match self {
            VideoPlayer::Human => Ok(None),
            VideoPlayer::Agent(agent) => Pilot::agent(&agent.config, seed)
                .map(Some)
                .map_err(|refusal| Failure::Failed(format!("{}: {refusal}", agent.name))),
            VideoPlayer::Replay(recording) => Ok(Some(Pilot::replay(recording.actions.clone()))),
        }
    }

    /// The name in replays.
    pub fn name(&self) -> &str {
        match self {
            VideoPlayer::Human => "human",
            VideoPlayer::Agent(agent) => &agent.name,
            VideoPlayer::Replay(recording) => &recording.agent,
        }
    }

    /// The seed of a replay.
    pub fn seed(&self) -> Option<u64> {
        match self {
            VideoPlayer::Replay(recording) => Some(recording.seed),
            _ => None,
        }
    }

    /// How many ticks a replay has.
    pub fn length(&self) -> Option<usize> {
        match self {
            VideoPlayer::Replay(recording) => Some(recording.actions.len()),
            _ => None,
        }
    }

    /// What is left of limits when the agent has kept something back.
    pub fn limits(&self, limits: &Limits) -> Limits {
        let buffer = match self {
            VideoPlayer::Agent(agent) => agent.buffer,
            _ => limits.buffer,
        };
        Limits { buffer, ..limits.clone() }
    }
}

/// Reads an agent for video games: a name, a file, or `auto`.
pub fn read_video_agent(argument: &str) -> Result<VideoAgent, Failure> {
    Ok(find_agent(argument)?.in_video_games()?)
}
