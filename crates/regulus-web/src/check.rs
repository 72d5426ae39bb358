//! What is wrong with rules that somebody writes, and what their board looks like.

use regulus_rbg::{Diagnostic, Source, load};
use regulus_scene::{Hints, Look, Picture, Scene};
use serde::Serialize;

use crate::limits::Limits;

/// What there is to say about rules.
#[derive(Serialize, Debug)]
pub struct Check {
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

/// An error or a warning; lines and columns count from 1.
#[derive(Serialize, Debug)]
pub struct DiagnosticView {
    code: String,
    severity: &'static str,
    message: String,
    label: String,
    help: Option<String>,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl DiagnosticView {
    fn new(source: &Source, diagnostic: &Diagnostic) -> Self {
        let (start, end) = (diagnostic.span.start, diagnostic.span.end);
        let (start, end) = (source.line_column(start), source.line_column(end));
        DiagnosticView {
            code: diagnostic.code.id(),
            severity: diagnostic.severity().word(),
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

impl DiagnosticView {
    /// One about a video game.
    pub fn of_video(diagnostic: &regulus_vgdl::Diagnostic) -> Self {
        let place = diagnostic.place;
        DiagnosticView {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity().word(),
            message: diagnostic.message.clone(),
            label: String::new(),
            help: diagnostic.help.clone(),
            line: place.line as usize,
            column: place.column as usize,
            end_line: place.line as usize,
            end_column: place.end as usize,
        }
    }
}

impl Check {
    /// Checks rules.
    pub fn new(text: &str, limits: &Limits) -> Self {
        let source = Source::new("rules", text);
        let loaded = load(&source);
        let diagnostics =
            loaded.diagnostics.iter().map(|d| DiagnosticView::new(&source, d)).collect();
        let ok = loaded.game.is_some();
        let players = loaded.game.as_ref().map(|game| game.declarations.players().to_vec());
        let small = loaded.game.filter(|game| game.board.len() <= limits.vertices);
        let picture = small.map(|game| Picture::new(&game, &Hints::read(text)));
        let (scene, pieces, board) = match picture {
            Some(picture) => (Some(picture.scene), Some(picture.pieces), Some(picture.board)),
            None => (None, None, None),
        };
        Check { diagnostics, ok, players, scene, pieces, board }
    }
}
