//! The result of a match as text.

use std::io::{self, Write};

use regulus_arena::Calibration;
use regulus_arena::board::{AgentSummary, BoardContest, Elo, MatchReport, Summary};
use regulus_arena::statistics::Verdict;
use regulus_player::limit;

/// A letter for every agent.
fn letter(index: usize) -> char {
    u8::try_from(index).ok().filter(|i| *i < 26).map_or('?', |i| char::from(b'A' + i))
}

/// How things stand, in a few words.
pub fn standing(summary: &Summary) -> String {
    if summary.games() == 0 {
        return "no game counts so far".to_owned();
    }
    if let Some(score) = summary.score() {
        let results = summary.agents()[0].total.results;
        return format!(
            "A {} wins, {} draws, {} losses ({:.1} % ± {:.1})",
            results.wins,
            results.draws,
            results.losses,
            100.0 * score.rate,
            100.0 * (score.normal().high - score.rate),
        );
    }
    let one = |(i, agent): (usize, &AgentSummary)| {
        format!("{} {:.1} %", letter(i), 100.0 * agent.total.score.mean)
    };
    summary.agents().iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// Prints the result of a match.
pub fn print(
    out: &mut impl Write,
    contest: &BoardContest,
    report: &MatchReport,
    calibration: Option<&Calibration>,
) -> io::Result<()> {
    let (budget, limits) = (contest.budget.to_string(), limit::text(&contest.limits));
    write!(out, "{}: {} games, {budget} per move", contest.game.name(), report.games)?;
    if budget != limits {
        write!(out, " ({limits})")?;
    }
    if contest.opening_plies > 0 {
        write!(out, ", {} random moves first", contest.opening_plies)?;
    }
    writeln!(out, ", seed {}", contest.seed)?;
    if let Some(measured) = calibration {
        writeln!(
            out,
            "{} does {} simulations and {} states in {} ms here",
            measured.agent, measured.simulations, measured.nodal_states, measured.milliseconds
        )?;
    }
    for (i, agent) in contest.agents.iter().enumerate() {
        writeln!(out, "{} is {}", letter(i), agent.name)?;
    }
    writeln!(out)?;
    if report.games > 0 {
        table(out, contest, report)?;
        writeln!(out)?;
        evidence(out, report)?;
    }
    let plain = |label: &str, text: String| (label.to_owned(), text);
    let mut lines = vec![plain(
        "length",
        format!(
            "{:.1} moves in the mean; {} distinct games",
            report.length.mean, report.distinct_games
        ),
    )];
    for (i, agent) in report.agents.iter().enumerate() {
        lines.push(plain(
            &format!("speed of {}", letter(i)),
            format!(
                "{} states/s, {} simulations/s",
                rate(agent.states_per_s),
                rate(agent.simulations_per_s)
            ),
        ));
    }
    if let Some(slowest) = &report.slowest_move {
        lines.push(plain("slowest move", format!("{:.3} s, {}", slowest.seconds, slowest.agent)));
    }
    let sum = |count: fn(&AgentSummary) -> u64| report.agents.iter().map(count).sum::<u64>();
    let timeouts: Vec<String> = report.agents.iter().map(|a| a.timeouts.to_string()).collect();
    lines.push(plain("timeouts", timeouts.join(" : ")));
    if sum(|a| a.failures) > 0 {
        let failures: Vec<String> = report.agents.iter().map(|a| a.failures.to_string()).collect();
        lines.push(plain("failures", failures.join(" : ")));
    }
    if report.void > 0 {
        let why = report.void_reason.as_deref().unwrap_or_default();
        lines.push(plain("void", format!("{} games: {why}", report.void)));
    }
    for (label, text) in lines {
        writeln!(out, "{label:<13} {text}")?;
    }
    for fault in &report.faults {
        writeln!(
            out,
            "{} has lost a game by {}: {}",
            fault.agent,
            fault.reason.word(),
            fault.message
        )?;
    }
    Ok(())
}

/// Results by agent and seat.
fn table(out: &mut impl Write, contest: &BoardContest, report: &MatchReport) -> io::Result<()> {
    let players = contest.game.players();
    let pairs = players.len() == 2;
    let mut head: Vec<String> = players.iter().map(|name| format!("as {name}")).collect();
    head.push("all".to_owned());
    let mut rows = vec![head];
    for agent in &report.agents {
        let parts = agent.seats.iter().chain([&agent.total]);
        rows.push(
            parts
                .map(|part| match part.results {
                    _ if part.score.count == 0 => "-".to_owned(),
                    results if pairs => {
                        format!("{} {} {}", results.wins, results.draws, results.losses)
                    }
                    _ => format!("{:.2} %", 100.0 * part.score.mean),
                })
                .collect(),
        );
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for (i, row) in rows.iter().enumerate() {
        let name = match i.checked_sub(1) {
            None if pairs => "win draw loss".to_owned(),
            None => "score".to_owned(),
            Some(agent) => letter(agent).to_string(),
        };
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        writeln!(out, "{name:<13} {}", cells.join("   "))?;
    }
    Ok(())
}

/// What the games prove.
fn evidence(out: &mut impl Write, report: &MatchReport) -> io::Result<()> {
    let Some(win_rate) = report.win_rate else {
        for (i, agent) in report.agents.iter().enumerate() {
            let mean = 100.0 * agent.total.score.mean;
            let interval = agent.interval.map_or(String::new(), |interval| {
                format!(" ± {:.2} (95 %)", 50.0 * (interval.high - interval.low))
            });
            let label = format!("score of {}", letter(i));
            write!(out, "{label:<13} {mean:.2} %{interval}")?;
            if report.agents[0].seats.len() > 1 {
                write!(out, ", first in {} games", agent.first_places)?;
            }
            writeln!(out)?;
        }
        return Ok(());
    };
    writeln!(
        out,
        "{:<13} {:.2} % ± {:.2} (95 %), Wilson {:.2} to {:.2}",
        "win rate of A",
        100.0 * win_rate.rate,
        100.0 * win_rate.error,
        100.0 * win_rate.wilson.low,
        100.0 * win_rate.wilson.high
    )?;
    if let Some(elo) = report.elo {
        writeln!(out, "{:<13} {}", "Elo", elo_text(&elo))?;
    }
    if let Some(los) = report.los {
        writeln!(out, "{:<13} {:.2} % that A is stronger", "LOS", 100.0 * los)?;
    }
    if let Some(pairs) = report.pairs {
        let counts: Vec<String> = pairs.pairs.iter().map(u64::to_string).collect();
        writeln!(out, "{:<13} {} with 0, ½, 1, 1½, 2 points for A", "pairs", counts.join(" "))?;
    }
    if let Some(sprt) = report.sprt {
        let answer = match sprt.verdict {
            Verdict::H0 => format!("accepts H0: A is at most {} Elo better", sprt.test.elo0),
            Verdict::H1 => format!("accepts H1: A is at least {} Elo better", sprt.test.elo1),
            Verdict::Open => "is not decided".to_owned(),
        };
        writeln!(
            out,
            "{:<13} {answer} (LLR {:.2}, bounds {:.2} and {:.2})",
            "SPRT", sprt.llr, sprt.bounds.lower, sprt.bounds.upper
        )?;
    }
    Ok(())
}

fn elo_text(elo: &Elo) -> String {
    if elo.difference.is_finite() && elo.error.is_finite() {
        let (low, high) = (elo.interval.low, elo.interval.high);
        return format!(
            "{:+.1} ± {:.1} (95 %), {low:+.1} to {high:+.1}",
            elo.difference, elo.error
        );
    }
    if elo.difference > 0.0 {
        format!("more than {:+.1} (95 %)", elo.interval.low)
    } else {
        format!("less than {:+.1} (95 %)", elo.interval.high)
    }
}

/// A rate for people.
fn rate(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e4 => format!("{:.1} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}
