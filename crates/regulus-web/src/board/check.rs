//! What is wrong with rules that somebody writes, and what their board looks like.

use regulus_rbg::{Source, load};
use regulus_scene::{Hints, Look, Picture, Scene};
use serde::{Deserialize, Serialize};

use crate::diagnostics::DiagnosticView;
use crate::limits::Limits;

/// The rules that are to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    pub text: String,
}

/// What there is to say about rules.
#[derive(Serialize, Debug)]
pub struct RulesCheck {
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<DiagnosticView>,
    /// True if the rules can be played.
    pub ok: bool,
    /// The names of the players.
    pub players: Option<Vec<String>>,
    /// How the board is drawn.
    pub scene: Option<Scene>,
    /// What pieces look like.
    pub pieces: Option<Vec<Look>>,
    /// The piece on every vertex.
    pub board: Option<Vec<u8>>,
}

impl RulesCheck {
    /// Checks rules.
    pub fn new(text: &str, limits: &Limits) -> Self {
        let source = Source::new("rules", text);
        let loaded = load(&source);
        let diagnostics =
            loaded.diagnostics.iter().map(|d| DiagnosticView::of_board(&source, d)).collect();
        let ok = loaded.game.is_some();
        let players = loaded.game.as_ref().map(|game| game.declarations.players().to_vec());
        let small = loaded.game.filter(|game| game.board.len() <= limits.vertices);
        let picture = small.map(|game| Picture::new(&game, &Hints::read(text)));
        let (scene, pieces, board) = match picture {
            Some(picture) => (Some(picture.scene), Some(picture.pieces), Some(picture.board)),
            None => (None, None, None),
        };
        RulesCheck { diagnostics, ok, players, scene, pieces, board }
    }
}
