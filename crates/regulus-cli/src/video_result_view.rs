//! Results of video games as text.

use std::io::{self, Write};

use regulus_arena::report::{FAR, VideoComparison, VideoMeasure, VideoReport};
use regulus_arena::video::{Scope, VideoRanking, VideoResult};

use crate::grid::{BOLD, Grid, Item, PLAIN, YELLOW, item};

/// What stands beside a result.
#[derive(Clone, Copy)]
struct Beside<'b> {
    /// Published figures.
    report: Option<&'b VideoReport>,
    /// Points.
    rankings: &'b [VideoRanking],
}

impl<'b> Beside<'b> {
    fn figure(self, result: &VideoResult, measure: VideoMeasure) -> Option<&'b VideoComparison> {
        self.report?.figure(result, measure)
    }

    /// The points for a result: of all games, or of one.
    fn points(self, result: &VideoResult) -> Option<f64> {
        let ranking = self.rankings.iter().find(|ranking| ranking.limit == result.limit)?;
        let ranked = ranking.agents.iter().find(|ranked| ranked.agent == result.agent)?;
        match &result.scope {
            Scope::All => Some(ranked.points),
            Scope::Set(_) => None,
            Scope::Game(game) => {
                ranked.games.iter().find(|placing| placing.game == *game).map(|p| p.points)
            }
        }
    }
}

/// The columns of a table of results, behind the first.
const COLUMNS: [&str; 15] = [
    "runs",
    "wins",
    "win rate, %",
    "published",
    "difference",
    "score",
    "published",
    "ticks",
    "iterations per tick",
    "published",
    "slowest ms",
    "late",
    "disqualified",
    "failed",
    "F1 points",
];

/// A table of results; `first` is the name of the first column and what stands there.
fn table(
    out: &mut impl Write,
    first: (&'static str, fn(&VideoResult) -> &str),
    results: &[&VideoResult],
    beside: Beside<'_>,
) -> io::Result<()> {
    let mut columns = vec![first.0];
    columns.extend(COLUMNS);
    let mut grid = Grid::new(&columns);
    for result in results {
        let wins = beside.figure(result, VideoMeasure::Wins);
        let far = wins.and_then(|c| c.deviation).is_some_and(|d| d.abs() > FAR);
        let deviation = wins.and_then(|c| c.deviation);
        let deviation = deviation.map_or(String::new(), |d| format!("{d:+.1} se"));
        let some = |count: u64| if count > 0 { count.to_string() } else { String::new() };
        grid.rows.push(vec![
            item((first.1)(result)),
            item(result.runs.to_string()),
            item(result.wins.to_string()),
            item(format!("{:.1} ± {:>4.1}", 100.0 * result.rate, 100.0 * result.error)),
            published(wins),
            Item { text: deviation, style: if far { YELLOW } else { "" } },
            item(with_error(result.score, result.score_error)),
            published(beside.figure(result, VideoMeasure::Score)),
            item(format!("{:.0}", result.ticks)),
            item(iterations(result)),
            published(beside.figure(result, VideoMeasure::Iterations)),
            item(format!("{:.1}", result.slowest_ms)),
            item(some(result.late)),
            item(result.disqualified.to_string()),
            item(some(result.failed)),
            item(beside.points(result).map_or(String::new(), points_text)),
        ]);
    }
    grid.print(out)
}

fn published(figure: Option<&VideoComparison>) -> Item {
    let Some(figure) = figure else { return item("") };
    let [ours, expected] = figure.coverage;
    let part = if ours > 0 && ours < expected { "*" } else { "" };
    item(with_error(figure.published, figure.published_error) + part)
}

fn with_error(value: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{value:.1} ± {error:>4.1}"),
        None => format!("{value:.1}"),
    }
}

/// Agents that do not search have none.
fn iterations(result: &VideoResult) -> String {
    if result.iterations_max == 0 {
        return String::new();
    }
    let range = format!("[{}, {}]", result.iterations_min, result.iterations_max);
    format!("{} {range}", with_error(result.iterations, result.iterations_error))
}

/// Points, which are whole numbers unless they are shared.
fn points_text(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// The results of a match: a table of agents for every game, and one for all games.
pub fn print_match(
    out: &mut impl Write,
    results: &[VideoResult],
    rankings: &[VideoRanking],
) -> io::Result<()> {
    let mut scopes: Vec<&Scope> = Vec::new();
    for result in results {
        if !scopes.contains(&&result.scope) {
            scopes.push(&result.scope);
        }
    }
    // The games first, since what is printed last is seen first.
    scopes.sort_by_key(|scope| **scope == Scope::All);
    for scope in &scopes {
        if scopes.len() > 1 {
            writeln!(out, "\n{BOLD}{}{PLAIN}", scope.name())?;
        } else {
            writeln!(out)?;
        }
        let rows: Vec<&VideoResult> = results.iter().filter(|r| r.scope == **scope).collect();
        let beside = Beside { report: None, rankings };
        table(out, ("<agent", |result| &result.agent), &rows, beside)?;
    }
    Ok(())
}

/// The results of an experiment: for every limit all agents in all games, then every agent game by game.
pub fn print_report(
    out: &mut impl Write,
    report: &VideoReport,
    limits: &[String],
) -> io::Result<()> {
    let beside = Beside { report: Some(report), rankings: &report.rankings };
    for limit in limits {
        let agents = report.agents(limit);
        let totals: Vec<&VideoResult> =
            agents.iter().filter_map(|agent| report.total(agent, limit)).collect();
        let Some(first) = totals.first() else { continue };
        writeln!(out, "\n{BOLD}{}{PLAIN}, {limit}", first.scope.name())?;
        table(out, ("<agent", |result| &result.agent), &totals, beside)?;
    }
    for limit in limits {
        for agent in report.agents(limit) {
            let own = |r: &&VideoResult| r.agent == agent && r.limit == *limit;
            let rows: Vec<&VideoResult> = report.results.iter().filter(own).collect();
            if rows.len() < 2 {
                continue;
            }
            writeln!(out, "\n{BOLD}{agent}{PLAIN}, {limit}")?;
            table(out, ("<game", |result| result.scope.name()), &rows, beside)?;
        }
    }
    let partial = |c: &VideoComparison| c.coverage[0] > 0 && c.coverage[0] < c.coverage[1];
    if report.published.iter().any(partial) {
        writeln!(out, "\n* beside fewer games of ours than were published")?;
    }
    Ok(())
}
