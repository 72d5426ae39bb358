//! A finished board game as it is kept: one line of JSON.

use serde::{Deserialize, Serialize};

use crate::contest::GameNumber;
use crate::record::{AgentRecord, GameRecord, Origin, Reason, Record, origin};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome {
    /// By its rules.
    Finished,
    /// By the fault of an agent, who has lost.
    Forfeit {
        /// Its seat, from 1.
        seat: usize,
        /// What it did.
        reason: Reason,
        /// The same in words.
        message: String,
    },
    /// By nobody's fault: the rules could not go on, or went on for too long. It counts for nobody.
    Void {
        /// Why.
        message: String,
    },
}

/// The turns of the agents, column by column. The moves of the opening have no turn; whoever has lost by
/// a fault has a turn without a move if he got so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Turns {
    /// Who moved, from 1.
    pub seat: Vec<usize>,
    /// Iterations.
    pub iterations: Vec<u64>,
    /// Nodal states.
    pub nodal_states: Vec<u64>,
    /// All states.
    pub states: Vec<u64>,
    /// Time, with taking in the moves of the others.
    pub seconds: Vec<f64>,
}

impl Turns {
    /// How many turns.
    pub fn len(&self) -> usize {
        self.seat.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.seat.is_empty()
    }

    /// True if all columns have the same length.
    pub fn is_even(&self) -> bool {
        let columns = [self.iterations.len(), self.nodal_states.len(), self.states.len()];
        columns.into_iter().chain([self.seconds.len()]).all(|length| length == self.len())
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoardRecord {
    /// What it is a part of.
    pub experiment: String,
    /// The contest, see [`Contest::id`](crate::Contest::id).
    pub contest: String,
    /// The unit in the contest.
    pub unit: u64,
    /// The seating in the unit.
    pub seating: usize,
    /// The game.
    pub game: GameRecord,
    /// The agents.
    pub agents: Vec<AgentRecord>,
    /// The number of the agent on every seat, from 0.
    pub seats: Vec<usize>,
    /// What all random numbers come from.
    pub seed: u64,
    /// What agents could use for a move, as it was asked for.
    pub budget: String,
    /// The same as limits.
    pub limits: String,
    /// How many of the moves were drawn at random before the agents played.
    pub opening: usize,
    /// All moves, in the wire encoding.
    pub moves: Vec<String>,
    /// The score of every seat by the rules, at the end.
    pub scores: Vec<u32>,
    /// The highest score that every seat can have.
    pub score_bounds: Vec<u32>,
    /// How it ended.
    pub outcome: Outcome,
    /// The turns.
    pub turns: Turns,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// How long it took.
    pub seconds: f64,
    /// The version that played it.
    pub version: String,
}

impl BoardRecord {
    /// The result of a seat (from 0), from 0 to 1; nothing for a void game. With two players it says who
    /// has the higher score: 1, 1/2 or 0. Otherwise it is the score as a part of the highest one. Whoever
    /// has lost by a fault has 0, and the others share 1.
    pub fn result(&self, seat: usize) -> Option<f64> {
        let players = self.seats.len();
        match &self.outcome {
            Outcome::Void { .. } => None,
            Outcome::Forfeit { seat: loser, .. } if *loser == seat + 1 => Some(0.0),
            Outcome::Forfeit { .. } => Some(1.0 / (players - 1).max(1) as f64),
            Outcome::Finished => {
                let score = *self.scores.get(seat)?;
                if players == 2 {
                    let other = *self.scores.get(1 - seat)?;
                    return Some(match score.cmp(&other) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    });
                }
                let bound = self.score_bounds.get(seat).copied().unwrap_or(0).max(1);
                Some(f64::from(score) / f64::from(bound))
            }
        }
    }

    /// The record without what differs when the same game is played again: times.
    #[must_use]
    pub fn timeless(&self) -> BoardRecord {
        let mut record = BoardRecord { started: 0.0, seconds: 0.0, ..self.clone() };
        record.turns.seconds.fill(0.0);
        record
    }
}

impl Record for BoardRecord {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        GameNumber { unit: self.unit, seating: self.seating }
    }

