//! A level that can be played, and where it comes from.

use regulus_player::catalogue::built_in_video;
use regulus_player::video::{LoadFault, VideoLevel};
use regulus_scene::Stage;
use regulus_vgdl::{Profile, Severity};

use super::check::VideoTexts;
use crate::diagnostics::refuse_rules;
use crate::refusal::Refusal;

/// A level that can be played.
pub struct VideoSetting {
    /// The game as people call it.
    pub game: String,
    /// The number of the level, if the game is built in.
    pub number: Option<usize>,
    /// How many levels the game has.
    pub levels: usize,
    /// The level.
    pub level: VideoLevel,
    /// How it is drawn.
    pub stage: Stage,
}

impl VideoSetting {
    /// A level of a built-in game.
    pub fn built_in(name: &str, number: usize, profile: Profile) -> Result<Self, Refusal> {
        let game = built_in_video(name).map_err(|unknown| {
            Refusal::not_found(unknown.with_hint("`/api/v1/video/games` lists them"))
        })?;
        let levels = game.levels.len();
        let Some(text) = game.levels.get(number) else {
            return Err(Refusal::not_found(format!(
                "{} has no level {number}: there are {levels}, counted from 0",
                game.name
            )));
        };
        let full = format!("vgdl/{}:{number}", game.name);
        let level = VideoLevel::load(&full, game.text, text, profile).map_err(refused)?;
        let stage = Stage::new(&level.level);
        Ok(VideoSetting { game: game.name.to_owned(), number: Some(number), levels, level, stage })
    }

    /// The level that a name such as `vgdl/henhouse:0` stands for, if it is one.
    pub fn named(full: &str, profile: Profile) -> Option<Self> {
        let (name, number) = full.strip_prefix("vgdl/")?.rsplit_once(':')?;
        VideoSetting::built_in(name, number.parse().ok()?, profile).ok()
    }

    /// Texts that somebody has brought.
    pub fn uploaded(name: &str, texts: &VideoTexts) -> Result<Self, Refusal> {
        let profile = texts.profile()?;
        let level = texts.level.as_deref().unwrap_or_default();
        let level = VideoLevel::load(name, &texts.game, level, profile).map_err(refused)?;
        let stage = Stage::new(&level.level);
        Ok(VideoSetting { game: name.to_owned(), number: None, levels: 1, level, stage })
    }

    /// True if the texts were brought by somebody.
    pub fn is_uploaded(&self) -> bool {
        self.number.is_none()
    }
}

fn refused(fault: LoadFault) -> Refusal {
    let text = if fault.in_game { " of the game" } else { " of the level" };
    let errors = || fault.diagnostics.iter().filter(|d| d.severity() == Severity::Error);
    let first = errors().next();
    let first = first.map(|e| (e.place.line as usize, e.message.as_str(), errors().count() - 1));
    refuse_rules(first, text)
}
