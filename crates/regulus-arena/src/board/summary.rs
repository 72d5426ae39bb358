//! What games say about the agents, derived from records.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::match_report::{
    AgentSummary, Elo, FaultReport, MatchReport, SeatSummary, SlowestMove, SprtReport, WinRate,
};
use super::record::{BoardRecord, Outcome};
use crate::record::{FAULTS_TOLD, Reason};
use crate::statistics::{Interval, Mean, Pentanomial, Score, Sprt, elo, likelihood_of_superiority};

/// Records of one contest, added up.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    game: String,
    players: usize,
    agents: Vec<AgentSummary>,
    games: u64,
    void: u64,
    void_reason: Option<String>,
    /// Units of which some games are missing: the results of every agent by seating.
    open: BTreeMap<u64, BTreeMap<usize, Vec<Option<f64>>>>,
    pairs: Pentanomial,
    length: Mean,
    seen: FxHashSet<u64>,
    slowest: Option<SlowestMove>,
    faults: Vec<FaultReport>,
}

impl Summary {
    /// Adds a game. All must be of the same contest, each once.
    pub fn add(&mut self, record: &BoardRecord) {
        self.begin(record);
        let mut hasher = FxHasher::default();
        record.moves.hash(&mut hasher);
        self.seen.insert(hasher.finish());
        self.add_turns(record);
        match &record.outcome {
            Outcome::Void { message } => {
                self.void += 1;
                self.void_reason.get_or_insert_with(|| message.clone());
                return;
            }
            Outcome::Forfeit { seat, reason, message } => {
                self.add_fault(record, *seat, *reason, message)
            }
            Outcome::Finished => {}
        }
        self.games += 1;
        self.length.add(record.moves.len() as f64);
        let best = (0..self.players).filter_map(|seat| record.result(seat)).fold(0.0, f64::max);
        let mut results = vec![None; self.agents.len()];
        for (seat, agent) in record.seats.iter().enumerate() {
            let (Some(result), Some(summary)) = (record.result(seat), self.agents.get_mut(*agent))
            else {
                continue;
            };
            results[*agent] = Some(result);
            let seat = &mut summary.seats[seat];
            for part in [seat, &mut summary.total] {
                part.score.add(result);
                if self.players == 2 {
                    part.results.add(result);
                }
            }
            summary.first_places += u64::from(result >= best);
        }
        self.open.entry(record.unit).or_default().insert(record.seating, results);
        self.close(record.unit);
    }

    fn begin(&mut self, record: &BoardRecord) {
        if !self.agents.is_empty() {
            return;
        }
        self.game = record.game.name.clone();
        self.players = record.seats.len();
        let summary = |name: &String| AgentSummary {
            name: name.clone(),
            seats: vec![SeatSummary::default(); self.players],
            ..AgentSummary::default()
        };
        self.agents = record.agents.iter().map(|agent| summary(&agent.name)).collect();
    }

    fn add_turns(&mut self, record: &BoardRecord) {
        let turns = &record.turns;
        for i in 0..turns.len() {
            let agent = turns.seat[i].checked_sub(1).and_then(|s| record.seats.get(s));
            let Some(summary) = agent.and_then(|a| self.agents.get_mut(*a)) else { continue };
            summary.turns += 1;
            summary.iterations += turns.iterations[i];
            summary.nodal_states += turns.nodal_states[i];
            summary.seconds += turns.seconds[i];
            if self.slowest.as_ref().is_none_or(|slowest| turns.seconds[i] > slowest.seconds) {
                self.slowest = Some(SlowestMove {
                    agent: summary.name.clone(),
                    seconds: turns.seconds[i],
                    unit: record.unit,
                    seating: record.seating,
                    ply: record.opening + i + 1,
                });
            }
        }
    }

    fn add_fault(&mut self, record: &BoardRecord, seat: usize, reason: Reason, message: &str) {
        let agent = seat.checked_sub(1).and_then(|s| record.seats.get(s));
        let Some(summary) = agent.and_then(|a| self.agents.get_mut(*a)) else { return };
        match reason {
            Reason::Timeout => summary.timeouts += 1,
            Reason::Illegal | Reason::Failed | Reason::Crashed => summary.failures += 1,
        }
        if self.faults.len() < FAULTS_TOLD {
            let (agent, message) = (summary.name.clone(), message.to_owned());
            self.faults.push(FaultReport { agent, reason, message });
        }
    }

    /// Adds up a unit if all its games are there.
    fn close(&mut self, unit: u64) {
        let count = self.agents.len();
        let Some(games) = self.open.get(&unit).filter(|games| games.len() == count) else { return };
        for (agent, summary) in self.agents.iter_mut().enumerate() {
            let results: Vec<f64> = games.values().filter_map(|results| results[agent]).collect();
            summary.units.add(results.iter().sum::<f64>() / results.len().max(1) as f64);
        }
        if self.players == 2 {
            let results: Vec<f64> = games.values().filter_map(|results| results[0]).collect();
            if let [first, second] = results[..] {
                self.pairs.add(first, second);
            }
        }
        self.open.remove(&unit);
    }

    /// Games that count.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The agents so far.
    pub fn agents(&self) -> &[AgentSummary] {
        &self.agents
    }

