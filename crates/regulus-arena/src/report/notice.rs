//! What a reader must know before he believes a result.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use super::cell::Cell;
use crate::board::{BoardRecord, SpeedRecord};
use crate::budget::Budget;
use crate::experiment::{Archive, DamagedLine, Kind, Manifest};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Results may be wrong.
    Warning,
    /// Good to know.
    Note,
}

/// Something to know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub text: String,
}

impl Notice {
    /// A warning.
    pub fn warning(text: impl Into<String>) -> Self {
        Notice { severity: Severity::Warning, text: text.into() }
    }

    /// A note.
    pub fn note(text: impl Into<String>) -> Self {
        Notice { severity: Severity::Note, text: text.into() }
    }
}

/// A machine is overloaded if more threads want to run than there are processors; half a thread is what
/// everything else on it may need.
const SPARE: f64 = 0.5;

/// With a smaller part of distinct units, games were repeated.
const DISTINCT: f64 = 0.9;

/// With a larger part of units in which agents play alike, they are the same to all intents.
const ALIKE: f64 = 0.9;

/// True if results depend on the time that a search has.
fn is_timed(limit: &str) -> bool {
    matches!(limit.parse(), Ok(Budget::Limits(limits)) if limits.time.is_some())
}

/// "1 game", "2 games".
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Everything to know about a directory and what came of it.
pub fn notices(archive: &Archive, cells: &[Cell]) -> Vec<Notice> {
    let mut notices = Vec::new();
    let (played, planned) = (archive.played() as u64, archive.plan.game_count());
    let (noun, nouns) = (archive.plan.kind.noun(), archive.plan.kind.nouns());
    if played == 0 {
        notices.push(Notice::warning(format!("no {noun} of {planned} was played yet")));
    } else if played < planned {
        notices.push(Notice::note(format!("{played} of {planned} {nouns} are played so far")));
    }
    versions(archive, &mut notices);
    machines(archive, &mut notices);
    contests(archive, &mut notices);
    faults(cells, &mut notices);
    if archive.repeated > 0 {
        notices.push(Notice::note(format!(
            "{} more than once; the earliest of each counts",
            count(archive.repeated as u64, "record")
        )));
    }
    damage(archive, &mut notices);
    repetitions(cells, &mut notices);
    notices.sort_by_key(|notice| notice.severity);
    notices
}

/// Lines of this number are named; of more, how many there are.
const LINES_NAMED: usize = 10;

/// What is left out, and what can be done about it.
fn damage(archive: &Archive, notices: &mut Vec<Notice>) {
    let damage = &archive.damage;
    let name = |path: &Path| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    for DamagedLine { file, line, why } in damage.lines.iter().take(LINES_NAMED) {
        let file = name(file);
        notices.push(Notice::warning(format!("records/{file}, line {line} is left out: {why}")));
    }
    let more = damage.count.saturating_sub(LINES_NAMED as u64);
    if more > 0 {
        notices.push(Notice::warning(format!(
            "{} of records {} left out, too",
            count(more, "more line"),
            if more == 1 { "is" } else { "are" }
        )));
    }
    for (path, why) in &damage.manifests {
        let file = name(path);
        notices.push(Notice::warning(format!("manifest/{file} is damaged and left out: {why}")));
    }
    let damaged = damage.lines.iter().map(|line| &line.file);
    let damaged = damaged.chain(damage.manifests.iter().map(|(path, _)| path)).next();
    // Files are in folders of the directory.
    if let Some(root) = damaged.and_then(|path| path.ancestors().nth(2)) {
        notices.push(Notice::note(format!(
            "`regulus experiment repair {}` moves what is damaged out of the way; games that are missing are played \
             again by `run`",
            root.display()
        )));
    }
    for path in &damage.torn {
        let file = name(path);
        notices.push(Notice::note(format!(
            "the last line of records/{file} was cut off and is left out"
        )));
    }
}

fn versions(archive: &Archive, notices: &mut Vec<Notice>) {
    let with_commit = |m: &Manifest| match &m.commit {
        Some(commit) => format!("{} ({commit})", m.version),
        None => m.version.clone(),
    };
    let mut versions: BTreeSet<String> = archive.manifests.iter().map(with_commit).collect();
    let known: BTreeSet<&str> = archive.manifests.iter().map(|m| m.version.as_str()).collect();
    let records = archive.contests.iter().flat_map(|contest| &contest.records);
    let of_records = records.map(|record| record.origin().version);
    versions.extend(of_records.filter(|v| !known.contains(v)).map(str::to_owned));
    if versions.len() > 1 {
        let list: Vec<String> = versions.into_iter().collect();
        notices.push(Notice::warning(format!(
            "results come from different versions: {}",
            list.join(", ")
        )));
    }
    if archive.manifests.is_empty() && archive.played() > 0 {
        notices.push(Notice::warning("there is no manifest: nobody knows where this was played"));
    }
}

