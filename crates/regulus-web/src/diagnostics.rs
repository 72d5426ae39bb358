//! Errors and warnings in texts that visitors bring, in any language.

use regulus_rbg::Source;
use serde::Serialize;

use crate::refusal::Refusal;

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
    /// One about the rules of a board game.
    pub fn of_board(source: &Source, diagnostic: &regulus_rbg::Diagnostic) -> Self {
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

    /// One about a video game or a level.
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

/// Refuses rules for their first error: its line, its message, and how many there are besides. `text` says in which text
/// it is, such as ` of the level`.
pub fn refuse_rules(first: Option<(usize, &str, usize)>, text: &str) -> Refusal {
    Refusal::rules(match first {
        None => "the rules cannot be read".to_owned(),
        Some((line, message, 0)) => format!("line {line}{text}: {message}"),
        Some((line, message, more)) => format!("line {line}{text}: {message} (and {more} more)"),
    })
}
