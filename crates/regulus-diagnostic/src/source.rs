//! A rules text with its name, and positions in it.

use std::fmt;

/// A range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The span as indices of the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Line and column, both from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line number, from 1.
    pub line: usize,
    /// Column number in characters, from 1.
    pub column: usize,
}

/// A named text. Bytes that are not UTF-8 are replaced, and the first one is remembered so that it
/// can be reported.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    invalid_utf8_at: Option<u32>,
}

impl Source {
    /// A source from text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Source { name: name.into(), text, line_starts, invalid_utf8_at: None }
    }

    /// A source from the bytes of a file.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Source::new(name, text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to() as u32;
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Source { invalid_utf8_at: Some(at), ..Source::new(name, text) }
            }
        }
    }

    /// The name shown in messages, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the first byte that is not UTF-8 was replaced, if any.
    pub fn invalid_utf8_at(&self) -> Option<u32> {
        self.invalid_utf8_at
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let line_start = self.line_starts[line - 1] as usize;
        let before = self.text.get(line_start..offset as usize).unwrap_or("");
        LineColumn { line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "ab\nżółw x");
        assert_eq!(source.line_column(0), LineColumn { line: 1, column: 1 });
        let x = source.text().find('x').unwrap() as u32;
        assert_eq!(source.line_column(x), LineColumn { line: 2, column: 6 });
        assert_eq!(source.line_column(10_000).line, 2);
    }

    #[test]
    fn invalid_bytes_are_replaced_and_remembered() {
        let source = Source::from_bytes("x", b"ok\xffok".to_vec());
        assert_eq!(source.invalid_utf8_at(), Some(2));
        assert_eq!(source.text(), "ok\u{fffd}ok");
    }
}
