//! One row per game: what statistics programs want.

use super::cell::Work;
use super::table::Table;
use crate::board::{BoardRecord, Outcome, SpeedRecord};
use crate::experiment::ContestArchive;

/// The work of the agents for which `own` holds.
fn work(record: &BoardRecord, own: impl Fn(usize) -> bool) -> Work {
    let (turns, mut work) = (&record.turns, Work::default());
    for i in 0..turns.len() {
        let agent = turns.seat[i].checked_sub(1).and_then(|seat| record.seats.get(seat));
        if agent.is_some_and(|agent| own(*agent)) {
            work.turns += 1;
            work.simulations += turns.iterations[i];
            work.nodal_states += turns.nodal_states[i];
            work.seconds += turns.seconds[i];
        }
    }
    work
}

/// The agent a row is about: the first of its contest; who plays, in a game for one.
fn subject(record: &BoardRecord) -> usize {
    match record.seats[..] {
        [only] => only,
        _ => 0,
    }
}

fn joined<T: ToString>(values: impl Iterator<Item = T>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join("|")
}

/// The table of the games of sound records.
pub fn table(records: &[&BoardRecord]) -> Table {
    let mut table = Table::default();
    let all = || records.iter().copied();
    let about: Vec<usize> = all().map(subject).collect();
    let with_subject = || all().zip(about.iter().copied());
    let name =
        |record: &BoardRecord, agent: usize| record.agents.get(agent).map(|a| a.name.clone());
    let seat =
        |(record, agent): (&BoardRecord, usize)| record.seats.iter().position(|a| *a == agent);
    table.text("experiment", all().map(|r| Some(r.experiment.clone())));
    table.text("contest", all().map(|r| Some(r.contest.clone())));
    table.text("game", all().map(|r| Some(r.game.name.clone())));
    table.text("limit", all().map(|r| Some(r.budget.clone())));
    table.text("measured_limit", all().map(|r| Some(r.limits.clone())));
    table.integer("seed", all().map(|r| i64::try_from(r.seed).ok()));
    table.integer("unit", all().map(|r| i64::try_from(r.unit).ok()));
    table.integer("seating", all().map(|r| Some(r.seating as i64)));
    table.text("agent", with_subject().map(|(r, agent)| name(r, agent)));
    let against = |(r, agent): (&BoardRecord, usize)| {
        let others = (0..r.agents.len()).filter(|a| *a != agent && r.seats.contains(a));
        Some(joined(others.filter_map(|a| name(r, a)))).filter(|names| !names.is_empty())
    };
    table.text("against", with_subject().map(against));
    table.integer("seat", with_subject().map(|x| seat(x).map(|s| s as i64 + 1)));
    table.real("result", with_subject().map(|x| seat(x).and_then(|s| x.0.result(s))));
    let outcome = |record: &BoardRecord| match record.outcome {
        Outcome::Finished => "finished",
        Outcome::Forfeit { .. } => "forfeit",
        Outcome::Void { .. } => "void",
    };
    table.text("outcome", all().map(|r| Some(outcome(r).to_owned())));
    let culprit = |record: &BoardRecord| match record.outcome {
        Outcome::Forfeit { seat, .. } => {
            let agent = seat.checked_sub(1).and_then(|seat| record.seats.get(seat));
            agent.and_then(|agent| name(record, *agent))
        }
        _ => None,
    };
    table.text("fault_agent", all().map(culprit));
    let reason = |record: &BoardRecord| match record.outcome {
        Outcome::Forfeit { reason, .. } => Some(reason.word().to_owned()),
        _ => None,
    };
    table.text("fault", all().map(reason));
    let seats = |r: &BoardRecord| joined(r.seats.iter().filter_map(|a| name(r, *a)));
    table.text("seats", all().map(|r| Some(seats(r))));
    table.text("scores", all().map(|r| Some(joined(r.scores.iter()))));
    table.integer("moves", all().map(|r| Some(r.moves.len() as i64)));
    table.integer("opening", all().map(|r| Some(r.opening as i64)));
    let works: Vec<[Work; 2]> = with_subject()
        .map(|(r, agent)| [work(r, |a| a == agent), work(r, |a| a != agent)])
        .collect();
    const NAMES: [[&str; 4]; 2] = [
        ["agent_turns", "agent_simulations", "agent_states", "agent_seconds"],
        ["against_turns", "against_simulations", "against_states", "against_seconds"],
    ];
    for (side, [turns, simulations, states, seconds]) in NAMES.into_iter().enumerate() {
        let side = || works.iter().map(move |work| work[side]);
        table.integer(turns, side().map(|w| i64::try_from(w.turns).ok()));
        table.integer(simulations, side().map(|w| i64::try_from(w.simulations).ok()));
        table.integer(states, side().map(|w| i64::try_from(w.nodal_states).ok()));
        table.real(seconds, side().map(|w| Some((w.seconds * 1e6).round() / 1e6)));
    }
    table.real("started", all().map(|r| Some(r.started)));
    table.real("seconds", all().map(|r| Some(r.seconds)));
    table.text("version", all().map(|r| Some(r.version.clone())));
    table
}

/// The table of searches of the first turn.
pub fn searches(contests: &[ContestArchive]) -> Table {
    let mut table = Table::default();
    let all = || contests.iter().flat_map(ContestArchive::records::<SpeedRecord>);
    let agent = |s: &SpeedRecord| s.agents.first().map(|agent| agent.name.clone());
    table.text("experiment", all().map(|s| Some(s.experiment.clone())));
    table.text("game", all().map(|s| Some(s.game.name.clone())));
    table.text("limit", all().map(|s| Some(s.budget.clone())));
    table.text("measured_limit", all().map(|s| Some(s.limits.clone())));
    table.text("agent", all().map(agent));
    table.integer("search", all().map(|s| i64::try_from(s.search).ok()));
    table.integer("simulations", all().map(|s| i64::try_from(s.iterations).ok()));
    table.integer("nodal_states", all().map(|s| i64::try_from(s.nodal_states).ok()));
    table.integer("states", all().map(|s| i64::try_from(s.states).ok()));
    table.integer("nodes", all().map(|s| i64::try_from(s.nodes).ok()));
    table.integer("bytes", all().map(|s| i64::try_from(s.bytes).ok()));
    table.real("seconds", all().map(|s| Some(s.seconds)));
    table.text("failure", all().map(|s| s.failure.clone()));
    table.text("processor", all().map(|s| Some(s.processor.clone())));
    table.real("started", all().map(|s| Some(s.started)));
    table.text("version", all().map(|s| Some(s.version.clone())));
    table
}
