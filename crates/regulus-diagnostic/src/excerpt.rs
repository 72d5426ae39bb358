//! Diagnostics as text for people: source excerpts in the manner of rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::severity::Severity;
use crate::source::{Source, Span};

/// Lines longer than this are cut to the part around the excerpt, so that a file of one line
/// does not fill the screen.
const LONGEST_EXCERPT: usize = 4000;

/// Another place that has to do with a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What about it.
    pub message: String,
}

/// A diagnostic of any language, ready to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    /// Error or warning.
    pub severity: Severity,
    /// Its code.
    pub id: &'a str,
    /// One sentence.
    pub message: &'a str,
    /// The text it is about.
    pub span: Span,
    /// What to say at that text; may be empty.
    pub label: &'a str,
    /// Other places.
    pub related: &'a [Related],
    /// What the reader can do.
    pub help: Option<&'a str>,
}

impl Excerpt<'_> {
    /// Renders the diagnostic, with terminal colours if wanted.
    pub fn render(&self, source: &Source, colours: bool) -> String {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let window = Window::around(source, self);
        let mut snippet = Snippet::source(window.text)
            .line_start(window.first_line)
            .path(source.name())
            .fold(true)
            .annotation(
                AnnotationKind::Primary.span(window.range(self.span)).label(non_empty(self.label)),
            );
        let mut elsewhere = Vec::new();
        for related in self.related {
            if window.contains(related.span) {
                snippet = snippet.annotation(
                    AnnotationKind::Context
                        .span(window.range(related.span))
                        .label(&related.message),
                );
            } else {
                let at = source.line_column(related.span.start);
                elsewhere
                    .push(format!("{} (line {}, column {})", related.message, at.line, at.column));
            }
        }
        let mut group: Group<'_> = level.primary_title(self.message).id(self.id).element(snippet);
        for note in &elsewhere {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }
}

fn non_empty(label: &str) -> Option<&str> {
    (!label.is_empty()).then_some(label)
}

/// The part of the text that is shown: whole lines, unless they are absurdly long.
struct Window<'a> {
    text: &'a str,
    start: usize,
    first_line: usize,
}

impl<'a> Window<'a> {
    fn around(source: &'a Source, excerpt: &Excerpt<'_>) -> Window<'a> {
        let text = source.text();
        let spans = || std::iter::once(excerpt.span).chain(excerpt.related.iter().map(|r| r.span));
        let whole = Window::lines(source, spans().fold(excerpt.span, Span::to));
        if whole.longest_line() <= LONGEST_EXCERPT {
            return whole;
        }
        // One of the lines is absurd: show the primary text with some of its surroundings. The
        // line is given from its beginning, because columns are counted from there; what does not
        // fit is cut when it is rendered.
        let range = clamp(excerpt.span, text.len());
        let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = ceil_boundary(text, (range.end.min(range.start + 200) + 60).min(text.len()));
        Window { text: &text[start..end], start, first_line: source.line_column(start as u32).line }
    }

    fn lines(source: &'a Source, span: Span) -> Window<'a> {
        let text = source.text();
        let range = clamp(span, text.len());
        let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
        Window { text: &text[start..end], start, first_line: source.line_column(start as u32).line }
    }

    fn longest_line(&self) -> usize {
        self.text.split('\n').map(str::len).max().unwrap_or(0)
    }

    fn contains(&self, span: Span) -> bool {
        (self.start..=self.start + self.text.len()).contains(&(span.start as usize))
            && span.end as usize <= self.start + self.text.len()
    }

    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let inside =
            |at: u32| (at as usize).clamp(self.start, self.start + self.text.len()) - self.start;
        inside(span.start)..inside(span.end)
    }
}

fn clamp(span: Span, length: usize) -> std::ops::Range<usize> {
    let start = (span.start as usize).min(length);
    start..(span.end as usize).clamp(start, length)
}

fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
