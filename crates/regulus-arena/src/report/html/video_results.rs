//! Results of video games: all agents at a glance, win rates in the layout of GVGAI-THESIS Table 5.2, and
//! everything that is known about each result.

use super::markup::{agent, as_published, cell, escape, number, rate, sortable, whole};
use crate::report::experiment_report::ExperimentReport;
use crate::report::published::FAR;
use crate::report::video::{VideoMeasure, VideoReport};
use crate::video::{Scope, VideoResult};

fn plus_minus(error: Option<f64>) -> String {
    error.map_or(String::new(), |error| {
        format!("<small> ±{}</small>", number(Some(error), 1, false))
    })
}

fn win_rate(result: &VideoResult) -> String {
    number(Some(100.0 * result.rate), 1, false) + &plus_minus(Some(100.0 * result.error))
}

fn iterations(result: &VideoResult) -> String {
    if result.iterations_max == 0 {
        return "–".to_owned();
    }
    let range = format!("<small> [{}, {}]</small>", result.iterations_min, result.iterations_max);
    number(Some(result.iterations), 1, false) + &plus_minus(result.iterations_error) + &range
}

fn bad(count: u64) -> &'static str {
    if count > 0 { "n far" } else { "n" }
}

/// The published figure in brackets.
fn theirs(video: &VideoReport, result: &VideoResult, measure: VideoMeasure) -> String {
    video.figure(result, measure).map_or(String::new(), |figure| {
        let error = plus_minus(figure.published_error);
        format!("<div class=\"theirs\">({}{error})</div>", as_published(figure.published))
    })
}

/// All agents in all games, a table for every limit.
pub fn overview(report: &ExperimentReport) -> String {
    let Some(video) = &report.video else { return String::new() };
    let mut text = String::new();
    for limit in &report.limits {
        let totals = video.agents(limit);
        let totals = totals.iter().filter_map(|agent| video.total(agent, limit));
        let rows: Vec<String> = totals.map(|result| total(video, result)).collect();
        if rows.is_empty() {
            continue;
        }
        let columns = [
            "agent",
            "#runs",
            "#wins, %",
            "#score",
            "#ticks",
            "#iterations per tick",
            "#late",
            "#disqualified",
            "#failed",
            "#F1 points",
        ];
        text += &format!("<h3>{}</h3>\n{}", escape(limit), sortable(&columns, &rows));
    }
    if !text.is_empty() {
        text += "<p class=\"caption\">± is half the 95&nbsp;% interval. In brackets: the published figure. Scores are \
                 means of all runs, with −1000 for who was disqualified. Late: actions that came \
                 after their time and were not played. Iterations are means of the means of the \
                 runs, with the fewest and the most for an action.</p>\n";
    }
    text
}

fn total(video: &VideoReport, result: &VideoResult) -> String {
    let points = video.points(&result.agent, &result.limit);
    let with = |figure: String, measure| figure + &theirs(video, result, measure);
    let score = number(Some(result.score), 1, false) + &plus_minus(result.score_error);
    let cells = [
        cell("", None, &agent(&result.agent)),
        cell("n", Some(result.runs as f64), &whole(result.runs)),
        cell("n", Some(result.rate), &with(win_rate(result), VideoMeasure::Wins)),
        cell("n", Some(result.score), &with(score, VideoMeasure::Score)),
        cell("n", Some(result.ticks), &number(Some(result.ticks), 0, false)),
        cell("n", Some(result.iterations), &with(iterations(result), VideoMeasure::Iterations)),
        cell(bad(result.late), None, &whole(result.late)),
        cell(bad(result.disqualified), None, &whole(result.disqualified)),
        cell(bad(result.failed), None, &whole(result.failed)),
        cell("n", points, &number(points, 1, false)),
    ];
    format!("<tr>{}</tr>", cells.concat())
}

/// Win rates by game and agent, a table for every limit.
pub fn by_game(report: &ExperimentReport) -> String {
    let Some(video) = &report.video else { return String::new() };
    let mut text = String::new();
    for limit in &report.limits {
        let agents = video.agents(limit);
        if agents.is_empty() {
            continue;
        }
        let heads: String =
            agents.iter().map(|name| format!("<th scope=\"col\">{}</th>", agent(name))).collect();
        let rows: String =
            scopes(report, video).iter().map(|scope| row(video, scope, &agents, limit)).collect();
        text += &format!(
            "<div><h3>{}</h3>\n<div class=\"scroll\"><table class=\"matrix\"><thead><tr><th \
             scope=\"col\">game</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</div>\n",
            escape(limit)
        );
    }
    if text.is_empty() {
        return text;
    }
    format!("<div class=\"sheets\">\n{text}</div>\n")
        + "<p class=\"caption\">Runs that were won, in percent. In brackets: the published figure; marked where \
           the difference is more than 1.96 standard errors.</p>\n"
}

