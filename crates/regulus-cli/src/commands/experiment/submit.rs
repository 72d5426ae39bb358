//! `regulus experiment submit`: an experiment as an array of Slurm jobs.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use regulus_arena::experiment::{Experiment, Layout, SlurmArray};

use crate::failure::Failure;
use crate::threads_argument::threads;

/// Play an experiment as an array of Slurm jobs
///
/// Writes DIR/submit.sbatch and hands it to sbatch. Every job plays a share; jobs that were lost with their
/// machine or ran out of time are queued again, and submitting again plays what is missing.
#[derive(Args)]
pub struct Submit {
    /// The directory of the experiment, made by `regulus experiment plan`
    dir: PathBuf,
    /// Submit to Slurm
    #[arg(long, required = true)]
    slurm: bool,
    /// The partition [default: that of the cluster]
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
    /// How long a job may take, as Slurm writes it: 30 (minutes), 12:00:00, 2-00 [default: that of the
    /// cluster]
    #[arg(long)]
    time: Option<String>,
    /// Processors for every job, each for one game at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    cores: usize,
    /// How many jobs
    #[arg(long, default_value_t = 8, value_name = "N")]
    shards: u64,
    /// A further option of sbatch, such as --account=NAME; can be given several times
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
    /// Only write the script and print it
    #[arg(long)]
    print: bool,
}

impl Submit {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        threads(Some(self.cores))?;
        let layout = Layout::new(&self.dir);
        let experiment = Experiment::open(&layout)?;
        let program = std::env::current_exe()
            .map_err(|error| Failure::Failed(format!("cannot find this program: {error}")))?;
        let array = SlurmArray {
            partition: self.partition,
            time: self.time,
            cores: self.cores,
            shards: self.shards,
            options: self.options,
        };
        let (path, script) = array.write(&layout, &experiment.plan, &program)?;
        let mut out = anstream::stdout().lock();
        if self.print {
            return Ok(write!(out, "{script}")?);
        }
        let status = Command::new("sbatch").arg(&path).status().map_err(|error| {
            Failure::Failed(format!(
                "cannot start sbatch: {error}\n{} is ready; hand it to sbatch where Slurm is",
                path.display()
            ))
        })?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::Failed(format!("sbatch has refused {}", path.display())))
    }
}
