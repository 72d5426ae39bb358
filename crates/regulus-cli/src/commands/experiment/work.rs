//! `regulus experiment work`: a share of an experiment.

use std::path::PathBuf;

use clap::Args;
use regulus_arena::experiment::{Experiment, Layout, Patience, Shard};

use super::session;
use crate::failure::Failure;
use crate::shutdown::shutdown_flag;
use crate::threads_argument::threads;

/// Play a share of an experiment, as a job of an array
///
/// What is recorded already is not played again. Without --shard the index comes from the environment of
/// the job: SLURM_ARRAY_TASK_ID, HQ_TASK_ID, PBS_ARRAY_INDEX, PBS_ARRAYID or JOB_COMPLETION_INDEX.
#[derive(Args)]
pub struct Work {
    /// The directory of the experiment
    dir: PathBuf,
    /// Which share of how many: 0/8 is the first of eight
    #[arg(long, value_name = "I/N", conflicts_with = "shards")]
    shard: Option<Shard>,
    /// How many shares there are, where the environment says which one; indices are from 0
    #[arg(long, value_name = "N")]
    shards: Option<u64>,
    /// How many games are played at the same time [default: one per processor; 1 where speed is
    /// measured or video games are played by the clock]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Work {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let threads = threads(self.threads)?;
        let shard = match self.shard {
            Some(shard) => shard,
            None => Shard::from_environment(|name| std::env::var(name).ok(), self.shards)
                .map_err(Failure::Failed)?
                .ok_or_else(|| {
                    Failure::Failed(
                        "which share? This is no job of an array: give --shard I/N".to_owned(),
                    )
                })?,
        };
        let layout = Layout::new(self.dir);
        let experiment = Experiment::open(&layout)?;
        let work = regulus_arena::experiment::Work { shard, threads, patience: Patience::Wait };
        session::work(&layout, &experiment, work, &*shutdown_flag()?)
    }
}