/// The games of every set, then the set; games of no set; then all.
fn scopes(report: &ExperimentReport, video: &VideoReport) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for set in &video.sets {
        scopes.extend(set.games.iter().map(|game| Scope::Game(game.clone())));
        scopes.push(Scope::Set(set.name.clone()));
    }
    let games = report.games.iter().map(|game| Scope::Game(game.clone()));
    let rest: Vec<Scope> = games.filter(|game| !scopes.contains(game)).collect();
    scopes.extend(rest);
    scopes.push(Scope::All);
    scopes
}

fn row(video: &VideoReport, scope: &Scope, agents: &[&str], limit: &str) -> String {
    let results: Vec<Option<&VideoResult>> =
        agents.iter().map(|agent| video.result(scope, agent, limit)).collect();
    if results.iter().all(Option::is_none) {
        return String::new();
    }
    let cells: String = results
        .iter()
        .map(|result| {
            let Some(result) = result else { return "<td>–</td>".to_owned() };
            let figure = video.figure(result, VideoMeasure::Wins);
            let far = figure.and_then(|f| f.deviation).is_some_and(|d| d.abs() > FAR);
            let class = if far { " class=\"far\"" } else { "" };
            let theirs = theirs(video, result, VideoMeasure::Wins);
            format!("<td{class}>{}{theirs}</td>", win_rate(result))
        })
        .collect();
    let class = if matches!(scope, Scope::Game(_)) { "" } else { " class=\"average\"" };
    format!("<tr{class}><th scope=\"row\">{}</th>{cells}</tr>\n", escape(scope.name()))
}

/// Everything that is known about each result.
pub fn all(report: &ExperimentReport) -> String {
    let Some(video) = &report.video else { return String::new() };
    if video.results.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = video.results.iter().map(full_row).collect();
    let columns = [
        "games",
        "agent",
        "limit",
        "#runs",
        "#wins",
        "#rate, %",
        "#95 % interval",
        "#score",
        "#ticks",
        "#iterations per tick",
        "#model ticks/s",
        "#slowest, ms",
        "#late",
        "#disqualified",
        "#failed",
        "levels",
    ];
    sortable(&columns, &rows)
        + "<p class=\"caption\">The interval is Wilson's. Model ticks are those of the forward model, per second of \
           thinking; the slowest is the longest time for an action. Late: actions that \
           came after their time and were not played. Levels: runs that were won of all.</p>\n"
}

fn full_row(r: &VideoResult) -> String {
    let name = match r.scope {
        Scope::Game(_) => escape(r.scope.name()),
        Scope::All | Scope::Set(_) => format!("<i>{}</i>", escape(r.scope.name())),
    };
    let levels: Vec<String> =
        r.levels.iter().map(|l| format!("{}: {}/{}", escape(&l.level), l.wins, l.runs)).collect();
    let (low, high) = (100.0 * r.interval.low, 100.0 * r.interval.high);
    let score = number(Some(r.score), 1, false) + &plus_minus(r.score_error);
    let cells = [
        cell("", None, &name),
        cell("", None, &agent(&r.agent)),
        cell("", None, &escape(&r.limit)),
        cell("n", Some(r.runs as f64), &whole(r.runs)),
        cell("n", Some(r.wins as f64), &whole(r.wins)),
        cell("n", Some(r.rate), &win_rate(r)),
        cell("n", Some(low), &format!("{low:.1} to {high:.1}")),
        cell("n", Some(r.score), &score),
        cell("n", Some(r.ticks), &number(Some(r.ticks), 1, false)),
        cell("n", Some(r.iterations), &iterations(r)),
        cell("n", Some(r.model_ticks_per_s), &rate(r.model_ticks_per_s)),
        cell("n", Some(r.slowest_ms), &number(Some(r.slowest_ms), 1, false)),
        cell(bad(r.late), Some(r.late as f64), &whole(r.late)),
        cell(bad(r.disqualified), Some(r.disqualified as f64), &whole(r.disqualified)),
        cell(bad(r.failed), Some(r.failed as f64), &whole(r.failed)),
        cell("", None, &format!("<small>{}</small>", levels.join(", "))),
    ];
    format!("<tr>{}</tr>", cells.concat())
}
