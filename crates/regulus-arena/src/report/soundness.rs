//! Whether a record holds together, before anything is derived from it. Whether its game is a game by the
//! rules is the business of [`crate::Verifier`].

use crate::record::{Outcome, Record};

/// What is wrong with a record, beside the first one of its contest; nothing if it is sound.
pub fn unsound(record: &Record, first: Option<&Record>) -> Option<String> {
    let seats = record.seats.len();
    if seats == 0 || record.seats.iter().any(|agent| *agent >= record.agents.len()) {
        return Some(format!("seats {:?} of {} agents", record.seats, record.agents.len()));
    }
    if let Some(first) = first
        && (first.seats.len() != seats || first.agents.len() != record.agents.len())
    {
        return Some(format!("{seats} seats, others have {}", first.seats.len()));
    }
    let turns = &record.turns;
    if !turns.is_even() {
        return Some("the columns of its turns have different lengths".to_owned());
    }
    if turns.seat.iter().any(|seat| *seat == 0 || *seat > seats) {
        return Some("a turn of a seat that does not exist".to_owned());
    }
    if turns.seconds.iter().any(|seconds| !seconds.is_finite() || *seconds < 0.0) {
        return Some("a turn that took no time that could be".to_owned());
    }
    match &record.outcome {
        Outcome::Finished if record.scores.len() != seats => {
            Some(format!("{} scores for {seats} seats", record.scores.len()))
        }
        Outcome::Forfeit { seat, .. } if *seat == 0 || *seat > seats => {
            Some(format!("seat {seat} has lost, which does not exist"))
        }
        _ => None,
    }
}