    fn contradiction(&self) -> Option<String> {
        let (seats, agents, turns) = (self.seats.len(), self.agents.len(), &self.turns);
        // All rotations, or every agent in turn in a game for one.
        let rotated = |seat: usize| (self.seating + seat) % agents.max(1);
        let is_rotation =
            seats == agents && (0..seats).all(|seat| self.seats[seat] == rotated(seat));
        if self.seating >= agents || !is_rotation && self.seats != [self.seating] {
            let (all, seating) = (&self.seats, self.seating);
            return Some(format!("seats {all:?} of {agents} agents in seating {seating}"));
        }
        if !turns.is_even() {
            return Some("the columns of its turns have different lengths".to_owned());
        }
        if turns.seat.iter().any(|seat| *seat == 0 || *seat > seats) {
            return Some("a turn of a seat that does not exist".to_owned());
        }
        if turns.seconds.iter().any(|seconds| !seconds.is_finite() || *seconds < 0.0) {
            return Some("a turn that took no time that could be".to_owned());
        }
        match &self.outcome {
            Outcome::Finished if self.scores.len() != seats => {
                Some(format!("{} scores for {seats} seats", self.scores.len()))
            }
            Outcome::Forfeit { seat, .. } if *seat == 0 || *seat > seats => {
                Some(format!("seat {seat} has lost, which does not exist"))
            }
            _ => None,
        }
    }

    fn is_fault(&self) -> bool {
        self.outcome != Outcome::Finished
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn headline(&self) -> String {
        let name = |i: usize| self.agents.get(i).map_or("", |agent| &agent.name);
        format!("{}, {}, {} against {}", self.game.name, self.budget, name(0), name(1))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::Value;

    /// A record of a game with two players.
    pub fn record(scores: [u32; 2], outcome: Outcome) -> BoardRecord {
        let agent = |name: &str| AgentRecord { name: name.to_owned(), parameters: Value::Null };
        BoardRecord {
            experiment: "match".to_owned(),
            contest: "c".to_owned(),
            unit: 0,
            seating: 0,
            game: GameRecord { name: "g".to_owned(), file: None, sha256: String::new() },
            agents: vec![agent("a"), agent("b")],
            seats: vec![0, 1],
            seed: 1,
            budget: "sims=1".to_owned(),
            limits: "sims=1".to_owned(),
            opening: 0,
            moves: vec!["1 2".to_owned()],
            scores: scores.to_vec(),
            score_bounds: vec![100, 100],
            outcome,
            turns: Turns::default(),
            started: 1.5,
            seconds: 0.25,
            version: "0.1.0".to_owned(),
        }
    }

    #[test]
    fn results_are_those_of_the_scores() {
        let results = |r: &BoardRecord| [r.result(0), r.result(1)];
        assert_eq!(results(&record([60, 40], Outcome::Finished)), [Some(1.0), Some(0.0)]);
        assert_eq!(results(&record([50, 50], Outcome::Finished)), [Some(0.5), Some(0.5)]);
        let message = String::new();
        let forfeit = Outcome::Forfeit { seat: 1, reason: Reason::Timeout, message };
        assert_eq!(results(&record([100, 0], forfeit)), [Some(0.0), Some(1.0)]);
        let void = Outcome::Void { message: "why".to_owned() };
        assert_eq!(results(&record([100, 0], void)), [None, None]);
        let mut three = record([90, 10], Outcome::Finished);
        three.seats.push(2);
        three.scores.push(30);
        three.score_bounds = vec![100, 100, 60];
        assert_eq!((three.result(0), three.result(2)), (Some(0.9), Some(0.5)));
    }

    #[test]
    fn records_are_read_as_written() {
        let reason = Reason::Illegal;
        let outcome = Outcome::Forfeit { seat: 2, reason, message: "a \"move\"\n".to_owned() };
        let record = record([0, 100], outcome);
        let line = serde_json::to_string(&record).expect("JSON");
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<BoardRecord>(&line).expect("a record"), record);
    }
}
