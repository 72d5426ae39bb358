//! `regulus summary`: recorded games, summed up after the fact.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use regulus_arena::board::{BoardRecord, SeatSeries, Series};
use regulus_arena::video::{VideoRecord, VideoStanding, VideoSummary};
use regulus_arena::{Flaw, Recording, Records};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::print_json;
use crate::failure::Failure;
use crate::grid::{BOLD, Grid, PLAIN, item};
use crate::video_result_view;

/// Sum up recorded games: win rates, states, turns and times of every agent and seat
///
/// Files are those of `regulus match --record`, `regulus manager --record` and the records of experiments; several are read as
/// one. Games of the same contest (game, agents and limit) are one table. Intervals are 95 %, of Wilson with two players. A
/// manager does not know how much its players search: their simulations and states are left out.
#[derive(Args)]
pub struct Summary {
    /// Files of records, one line of JSON per game
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'r> {
    series: &'r [Series],
    #[serde(skip_serializing_if = "Option::is_none")]
    video: Option<&'r VideoStanding>,
    /// Lines that are no records.
    left_out: u64,
}

impl Summary {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (mut games, mut runs) = (Vec::<BoardRecord>::new(), Vec::<VideoRecord>::new());
        let mut left_out = 0;
        for file in &self.files {
            match Recording::open(file)? {
                Recording::Games(records) => left_out += collect(records, &mut games)?,
                Recording::Runs(records) => left_out += collect(records, &mut runs)?,
                Recording::Replay(_) => {
                    let file = file.display();
                    let why = format!("{file} is the replay of one run: `regulus replay` shows it");
                    return Err(Failure::Failed(why));
                }
            }
        }
        if games.is_empty() && runs.is_empty() {
            return Err(Failure::Failed("there are no finished games in these files".to_owned()));
        }
        let series = Series::of(&games);
        let mut video = VideoSummary::default();
        runs.iter().for_each(|run| video.add(run));
        let video = (!runs.is_empty()).then(|| video.standing());
        if self.json {
            let video = video.as_ref();
            return Ok(print_json(&Report { series: &series, video, left_out })?);
        }
        let mut out = anstream::stdout().lock();
        for (i, series) in series.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            print(&mut out, series)?;
        }
        if let Some(standing) = video {
            video_result_view::print_match(&mut out, &standing.results, &standing.rankings)?;
        }
        if left_out > 0 {
            writeln!(anstream::stderr(), "warning: {left_out} lines are no records and left out")?;
        }
        Ok(())
    }
}

/// Adds the records of a file; gives how many lines were none. A last line that was cut off is no damage.
fn collect<T: DeserializeOwned>(mut records: Records<T>, all: &mut Vec<T>) -> Result<u64, Failure> {
    let mut left_out = 0;
    while let Some(next) = records.next()? {
        match next {
            Ok(record) => all.push(record),
            Err(line) => left_out += u64::from(line.flaw != Flaw::Torn),
        }
    }
    Ok(left_out)
}

fn print(out: &mut impl Write, series: &Series) -> Result<(), Failure> {
    writeln!(
        out,
        "{BOLD}{}{PLAIN}: {} games, {} per move",
        series.game, series.games, series.limit
    )?;
    writeln!(
        out,
        "{:.1} moves and {:.3} s a game in the mean",
        series.moves.mean, series.seconds.mean
    )?;
    if series.void > 0 {
        writeln!(out, "{} games count for nobody", series.void)?;
    }
    if series.repeated > 0 {
        writeln!(out, "{} records are there more than once and count once", series.repeated)?;
    }
    let mut grid = Grid::new(&[
        "<agent",
        "<seat",
        "games",
        "win",
        "draw",
        "loss",
        "result",
        "95 %",
        "turns",
        "simulations",
        "states",
        "s/turn",
        "slowest",
        "faults",
    ]);
    for agent in &series.agents {
        let seats = agent.seats.iter().zip(1..).filter(|(part, _)| part.games > 0);
        let seats = seats.map(|(part, seat)| (part, seat.to_string()));
        for (part, seat) in seats.chain([(&agent.total, "all".to_owned())]) {
            grid.rows.push(row(&agent.name, seat, part));
        }
    }
    Ok(grid.print(out)?)
}

fn row(name: &str, seat: String, part: &SeatSeries) -> Vec<crate::grid::Item> {
    let results = part.results;
    let count = |count: u64| match results.is_empty() {
        true => item(""),
        false => item(count.to_string()),
    };
    let known = |mean: f64| item(if mean > 0.0 { format!("{mean:.0}") } else { String::new() });
    let percent = |part: f64| 100.0 * part;
    vec![
        item(name),
        item(seat),
        item(part.games.to_string()),
        count(results.wins),
        count(results.draws),
        count(results.losses),
        item(part.rate.map_or(String::new(), |rate| format!("{:.1} %", percent(rate)))),
        item(part.interval.map_or(String::new(), |interval| {
            format!("{:.1} to {:.1}", percent(interval.low), percent(interval.high))
        })),
        item(format!("{:.1}", part.turns_per_game)),
        known(part.simulations_per_turn),
        known(part.states_per_turn),
        item(format!("{:.3}", part.seconds_per_turn)),
        item(format!("{:.3}", part.slowest_turn)),
        item(if part.faults > 0 { part.faults.to_string() } else { String::new() }),
    ]
}
