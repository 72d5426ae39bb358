//! What an agent finds in one position of a board game.

use std::collections::HashMap;
use std::io::Write;
use std::time::{Duration, Instant};

use regulus_game::Step;
use regulus_player::{Position, wire};
use regulus_search::{MoveReport, SearchResult};
use serde::Serialize;

use super::super::print_json;
use super::Think;
use crate::agent_argument::{agent_for, prepare};
use crate::failure::Failure;

#[derive(Serialize)]
struct Report {
    game: String,
    agent: String,
    seed: u64,
    player: String,
    /// In the wire encoding; `null` if the game is over: wherever there are legal moves one is chosen.
    #[serde(rename = "move")]
    chosen: Option<String>,
    iterations: u64,
    nodal_states: u64,
    states: u64,
    nodes: u64,
    bytes: usize,
    mean_depth: f64,
    max_depth: u64,
    seconds: f64,
    legal_moves: usize,
    /// Why the search has ended before its limits, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    /// For searches that keep their best sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<BestLine>,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct BestLine {
    score: u32,
    /// In the wire encoding.
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    steps: String,
    words: String,
    visits: u32,
    /// `null` without visits.
    mean: Option<f64>,
    amaf: Option<f64>,
    depth: u32,
    /// The least and the greatest score that are proven to be possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<[u32; 2]>,
}

/// How long an agent thinks if nobody says so.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl Think {
    /// Thinks about a position of a board game.
    pub(in crate::commands) fn think_board(&self, loaded: &regulus::Game) -> Result<(), Failure> {
        let mut position = loaded.start()?;
        position.replay(&self.position)?;
        let agent = agent_for(&self.agent, loaded)?;
        let prepared_agent = prepare(&agent, loaded, self.threads)?;
        let mut searcher = prepared_agent.searcher(self.seed, position.moves())?;
        let start = Instant::now();
        let thought = searcher.think(&self.limits(USUAL_TIME))?;
        let seconds = start.elapsed().as_secs_f64();
        let mut rows = rows(&position, searcher.moves());
        let top = self.top.unwrap_or(if self.json { usize::MAX } else { 10 });
        let SearchResult { chosen, totals, nodes, bytes, trouble } = thought;
        let encoded = chosen.as_deref().map(wire::text);
        // The chosen move is shown wherever it stands.
        let mut rank = 0;
        rows.retain(|row| {
            rank += 1;
            rank <= top || Some(&row.steps) == encoded.as_ref()
        });
        let report = Report {
            game: loaded.name().to_owned(),
            agent: agent.name,
            seed: self.seed,
            player: position.player_name().to_owned(),
            chosen: encoded,
            iterations: totals.iterations,
            nodal_states: totals.nodal_states,
            states: totals.states,
            nodes,
            bytes,
            mean_depth: totals.mean_depth(),
            max_depth: totals.max_depth,
            seconds,
            legal_moves: position.legal().len(),
            trouble,
            line: searcher.best_line().map(|line| BestLine {
                score: line.score,
                moves: line.iter().map(wire::text).collect(),
            }),
            moves: rows,
        };
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        if report.chosen.is_none() {
            writeln!(out, "{}: the game is over; {}", report.game, position.result())?;
            return Ok(());
        }
        Ok(print(&mut out, &report)?)
    }
}

/// All legal moves: those that the tree knows, then the others.
fn rows(position: &Position, known: Vec<MoveReport>) -> Vec<Row> {
    let legal = position.legal();
    let words = position.words();
    let mut order: Vec<usize> = (0..legal.len()).collect();
    let numbers: HashMap<&[Step], usize> = known
        .iter()
        .enumerate()
        .map(|(number, report)| (report.steps.as_slice(), number))
        .collect();
    let found: Vec<Option<usize>> =
        (0..legal.len()).map(|i| numbers.get(legal.get(i)).copied()).collect();
    order.sort_by_key(|i| found[*i].unwrap_or(usize::MAX));
    let row = |i: usize| {
        let report = found[i].map(|r| &known[r]);
        let visits = report.map_or(0, |r| r.visits);
        Row {
            steps: wire::text(legal.get(i)),
            words: words[i].join(" "),
            visits,
            mean: report.filter(|_| visits > 0).map(|r| r.mean),
            amaf: report.and_then(|r| r.amaf),
            depth: report.map_or(0, |r| r.depth),
            proven: report.and_then(|r| r.proven).map(|bound| [bound.low, bound.high]),
        }
    };
    order.into_iter().map(row).collect()
}

fn print(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    writeln!(
        out,
        "{}: {} to move, {} legal moves\nagent {}\n",
        report.game, report.player, report.legal_moves, report.agent
    )?;
    let encoded = report.chosen.as_deref().unwrap_or_default();
    let chosen = report.moves.iter().find(|row| row.steps == encoded);
    let words = chosen.map_or("", |row| &row.words);
    writeln!(out, "plays {words}   ({encoded})\n")?;
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
    writeln!(out, "    visits   mean   AMAF  depth  move")?;
    for row in &report.moves {
        let mark = if row.steps == encoded { '>' } else { ' ' };
        writeln!(
            out,
            "{mark}{:>9}  {:>5}  {:>5}  {:>5}  {}{}",
            row.visits,
            number(row.mean),
            number(row.amaf),
            row.depth,
            row.words,
            row.proven.map(proof).unwrap_or_default()
        )?;
    }
    let left = report.legal_moves - report.moves.len();
    if left > 0 {
        writeln!(out, "           and {left} more (--top {})", report.legal_moves)?;
    }
    writeln!(out, "\niterations  {} in {:.3} s", report.iterations, report.seconds)?;
    writeln!(out, "states      {} nodal, {} in all", report.nodal_states, report.states)?;
    match &report.line {
        Some(line) => {
            writeln!(out, "weights     of {} moves, {}", report.nodes, memory(report.bytes))?;
            writeln!(out, "best line   score {} after {} moves", line.score, line.moves.len())?;
        }
        None => writeln!(out, "tree        {} nodes, {}", report.nodes, memory(report.bytes))?,
    }
    let what = if report.line.is_some() { "length" } else { "depth" };
    let (mean, most) = (report.mean_depth, report.max_depth);
    writeln!(out, "{what:<11} {mean:.2} in the mean, {most} at most")?;
    match &report.trouble {
        Some(trouble) => writeln!(out, "ended early {trouble}"),
        None => Ok(()),
    }
}

/// What is proven about the score behind a move.
fn proof([low, high]: [u32; 2]) -> String {
    match (low, high) {
        _ if low == high => format!("   (proven: {low})"),
        (0, _) => format!("   (proven: at most {high})"),
        _ => format!("   (proven: {low} to {high})"),
    }
}

/// Bytes for people.
fn memory(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
