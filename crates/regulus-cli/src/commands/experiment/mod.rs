//! `regulus experiment`: experiments from declaration to report.

mod declared;
mod plan;
mod repair;
mod report;
mod run;
mod session;
mod status;
mod submit;
mod work;

use clap::{Args, Subcommand};
use regulus_arena::experiment::ExperimentError;

use crate::failure::Failure;

/// Run whole experiments: games between many agents, on one machine or many
///
/// An experiment is declared in a TOML file and lives in a directory. Whatever happens to those who work
/// on it, every finished game is kept, and the same command goes on where it was left.
#[derive(Args)]
pub struct Experiment {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play an experiment, or what is missing of it, and show its results
    Run(run::Run),
    /// Show what an experiment consists of and prepare its directory
    Plan(plan::Plan),
    /// Play a share of an experiment, as a job of an array
    Work(work::Work),
    /// Play an experiment as an array of Slurm jobs
    Submit(submit::Submit),
    /// Show how far an experiment is
    Status(status::Status),
    /// Show the results of an experiment, and write them as a page, CSV and Parquet
    Report(report::Report),
    /// Move what is damaged in the directory of an experiment out of the way
    Repair(repair::Repair),
}

impl Experiment {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Run(command) => command.run(),
            Command::Plan(command) => command.run(),
            Command::Work(command) => command.run(),
            Command::Submit(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Repair(command) => command.run(),
        }
    }
}

impl From<ExperimentError> for Failure {
    fn from(error: ExperimentError) -> Self {
        Failure::Failed(error.to_string())
    }
}
