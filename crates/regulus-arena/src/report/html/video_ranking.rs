//! The ranking of the competition.

use super::markup::{agent, cell, escape, number, sortable};
use crate::report::experiment_report::ExperimentReport;
use crate::video::VideoRanking;
use crate::video::ranking::Ranked;

/// A list for every limit; empty if there is nobody to compare.
pub fn lists(report: &ExperimentReport) -> String {
    let Some(video) = &report.video else { return String::new() };
    if video.rankings.is_empty() {
        return String::new();
    }
    let list = |ranking: &VideoRanking| {
        let (limit, games) = (escape(&ranking.limit), ranking.games.len());
        let plural = if games == 1 { "game" } else { "games" };
        format!("<div><h3>{limit}, {games} {plural}</h3>\n{}</div>\n", table(ranking))
    };
    let lists: String = video.rankings.iter().map(list).collect();
    format!("<div class=\"sheets\">\n{lists}</div>\n")
        + "<p class=\"caption\">In every game agents are ordered by wins, then by the sum of their scores, then by \
           the fewest ticks, over all levels and runs that all of them have played. The first ten get 25, 18, 15, \
           12, 10, 8, 6, 4, 2 and 1 points; equal ones share the points of their places.</p>\n"
}

fn table(ranking: &VideoRanking) -> String {
    let rows: Vec<String> = ranking.agents.iter().map(row).collect();
    let columns = ["#place", "agent", "#points", "#firsts", "#seconds", "#thirds", "#wins"];
    sortable(&columns, &rows)
}

fn row(ranked: &Ranked) -> String {
    let times = |place: usize| ranked.games.iter().filter(|game| game.place == place).count();
    let count = |place| cell("n", None, &times(place).to_string());
    let wins: u64 = ranked.games.iter().map(|game| game.wins).sum();
    let cells = [
        cell("n", None, &ranked.place.to_string()),
        cell("", None, &agent(&ranked.agent)),
        cell("n", Some(ranked.points), &number(Some(ranked.points), 1, false)),
        count(1),
        count(2),
        count(3),
        cell("n", None, &wins.to_string()),
    ];
    format!("<tr>{}</tr>", cells.concat())
}
