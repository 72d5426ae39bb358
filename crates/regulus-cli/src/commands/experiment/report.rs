//! `regulus experiment report`: what came of an experiment.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use regulus_arena::experiment::{Archive, Experiment, Layout};
use regulus_arena::report;

use crate::commands::print_json;
use crate::failure::Failure;
use crate::report_view;

/// Show the results of an experiment, and write them as a page, CSV and Parquet
///
/// Works at any time, also while the experiment is played. Files are written to DIR/report: report.html, a
/// page that needs nothing but itself; table.csv with a row for every game, pair and limit; results.csv and
/// results.parquet with a row for every game that was played; heat-map-LIMIT.svg, its heat maps as pictures.
#[derive(Args)]
pub struct Report {
    /// The directory of the experiment
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print everything as JSON instead of tables
    #[arg(long)]
    json: bool,
}

impl Report {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let layout = Layout::new(self.directory);
        let experiment = Experiment::open(&layout)?;
        if self.json {
            let archive = Archive::read(&layout)?;
            let (report, _) = report::write(&layout, &archive, experiment.board_games())?;
            return Ok(print_json(&report)?);
        }
        show(&mut anstream::stdout().lock(), &layout, &experiment)
    }
}

/// Writes the files of a report and prints it.
pub fn show(out: &mut impl Write, layout: &Layout, experiment: &Experiment) -> Result<(), Failure> {
    let archive = Archive::read(layout)?;
    let (report, written) = report::write(layout, &archive, experiment.board_games())?;
    report_view::print(out, &report)?;
    writeln!(out, "\n{}", written.page.display())?;
    let tables = [written.table, written.csv, written.parquet];
    for path in tables.into_iter().chain(written.maps) {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
