//! What the games of one contest say: one game, one pair of agents, one limit.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::board::{AgentSummary, BoardRecord, Elo, FaultReport, Summary};
use crate::experiment::PlannedContest;
use crate::statistics::normal::Z95;
use crate::statistics::{
    Interval, Score, Trinomial, elo, likelihood_of_superiority, normal_interval,
};

/// How an agent does against another: the words of THESIS 5.1.2. It is better if the whole 95 % interval
/// lies above one half, worse if it lies below.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Better for certain.
    Better,
    /// Nothing is proved.
    Similar,
    /// Worse for certain.
    Worse,
}

impl Standing {
    /// The standing of an interval against a value.
    pub fn of(interval: Interval, even: f64) -> Self {
        if interval.low > even {
            Standing::Better
        } else if interval.high < even {
            Standing::Worse
        } else {
            Standing::Similar
        }
    }

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Better => "better",
            Standing::Similar => "similar",
            Standing::Worse => "worse",
        }
    }
}

/// Games lost other than by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// Because a move took too long.
    pub timeouts: u64,
    /// By an illegal move, by failing or crashing.
    pub failures: u64,
}

/// The work of an agent in some games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Work {
    /// Turns.
    pub turns: u64,
    /// Simulations.
    pub simulations: u64,
    /// Nodal states.
    pub nodal_states: u64,
    /// Time.
    pub seconds: f64,
}

impl Work {
    /// Adds the work in other games.
    pub fn add(&mut self, other: &Work) {
        self.turns += other.turns;
        self.simulations += other.simulations;
        self.nodal_states += other.nodal_states;
        self.seconds += other.seconds;
    }
}

/// How one agent did against another in one game with one limit.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// Whom it played against; all others, with more than two players.
    pub against: String,
    /// What they could use for a move, as it was asked for.
    pub limit: String,
    /// How many players the game has.
    pub players: usize,
    /// How many games there should be.
    pub planned: u64,
    /// Games that count.
    pub games: u64,
    /// Games that count for nobody.
    pub void: u64,
    /// Results, with two players.
    pub results: Option<Trinomial>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points, with two players.
    pub pairs: Option<[u64; 5]>,
    /// The mean result, from 0 to 1; nothing without games that count.
    pub rate: Option<f64>,
    /// Its standard error, from pairs if there are some.
    pub standard_error: Option<f64>,
    /// Half the length of the normal 95 % interval.
    pub error: Option<f64>,
    /// The 95 % interval: Wilson's, with two players.
    pub interval: Option<Interval>,
    /// What that proves.
    pub standing: Option<Standing>,
    /// The difference in strength, with two players; what is infinite is `null`.
    pub elo: Option<Elo>,
    /// How probable it is that the agent is the stronger one, with two players.
    pub los: Option<f64>,
    /// Moves in a game, in the mean.
    pub length: f64,
    /// Games that differ from all others in their moves.
    pub distinct_games: usize,
    /// Units in which something was played that no earlier unit has: what intervals can rest on.
    pub distinct_units: u64,
    /// Units.
    pub units: u64,
    /// Units whose games all have the same moves, though the agents changed seats: they play alike.
    pub alike_units: u64,
    /// Faults of the agent.
    pub faults: Faults,
    /// Faults of the others.
    pub faults_against: Faults,
    /// How games were lost by a fault: the first few.
    pub fault_reports: Vec<FaultReport>,
    /// The work of the agent.
    pub work: Work,
    /// The work of the others.
    pub work_against: Work,
}

