//! Win rate over budget, a picture for every game: AAAI22 Figure 2, where circles are time limits and
//! squares equivalent budgets of states.

use super::markup::{agent, escape};
use crate::budget::Budget;
use crate::report::experiment_report::ExperimentReport;

/// Width, height and margins of a picture.
const SIZE: (f64, f64) = (300.0, 190.0);
const LEFT: f64 = 34.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 34.0;

/// What a budget is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Seconds,
    States,
    Simulations,
}

impl Unit {
    fn words(self) -> &'static str {
        match self {
            Unit::Seconds => "time per move",
            Unit::States => "states per move",
            Unit::Simulations => "simulations per move",
        }
    }
}

/// A limit as a number: its unit, what kind of limit it is, and how much.
fn measure(limit: &str) -> Option<(Unit, String, f64)> {
    let kind = limit.split('=').next().unwrap_or_default().to_owned();
    match limit.parse::<Budget>().ok()? {
        Budget::Calibrated(_, time) => Some((Unit::Seconds, kind, time.as_secs_f64())),
        Budget::Limits(limits) => match (limits.time, limits.states, limits.simulations) {
            (Some(time), None, None) => Some((Unit::Seconds, kind, time.as_secs_f64())),
            (None, Some(states), None) => Some((Unit::States, kind, states as f64)),
            (None, None, Some(simulations)) => Some((Unit::Simulations, kind, simulations as f64)),
            _ => None,
        },
    }
}

struct Point {
    budget: f64,
    rate: f64,
    low: f64,
    high: f64,
}

/// Finds the rate of a pair with a limit, and the ends of its interval.
type Find<'f> = dyn Fn((&str, &str), &str) -> Option<(f64, f64, f64)> + 'f;

struct Line {
    colour: usize,
    kind: usize,
    title: String,
    points: Vec<Point>,
}

/// Pictures for every unit that has several budgets of one kind.
pub fn charts(report: &ExperimentReport) -> String {
    let limits: Vec<(&String, Unit, String, f64)> = report
        .limits
        .iter()
        .filter_map(|limit| measure(limit).map(|(unit, kind, value)| (limit, unit, kind, value)))
        .collect();
    let mut text = String::new();
    for unit in [Unit::Seconds, Unit::States, Unit::Simulations] {
        let of_unit: Vec<_> = limits.iter().filter(|l| l.1 == unit).collect();
        let mut kinds: Vec<&str> = Vec::new();
        for (_, _, kind, _) in &of_unit {
            if !kinds.contains(&kind.as_str()) {
                kinds.push(kind);
            }
        }
        let several = |kind: &&str| of_unit.iter().filter(|l| l.2 == **kind).count() > 1;
        if !kinds.iter().any(several) {
            continue;
        }
        let range = of_unit
            .iter()
            .fold((f64::INFINITY, 0f64), |(low, high), l| (low.min(l.3), high.max(l.3)));
        let pairs = report.pairs();
        let lines = |find: &Find<'_>| {
            let mut lines = Vec::new();
            for (colour, pair) in pairs.iter().enumerate() {
                for (kind, name) in kinds.iter().enumerate() {
                    let mut points: Vec<Point> = of_unit
                        .iter()
                        .filter(|l| l.2 == *name)
                        .filter_map(|l| {
                            let (rate, low, high) = find(*pair, l.0)?;
                            Some(Point { budget: l.3, rate, low, high })
                        })
                        .collect();
                    points.sort_by(|a, b| a.budget.total_cmp(&b.budget));
                    let title = format!("{} : {}, {name}", pair.0, pair.1);
                    if !points.is_empty() {
                        lines.push(Line { colour, kind, title, points });
                    }
                }
            }
            lines
        };
        text += &legend(&pairs, &kinds, report.baseline.as_deref());
        text += "<div class=\"charts\">\n";
        if report.games.len() > 1 {
            let average = |pair: (&str, &str), limit: &str| {
                let a = report.average(pair, limit)?;
                Some((a.rate, a.rate - a.error, a.rate + a.error))
            };
            text += &chart("average over games", unit, range, &lines(&average));
        }
        for game in &report.games {
            let of_game = |pair: (&str, &str), limit: &str| {
                let cell = report.cell(game, pair, limit)?;
                let interval = cell.interval?;
                Some((cell.rate?, interval.low, interval.high))
            };
            text += &chart(game, unit, range, &lines(&of_game));
        }
        text += "</div>\n";
    }
    text
}

