//! A contest of an experiment with everything compiled.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use regulus_player::{PreparedAgent, limit};
use serde::Serialize;

use super::declaration::Kind;
use super::setting::AnyContest;
use super::speed::SpeedRecord;
use crate::calibration::processor;
use crate::compiled::Compiled;
use crate::compiled_contest::CompiledContest;
use crate::contest::{Contest, GameNumber};
use crate::playing::{Stop, panic_text};
use crate::record::{GameRecord, Outcome, Record};
use crate::video::{VideoContest, VideoOutcome, VideoRecord};

/// What is recorded.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// A game.
    Game(Box<Record>),
    /// A search for its speed.
    Search(Box<SpeedRecord>),
    /// A run of a video game.
    Run(Box<VideoRecord>),
}

impl Entry {
    /// The game it is about.
    pub fn game(&self) -> &GameRecord {
        match self {
            Entry::Game(record) => &record.game,
            Entry::Search(search) => &search.game,
            Entry::Run(run) => &run.game,
        }
    }

    /// True if it was lost by a fault or cannot count.
    pub fn is_fault(&self) -> bool {
        match self {
            Entry::Game(record) => record.outcome != Outcome::Finished,
            Entry::Search(search) => search.failure.is_some(),
            Entry::Run(run) => run.outcome != VideoOutcome::Finished,
        }
    }
}

/// A contest with everything compiled. Threads can share it.
pub enum CompiledJob<'c> {
    /// For games.
    Games(Box<CompiledContest<'c>>),
    /// For searches of the first turn.
    Searches {
        /// The contest; its first agent searches.
        contest: &'c Contest,
        /// The agent.
        prepared_agent: Arc<PreparedAgent>,
    },
    /// For runs of video games, for which nothing has to be compiled.
    Runs(&'c VideoContest),
}

impl<'c> CompiledJob<'c> {
    /// Compiles what a contest needs and contests before it have not compiled.
    pub fn new(contest: &'c AnyContest, kind: Kind, compiled: &mut Compiled) -> Self {
        match (contest, kind) {
            (AnyContest::Video(contest), _) => CompiledJob::Runs(contest),
            (AnyContest::Board(contest), Kind::Matches | Kind::Video) => {
                CompiledJob::Games(Box::new(CompiledContest::with(contest, compiled)))
            }
            (AnyContest::Board(contest), Kind::Speed) => {
                let prepared_agent = compiled.prepared_agent(&contest.agents[0], &contest.game);
                CompiledJob::Searches { contest, prepared_agent }
            }
        }
    }

    /// Why rules are interpreted; nothing if there is native code.
    pub fn why_interpreted(&self) -> Option<&str> {
        match self {
            CompiledJob::Games(compiled) => compiled.why_interpreted(),
            CompiledJob::Searches { prepared_agent, .. } => prepared_agent.why_interpreted(),
            CompiledJob::Runs(_) => None,
        }
    }

    /// Plays a game or a run, or makes a search; nothing if it was stopped.
    pub fn play(&self, number: GameNumber, stop: Stop<'_>) -> Option<Entry> {
        match self {
            CompiledJob::Games(compiled) => {
                compiled.play(number, stop).map(Box::new).map(Entry::Game)
            }
            CompiledJob::Searches { contest, prepared_agent } => {
                Some(Entry::Search(Box::new(search(contest, prepared_agent, number.unit))))
            }
            CompiledJob::Runs(contest) => {
                contest.play(number.unit, stop).map(Box::new).map(Entry::Run)
            }
        }
    }
}

/// One search of the first turn. Only the search is timed, as it is for a turn of a game: compiling and
/// making the tree are not.
fn search(contest: &Contest, prepared_agent: &PreparedAgent, number: u64) -> SpeedRecord {
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |t| t.as_secs_f64());
    let searched = catch_unwind(AssertUnwindSafe(|| {
        let mut searcher =
            prepared_agent.searcher(contest.seat_seed(number, 0), std::iter::empty())?;
        let start = Instant::now();
        let thought = searcher.think(&contest.limits)?;
        Ok::<_, regulus_player::Failure>((thought, start.elapsed().as_secs_f64()))
    }));
    let searched = match searched {
        Ok(result) => result.map_err(|failure| failure.to_string()),
        Err(panic) => Err(panic_text(&*panic)),
    };
    let mut record = SpeedRecord {
        experiment: contest.experiment.clone(),
        search: number,
        game: contest.game.record.clone(),
        agents: contest.agent_records().into_iter().take(1).collect(),
        seed: contest.seed,
        budget: contest.budget.to_string(),
        limits: limit::text(&contest.limits),
        iterations: 0,
        nodal_states: 0,
        states: 0,
        nodes: 0,
        bytes: 0,
        seconds: 0.0,
        failure: None,
        processor: processor(),
        started: (started * 1e3).round() / 1e3,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    match searched {
        Ok((thought, seconds)) => {
            record.iterations = thought.totals.iterations;
            record.nodal_states = thought.totals.nodal_states;
            record.states = thought.totals.states;
            record.nodes = thought.nodes;
            record.bytes = thought.bytes as u64;
            record.seconds = (seconds * 1e6).round() / 1e6;
        }
        Err(why) => record.failure = Some(why),
    }
    record
}
