//! Published figures beside ours.

use super::markup::{agent, as_published, cell, escape, number, rate, sortable};
use crate::report::experiment_report::ExperimentReport;
use crate::report::published::{Comparison, FAR, Measure};

/// The table; empty without published figures.
pub fn table(report: &ExperimentReport) -> String {
    if report.published.is_empty() {
        return String::new();
    }
    // Win rates have differences, speeds have ratios.
    let has_rates = report.published.iter().any(|c| c.measure == Measure::WinRate);
    let rows: Vec<String> = report.published.iter().map(|c| row(c, has_rates)).collect();
    let mut columns = vec!["game", "agent", "against", "limit", "measure", "#published", "#ours"];
    columns.extend(if has_rates {
        ["#difference", "#standard errors"].as_slice()
    } else {
        &["#ratio"]
    });
    let compared: Vec<f64> = report.published.iter().filter_map(|c| c.deviation).collect();
    let mut text = agreement(&compared);
    text += &sortable(&columns, &rows);
    text + "<p class=\"caption\">± is half the 95&nbsp;% interval. A published figure without an error counts as \
            exact. Speeds depend on the machine and are compared by their ratio.</p>\n"
}

/// In how many cases figures agree; empty if there are none.
pub fn agreement(deviations: &[f64]) -> String {
    if deviations.is_empty() {
        return String::new();
    }
    let near = deviations.iter().filter(|d| d.abs() <= FAR).count();
    format!(
        "<p>{near} of {} win rates agree within 95&nbsp;% (at most {FAR} standard errors of the \
         difference).</p>\n",
        deviations.len()
    )
}

/// Half the interval of a figure.
pub fn plus_minus(error: Option<f64>) -> String {
    error.map_or(String::new(), |error| {
        format!("<small> ±{}</small>", number(Some(error), 1, false))
    })
}

fn figure(measure: Measure, value: f64, error: Option<f64>) -> String {
    match measure {
        Measure::WinRate => number(Some(value), 1, false) + &plus_minus(error),
        Measure::StatesPerS | Measure::SimulationsPerS => rate(value),
        Measure::SpeedUp => format!("{}×", number(Some(value), 2, false)),
        Measure::MemoryMib | Measure::NodalStatesPerSimulation | Measure::StatesPerSimulation => {
            number(Some(value), 1, false)
        }
        Measure::Branching => number(Some(value), 2, false),
    }
}

fn row(c: &Comparison, has_rates: bool) -> String {
    let mut ours = c.ours.map_or("–".to_owned(), |ours| figure(c.measure, ours, c.our_error));
    if let Some([games, expected]) = c.coverage.filter(|[games, expected]| games < expected) {
        ours += &format!("<br><small>{games} of {expected} games</small>");
    }
    let theirs = match c.measure {
        Measure::WinRate => {
            let counts = c.published_counts.map_or(String::new(), |[better, similar, worse]| {
                format!("<small> {better}:{similar}:{worse}</small>")
            });
            as_published(c.published) + &plus_minus(c.published_error) + &counts
        }
        measure => figure(measure, c.published, None),
    };
    let far = c.deviation.is_some_and(|d| d.abs() > FAR);
    let mut cells = vec![
        cell("", None, &c.game.as_deref().map_or("<i>average</i>".to_owned(), escape)),
        cell("", None, &agent(&c.agent)),
        cell("", None, &c.against.as_deref().map_or(String::new(), agent)),
        cell("", None, &escape(&c.limit)),
        cell("", None, c.measure.words()),
        cell("n", Some(c.published), &theirs),
        cell("n", c.ours, &ours),
    ];
    if has_rates {
        cells.push(cell("n", c.difference, &number(c.difference, 1, true)));
        let class = if far { "n far" } else { "n" };
        cells.push(cell(class, c.deviation, &number(c.deviation, 1, true)));
    } else {
        cells.push(cell("n", c.ratio, &number(c.ratio, 2, false)));
    }
    format!("<tr>{}</tr>", cells.concat())
}
