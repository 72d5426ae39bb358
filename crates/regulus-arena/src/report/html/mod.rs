//! The page of a report: one file that needs nothing but itself. Everything is there when it is opened;
//! the script only sorts tables and steps through games.

mod budget_chart;
mod comparison;
mod game_section;
mod heat_map;
mod markup;
mod provenance;
mod rating_list;
mod result_list;
mod speed_table;
mod video_comparison;
mod video_ranking;
mod video_results;
mod win_rate_table;

use super::experiment_report::ExperimentReport;
use super::notice::Severity;
use super::replay::Replays;
use crate::experiment::Archive;
use markup::escape;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A section: its address on the page, its heading, and what is in it. Empty ones are left out.
struct Section {
    id: &'static str,
    heading: &'static str,
    body: String,
}

pub use heat_map::pictures as heat_maps;

/// The page.
pub fn page(report: &ExperimentReport, archive: &Archive, replays: &[Replays]) -> String {
    let section = |id, heading, body| Section { id, heading, body };
    let sections = [
        section("agents", "Agents", video_results::overview(report)),
        section("ranking", "Ranking", video_ranking::lists(report)),
        section("win-rates-by-game", "Win rates by game", video_results::by_game(report)),
        section("published-runs", "Published figures and ours", video_comparison::table(report)),
        section("runs", "All results", video_results::all(report)),
        section("win-rates", "Win rates", win_rate_table::tables(report)),
        section("heat-map", "Heat map", heat_map::maps(report)),
        section("budgets", "Win rate over budget", budget_chart::charts(report)),
        section("published", "Published figures and ours", comparison::table(report)),
        section("elo", "Elo", rating_list::lists(report)),
        section("speed", "Speed", speed_table::table(report)),
        section("results", "All results", result_list::table(report)),
        section("games", "Games", game_section::sections(report, replays)),
        section("manifest", "Where it comes from", provenance::section(archive)),
    ];
    let sections: Vec<Section> = sections.into_iter().filter(|s| !s.body.is_empty()).collect();
    let links: Vec<String> =
        sections.iter().map(|s| format!("<a href=\"#{}\">{}</a>", s.id, s.heading)).collect();
    let bodies: Vec<String> = sections
        .iter()
        .map(|s| {
            let (id, heading, body) = (s.id, s.heading, &s.body);
            format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{body}</section>\n")
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n{head}</header>\n<nav>{links}</nav>\n<main>\n{bodies}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&report.title),
        head = head(report),
        links = links.join(""),
        bodies = bodies.concat(),
    )
}

/// What it is, how far it is, and what to know before anything else.
fn head(report: &ExperimentReport) -> String {
    let mut head = format!("<h1>{}</h1>\n", escape(&report.title));
    if let Some(source) = &report.source {
        head += &format!("<p class=\"source\">{}</p>\n", escape(source));
    }
    let done = format!("{} {}", report.kind.nouns(), report.kind.participle());
    let share = 100.0 * report.played as f64 / report.planned.max(1) as f64;
    let figure = |number: String, words: &str| {
        format!("<div class=\"figure\"><b>{number}</b><span>{words}</span></div>\n")
    };
    head += "<div class=\"figures\">\n";
    head += &figure(markup::whole(report.played), &done);
    if report.played < report.planned {
        let words = format!("of {} planned", markup::whole(report.planned));
        head += &figure(format!("{share:.0} %"), &words);
    }
    let plural = |n: usize, one: &'static str, many: &'static str| if n == 1 { one } else { many };
    let (games, agents, limits) = (report.games.len(), report.agents.len(), report.limits.len());
    head += &figure(games.to_string(), plural(games, "game", "games"));
    head += &figure(agents.to_string(), plural(agents, "agent", "agents"));
    head += &figure(limits.to_string(), plural(limits, "limit", "limits"));
    head += "</div>\n";
    if let Some(baseline) = &report.baseline {
        head += &format!("<p>Baseline: {}</p>\n", markup::agent(baseline));
    }
    for about in &report.about {
        head += &format!("<p class=\"about\">{}</p>\n", escape(about));
    }
    if !report.notices.is_empty() {
        head += "<ul class=\"notices\">\n";
        for notice in &report.notices {
            let class = match notice.severity {
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            head += &format!("<li class=\"{class}\">{}</li>\n", escape(&notice.text));
        }
        head += "</ul>\n";
    }
    head
}
