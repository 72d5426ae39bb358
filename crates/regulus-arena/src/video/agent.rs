//! Agents for video games as long as [`regulus_agent`] has none: the random one.

use std::time::Duration;

use regulus_search::video::{Algorithm, Config};
use serde_json::json;

/// An agent for video games.
#[derive(Clone, PartialEq, Debug)]
pub struct VideoAgent {
    /// Its name, for people.
    pub name: String,
    /// What it is made of.
    pub config: Config,
    /// What is kept back of the time for an action.
    pub buffer: Duration,
}

/// The agents that have names.
pub const VIDEO_COLLECTION: &[&str] = &["vg-random"];

/// The agent of a name.
///
/// # Errors
/// A name that no agent has.
pub fn video_by_name(name: &str) -> Result<VideoAgent, String> {
    match name {
        "vg-random" => Ok(VideoAgent {
            name: name.to_owned(),
            config: Config { algorithm: Algorithm::Random, seed: 0 },
            buffer: Duration::from_millis(5),
        }),
        _ => Err(format!("`{name}` is no agent for video games")),
    }
}

/// Reads a configuration.
///
/// # Errors
/// A text that is none.
pub fn read_video(name: &str, text: &str) -> Result<VideoAgent, String> {
    if text != write(&video_by_name("vg-random")?) {
        return Err("this is no agent for video games".to_owned());
    }
    Ok(VideoAgent { name: name.to_owned(), ..video_by_name("vg-random")? })
}

/// The text of a configuration.
pub fn write(agent: &VideoAgent) -> String {
    json!({ "general": { "buffer_time": agent.buffer.as_millis() as u64 }, "algorithm": { "name": "random" } })
        .to_string()
}
