//! Why an experiment cannot go on.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::declaration::DeclarationError;
use crate::record_file::RecordError;

/// Why an experiment cannot go on.
#[derive(Debug)]
pub enum ExperimentError {
    /// The file system says no.
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it says.
        error: io::Error,
    },
    /// The declaration is wrong.
    Declaration {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        error: DeclarationError,
    },
    /// A file of records cannot be read or written.
    Record(RecordError),
    /// A file of the directory is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Anything else, in words.
    Refused(String),
}

impl ExperimentError {
    /// What the file system said.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| ExperimentError::Io { path, action, error }
    }

    /// A file that is not what it should be.
    pub(crate) fn damaged(path: &Path, message: impl fmt::Display) -> Self {
        ExperimentError::Damaged { path: path.to_owned(), message: message.to_string() }
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExperimentError::Io { path, action, error } => {
                write!(f, "cannot {action} {}: {error}", path.display())
            }
            ExperimentError::Declaration { path, error } => {
                write!(f, "{}, {error}", path.display())
            }
            ExperimentError::Record(error) => error.fmt(f),
            ExperimentError::Damaged { path, message } => {
                write!(f, "{}: {message}", path.display())
            }
            ExperimentError::Refused(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ExperimentError {}

impl From<RecordError> for ExperimentError {
    fn from(error: RecordError) -> Self {
        ExperimentError::Record(error)
    }
}
