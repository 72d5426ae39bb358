//! What `serve` and `join` start to run the rules of strangers.

use clap::{Args, ValueEnum};
use regulus_server::play_apart;
use regulus_web::work_in_sandbox;

use crate::failure::Failure;

/// Who has started it.
#[derive(Clone, Copy, ValueEnum)]
enum Master {
    /// The web page, for what visitors have uploaded
    Page,
    /// A player, for what its manager has sent
    Join,
}

/// What runs the rules of strangers: a process that can be ended, and can do nothing else
#[derive(Args)]
pub struct RunRules {
    /// For whom
    master: Master,
    /// How much it may use
    limits: regulus_sandbox::Limits,
}

impl RunRules {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let done = match self.master {
            Master::Page => work_in_sandbox(&self.limits),
            Master::Join => play_apart(&self.limits),
        };
        done.map_err(|error| Failure::Failed(error.to_string()))
    }
}
