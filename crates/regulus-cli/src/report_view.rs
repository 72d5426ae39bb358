//! The report of an experiment as text.

use std::io::{self, Write};

use regulus_arena::experiment::Kind;
use regulus_arena::report::{
    Average, Cell, Comparison, Estimate, ExperimentReport, FAR, Measure, Severity, Standing,
};

use crate::grid::{BOLD, GREEN, Grid, Item, PLAIN, RED, YELLOW, item};
use crate::video_result_view;

/// Prints a report.
pub fn print(out: &mut impl Write, report: &ExperimentReport) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{PLAIN}", report.title)?;
    if let Some(source) = &report.source {
        writeln!(out, "{source}")?;
    }
    let what = report.kind.nouns();
    writeln!(out, "{} of {} {what}", report.played, report.planned)?;
    for about in &report.about {
        writeln!(out, "{about}")?;
    }
    for notice in &report.notices {
        match notice.severity {
            Severity::Warning => writeln!(out, "{YELLOW}warning:{PLAIN} {}", notice.text)?,
            Severity::Note => writeln!(out, "note: {}", notice.text)?,
        }
    }
    for limit in &report.limits {
        for pair in report.pairs() {
            results(out, report, pair, limit)?;
        }
    }
    if let Some(video) = &report.video {
        return video_result_view::print_report(out, video, &report.limits);
    }
    ratings(out, report)?;
    if report.kind == Kind::Speed {
        speeds(out, report)?;
    }
    Ok(())
}

fn style(standing: Option<Standing>) -> &'static str {
    match standing {
        Some(Standing::Better) => GREEN,
        Some(Standing::Worse) => RED,
        _ => "",
    }
}

fn rate(rate: Option<f64>, error: Option<f64>) -> String {
    match (rate, error) {
        (None, _) => "-".to_owned(),
        (Some(rate), None) => format!("{:.1}        ", 100.0 * rate),
        (Some(rate), Some(error)) => format!("{:.1} ± {:>4.1}", 100.0 * rate, 100.0 * error),
    }
}

/// The published figure, and how far ours is from it.
fn published(figure: Option<&Comparison>) -> [Item; 2] {
    let Some(figure) = figure else { return [item(""), item("")] };
    let error = figure.published_error.map_or(String::new(), |error| format!(" ± {error:>4.1}"));
    let deviation = figure.deviation.map_or(String::new(), |d| format!("{d:+.1} se"));
    let far = figure.deviation.is_some_and(|d| d.abs() > FAR);
    let counts = figure
        .published_counts
        .map_or(String::new(), |[better, similar, worse]| format!(" {better}:{similar}:{worse}"));
    let published = format!("{:.1}{error}{counts}", figure.published);
    [item(published), Item { text: deviation, style: if far { YELLOW } else { "" } }]
}

/// The table of a pair with a limit.
fn results(
    out: &mut impl Write,
    report: &ExperimentReport,
    pair: (&str, &str),
    limit: &str,
) -> io::Result<()> {
    let cells: Vec<&Cell> =
        report.games.iter().filter_map(|game| report.cell(game, pair, limit)).collect();
    if cells.is_empty() {
        return Ok(());
    }
    let figure = |game: Option<&str>| {
        report.published.iter().find(|c| {
            c.measure == Measure::WinRate
                && c.game.as_deref() == game
                && (c.agent.as_str(), c.against.as_deref()) == (pair.0, Some(pair.1))
                && c.limit == limit
        })
    };
    writeln!(out, "\n{BOLD}{}{PLAIN} against {}, {limit}", pair.0, pair.1)?;
    let mut grid = Grid::new(&[
        "<game",
        "games",
        "win",
        "draw",
        "loss",
        "win rate",
        "<",
        "published",
        "difference",
        "Elo",
        "speed-up",
        "moves",
        "distinct",
        "timeouts",
        "failures",
        "void",
    ]);
    let some = |count: u64| item(if count > 0 { count.to_string() } else { String::new() });
    for cell in &cells {
        let [theirs, deviation] = published(figure(Some(&cell.game)));
        let counts = cell.results;
        let count = |value: Option<u64>| item(value.map_or(String::new(), |v| v.to_string()));
        let speed = report
            .speeds
            .iter()
            .find(|s| s.game == cell.game && s.agent == cell.agent && s.limit == cell.limit);
        let speed_up = speed.and_then(|s| s.speed_up).map_or(String::new(), |s| format!("{s:.2}x"));
        let elo = cell.elo.map_or(String::new(), |elo| match elo.error.is_finite() {
            true => format!("{:+.0} ± {:>3.0}", elo.difference, elo.error),
            false if elo.difference > 0.0 => format!("> {:+.0}      ", elo.interval.low),
            false => format!("< {:+.0}      ", elo.interval.high),
        });
        grid.rows.push(vec![
            item(cell.game.clone()),
            item(cell.games.to_string()),
            count(counts.map(|r| r.wins)),
            count(counts.map(|r| r.draws)),
            count(counts.map(|r| r.losses)),
            Item { text: rate(cell.rate, cell.error), style: style(cell.standing) },
            item(cell.standing.map_or("", Standing::word)),
            theirs,
            deviation,
            item(elo),
            item(speed_up),
            item(format!("{:.1}", cell.length)),
            item(cell.distinct_games.to_string()),
            some(cell.faults.timeouts + cell.faults_against.timeouts),
            some(cell.faults.failures + cell.faults_against.failures),
            some(cell.void),
        ]);
    }
    if let Some(average) = report.average(pair, limit).filter(|_| report.games.len() > 1) {
        grid.rows.push(average_row(average, published(figure(None)), grid.columns.len()));
    }
    grid.print(out)
}

