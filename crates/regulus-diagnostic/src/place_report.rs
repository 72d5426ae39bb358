//! Places as tools get them.

use serde::Serialize;

use crate::source::{Source, Span};

/// A place in a text for tools; lines and columns count from 1, and the end is just behind the last character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PlaceReport {
    /// The line of the first character.
    pub line: usize,
    /// Its column, in characters.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column of the end, in characters.
    pub end_column: usize,
}

impl PlaceReport {
    /// The place of a span.
    pub fn new(source: &Source, span: Span) -> Self {
        let (start, end) = (source.line_column(span.start), source.line_column(span.end));
        PlaceReport {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
