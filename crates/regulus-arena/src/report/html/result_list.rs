//! All results with everything that is known about each.

use super::markup::{agent, cell, escape, number, sortable, standing, whole};
use crate::report::cell::Cell;
use crate::report::experiment_report::ExperimentReport;

/// The table; empty without results.
pub fn table(report: &ExperimentReport) -> String {
    if report.cells.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = report.cells.iter().map(row).collect();
    let columns = [
        "game",
        "agent",
        "against",
        "limit",
        "#games",
        "#win",
        "#draw",
        "#loss",
        "#rate, %",
        "#95 % interval",
        "standing",
        "#Elo",
        "#LOS, %",
        "#moves",
        "#distinct",
        "#timeouts",
        "#failures",
        "#void",
    ];
    sortable(&columns, &rows)
        + "<p class=\"caption\">The interval is Wilson's, from pairs of games. LOS: how likely it is that the agent \
           is the stronger one. Time-outs and failures (illegal moves, crashes) of the agent : of its \
           opponent; they have lost those games.</p>\n"
}

fn row(c: &Cell) -> String {
    let count = |value: Option<u64>| value.map_or("–".to_owned(), whole);
    let both = |one: u64, other: u64| match one + other {
        0 => "0".to_owned(),
        _ => format!("{one} : {other}"),
    };
    let interval = c
        .interval
        .map_or("–".to_owned(), |i| format!("{:.1} to {:.1}", 100.0 * i.low, 100.0 * i.high));
    let elo = c.elo.map(|elo| {
        let error = match elo.error.is_finite() {
            true => format!("<small> ±{}</small>", number(Some(elo.error), 0, false)),
            false => String::new(),
        };
        number(Some(elo.difference), 0, true) + &error
    });
    let games = match c.games + c.void < c.planned {
        true => format!("{}<small> of {}</small>", whole(c.games), whole(c.planned)),
        false => whole(c.games),
    };
    let bad = |count: u64| if count > 0 { "n far" } else { "n" };
    let timeouts = c.faults.timeouts + c.faults_against.timeouts;
    let failures = c.faults.failures + c.faults_against.failures;
    let results = c.results;
    let cells = [
        cell("", None, &escape(&c.game)),
        cell("", None, &agent(&c.agent)),
        cell("", None, &agent(&c.against)),
        cell("", None, &escape(&c.limit)),
        cell("n", Some(c.games as f64), &games),
        cell("n", None, &count(results.map(|r| r.wins))),
        cell("n", None, &count(results.map(|r| r.draws))),
        cell("n", None, &count(results.map(|r| r.losses))),
        cell(
            &format!("n {}", standing(c.standing)),
            c.rate,
            &number(c.rate.map(|r| 100.0 * r), 2, false),
        ),
        cell("n", c.interval.map(|i| i.low), &interval),
        cell("", None, standing(c.standing)),
        cell("n", c.elo.map(|e| e.difference), &elo.unwrap_or("–".to_owned())),
        cell("n", c.los, &number(c.los.map(|l| 100.0 * l), 1, false)),
        cell("n", Some(c.length), &number(Some(c.length), 1, false)),
        cell("n", Some(c.distinct_games as f64), &whole(c.distinct_games as u64)),
        cell(
            bad(timeouts),
            Some(timeouts as f64),
            &both(c.faults.timeouts, c.faults_against.timeouts),
        ),
        cell(
            bad(failures),
            Some(failures as f64),
            &both(c.faults.failures, c.faults_against.failures),
        ),
        cell(bad(c.void), Some(c.void as f64), &whole(c.void)),
    ];
    format!("<tr>{}</tr>", cells.concat())
}