fn average_row(average: &Average, [theirs, deviation]: [Item; 2], columns: usize) -> Vec<Item> {
    let name = match average.games < average.expected_games {
        true => format!("average of {} games", average.games),
        false => "average".to_owned(),
    };
    let standing = average.standing();
    let counts = format!("{}:{}:{}", average.better, average.similar, average.worse);
    let mut row = vec![item(name), item(""), item(""), item(""), item("")];
    row.push(Item {
        text: rate(Some(average.rate), Some(average.error)),
        style: style(Some(standing)),
    });
    row.extend([item(counts), theirs, deviation]);
    row.resize_with(columns, || item(""));
    row
}

fn ratings(out: &mut impl Write, report: &ExperimentReport) -> io::Result<()> {
    // With one pair the table has said it already.
    for list in report.ratings.iter().filter(|list| list.ratings.len() > 2) {
        writeln!(out, "\n{BOLD}Elo{PLAIN}, {}", list.limit)?;
        let mut grid = Grid::new(&["<agent", "Elo", "result", "games"]);
        for rating in &list.ratings {
            let elo = match rating.estimate {
                Estimate::Anchor => "0      ".to_owned(),
                Estimate::Difference { elo, error } => format!("{elo:+.0} ± {error:>4.0}"),
                Estimate::MoreThan(bound) => format!("> {bound:+.0}       "),
                Estimate::LessThan(bound) => format!("< {bound:+.0}       "),
                Estimate::Unknown => "-       ".to_owned(),
            };
            grid.rows.push(vec![
                item(rating.agent.clone()),
                item(elo),
                item(format!("{:.1} %", 100.0 * rating.rate)),
                item(rating.games.to_string()),
            ]);
        }
        grid.print(out)?;
    }
    Ok(())
}

fn speeds(out: &mut impl Write, report: &ExperimentReport) -> io::Result<()> {
    if report.speeds.is_empty() {
        return Ok(());
    }
    let mut grid = Grid::new(&[
        "<game",
        "<agent",
        "<limit",
        "searches",
        "states/s",
        "published",
        "simulations/s",
        "published",
        "speed-up",
        "published",
        "MiB",
        "published",
        "nodal/sim",
        "published",
        "all/sim",
        "published",
        "branching",
        "published",
    ]);
    for speed in &report.speeds {
        let theirs = |measure: Measure| {
            report.published.iter().find(|c| {
                c.measure == measure
                    && c.game.as_ref() == Some(&speed.game)
                    && c.agent == speed.agent
                    && c.limit == speed.limit
            })
        };
        let number = |measure: Measure| {
            item(theirs(measure).map_or(String::new(), |c| format!("{:.0}", c.published)))
        };
        let ours = |figure: Option<f64>, digits: usize| {
            item(figure.map_or(String::new(), |figure| format!("{figure:.digits$}")))
        };
        let branching = theirs(Measure::Branching).map(|c| c.published);
        let speed_up = theirs(Measure::SpeedUp);
        grid.rows.push(vec![
            item(speed.game.clone()),
            item(speed.agent.clone()),
            item(speed.limit.clone()),
            item(speed.turns.to_string()),
            item(format!("{:.0}", speed.states_per_s)),
            number(Measure::StatesPerS),
            item(format!("{:.0}", speed.simulations_per_s)),
            number(Measure::SimulationsPerS),
            item(speed.speed_up.map_or(String::new(), |times| format!("{times:.2}x"))),
            item(speed_up.map_or(String::new(), |c| format!("{:.2}x", c.published))),
            item(speed.memory_mib.map_or(String::new(), |mib| format!("{mib:.1}"))),
            number(Measure::MemoryMib),
            ours(speed.nodal_states_per_simulation, 1),
            number(Measure::NodalStatesPerSimulation),
            ours(speed.states_per_simulation, 1),
            number(Measure::StatesPerSimulation),
            ours(speed.branching, 2),
            ours(branching, 2),
        ]);
    }
    writeln!(out)?;
    grid.print(out)
}
