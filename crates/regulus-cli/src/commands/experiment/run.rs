//! `regulus experiment run`: an experiment on this machine.

use clap::Args;
use regulus_arena::experiment::{Patience, Shard, Work};

use super::declared::Declared;
use super::session;
use crate::failure::Failure;
use crate::threads_argument::threads;

/// Play an experiment, or what is missing of it
///
/// Every finished game is one line of a file in DIR/records. Interrupt it or kill it: the same command goes
/// on with what is missing.
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    declared: Declared,
    /// How many games are played at the same time [default: one per processor; 1 where speed is
    /// measured or video games are played by the clock]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Run {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let threads = threads(self.threads)?;
        let (experiment, layout) = self.declared.settle()?;
        let work = Work { shard: Shard::ALL, threads, patience: Patience::None };
        session::work(&layout, &experiment, work)
    }
}
