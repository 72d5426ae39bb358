//! The heat map: a row for every pair, a column for every game, colours by how far from even.

use super::markup::escape;
use crate::report::experiment_report::ExperimentReport;

const CELL: f64 = 46.0;
const ROW: f64 = 30.0;
const LETTER: f64 = 6.7;

/// A map for every limit.
pub fn maps(report: &ExperimentReport) -> String {
    // One result needs no map.
    if report.cells.len() < 2 {
        return String::new();
    }
    let mut text = String::new();
    for limit in &report.limits {
        if report.cells.iter().any(|cell| cell.limit == *limit && cell.rate.is_some()) {
            text += &format!("<div><h3>{}</h3>\n{}</div>\n", escape(limit), map(report, limit));
        }
    }
    if text.is_empty() { text } else { format!("<div class=\"sheets\">\n{text}</div>\n") }
}

/// The colour of a rate: none at one half, full at 0 and 1.
fn shade(rate: f64) -> (&'static str, f64) {
    let class = if rate >= 0.5 { "good" } else { "bad" };
    (class, (2.0 * (rate - 0.5).abs()).powf(0.8) * 0.85)
}

fn map(report: &ExperimentReport, limit: &str) -> String {
    let has_result = |pair: &(&str, &str)| {
        report.games.iter().any(|g| report.cell(g, *pair, limit).is_some_and(|c| c.rate.is_some()))
    };
    let pairs: Vec<(&str, &str)> = report.pairs().into_iter().filter(has_result).collect();
    let name = |pair: &(&str, &str)| {
        if Some(pair.1) == report.baseline.as_deref() {
            pair.0.to_owned()
        } else {
            format!("{} : {}", pair.0, pair.1)
        }
    };
    let has_average = report.games.len() > 1 && report.averages.iter().any(|a| a.limit == *limit);
    let longest = |names: &mut dyn Iterator<Item = usize>| names.max().unwrap_or(0) as f64;
    let left = 8.0 + LETTER * longest(&mut pairs.iter().map(|p| name(p).chars().count()));
    // Names of games are slanted.
    let game_letters = longest(&mut report.games.iter().map(|g| g.chars().count()));
    let top = 18.0 + LETTER * game_letters * 0.72;
    let first = left + if has_average { CELL + 8.0 } else { 0.0 };
    let width = first + CELL * report.games.len() as f64 + LETTER * game_letters * 0.72;
    let height = top + ROW * pairs.len() as f64 + 4.0;
    let mut svg = format!(
        "<div class=\"scroll\"><svg class=\"heat\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"Heat map, {}\">\n",
        escape(limit)
    );
    let heading = |x: f64, text: &str| {
        format!(
            "<text transform=\"translate({:.1} {:.1}) rotate(-45)\">{}</text>\n",
            x + CELL / 2.0,
            top - 8.0,
            escape(text)
        )
    };
    if has_average {
        svg += &heading(left, "average");
    }
    for (i, game) in report.games.iter().enumerate() {
        svg += &heading(first + CELL * i as f64, game);
    }
    for (k, pair) in pairs.iter().enumerate() {
        let y = top + ROW * k as f64;
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"right\">{}</text>\n",
            left - 8.0,
            y + ROW / 2.0 + 4.0,
            escape(&name(pair))
        );
        let mut draw = |x: f64, rate: f64, title: String| {
            let (class, opacity) = shade(rate);
            svg += &format!(
                "<g><title>{}</title><rect class=\"ground\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
                 height=\"{:.1}\" rx=\"3\"/><rect class=\"{class}\" fill-opacity=\"{opacity:.3}\" \
                 x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>\
                 <text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{:.0}</text></g>\n",
                escape(&title),
                CELL - 2.0,
                ROW - 2.0,
                CELL - 2.0,
                ROW - 2.0,
                x + CELL / 2.0 - 1.0,
                y + ROW / 2.0 + 3.5,
                100.0 * rate
            );
        };
        if let Some(average) = report.average(*pair, limit).filter(|_| has_average) {
            let title = format!(
                "{}, average over {} games: {:.2} % ± {:.2}",
                name(pair),
                average.games,
                100.0 * average.rate,
                100.0 * average.error
            );
            draw(left, average.rate, title);
        }
        for (i, game) in report.games.iter().enumerate() {
            let Some(cell) = report.cell(game, *pair, limit) else { continue };
            let Some(rate) = cell.rate else { continue };
            let error = cell.error.map_or(String::new(), |e| format!(" ± {:.2}", 100.0 * e));
            let title = format!(
                "{}, {game}: {:.2} %{error}, {} games",
                name(pair),
                100.0 * rate,
                cell.games
            );
            draw(first + CELL * i as f64, rate, title);
        }
    }
    svg + "</svg></div>\n"
}
