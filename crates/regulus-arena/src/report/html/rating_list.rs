//! Ratings with their errors, as a list with a picture beside each.

use super::markup::{agent, cell, escape, number, whole};
use crate::report::experiment_report::ExperimentReport;
use crate::report::rating::{Estimate, RatingList};

/// Width and height of a picture.
const SIZE: (f64, f64) = (220.0, 22.0);

/// A list for every limit.
pub fn lists(report: &ExperimentReport) -> String {
    if report.ratings.is_empty() {
        return String::new();
    }
    let lists: String = report
        .ratings
        .iter()
        .map(|list| format!("<div><h3>{}</h3>\n{}</div>\n", escape(&list.limit), table(list)))
        .collect();
    format!("<div class=\"sheets\">\n{lists}</div>\n")
        + "<p class=\"caption\">Maximum likelihood over all pairs and games for two players; ± is half the \
           95&nbsp;% interval, from pairs of games. Whoever has won or lost everything has a bound only.</p>\n"
}

fn ends(estimate: &Estimate) -> (f64, f64) {
    match *estimate {
        Estimate::Difference { elo, error } => (elo - error, elo + error),
        Estimate::MoreThan(bound) | Estimate::LessThan(bound) => (bound, bound),
        Estimate::Anchor | Estimate::Unknown => (0.0, 0.0),
    }
}

fn table(list: &RatingList) -> String {
    let finite = |v: f64| if v.is_finite() { v } else { 0.0 };
    let low = list.ratings.iter().map(|r| finite(ends(&r.estimate).0)).fold(-10.0, f64::min);
    let high = list.ratings.iter().map(|r| finite(ends(&r.estimate).1)).fold(10.0, f64::max);
    let rows: Vec<String> = list
        .ratings
        .iter()
        .map(|rating| {
            let text = match rating.estimate {
                Estimate::Anchor => "0".to_owned(),
                Estimate::Difference { elo, error } => format!(
                    "{}<small> ±{}</small>",
                    number(Some(elo), 0, true),
                    number(Some(error), 0, false)
                ),
                Estimate::MoreThan(bound) => format!("&gt; {}", number(Some(bound), 0, true)),
                Estimate::LessThan(bound) => format!("&lt; {}", number(Some(bound), 0, true)),
                Estimate::Unknown => "–".to_owned(),
            };
            let cells = [
                cell("", None, &agent(&rating.agent)),
                cell("n", Some(rating.estimate.order()), &text),
                cell("picture", None, &picture(&rating.estimate, low, high)),
                cell("n", None, &number(Some(100.0 * rating.rate), 1, false)),
                cell("n", Some(rating.games as f64), &whole(rating.games)),
            ];
            format!("<tr>{}</tr>", cells.concat())
        })
        .collect();
    super::markup::sortable(&["agent", "#Elo", "", "#result, %", "#games"], &rows)
}

/// The interval on the scale of the list, with a line at 0.
fn picture(estimate: &Estimate, low: f64, high: f64) -> String {
    let (width, height) = SIZE;
    let x = |elo: f64| 8.0 + (width - 16.0) * ((elo - low) / (high - low)).clamp(0.0, 1.0);
    let (middle, zero) = (height / 2.0, x(0.0));
    let mark = match *estimate {
        Estimate::Unknown => return String::new(),
        Estimate::Anchor => {
            format!("<circle class=\"dot ink\" cx=\"{zero:.1}\" cy=\"{middle}\" r=\"4\"/>")
        }
        Estimate::Difference { elo, error } => format!(
            "<path class=\"whisker c0\" d=\"M{:.1} {middle}H{:.1}\"/>\
             <circle class=\"dot c0\" cx=\"{:.1}\" cy=\"{middle}\" r=\"4\"/>",
            x(elo - error),
            x(elo + error),
            x(elo)
        ),
        Estimate::MoreThan(bound) => format!(
            "<path class=\"whisker c0\" d=\"M{0:.1} {middle}H{1:.1}l-4 -4m4 4l-4 4M{0:.1} 6V16\"/>",
            x(bound).min(width - 24.0),
            width - 4.0
        ),
        Estimate::LessThan(bound) => format!(
            "<path class=\"whisker c0\" d=\"M{:.1} 6V16m0 -5H4l4 -4m-4 4l4 4\"/>",
            x(bound).max(24.0)
        ),
    };
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\">\
         <path class=\"even\" d=\"M{zero:.1} 0V{height}\"/>{mark}</svg>"
    )
}
