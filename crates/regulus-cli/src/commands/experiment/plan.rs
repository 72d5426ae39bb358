//! `regulus experiment plan`: what an experiment consists of.

use std::io::Write;
use std::path::Path;

use clap::Args;
use regulus_arena::experiment::{Archive, Kind};
use regulus_arena::report::size_words;

use super::declared::Declared;
use super::status::duration;
use crate::failure::Failure;

/// Show what an experiment consists of and prepare its directory
///
/// The directory is all that is needed to work on it, on this machine or on others that see it.
#[derive(Args)]
pub struct Plan {
    #[command(flatten)]
    declared: Declared,
}

impl Plan {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        self.declared.files.iter().try_for_each(|file| self.show(file))
    }

    fn show(&self, file: &Path) -> Result<(), Failure> {
        let (experiment, layout) = self.declared.settle(file)?;
        let plan = &experiment.plan;
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}: {}", plan.experiment, layout.root().display())?;
        let width = plan.games.iter().map(|game| game.name.len()).max().unwrap_or(0);
        let games = plan.kind.nouns();
        for contest in &plan.contests {
            let agents = match &contest.agents[..] {
                [agent, other, ..] => format!("{agent} against {other}"),
                agents => agents.join(""),
            };
            writeln!(
                out,
                "{:<width$}  {:>5} {games}  {}  {agents}",
                contest.game, contest.games, contest.budget
            )?;
        }
        let (contests, all) = (plan.contests.len(), plan.game_count());
        match plan.kind {
            Kind::Matches => {
                writeln!(out, "{contests} contests, {} units, {all} games", plan.unit_count())?;
            }
            Kind::Speed => writeln!(out, "{all} searches")?,
            Kind::Video => writeln!(out, "{contests} contests, {all} runs")?,
        }
        let archive = Archive::read(&layout)?;
        for about in size_words(&archive.declared, &archive.declaration, plan) {
            writeln!(out, "{about}")?;
        }
        let seconds = archive.declaration.estimate().as_secs_f64() * plan.scale;
        writeln!(out, "about {} on two processors, by a rough guess", duration(seconds))?;
        Ok(())
    }
}