    /// Pairs of games with two players, by the points of the first agent.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The mean result of the first agent with two players, over all games. The standard error is that of
    /// pairs as soon as there are two, scaled for games that are not paired; before that, that of games.
    pub fn score(&self) -> Option<Score> {
        if self.players != 2 {
            return None;
        }
        let mut score = self.agents.first()?.total.results.score()?;
        let paired = self.pairs.games();
        if let Some(pairs) = self.pairs.score().filter(|_| paired > 2) {
            score.standard_error =
                pairs.standard_error * (paired as f64 / self.games as f64).sqrt();
        }
        Some(score)
    }

    /// Everything there is to tell.
    pub fn report(&self, sprt: Option<Sprt>) -> MatchReport {
        let score = self.score();
        let agents = self.agents.iter().cloned().map(|mut agent| {
            let seconds = agent.seconds.max(1e-9);
            agent.states_per_s = agent.nodal_states as f64 / seconds;
            agent.simulations_per_s = agent.iterations as f64 / seconds;
            agent.mean_turn_seconds = agent.seconds / agent.turns.max(1) as f64;
            agent.interval = agent.units.interval().or_else(|| agent.total.score.interval());
            agent
        });
        MatchReport {
            game: self.game.clone(),
            agents: agents.collect(),
            games: self.games,
            void: self.void,
            void_reason: self.void_reason.clone(),
            win_rate: score.map(|score| WinRate {
                rate: score.rate,
                error: score.normal().high - score.rate,
                wilson: score.wilson(),
            }),
            pairs: (self.players == 2).then_some(self.pairs),
            elo: score.map(|score| {
                let wilson = score.wilson();
                Elo {
                    difference: elo::difference(score.rate),
                    error: elo::error(&score),
                    interval: Interval {
                        low: elo::difference(wilson.low),
                        high: elo::difference(wilson.high),
                    },
                }
            }),
            los: score.map(|score| likelihood_of_superiority(&score)),
            sprt: sprt.map(|test| {
                let llr = test.llr(&self.pairs);
                SprtReport { test, llr, bounds: test.bounds(), verdict: test.verdict(llr) }
            }),
            length: self.length,
            distinct_games: self.seen.len(),
            slowest_move: self.slowest.clone(),
            faults: self.faults.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::record::tests::record;
    use crate::statistics::Trinomial;

    fn game(unit: u64, seating: usize, white: u32, outcome: Outcome) -> BoardRecord {
        let mut record = record([white, 100 - white], outcome);
        record.unit = unit;
        record.seating = seating;
        record.seats = if seating == 0 { vec![0, 1] } else { vec![1, 0] };
        record.moves = vec![format!("{} 2", unit + 1); 3];
        record.turns.seat = vec![1, 2, 1];
        record.turns.iterations = vec![10, 20, 10];
        record.turns.nodal_states = vec![100, 200, 100];
        record.turns.states = vec![100, 200, 100];
        record.turns.seconds = vec![0.5, 1.0, 0.5];
        record
    }

    #[test]
    fn games_add_up() {
        let mut summary = Summary::default();
        // White always wins the first pair; the first agent wins the second; half of a third.
        summary.add(&game(0, 0, 100, Outcome::Finished));
        summary.add(&game(0, 1, 100, Outcome::Finished));
        summary.add(&game(1, 1, 0, Outcome::Finished));
        summary.add(&game(1, 0, 100, Outcome::Finished));
        assert_eq!(summary.pairs().pairs, [0, 0, 1, 0, 1]);
        assert_eq!(summary.score().expect("games").rate, 0.75);
        summary.add(&game(2, 0, 50, Outcome::Finished));
        let report = summary.report(None);
        assert_eq!((report.games, report.distinct_games), (5, 3));
        let first = &report.agents[0];
        assert_eq!(first.total.results, Trinomial { wins: 3, draws: 1, losses: 1 });
        assert_eq!(first.seats[1].results, Trinomial { wins: 1, draws: 0, losses: 1 });
        assert_eq!(report.agents[1].total.results, Trinomial { wins: 1, draws: 1, losses: 3 });
        // The rate is that of all games; the variance of the mean of a pair is 1/16.
        let win_rate = report.win_rate.expect("two players");
        assert_eq!(win_rate.rate, 0.7);
        let error = 1.959_964 * f64::sqrt(1.0 / 16.0 / 2.0) * f64::sqrt(4.0 / 5.0);
        assert!((win_rate.error - error).abs() < 1e-6);
        assert_eq!(first.simulations_per_s, 20.0);
        assert_eq!(first.states_per_s, 200.0);
        assert_eq!(report.slowest_move.expect("moves").seconds, 1.0);
        assert_eq!(report.length.mean, 3.0);
    }

    #[test]
    fn faults_are_counted() {
        let mut summary = Summary::default();
        let fault = |seat, reason| Outcome::Forfeit { seat, reason, message: "why".to_owned() };
        summary.add(&game(0, 0, 0, fault(2, Reason::Timeout)));
        summary.add(&game(0, 1, 0, fault(1, Reason::Crashed)));
        summary.add(&game(1, 0, 0, Outcome::Void { message: "endless".to_owned() }));
        let report = summary.report(None);
        assert_eq!((report.games, report.void), (2, 1));
        assert_eq!((report.agents[1].timeouts, report.agents[1].failures), (1, 1));
        assert_eq!(report.agents[0].total.results.wins, 2);
        assert_eq!(report.pairs.expect("two players").pairs, [0, 0, 0, 0, 1]);
        assert_eq!(report.faults[1].reason, Reason::Crashed);
        assert_eq!(report.void_reason.as_deref(), Some("endless"));
    }
}
