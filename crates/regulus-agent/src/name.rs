//! Names of agents of either kind. Those for video games begin with `vg-`.

use std::sync::Arc;

use crate::agent::{Agent, VideoAgent};
use crate::described::Described;
use crate::parameter::Games;
use crate::{board, video};

/// The games that an agent of this name would play, if there is one.
fn games(name: &str) -> Games {
    if name.starts_with("vg-") { Games::Video } else { Games::Board }
}

fn refuse(name: &str) -> String {
    format!("`{name}` {}", games(name).refusal())
}

/// The agent for board games of a name: one of [`COLLECTION`](crate::COLLECTION), of
/// [`SHOT_COLLECTION`](crate::SHOT_COLLECTION), of [`NESTED_COLLECTION`](crate::NESTED_COLLECTION), or any other that
/// follows [`BOARD_PATTERN`](crate::BOARD_PATTERN), [`SHOT_PATTERN`](crate::SHOT_PATTERN) or
/// [`NESTED_PATTERN`](crate::NESTED_PATTERN).
pub fn by_name(name: &str) -> Result<Agent, String> {
    match games(name) {
        Games::Board => board::name::by_name(name),
        Games::Video => Err(video::name::by_name(name).err().unwrap_or_else(|| refuse(name))),
    }
}

/// The agent for video games of a name: one of [`VIDEO_COLLECTION`](crate::VIDEO_COLLECTION) or any other that
/// follows [`VIDEO_PATTERN`](crate::VIDEO_PATTERN).
pub fn video_by_name(name: &str) -> Result<VideoAgent, String> {
    match games(name) {
        Games::Video => video::name::by_name(name),
        Games::Board if board::name::by_name(name).is_ok() => Err(refuse(name)),
        Games::Board => Err(video::name::wrong(name, "it does not begin with `vg-`")),
    }
}

/// The agent of a name, whatever it plays.
pub fn any_by_name(name: &str) -> Result<Arc<dyn Described>, String> {
    Ok(match games(name) {
        Games::Board if board::name::is_name(name) => Arc::new(by_name(name)?),
        Games::Board => {
            return Err(format!(
                "`{name}` is no agent: it begins neither with `mcts`, `shot`, `nmcs` or `nrpa` nor with `vg-`"
            ));
        }
        Games::Video => Arc::new(video_by_name(name)?),
    })
}
