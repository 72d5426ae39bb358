//! A recorded series of games, summed up after the fact: agent by agent and seat by seat.

use std::collections::BTreeSet;

use serde::Serialize;

use super::record::{BoardRecord, Outcome};
use crate::statistics::{Interval, Mean, Trinomial};

/// An agent on one seat, or on all of them.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SeatSeries {
    /// Games that count.
    pub games: u64,
    /// Won, drawn and lost, with two players.
    #[serde(flatten, skip_serializing_if = "Trinomial::is_empty")]
    pub results: Trinomial,
    /// The mean result, from 0 to 1: the win rate with two players, draws counting half.
    pub rate: Option<f64>,
    /// Its 95 % interval; of Wilson with two players.
    pub interval: Option<Interval>,
    /// Turns of a game, in the mean.
    pub turns_per_game: f64,
    /// Simulations of a turn, in the mean; 0 where a manager does not know them.
    pub simulations_per_turn: f64,
    /// Nodal states of a turn, in the mean.
    pub states_per_turn: f64,
    /// Seconds of a turn, in the mean.
    pub seconds_per_turn: f64,
    /// The longest turn, in seconds.
    pub slowest_turn: f64,
    /// Games lost by a fault.
    pub faults: u64,
    #[serde(skip)]
    work: Work,
}

/// Sums of what means are made of.
#[derive(Clone, PartialEq, Debug, Default)]
struct Work {
    score: Mean,
    /// Games with turns, those that do not count included.
    games: u64,
    turns: u64,
    simulations: u64,
    states: u64,
    seconds: f64,
}

/// An agent of a series.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AgentSeries {
    /// The name.
    pub name: String,
    /// On every seat.
    pub seats: Vec<SeatSeries>,
    /// On all seats.
    pub total: SeatSeries,
}

/// Games of one contest: the same game, agents and limits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// The contest, as records name it.
    pub contest: String,
    /// The game.
    pub game: String,
    /// What agents could use for a move.
    pub limit: String,
    /// Games that count.
    pub games: u64,
    /// Games that count for nobody.
    pub void: u64,
    /// Games that are there more than once; one of each counts.
    pub repeated: u64,
    /// Moves of a game.
    pub moves: Mean,
    /// Seconds of a game.
    pub seconds: Mean,
    /// The agents.
    pub agents: Vec<AgentSeries>,
    #[serde(skip)]
    seen: BTreeSet<(u64, usize, u64)>,
}

impl Series {
    fn new(record: &BoardRecord) -> Self {
        let agent = |name: &String| AgentSeries {
            name: name.clone(),
            seats: vec![SeatSeries::default(); record.seats.len()],
            total: SeatSeries::default(),
        };
        Series {
            contest: record.contest.clone(),
            game: record.game.name.clone(),
            limit: record.budget.clone(),
            games: 0,
            void: 0,
            repeated: 0,
            moves: Mean::default(),
            seconds: Mean::default(),
            agents: record.agents.iter().map(|agent_record| agent(&agent_record.name)).collect(),
            seen: BTreeSet::new(),
        }
    }

    /// True if a record belongs to it.
    fn takes(&self, record: &BoardRecord) -> bool {
        let names = || record.agents.iter().map(|agent| &agent.name);
        self.contest == record.contest
            && self.game == record.game.name
            && self.limit == record.budget
            && self.agents.iter().map(|agent| &agent.name).eq(names())
    }

    fn add(&mut self, record: &BoardRecord) {
        // A manager counts its games anew every time it is started: when a game began tells them apart.
        let number = (record.unit, record.seating, record.started.to_bits());
        if !self.seen.insert(number) {
            self.repeated += 1;
            return;
        }
        let counts = !matches!(record.outcome, Outcome::Void { .. });
        match counts {
            true => {
                self.games += 1;
                self.moves.add(record.moves.len() as f64);
                self.seconds.add(record.seconds);
            }
            false => self.void += 1,
        }
        for (seat, agent) in record.seats.iter().enumerate() {
            let Some(agent) = self.agents.get_mut(*agent) else { continue };
            let AgentSeries { seats, total, .. } = agent;
            for part in seats.get_mut(seat).into_iter().chain([total]) {
                part.add(record, seat);
            }
        }
    }

    /// Sums up records; series are in the order in which the first record of each came.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r BoardRecord>) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for record in records {
            let index = all.iter().position(|series| series.takes(record)).unwrap_or_else(|| {
                all.push(Series::new(record));
                all.len() - 1
            });
            all[index].add(record);
        }
        for series in &mut all {
            for agent in &mut series.agents {
                agent.seats.iter_mut().chain([&mut agent.total]).for_each(SeatSeries::finish);
            }
        }
        all
    }
}

