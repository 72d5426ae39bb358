//! What can go wrong, as people read it.

use std::fmt;
use std::path::Path;

use regulus_diagnostic::{Severity, Source};
use regulus_player::bounded_file::ReadFault;
use regulus_player::{Failure, PlayFault};
use regulus_reasoner::RunError;

/// Why something could not be done. `Display` says it in sentences, and shows what is wrong with a description as
/// `regulus check` does; so does `Debug`, for programs that end with it.
#[derive(Clone)]
pub enum Error {
    /// There is no game, level or agent of this name.
    Unknown(String),
    /// A file cannot be read.
    File(String),
    /// The description of a game or of a level has errors.
    Description(DescriptionFault),
    /// The configuration of an agent is wrong, or the agent does not play such games.
    Agent(String),
    /// A move is illegal, or a text is no move.
    Move(PlayFault),
    /// The rules of a game cannot go on.
    Rules(RunError),
    /// A search cannot be made or go on.
    Search(Failure),
}

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
    pub(crate) fn board(source: &Source, mut diagnostics: Vec<regulus_rbg::Diagnostic>) -> Error {
        diagnostics.retain(|d| d.severity() == Severity::Error);
        let (source, diagnostics) = (source.clone(), Diagnostics::Board(diagnostics));
        Error::Description(DescriptionFault { source, diagnostics })
    }

    /// Of a video game or a level.
    pub(crate) fn video(source: &Source, mut diagnostics: Vec<regulus_vgdl::Diagnostic>) -> Error {
        diagnostics.retain(|d| d.severity() == Severity::Error);
        let (source, diagnostics) = (source.clone(), Diagnostics::Video(diagnostics));
        Error::Description(DescriptionFault { source, diagnostics })
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
}

impl fmt::Display for DescriptionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.render(false) {
            writeln!(f, "{diagnostic}\n")?;
        }
        write!(f, "{} has errors", self.source_name())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unknown(why) | Error::File(why) | Error::Agent(why) => why.fmt(f),
            Error::Description(fault) => fault.fmt(f),
            Error::Move(fault) => fault.fmt(f),
            Error::Rules(error) => error.fmt(f),
            Error::Search(failure) => failure.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(crate) fn unreadable(path: &Path, fault: &ReadFault) -> Self {
        Error::File(format!("cannot read {}: {fault}", path.display()))
    }
}

impl From<PlayFault> for Error {
    fn from(fault: PlayFault) -> Self {
        match fault {
            PlayFault::Rules(error) => Error::Rules(error),
            fault @ PlayFault::Move { .. } => Error::Move(fault),
        }
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        Error::Rules(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Game(error) => Error::Rules(error),
            refused @ Failure::Refused(_) => Error::Search(refused),
        }
    }
}