fn machines(archive: &Archive, notices: &mut Vec<Notice>) {
    let timed = archive.plan.kind == Kind::Speed
        || archive.plan.contests.iter().any(|contest| is_timed(&contest.budget));
    let workers = || archive.manifests.iter().filter(|manifest| manifest.played > 0);
    if timed {
        for manifest in workers() {
            let processors = manifest.machine.processors as f64;
            let wanted = manifest.load_before.unwrap_or(0.0) + manifest.threads as f64;
            let highest = manifest.load_highest.unwrap_or(0.0).max(wanted);
            if highest > processors + SPARE {
                notices.push(Notice::warning(format!(
                    "{}: the machine was overloaded during timed games: {highest:.1} threads on {}",
                    manifest.worker,
                    count(manifest.machine.processors as u64, "processor")
                )));
            }
        }
        let kinds: BTreeSet<&str> = workers().map(|m| m.machine.processor.as_str()).collect();
        if kinds.len() > 1 {
            let list: Vec<&str> = kinds.into_iter().collect();
            notices.push(Notice::warning(format!(
                "timed games were played on different processors: {}",
                list.join(", ")
            )));
        }
    }
    let running = archive.manifests.iter().filter(|m| m.ended.is_none()).count() as u64;
    if running > 0 {
        notices.push(Notice::note(format!("{} at work or killed", count(running, "worker"))));
    }
}

fn contests(archive: &Archive, notices: &mut Vec<Notice>) {
    for contest in &archive.contests {
        let mut games = contest.records::<BoardRecord>();
        let Some(first) = games.next() else { continue };
        if let Some(other) = games.find(|game| game.contest != first.contest) {
            let why = if first.limits != other.limits {
                format!("limits of {} and {}", first.limits, other.limits)
            } else {
                "different parameters or seeds".to_owned()
            };
            notices.push(Notice::warning(format!(
                "{}, {}, {}: games with {why} are mixed",
                contest.planned.game,
                contest.planned.agents.join(" : "),
                contest.planned.budget
            )));
        }
    }
    for contest in &archive.contests {
        if let Some(failed) = contest.records::<SpeedRecord>().find(|s| s.failure.is_some()) {
            notices.push(Notice::warning(format!(
                "{}, {}: a search failed: {}",
                contest.planned.game,
                contest.planned.agents.join(", "),
                failed.failure.as_deref().unwrap_or_default()
            )));
        }
    }
}

/// Games that repeat each other, and agents that play alike.
fn repetitions(cells: &[Cell], notices: &mut Vec<Notice>) {
    let name = |c: &Cell| format!("{}, {} : {}, {}", c.game, c.agent, c.against, c.limit);
    let repeated: Vec<&Cell> = cells
        .iter()
        .filter(|c| c.units > 1 && (c.distinct_units as f64) < DISTINCT * c.units as f64)
        .collect();
    if let Some(first) = repeated.first() {
        notices.push(Notice::warning(format!(
            "games repeat each other in {}, so that intervals are too short; give opening_plies. The first is \
             {}: {} distinct of {}",
            count(repeated.len() as u64, "result"),
            name(first),
            first.distinct_units,
            count(first.units, "pair")
        )));
    }
    let mut alike: Vec<&str> = Vec::new();
    for cell in cells {
        let is_alike = cell.units > 0 && cell.alike_units as f64 >= ALIKE * cell.units as f64;
        if is_alike && cell.agent != cell.against && !alike.contains(&cell.game.as_str()) {
            alike.push(&cell.game);
        }
    }
    if !alike.is_empty() {
        notices.push(Notice::note(format!(
            "agents play alike in {}: both games of a pair are the same, and results are even",
            alike.join(", ")
        )));
    }
}

fn faults(cells: &[Cell], notices: &mut Vec<Notice>) {
    let timeouts: u64 = cells.iter().map(|c| c.faults.timeouts + c.faults_against.timeouts).sum();
    let failures: u64 = cells.iter().map(|c| c.faults.failures + c.faults_against.failures).sum();
    let void: u64 = cells.iter().map(|c| c.void).sum();
    if timeouts > 0 {
        notices.push(Notice::warning(format!("{} lost by timeout", count(timeouts, "game"))));
    }
    if failures > 0 {
        let first = cells.iter().flat_map(|c| &c.fault_reports);
        let mut first = first.filter(|f| f.reason != crate::record::Reason::Timeout);
        let example = first.next().map_or_else(String::new, |f| {
            format!("; {} by {}: {}", f.agent, f.reason.word(), f.message)
        });
        let games = count(failures, "game");
        notices.push(Notice::warning(format!(
            "{games} lost by an illegal move or a failure{example}"
        )));
    }
    if void > 0 {
        notices.push(Notice::warning(format!(
            "{} for nobody: the rules could not go on",
            count(void, "game")
        )));
    }
}
