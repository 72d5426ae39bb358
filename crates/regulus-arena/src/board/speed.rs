//! How fast an agent is: searches of the first turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use regulus_player::{PreparedAgent, limit};
use serde::{Deserialize, Serialize};

use super::contest::BoardContest;
use super::flat::{Flat, FlatRecord};
use crate::calibration::processor;
use crate::contest::{CompiledContest, Contest, GameNumber};
use crate::record::{AgentRecord, GameRecord, Origin, Record, origin};
use crate::stop::{Stop, panic_text};
use crate::timestamp::{now, seconds};

/// Searches of the first turn of a contest, made by its first agent.
#[derive(Clone, Debug)]
pub struct SpeedContest {
    /// Who searches what, with which limit.
    pub contest: BoardContest,
    /// Random simulations alone, without a tree: flat Monte Carlo (AAAI22 Table 1).
    pub flat: bool,
}

impl Contest for SpeedContest {
    fn id(&self) -> String {
        self.contest.id()
    }

    fn is_timed(&self) -> bool {
        self.contest.is_timed()
    }

    fn wants_quiet(&self) -> bool {
        true
    }

    fn search_threads(&self) -> usize {
        self.contest.search_threads()
    }

    fn compile<'c>(&'c self) -> Box<dyn CompiledContest + 'c> {
        let contest = &self.contest;
        let agent = &contest.agents[0];
        match self.flat {
            true => Box::new(CompiledFlat { contest, flat: Flat::new(agent, &contest.game) }),
            false => {
                let prepared_agent = PreparedAgent::new(agent, &contest.game);
                Box::new(CompiledSearches { contest, prepared_agent })
            }
        }
    }
}

/// A contest whose first agent is compiled.
struct CompiledSearches<'c> {
    contest: &'c BoardContest,
    prepared_agent: PreparedAgent,
}

impl CompiledContest for CompiledSearches<'_> {
    fn play(&self, number: GameNumber, _stop: Stop<'_>) -> Option<Box<dyn Record>> {
        Some(Box::new(search(self.contest, &self.prepared_agent, number.unit)))
    }

    fn why_interpreted(&self) -> Option<&str> {
        self.prepared_agent.why_interpreted()
    }
}

/// A contest whose first agent's simulations are compiled, or why they cannot be.
struct CompiledFlat<'c> {
    contest: &'c BoardContest,
    flat: Result<Flat, String>,
}

impl CompiledContest for CompiledFlat<'_> {
    fn play(&self, number: GameNumber, _stop: Stop<'_>) -> Option<Box<dyn Record>> {
        let (contest, started) = (self.contest, now());
        let mut record = empty_record(contest, number.unit, started);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let flat = self.flat.as_ref().map_err(Clone::clone)?;
            let seed = contest.seat_seed(number.unit, 0);
            flat.run(&contest.limits, seed).map_err(|error| error.to_string())
        }));
        match ran.unwrap_or_else(|panic| Err(panic_text(&*panic))) {
            Ok(result) => {
                record.iterations = result.simulations;
                record.nodal_states = result.nodal_states;
                // Those that are timed do not count the states inside of moves.
                record.states = result.nodal_states;
                record.seconds = seconds(result.time);
                record.flat = Some(result.counts);
            }
            Err(why) => record.failure = Some(why),
        }
        Some(Box::new(record))
    }

    fn why_interpreted(&self) -> Option<&str> {
        self.flat.as_ref().ok()?.why_interpreted()
    }
}

/// One search of the first turn of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpeedRecord {
    /// What it is a part of.
    pub experiment: String,
    /// Which search, from 0.
    pub search: u64,
    /// The game.
    pub game: GameRecord,
    /// The agent, alone.
    pub agents: Vec<AgentRecord>,
    /// What all random numbers come from.
    pub seed: u64,
    /// What the agent could use, as it was asked for.
    pub budget: String,
    /// The same as limits.
    pub limits: String,
    /// Simulations.
    pub iterations: u64,
    /// Nodal states.
    pub nodal_states: u64,
    /// All states.
    pub states: u64,
    /// Nodes of the tree.
    #[serde(default)]
    pub nodes: u64,
    /// Bytes of the tree and of what was learnt.
    #[serde(default)]
    pub bytes: u64,
    /// What simulations compute in detail, where there is nothing but simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flat: Option<FlatRecord>,
    /// How long it took.
    pub seconds: f64,
    /// Why there is no result, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The processor.
    pub processor: String,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// The version.
    pub version: String,
}

impl SpeedRecord {
    /// Nodal states per second.
    pub fn states_per_s(&self) -> f64 {
        self.nodal_states as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }

    /// Simulations per second.
    pub fn simulations_per_s(&self) -> f64 {
        self.iterations as f64 / self.seconds.max(f64::MIN_POSITIVE)
    }
}

impl Record for SpeedRecord {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        GameNumber { unit: self.search, seating: 0 }
    }

    fn contradiction(&self) -> Option<String> {
        let possible = self.seconds.is_finite() && self.seconds >= 0.0;
        (!possible).then(|| "a search that took no time that could be".to_owned())
    }

    fn is_fault(&self) -> bool {
        self.failure.is_some()
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn headline(&self) -> String {
        let name = self.agents.first().map_or("", |agent| &agent.name);
        format!("{}, {}, {name}", self.game.name, self.budget)
    }
}

/// A record of a search that has not found anything.
fn empty_record(contest: &BoardContest, number: u64, started: f64) -> SpeedRecord {
    SpeedRecord {
        experiment: contest.experiment.clone(),
        search: number,
        game: GameRecord::of(&contest.game),
        agents: contest.agent_records().into_iter().take(1).collect(),
        seed: contest.seed,
        budget: contest.budget.to_string(),
        limits: limit::text(&contest.limits),
        iterations: 0,
        nodal_states: 0,
        states: 0,
        nodes: 0,
        bytes: 0,
        flat: None,
        seconds: 0.0,
        failure: None,
        processor: processor(),
        started,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// One search of the first turn. Only the search is timed, as it is for a turn of a game: compiling and
/// making the tree are not.
fn search(contest: &BoardContest, prepared_agent: &PreparedAgent, number: u64) -> SpeedRecord {
    let started = now();
    let searched = catch_unwind(AssertUnwindSafe(|| {
        let mut searcher =
            prepared_agent.searcher(contest.seat_seed(number, 0), std::iter::empty())?;
        let start = Instant::now();
        let thought = searcher.think(&contest.limits)?;
        Ok::<_, regulus_player::Failure>((thought, start.elapsed()))
    }));
    let searched = match searched {
        Ok(result) => result.map_err(|failure| failure.to_string()),
        Err(panic) => Err(panic_text(&*panic)),
    };
    let mut record = empty_record(contest, number, started);
    match searched {
        Ok((thought, time)) => {
            record.iterations = thought.totals.iterations;
            record.nodal_states = thought.totals.nodal_states;
            record.states = thought.totals.states;
            record.nodes = thought.nodes;
            record.bytes = thought.bytes as u64;
            record.seconds = seconds(time);
        }
        Err(why) => record.failure = Some(why),
    }
    record
}
