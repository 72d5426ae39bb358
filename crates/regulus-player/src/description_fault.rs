//! A description with errors, whatever it describes.

use std::fmt;

use regulus_diagnostic::{Severity, Source};

/// A description with errors.
#[derive(Clone, Debug)]
pub struct DescriptionFault {
    source: Source,
    diagnostics: Diagnostics,
}

/// What is wrong, in a language of games.
#[derive(Clone, Debug)]
enum Diagnostics {
    Board(Vec<regulus_rbg::Diagnostic>),
    Video(Vec<regulus_vgdl::Diagnostic>),
}

impl DescriptionFault {
    /// Of a board game.
    pub fn board(source: &Source, mut diagnostics: Vec<regulus_rbg::Diagnostic>) -> Self {
        diagnostics.retain(|d| d.severity() == Severity::Error);
        DescriptionFault { source: source.clone(), diagnostics: Diagnostics::Board(diagnostics) }
    }

    /// Of a video game or a level.
    pub fn video(source: &Source, mut diagnostics: Vec<regulus_vgdl::Diagnostic>) -> Self {
        diagnostics.retain(|d| d.severity() == Severity::Error);
        DescriptionFault { source: source.clone(), diagnostics: Diagnostics::Video(diagnostics) }
    }

    /// The name of the text.
    pub fn source_name(&self) -> &str {
        self.source.name()
    }

    /// Every error with an excerpt of the text, in colours if a terminal is to show it.
    pub fn render(&self, colours: bool) -> Vec<String> {
        let source = &self.source;
        match &self.diagnostics {
            Diagnostics::Board(all) => {
                all.iter().map(|d| regulus_rbg::render::render(source, d, colours)).collect()
            }
            Diagnostics::Video(all) => all.iter().map(|d| d.render(source, colours)).collect(),
        }
    }

    /// The line of the first error, its message, and how many there are besides.
    pub fn first(&self) -> Option<(usize, &str, usize)> {
        match &self.diagnostics {
            Diagnostics::Board(all) => all.first().map(|first| {
                let line = self.source.line_column(first.span.start).line;
                (line, first.message.as_str(), all.len() - 1)
            }),
            Diagnostics::Video(all) => all
                .first()
                .map(|first| (first.place.line as usize, first.message.as_str(), all.len() - 1)),
        }
    }
}

impl fmt::Display for DescriptionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.render(false) {
            writeln!(f, "{diagnostic}\n")?;
        }
        write!(f, "{} has errors", self.source_name())
    }
}

impl std::error::Error for DescriptionFault {}
