//! `regulus experiment run`: experiments on this machine.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use regulus_arena::experiment::{Patience, Shard, Work};

use super::declared::Declared;
use super::{report, session};
use crate::failure::Failure;
use crate::shutdown::shutdown_flag;
use crate::threads_argument::threads;

/// Play an experiment, or what is missing of it, and show its results
///
/// Every finished game is one line of a file in DIR/records. Interrupt it or kill it: the same command goes
/// on with what is missing. At the end it prints what `regulus experiment report` prints, published figures beside ours.
/// Several files are played one after the other, each into its own directory; one that cannot be played does not keep the
/// others from it.
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
        let interrupted = shutdown_flag()?;
        if let [file] = &self.declared.files[..] {
            return self.play(file, threads, &interrupted);
        }
        let mut failed = Vec::new();
        for file in &self.declared.files {
            let name = file.display();
            match self.play(file, threads, &interrupted) {
                Ok(()) => {}
                Err(Failure::Failed(why)) if !interrupted.load(Ordering::Relaxed) => {
                    writeln!(anstream::stderr(), "error: {name}: {why}")?;
                    failed.push(name.to_string());
                }
                Err(other) => return Err(other),
            }
        }
        match failed.is_empty() {
            true => Ok(()),
            false => Err(Failure::Failed(format!(
                "{} of {} experiments could not be played: {}",
                failed.len(),
                self.declared.files.len(),
                failed.join(", ")
            ))),
        }
    }

    fn play(
        &self,
        file: &Path,
        threads: Option<usize>,
        interrupted: &AtomicBool,
    ) -> Result<(), Failure> {
        let (experiment, layout) = self.declared.settle(file)?;
        let work = Work { shard: Shard::ALL, threads, patience: Patience::None };
        session::work(&layout, &experiment, work, interrupted)?;
        let mut out = anstream::stdout().lock();
        writeln!(out)?;
        report::show(&mut out, &layout, &experiment)
    }
}
