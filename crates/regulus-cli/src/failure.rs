//! Why a command did not succeed, and the exit status that says so.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command ends with a status other than 0.
#[derive(Debug)]
pub enum Failure {
    /// Everything has been said already.
    Silent,
    /// The input or the run failed.
    Failed(String),
    /// Output could not be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<regulus::Error> for Failure {
    fn from(error: regulus::Error) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl From<regulus_player::PlayFault> for Failure {
    fn from(fault: regulus_player::PlayFault) -> Self {
        Failure::Failed(fault.to_string())
    }
}

impl From<regulus_reasoner::RunError> for Failure {
    fn from(error: regulus_reasoner::RunError) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl From<regulus_player::Failure> for Failure {
    fn from(failure: regulus_player::Failure) -> Self {
        Failure::Failed(failure.to_string())
    }
}

impl Failure {
    /// Says what is wrong and gives the exit status.
    pub fn report(self) -> ExitCode {
        let message = match self {
            Failure::Silent => return ExitCode::from(1),
            // Whoever reads our output has seen enough, as in `regulus games | head -1`.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Output(error) => format!("cannot write the output: {error}"),
            Failure::Failed(message) => message,
        };
        // Nothing can be done if even this fails.
        let _ = writeln!(anstream::stderr(), "error: {message}");
        ExitCode::from(1)
    }
}
