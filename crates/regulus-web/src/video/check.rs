//! What is wrong with a video game that somebody writes, and what its level looks like.

use regulus_scene::Stage;
use regulus_vgdl::{Diagnostic, Game, Generator, Level, Profile, State};
use serde::{Deserialize, Serialize};

use super::frame::{Frame, Sprites};
use crate::diagnostics::DiagnosticView;
use crate::refusal::Refusal;

/// The texts of a game and a level.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VideoTexts {
    /// The game.
    pub game: String,
    /// The level; without it only the game is looked at.
    pub level: Option<String>,
    /// The rules of which year.
    pub profile: Option<String>,
}

impl VideoTexts {
    /// The rules of which year.
    pub fn profile(&self) -> Result<Profile, Refusal> {
        self.profile.as_deref().map_or(Ok(Profile::default()), |name| {
            name.parse().map_err(|why: String| Refusal::invalid(why))
        })
    }

    /// How many bytes they have.
    pub fn len(&self) -> usize {
        self.game.len() + self.level.as_ref().map_or(0, String::len)
    }
}

/// What there is to say about a game and a level.
#[derive(Serialize, Debug)]
pub struct VideoCheck {
    /// Errors and warnings, in the order of the texts.
    diagnostics: Vec<TextDiagnostic>,
    /// True if the level can be played; without a level, if the game can be read.
    ok: bool,
    /// How it is drawn.
    stage: Option<Stage>,
    /// All sprites at the beginning.
    frame: Option<Frame>,
}

/// An error or a warning, and in which text it is.
#[derive(Serialize, Debug)]
struct TextDiagnostic {
    text: &'static str,
    #[serde(flatten)]
    view: DiagnosticView,
}

fn shown(text: &'static str, diagnostics: &[Diagnostic]) -> impl Iterator<Item = TextDiagnostic> {
    diagnostics.iter().map(move |d| TextDiagnostic { text, view: DiagnosticView::of_video(d) })
}

impl VideoCheck {
    /// Checks texts.
    pub fn new(texts: &VideoTexts) -> Result<Self, Refusal> {
        let loaded = Game::load(&texts.game, texts.profile()?);
        let mut diagnostics: Vec<TextDiagnostic> = shown("game", &loaded.diagnostics).collect();
        let mut ok = loaded.game.is_some();
        let (mut stage, mut frame) = (None, None);
        if let (Some(game), Some(text)) = (loaded.game, &texts.level) {
            let loaded = Level::load(&game, text);
            diagnostics.extend(shown("level", &loaded.diagnostics));
            ok = loaded.level.is_some();
            if let Some(level) = loaded.level {
                let state = State::new(&level, Generator::own(1));
                stage = Some(Stage::new(&level));
                frame = Some(Frame::new(&mut Sprites::default(), &state, 0));
            }
        }
        Ok(VideoCheck { diagnostics, ok, stage, frame })
    }
}