fn legend(pairs: &[(&str, &str)], kinds: &[&str], baseline: Option<&str>) -> String {
    let mut text = "<ul class=\"legend\">\n".to_owned();
    for (colour, (one, other)) in pairs.iter().enumerate() {
        let mut name = agent(one);
        if Some(*other) != baseline {
            name += &format!(" : {}", agent(other));
        }
        text += &format!(
            "<li><svg width=\"22\" height=\"12\"><path class=\"line c{}\" d=\"M0 6H22\"/></svg>{name}</li>\n",
            colour % 8
        );
    }
    if kinds.len() > 1 {
        for (kind, name) in kinds.iter().enumerate() {
            text += &format!(
                "<li><svg width=\"14\" height=\"12\">{}</svg>{}</li>\n",
                marker(kind, 7.0, 6.0, "ink"),
                escape(name)
            );
        }
    }
    text + "</ul>\n"
}

/// A circle, a square, a triangle, a diamond.
fn marker(kind: usize, x: f64, y: f64, class: &str) -> String {
    match kind % 4 {
        0 => format!("<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        1 => format!(
            "<rect class=\"dot {class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"/>",
            x - 3.5,
            y - 3.5
        ),
        2 => format!("<path class=\"dot {class}\" d=\"M{x:.1} {:.1}l4.5 8h-9z\"/>", y - 5.0),
        _ => format!(
            "<path class=\"dot {class}\" d=\"M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\"/>",
            y - 4.5
        ),
    }
}

/// A budget in a few characters.
fn budget_text(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Seconds if value < 1.0 => format!("{} ms", (value * 1e4).round() / 10.0),
        Unit::Seconds => format!("{} s", (value * 100.0).round() / 100.0),
        _ if value >= 1e6 => format!("{} M", value / 1e6),
        _ if value >= 1e3 => format!("{} k", value / 1e3),
        _ => format!("{value}"),
    }
}

fn chart(title: &str, unit: Unit, (least, most): (f64, f64), lines: &[Line]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let (width, height) = SIZE;
    let (inner, tall) = (width - LEFT - RIGHT - 16.0, height - TOP - BOTTOM);
    let x = |budget: f64| {
        let part = if most > least { (budget / least).ln() / (most / least).ln() } else { 0.5 };
        LEFT + 8.0 + inner * part
    };
    let y = |rate: f64| TOP + tall * (1.0 - rate.clamp(0.0, 1.0));
    let mut svg = format!(
        "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{}: win rate over {}\">\n",
        escape(title),
        escape(title),
        unit.words()
    );
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let class = if percent == 50 { "even" } else { "grid" };
        svg += &format!(
            "<path class=\"{class}\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"right\" x=\"{:.1}\" \
             y=\"{:.1}\">{percent}</text>\n",
            width - RIGHT,
            LEFT - 6.0,
            at + 3.5
        );
    }
    let mut budgets: Vec<f64> =
        lines.iter().flat_map(|l| l.points.iter().map(|p| p.budget)).collect();
    budgets.sort_by(f64::total_cmp);
    budgets.dedup();
    let mut free = 0.0;
    for budget in budgets {
        let (at, label) = (x(budget), budget_text(unit, budget));
        svg += &format!("<path class=\"grid\" d=\"M{at:.1} {:.1}v4\"/>", TOP + tall);
        // Where there is no room the number is left out.
        let half = label.chars().count() as f64 * 3.2;
        if at - half >= free {
            free = at + half + 6.0;
            svg += &format!(
                "<text class=\"middle\" x=\"{at:.1}\" y=\"{:.1}\">{label}</text>\n",
                TOP + tall + 16.0
            );
        }
    }
    svg += &format!(
        "<text class=\"middle axis\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        LEFT + (width - LEFT - RIGHT) / 2.0,
        height - 4.0,
        unit.words()
    );
    for (i, line) in lines.iter().enumerate() {
        let class = format!("c{}", line.colour % 8);
        // Intervals of several lines at one budget stand side by side.
        let shift =
            (i as f64 - (lines.len() - 1) as f64 / 2.0) * 3.0_f64.min(24.0 / lines.len() as f64);
        let at = |p: &Point| x(p.budget) + shift;
        let path: Vec<String> =
            line.points.iter().map(|p| format!("{:.1} {:.1}", at(p), y(p.rate))).collect();
        let dashed = if line.kind % 2 == 1 { " dashed" } else { "" };
        svg += &format!("<path class=\"line{dashed} {class}\" d=\"M{}\"/>", path.join("L"));
        for p in &line.points {
            svg += &format!(
                "<g><title>{}, {}: {:.1} % ({:.1} to {:.1})</title>\
                 <path class=\"whisker {class}\" d=\"M{:.1} {:.1}V{:.1}\"/>{}</g>\n",
                escape(&line.title),
                budget_text(unit, p.budget),
                100.0 * p.rate,
                100.0 * p.low,
                100.0 * p.high,
                at(p),
                y(p.low),
                y(p.high),
                marker(line.kind, at(p), y(p.rate), &class)
            );
        }
    }
    svg + "</svg></figure>\n"
}
