//! What is started as the confined process.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::limits::Limits;

/// A program that calls [`crate::confine`] with the [`Limits`] of its last argument before it reads anything.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// Its arguments, to which the limits are added.
    pub arguments: Vec<String>,
}

impl Program {
    /// This program with some arguments.
    pub fn this(arguments: &[&str]) -> std::io::Result<Self> {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Ok(Program { path: std::env::current_exe()?, arguments })
    }

    /// The command that starts it: with pipes, without an environment, and where Ctrl-C does not reach it, so that it is
    /// for its parent to end it.
    ///
    /// On Linux the process is killed when the *thread* that has started it ends.
    pub fn command(&self, limits: &Limits) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .arg(limits.to_string())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }
}
