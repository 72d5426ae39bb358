//! The heat map: a row for every pair, a column for every game, colours by how far from even. It stands on the page,
//! and in files of its own for whatever else is written about the experiment.

use super::markup::escape;
use crate::report::experiment_report::ExperimentReport;

const CELL: f64 = 46.0;
const ROW: f64 = 30.0;
const LETTER: f64 = 6.7;

/// What the page says about colours and fonts, for a file that stands alone; light, whatever is around it.
const STYLE: &str = "text{fill:#1d2126;font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
.right{text-anchor:end}.middle{text-anchor:middle;font-size:12.5px}.small{text-anchor:middle;font-size:9.5px}\
.paper{fill:#fcfcfa}.ground{fill:#fff;stroke:#dfe3e8}.good{fill:#0f7b5f}.bad{fill:#c8552b}";

/// A map for every limit, on the page.
pub fn maps(report: &ExperimentReport) -> String {
    let maps = limits(report).map(|limit| {
        let (map, width, height) = map(report, limit);
        let label = escape(limit);
        format!(
            "<div><h3>{label}</h3>\n<div class=\"scroll\"><svg class=\"heat\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"Heat map, {label}\">\n\
             {map}</svg></div>\n</div>\n"
        )
    });
    let text: String = maps.collect();
    if text.is_empty() { text } else { format!("<div class=\"sheets\">\n{text}</div>\n") }
}

/// The same as pictures that stand alone: a name that tells limits apart, and the text of an SVG file.
pub fn pictures(report: &ExperimentReport) -> Vec<(String, String)> {
    let picture = |limit: &str| {
        let (map, width, height) = map(report, limit);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\">\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{map}</svg>\n"
        );
        (limit.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-"), svg)
    };
    limits(report).map(picture).collect()
}

/// The limits that have a map: one result needs none.
fn limits(report: &ExperimentReport) -> impl Iterator<Item = &str> {
    let has_result =
        |limit: &&str| report.cells.iter().any(|c| c.limit == **limit && c.rate.is_some());
    let limits = report.limits.iter().map(String::as_str);
    limits.filter(|_| report.cells.len() > 1).filter(has_result)
}

/// The colour of a rate: none at one half, full at 0 and 1.
fn shade(rate: f64) -> (&'static str, f64) {
    let class = if rate >= 0.5 { "good" } else { "bad" };
    (class, (2.0 * (rate - 0.5).abs()).powf(0.8) * 0.85)
}

/// What is in the picture, its width and its height.
fn map(report: &ExperimentReport, limit: &str) -> (String, f64, f64) {
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
    let mut svg = String::new();
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
        // An average has its error below it.
        let mut draw = |x: f64, rate: f64, error: Option<f64>, title: String| {
            let (class, opacity) = shade(rate);
            let below = error.map_or(String::new(), |error| {
                let (x, y) = (x + CELL / 2.0 - 1.0, y + ROW - 5.5);
                format!(
                    "<text class=\"small\" x=\"{x:.1}\" y=\"{y:.1}\">± {:.0}</text>",
                    100.0 * error
                )
            });
            let up = if error.is_some() { 4.5 } else { 0.0 };
            svg += &format!(
                "<g><title>{}</title><rect class=\"ground\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
                 height=\"{:.1}\" rx=\"3\"/><rect class=\"{class}\" fill-opacity=\"{opacity:.3}\" \
                 x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>\
                 <text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{:.0}</text>{below}</g>\n",
                escape(&title),
                CELL - 2.0,
                ROW - 2.0,
                CELL - 2.0,
                ROW - 2.0,
                x + CELL / 2.0 - 1.0,
                y + ROW / 2.0 + 3.5 - up,
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
            draw(left, average.rate, Some(average.error), title);
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
            draw(first + CELL * i as f64, rate, None, title);
        }
    }
    (svg, width, height)
}
