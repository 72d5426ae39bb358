//! The built-in video games and the agents for them, as they are shown.

use std::sync::{Arc, LazyLock};

use regulus_agent::{VIDEO_COLLECTION, explain, video_by_name};
use regulus_games::{VIDEO_GAMES, VideoGame};
use regulus_scene::Stage;
use regulus_vgdl::Profile;
use serde::Serialize;

use super::driver::{USUAL_AGENT, USUAL_LIMIT};
use super::frame::{Frame, Sprites};
use super::setting::VideoSetting;
use crate::agent_list::AgentList;
use crate::json::json;

#[derive(Serialize)]
struct VideoGames {
    games: Vec<VideoCard>,
}

/// A game to choose.
#[derive(Serialize)]
struct VideoCard {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    rules: String,
    /// The rules of which years it can be played with.
    profiles: Vec<&'static str>,
    levels: Vec<LevelCard>,
}

/// A level to choose, as it begins.
#[derive(Serialize)]
struct LevelCard {
    stage: Stage,
    frame: Frame,
}

fn levels(game: &VideoGame, profile: Profile) -> Option<Vec<LevelCard>> {
    let level = |number| {
        let setting = VideoSetting::built_in(game.name, number, profile).ok()?;
        let frame = Frame::new(&mut Sprites::default(), &setting.level.start(1), 0);
        Some(LevelCard { stage: setting.stage, frame })
    };
    (0..game.levels.len()).map(level).collect()
}

fn card(game: &'static VideoGame) -> Option<VideoCard> {
    let (title, description) = game.title_and_goal();
    let profiles = [Profile::Y2021, Profile::Y2015];
    let mut playable = profiles.into_iter().filter_map(|p| Some((p.name(), levels(game, p)?)));
    let (first, levels) = playable.next()?;
    let profiles = std::iter::once(first).chain(playable.map(|(name, _)| name)).collect();
    Some(VideoCard {
        name: game.name,
        title,
        description,
        rules: game.rules_in_words(),
        profiles,
        levels,
    })
}

/// All games, as JSON.
pub static GAMES: LazyLock<Arc<str>> = LazyLock::new(games);

fn games() -> Arc<str> {
    json(&VideoGames { games: VIDEO_GAMES.iter().filter_map(card).collect() })
}

/// All agents, as JSON.
pub static AGENTS: LazyLock<Arc<str>> = LazyLock::new(agents);

fn agents() -> Arc<str> {
    let mut list = AgentList::new(USUAL_AGENT, Some(USUAL_LIMIT));
    for name in VIDEO_COLLECTION {
        if let Ok(agent) = video_by_name(name) {
            list.add_explained(name, &explain(&agent));
        }
    }
    list.json()
}