impl Cell {
    /// What the games of a contest say about its first agent. They must be sound, of one contest, and each
    /// there once.
    pub fn new(planned: &PlannedContest, players: usize, records: &[&BoardRecord]) -> Self {
        let mut summary = Summary::default();
        records.iter().for_each(|record| summary.add(record));
        let report = summary.report(None);
        let mut against: Vec<&str> = planned.agents.iter().skip(1).map(String::as_str).collect();
        against.dedup();
        let (mut works, mut faults) = ([Work::default(); 2], [Faults::default(); 2]);
        for (i, agent) in summary.agents().iter().enumerate() {
            let side = usize::from(i > 0);
            works[side].add(&Work {
                turns: agent.turns,
                simulations: agent.iterations,
                nodal_states: agent.nodal_states,
                seconds: agent.seconds,
            });
            faults[side].timeouts += agent.timeouts;
            faults[side].failures += agent.failures;
        }
        let results = summary.agents().first().map(|agent| agent.total.results);
        let mut cell = Cell {
            game: planned.game.clone(),
            agent: planned.agents.first().cloned().unwrap_or_default(),
            against: against.join(", "),
            limit: planned.budget.clone(),
            players,
            planned: planned.games,
            games: report.games,
            void: report.void,
            results: results.filter(|_| players == 2),
            pairs: report.pairs.filter(|_| players == 2).map(|pairs| pairs.pairs),
            rate: None,
            standard_error: None,
            error: None,
            interval: None,
            standing: None,
            elo: None,
            los: None,
            length: report.length.mean,
            distinct_games: report.distinct_games,
            distinct_units: 0,
            units: 0,
            alike_units: 0,
            faults: faults[0],
            faults_against: faults[1],
            fault_reports: report.faults.clone(),
            work: works[0],
            work_against: works[1],
        };
        cell.count_units(records);
        match summary.score() {
            Some(score) => cell.judge(score),
            None => cell.compare(&report.agents),
        }
        cell
    }

    /// Counts units by what was played in them.
    fn count_units(&mut self, records: &[&BoardRecord]) {
        let mut units: BTreeMap<u64, Vec<&[String]>> = BTreeMap::new();
        for record in records {
            units.entry(record.unit).or_default().push(&record.moves);
        }
        self.units = units.len() as u64;
        let alike =
            |games: &&Vec<&[String]>| games.len() > 1 && games.iter().all(|g| *g == games[0]);
        self.alike_units = units.values().filter(alike).count() as u64;
        self.distinct_units = units.values().collect::<FxHashSet<_>>().len() as u64;
    }

    /// Fills in what a mean result with two players says.
    fn judge(&mut self, score: Score) {
        let wilson = score.wilson();
        self.rate = Some(score.rate);
        self.standard_error = Some(score.standard_error);
        self.error = Some(score.normal().high - score.rate);
        self.interval = Some(wilson);
        self.standing = Some(Standing::of(wilson, 0.5));
        self.elo = Some(Elo {
            difference: elo::difference(score.rate),
            error: elo::error(&score),
            interval: Interval {
                low: elo::difference(wilson.low),
                high: elo::difference(wilson.high),
            },
        });
        self.los = Some(likelihood_of_superiority(&score));
    }

    /// Fills in what mean scores in games for one or for many say: the agent's own score, which is better
    /// if the 95 % interval of the difference to the mean of the others lies above 0.
    fn compare(&mut self, agents: &[AgentSummary]) {
        let Some((own, others)) = agents.split_first() else { return };
        if own.total.score.count == 0 {
            return;
        }
        self.rate = Some(own.total.score.mean);
        self.interval = own.interval;
        self.error = own.interval.map(|i| (i.high - i.low) / 2.0);
        self.standard_error = self.error.map(|error| error / Z95);
        let variance = |agent: &AgentSummary| {
            let error = agent.units.standard_error().or(agent.total.score.standard_error());
            error.map(|error| error * error)
        };
        let count = others.len() as f64;
        let of_others: Option<Vec<f64>> = others.iter().map(variance).collect();
        if let (Some(mine), Some(theirs)) = (variance(own), of_others.filter(|o| !o.is_empty())) {
            let mean = others.iter().map(|a| a.total.score.mean).sum::<f64>() / count;
            let error = (mine + theirs.iter().sum::<f64>() / (count * count)).sqrt();
            let difference = normal_interval(own.total.score.mean - mean, error, Z95);
            self.standing = Some(Standing::of(difference, 0.0));
        }
    }
}
