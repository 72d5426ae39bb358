//! Win rates in the layout of the papers: games and agents, averages with better:similar:worse, bold where
//! the agent is better for certain, the published figure below ours.

use super::markup::{self, agent, as_published, escape, number};
use crate::report::cell::Standing;
use crate::report::experiment_report::ExperimentReport;
use crate::report::published::{Comparison, win_rate};

type Pair<'r> = (&'r str, &'r str);

/// A table for every limit.
pub fn tables(report: &ExperimentReport) -> String {
    let mut text = String::new();
    for limit in &report.limits {
        let pairs: Vec<Pair<'_>> = report
            .pairs()
            .into_iter()
            .filter(|pair| report.games.iter().any(|g| report.cell(g, *pair, limit).is_some()))
            .collect();
        if !pairs.is_empty() {
            let table = table(report, &pairs, limit);
            text += &format!("<div><h3>{}</h3>\n{table}</div>\n", escape(limit));
        }
    }
    if !text.is_empty() {
        text = format!("<div class=\"sheets\">\n{text}</div>\n");
        text += "<p class=\"caption\">Mean results in percent (draws count half) with 95&nbsp;% intervals from \
                 pairs of games. Bold and green: better, the interval lies above 50&nbsp;%; orange: worse. The \
                 average gives every game the same weight; below it the numbers of games in which the agent \
                 is better:similar:worse. In brackets: the published figure.</p>\n";
    }
    text
}

fn table(report: &ExperimentReport, pairs: &[Pair<'_>], limit: &str) -> String {
    let heading = |pair: &Pair<'_>| {
        let mut text = agent(pair.0);
        if Some(pair.1) != report.baseline.as_deref() {
            text += &format!("<br><small>against {}</small>", agent(pair.1));
        }
        text
    };
    let game = |name: &str, pair: &Pair<'_>| result(report, name, *pair, limit);
    let average = |pair: &Pair<'_>| average(report, *pair, limit);
    let has_average = report.games.len() > 1 && report.averages.iter().any(|a| a.limit == *limit);
    let column = |text: String| format!("<th scope=\"col\">{text}</th>");
    let row = |text: String| format!("<th scope=\"row\">{text}</th>");
    let (mut head, mut body) = (String::new(), String::new());
    // The longer list goes down the page.
    if report.games.len() >= pairs.len() {
        head += "<th scope=\"col\">game</th>";
        head.extend(pairs.iter().map(|pair| column(heading(pair))));
        for name in &report.games {
            let cells: String = pairs.iter().map(|pair| game(name, pair)).collect();
            body += &format!("<tr>{}{cells}</tr>\n", row(escape(name)));
        }
        if has_average {
            let cells: String = pairs.iter().map(average).collect();
            body += &format!("<tr class=\"average\">{}{cells}</tr>\n", row("average".to_owned()));
        }
    } else {
        head += "<th scope=\"col\">agent</th>";
        if has_average {
            head += &column("average".to_owned());
        }
        head.extend(report.games.iter().map(|name| column(escape(name))));
        for pair in pairs {
            let mut cells = if has_average { average(pair) } else { String::new() };
            cells.extend(report.games.iter().map(|name| game(name, pair)));
            body += &format!("<tr>{}{cells}</tr>\n", row(heading(pair)));
        }
    }
    format!(
        "<div class=\"scroll\"><table class=\"matrix\"><thead><tr>{head}</tr></thead>\n<tbody>\n\
         {body}</tbody></table></div>\n"
    )
}

/// `58.5 ±4.4`, bold if it is better.
fn figure(rate: f64, error: Option<f64>, standing: Option<Standing>) -> String {
    let rate = number(Some(100.0 * rate), 1, false);
    let rate = if standing == Some(Standing::Better) { format!("<b>{rate}</b>") } else { rate };
    match error {
        Some(error) => format!("{rate}<small> ±{}</small>", number(Some(100.0 * error), 1, false)),
        None => rate,
    }
}

fn published(figure: Option<&Comparison>) -> String {
    let Some(figure) = figure else { return String::new() };
    let error = figure.published_error;
    let error = error.map_or(String::new(), |error| format!(" ±{}", number(Some(error), 1, false)));
    let deviation = figure.deviation.map_or_else(String::new, |deviation| {
        let words = format!("ours is {} standard errors away", number(Some(deviation), 1, true));
        format!(" title=\"{words}\"")
    });
    let counts = figure
        .published_counts
        .map_or(String::new(), |[better, similar, worse]| format!(", {better}:{similar}:{worse}"));
    let shown = as_published(figure.published);
    format!("<div class=\"theirs\"{deviation}>[{shown}{error}{counts}]</div>")
}

fn result(report: &ExperimentReport, game: &str, pair: Pair<'_>, limit: &str) -> String {
    let theirs = win_rate(&report.published, Some(game), pair.0, pair.1, limit);
    let cell = report.cell(game, pair, limit);
    let Some((cell, rate)) = cell.and_then(|cell| Some((cell, cell.rate?))) else {
        return markup::cell("", None, &format!("–{}", published(theirs)));
    };
    let content = figure(rate, cell.error, cell.standing) + &published(theirs);
    markup::cell(markup::standing(cell.standing), Some(rate), &content)
}

fn average(report: &ExperimentReport, pair: Pair<'_>, limit: &str) -> String {
    let theirs = win_rate(&report.published, None, pair.0, pair.1, limit);
    let Some(average) = report.average(pair, limit) else {
        return markup::cell("", None, &format!("–{}", published(theirs)));
    };
    let standing = Some(average.standing());
    let mut content = figure(average.rate, Some(average.error), standing);
    content += &format!(
        "<div class=\"counts\">{}:{}:{}</div>",
        average.better, average.similar, average.worse
    );
    if average.games < average.expected_games {
        content += &format!("<small>{} of {} games</small>", average.games, average.expected_games);
    }
    content += &published(theirs);
    markup::cell(markup::standing(standing), Some(average.rate), &content)
}
