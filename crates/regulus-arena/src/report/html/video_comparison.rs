//! Published figures of video games beside ours.

use super::comparison::{agreement, plus_minus};
use super::markup::{agent, as_published, cell, escape, number, sortable};
use crate::report::experiment_report::ExperimentReport;
use crate::report::published::FAR;
use crate::report::video::{VideoComparison, VideoMeasure};
use crate::video::Scope;

/// The table; empty without published figures.
pub fn table(report: &ExperimentReport) -> String {
    let Some(video) = &report.video else { return String::new() };
    if video.published.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = video.published.iter().map(row).collect();
    let wins = video.published.iter().filter(|c| c.measure == VideoMeasure::Wins);
    let compared: Vec<f64> = wins.filter_map(|c| c.deviation).collect();
    let text = agreement(&compared);
    let columns = [
        "games",
        "agent",
        "limit",
        "measure",
        "#published",
        "#ours",
        "#difference",
        "#standard errors",
    ];
    text + &sortable(&columns, &rows)
        + "<p class=\"caption\">± is half the 95&nbsp;% interval. A published figure without an error counts as \
           exact.</p>\n"
}

fn row(c: &VideoComparison) -> String {
    let mut ours = number(c.ours, 1, false) + &plus_minus(c.our_error);
    let [games, expected] = c.coverage;
    if c.ours.is_some() && games < expected {
        ours += &format!("<br><small>{games} of {expected} games</small>");
    }
    let name = match c.scope {
        Scope::Game(_) => escape(c.scope.name()),
        Scope::All | Scope::Set(_) => format!("<i>{}</i>", escape(c.scope.name())),
    };
    let far = c.deviation.is_some_and(|d| d.abs() > FAR);
    let cells = [
        cell("", None, &name),
        cell("", None, &agent(&c.agent)),
        cell("", None, &escape(&c.limit)),
        cell("", None, c.measure.words()),
        cell("n", Some(c.published), &(as_published(c.published) + &plus_minus(c.published_error))),
        cell("n", c.ours, &ours),
        cell("n", c.difference, &number(c.difference, 1, true)),
        cell(if far { "n far" } else { "n" }, c.deviation, &number(c.deviation, 1, true)),
    ];
    format!("<tr>{}</tr>", cells.concat())
}