impl SeatSeries {
    /// Adds a game that an agent has played on a seat, from 0.
    fn add(&mut self, record: &BoardRecord, seat: usize) {
        if let Some(result) = record.result(seat) {
            self.games += 1;
            self.work.score.add(result);
            if record.seats.len() == 2 {
                self.results.add(result);
            }
        }
        if let Outcome::Forfeit { seat: loser, .. } = record.outcome {
            self.faults += u64::from(loser == seat + 1);
        }
        let (turns, work) = (&record.turns, &mut self.work);
        work.games += 1;
        for i in (0..turns.len()).filter(|i| turns.seat[*i] == seat + 1) {
            work.turns += 1;
            work.simulations += turns.iterations[i];
            work.states += turns.nodal_states[i];
            work.seconds += turns.seconds[i];
            self.slowest_turn = self.slowest_turn.max(turns.seconds[i]);
        }
    }

    /// Fills in what follows from the sums.
    fn finish(&mut self) {
        let work = &self.work;
        let per_turn = |sum: f64| sum / work.turns.max(1) as f64;
        self.turns_per_game = work.turns as f64 / work.games.max(1) as f64;
        self.simulations_per_turn = per_turn(work.simulations as f64);
        self.states_per_turn = per_turn(work.states as f64);
        self.seconds_per_turn = per_turn(work.seconds);
        self.rate = (self.games > 0).then_some(work.score.mean);
        self.interval = match self.results.score() {
            Some(score) => Some(score.wilson()),
            // The normal interval of a few games may leave what is possible.
            None => work.score.interval().map(|interval| Interval {
                low: interval.low.max(0.0),
                high: interval.high.min(1.0),
            }),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::record::tests::record;

    fn game(unit: u64, seating: usize, white: u32) -> BoardRecord {
        let mut record = record([white, 100 - white], Outcome::Finished);
        record.unit = unit;
        record.seating = seating;
        record.started = (10 * unit + seating as u64) as f64;
        record.seats = if seating == 0 { vec![0, 1] } else { vec![1, 0] };
        record.moves = vec!["1 2".to_owned(); 3];
        record.turns.seat = vec![1, 2, 1];
        record.turns.iterations = vec![10, 20, 30];
        record.turns.nodal_states = vec![100, 200, 300];
        record.turns.states = vec![100, 200, 300];
        record.turns.seconds = vec![0.5, 1.0, 1.5];
        record
    }

    /// White wins three of four games; the first agent is white in two of them and wins one as black. By hand: 3 wins of 4
    /// have a Wilson interval of 30.06 to 95.44 % (z = 1.96).
    #[test]
    fn seats_are_summed_up_by_hand() {
        let games =
            [game(0, 0, 100), game(0, 1, 100), game(1, 0, 100), game(1, 1, 0), game(1, 1, 0)];
        let all = Series::of(&games);
        assert_eq!(all.len(), 1);
        let series = &all[0];
        assert_eq!((series.games, series.void, series.repeated), (4, 0, 1));
        assert_eq!(series.moves.mean, 3.0);
        let first = &series.agents[0];
        assert_eq!(first.total.results, Trinomial { wins: 3, draws: 0, losses: 1 });
        assert_eq!(first.seats[0].results, Trinomial { wins: 2, draws: 0, losses: 0 });
        assert_eq!(first.seats[1].results, Trinomial { wins: 1, draws: 0, losses: 1 });
        assert_eq!((first.total.rate, first.seats[1].rate), (Some(0.75), Some(0.5)));
        let interval = first.total.interval.expect("games");
        assert!((interval.low - 0.3006).abs() < 1e-4 && (interval.high - 0.9544).abs() < 1e-4);
        // White has turns of 10 and 30 simulations, black one of 20.
        assert_eq!((first.seats[0].turns_per_game, first.seats[1].turns_per_game), (2.0, 1.0));
        assert_eq!(first.seats[0].simulations_per_turn, 20.0);
        assert_eq!(first.seats[1].states_per_turn, 200.0);
        assert_eq!(first.total.seconds_per_turn, 1.0);
        assert_eq!((first.total.slowest_turn, first.seats[1].slowest_turn), (1.5, 1.0));
    }

    #[test]
    fn other_contests_and_faults_are_apart() {
        let mut lost = game(0, 0, 0);
        lost.outcome = Outcome::Forfeit {
            seat: 2,
            reason: crate::Reason::Timeout,
            message: "late".to_owned(),
        };
        let mut void = game(1, 0, 0);
        void.outcome = Outcome::Void { message: "endless".to_owned() };
        let mut other = game(0, 0, 100);
        other.contest = "another".to_owned();
        let all = Series::of(&[lost, void, other]);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].games, all[0].void), (1, 1));
        assert_eq!(all[0].agents[1].total.faults, 1);
        assert_eq!(all[0].agents[0].total.rate, Some(1.0));
        assert_eq!(all[1].contest, "another");
    }
}
