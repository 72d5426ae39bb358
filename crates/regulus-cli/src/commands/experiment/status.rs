//! `regulus experiment status`: how far an experiment is.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use regulus_arena::experiment::{ContestStatus, Layout, Status as Found};

use crate::commands::print_json;
use crate::failure::Failure;
use crate::grid::{Grid, Item, RED, YELLOW, item};

/// Show how far an experiment is
///
/// Counts what is there of every game, pair and limit, and what failed; says who is working on it, and how long the rest will
/// take if its games are as long as those that are there. Works at any time, on any machine that sees the directory.
#[derive(Args)]
pub struct Status {
    /// The directory of the experiment
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Status {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let layout = Layout::new(self.directory);
        let found = Found::read(&layout)?;
        if self.json {
            return Ok(print_json(&found)?);
        }
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}: {} (size {})", found.experiment, found.title, found.size)?;
        let what = found.kind.nouns();
        writeln!(out, "{} of {} {what}", found.played, found.planned)?;
        if found.faults > 0 {
            let faults = found.faults;
            writeln!(out, "{faults} ended by a fault; `regulus experiment report` says why")?;
        }
        if found.damaged_lines > 0 {
            let lines = found.damaged_lines;
            writeln!(
                out,
                "{lines} damaged lines of records are left out; `repair` moves them away"
            )?;
        }
        for worker in &found.workers {
            let [shard, shards] = worker.shard;
            writeln!(
                out,
                "process {} on {} works on share {shard}/{shards} with {} threads, {} {what} so far",
                worker.process, worker.host, worker.threads, worker.played
            )?;
        }
        match (found.seconds_left, found.thread_seconds_left) {
            _ if found.played >= found.planned => writeln!(out, "nothing is left to do")?,
            (Some(seconds), _) => writeln!(out, "about {} left", duration(seconds))?,
            (None, Some(seconds)) => writeln!(
                out,
                "nobody is working on it; one thread would need about {}",
                duration(seconds)
            )?,
            (None, None) => writeln!(out, "nobody can tell yet how long it will take")?,
        }
        table(&found.contests).print(&mut out)?;
        Ok(())
    }
}

fn table(contests: &[ContestStatus]) -> Grid {
    let mut grid =
        Grid::new(&["<game", "<agent", "<against", "<limit", "there", "of", "faults", "s each"]);
    for contest in contests {
        let style = if contest.played < contest.planned { YELLOW } else { "" };
        grid.rows.push(vec![
            item(contest.game.clone()),
            item(contest.agents.first().cloned().unwrap_or_default()),
            item(contest.agents.get(1).cloned().unwrap_or_default()),
            item(contest.limit.clone()),
            Item { text: contest.played.to_string(), style },
            item(contest.planned.to_string()),
            Item {
                text: if contest.faults > 0 { contest.faults.to_string() } else { String::new() },
                style: RED,
            },
            item(contest.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}"))),
        ]);
    }
    grid
}

/// "40 s", "12 min", "5.5 h", "3.2 days".
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
