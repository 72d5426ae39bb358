//! What can go wrong, as people read it.

use std::fmt;
use std::path::Path;

use regulus_player::bounded_file::ReadFault;
use regulus_player::catalogue::{LevelFault, NotFound};
use regulus_player::{DescriptionFault, Failure, PlayFault};
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

impl From<NotFound> for Error {
    fn from(fault: NotFound) -> Self {
        match fault {
            NotFound::File(why) => Error::File(why),
            unknown @ (NotFound::Unknown { .. } | NotFound::Level(_)) => {
                Error::Unknown(unknown.to_string())
            }
        }
    }
}

impl From<DescriptionFault> for Error {
    fn from(fault: DescriptionFault) -> Self {
        Error::Description(fault)
    }
}

impl From<LevelFault> for Error {
    fn from(fault: LevelFault) -> Self {
        match fault {
            LevelFault::NotFound(fault) => fault.into(),
            LevelFault::Description(fault) => fault.into(),
        }
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
