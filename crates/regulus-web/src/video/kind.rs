//! Video games as a kind of games.

use regulus_player::video::{Replay, ReplayFault};
use regulus_vgdl::Profile;
use serde::Deserialize;
use serde_json::Value;

use super::catalogue::{AGENTS, GAMES};
use super::check::{VideoCheck, VideoTexts};
use super::commands::COMMANDS;
use super::driver::Driver;
use super::setting::VideoSetting;
use super::{Run, VideoOpening};
use crate::game_kind::{About, Beginning, Check, GameKind, check_length, short_name};
use crate::json::{json, read};
use crate::limits::Limits;
use crate::refusal::Refusal;

/// What is known of this kind.
pub static ABOUT: About = About {
    name: "video",
    path: "/video",
    link: "video",
    commands: &COMMANDS,
    games: &GAMES,
    agents: &AGENTS,
};

/// Video games.
pub struct VideoGames;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    game: Option<String>,
    level: Option<usize>,
    profile: Option<String>,
    texts: Option<VideoTexts>,
    name: Option<String>,
    replay: Option<String>,
    seed: Option<u64>,
    driver: Option<Driver>,
}

impl GameKind for VideoGames {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, request: &Value, limits: &Limits) -> Result<Check, Refusal> {
        let texts: VideoTexts = read(request)?;
        check_length(texts.len(), limits)?;
        texts.profile()?;
        Ok(Box::new(move |_| Ok(json(&VideoCheck::new(&texts)?))))
    }

    fn begin(&self, request: &Value, limits: &Limits) -> Result<Beginning, Refusal> {
        let BeginRequest { game, level, profile, texts, name, replay, seed, driver } =
            read(request)?;
        match (game, texts, replay) {
            (Some(game), None, None) if name.is_none() => {
                let profile = profile.as_deref().map_or(Ok(Profile::default()), str::parse);
                let profile = profile.map_err(Refusal::invalid)?;
                let opening = VideoOpening { driver, seed: seed.unwrap_or(1), replay: None };
                Ok(Beginning::new(false, move |id, limits| {
                    let setting = VideoSetting::built_in(&game, level.unwrap_or(0), profile)?;
                    Run::new(id, setting, limits, opening)
                }))
            }
            (None, Some(texts), None) if level.is_none() && profile.is_none() => {
                let opening = VideoOpening { driver, seed: seed.unwrap_or(1), replay: None };
                brought(name.as_deref().unwrap_or("level"), texts, opening, limits)
            }
            (None, None, Some(text)) if driver.is_none() && seed.is_none() => {
                begin_replay(&text, limits)
            }
            _ => Err(Refusal::invalid(
                "give either `game` and perhaps `level` and `profile`, or `texts` and perhaps `name`, each with \
                 `driver` and `seed` if they matter, or only `replay`",
            )),
        }
    }
}

/// A level that a visitor brought.
fn brought(
    name: &str,
    texts: VideoTexts,
    opening: VideoOpening,
    limits: &Limits,
) -> Result<Beginning, Refusal> {
    check_length(texts.len(), limits)?;
    let name = short_name(name);
    Ok(Beginning::new(true, move |id, limits| {
        Run::new(id, VideoSetting::uploaded(&name, &texts)?, limits, opening)
    }))
}

/// A game that was played before, from its file.
fn begin_replay(text: &str, limits: &Limits) -> Result<Beginning, Refusal> {
    let invalid = |fault: ReplayFault| Refusal::new(422, "replay", fault.to_string());
    let mut replay = Replay::parse(text).map_err(invalid)?;
    let profile = replay.profile().map_err(invalid)?;
    let texts = (replay.game_text.take(), replay.level_text.take());
    let name = replay.game.clone();
    let opening = VideoOpening { driver: None, seed: replay.seed, replay: Some(replay) };
    if let (Some(game), Some(level)) = texts {
        let profile = Some(profile.name().to_owned());
        let texts = VideoTexts { game, level: Some(level), profile };
        return brought(&name, texts, opening, limits);
    }
    Ok(Beginning::new(false, move |id, limits| {
        let setting = VideoSetting::named(&name, profile).ok_or_else(|| {
            let why = "it is of a game that is not built in, and does not have its text";
            Refusal::new(422, "replay", why)
        })?;
        Run::new(id, setting, limits, opening)
    }))
}
