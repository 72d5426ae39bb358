//! Who plays which video game, and how: everything that results depend on.

use regulus_agent::VideoAgent;
use regulus_game::Random;
use regulus_player::video::{Conditions, Pilot, VideoLevel};
use regulus_player::{limit, sha256};
use regulus_search::config::Limits;
use serde_json::json;

use super::record::LevelRecord;
use crate::contest::{CompiledContest, Contest, GameNumber, short_hash};
use crate::record::{AgentRecord, GameRecord, Record};
use crate::stop::Stop;

/// A level with what is recorded of it.
#[derive(Clone, Debug)]
pub struct ContestLevel {
    /// Name and hash.
    pub record: LevelRecord,
    /// The level.
    pub level: VideoLevel,
}

impl ContestLevel {
    /// A level by its name, and the file it came from if it is not built in.
    pub fn new(name: &str, file: Option<&str>, level: VideoLevel) -> Self {
        let [_, sha256] = level.hashes();
        let record = LevelRecord { name: name.to_owned(), file: file.map(str::to_owned), sha256 };
        ContestLevel { record, level }
    }
}

/// A video game with the levels that are played.
#[derive(Clone, Debug)]
pub struct VideoGame {
    /// Name and hash, as they are recorded.
    pub record: GameRecord,
    /// The levels; there is one at least.
    pub levels: Vec<ContestLevel>,
}

impl VideoGame {
    /// A game by its name, and the file it came from if it is not built in.
    ///
    /// # Errors
    /// No levels, levels of different games, or two of the same name.
    pub fn new(name: &str, file: Option<&str>, levels: Vec<ContestLevel>) -> Result<Self, String> {
        let Some(first) = levels.first() else { return Err(format!("{name} has no level")) };
        for (i, level) in levels.iter().enumerate() {
            if levels[..i].iter().any(|other| other.record.name == level.record.name) {
                return Err(format!("level {} of {name} is given twice", level.record.name));
            }
            if level.level.game_text != first.level.game_text {
                return Err(format!("the levels of {name} are of different games"));
            }
        }
        let sha256 = sha256(&first.level.game_text);
        let record = GameRecord { name: name.to_owned(), file: file.map(str::to_owned), sha256 };
        Ok(VideoGame { record, levels })
    }
}

/// An agent in all levels of a game, several times. The runs are named by numbers, from 0: the first run of
/// every level, then the second of every level, and so on.
#[derive(Clone, Debug)]
pub struct VideoContest {
    /// The name of what it is a part of.
    pub experiment: String,
    /// The game.
    pub game: VideoGame,
    /// The agent.
    pub agent: VideoAgent,
    /// What it may use.
    pub conditions: Conditions,
    /// How often every level is played.
    pub runs: u64,
    /// What all random numbers come from.
    pub seed: u64,
}

impl VideoContest {
    /// A contest, unless the agent cannot work under these conditions.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn new(
        game: VideoGame,
        agent: VideoAgent,
        conditions: Conditions,
        runs: u64,
        seed: u64,
    ) -> Result<Self, String> {
        let made = Pilot::agent(&agent.config, 0);
        made.map_err(|refusal| format!("{}: {refusal}", agent.name))?;
        for limits in [&conditions.action, &conditions.initialisation] {
            if *limits == (Limits { buffer: limits.buffer, ..Limits::default() }) {
                return Err("nothing stops the search: give time, sims or states".to_owned());
            }
        }
        let experiment = "match".to_owned();
        Ok(VideoContest { experiment, game, agent, conditions, runs, seed })
    }

    /// How many runs there are of all levels together.
    pub fn units(&self) -> u64 {
        self.runs.saturating_mul(self.game.levels.len() as u64)
    }

    /// The level of a run, and which run of that level it is.
    pub fn level_and_run(&self, unit: u64) -> (&ContestLevel, u64) {
        let levels = self.game.levels.len() as u64;
        (&self.game.levels[(unit % levels) as usize], unit / levels)
    }

    /// The seed of a run. It belongs to the level and not to the agent, so that all agents play the same
    /// games.
    pub fn run_seed(&self, unit: u64) -> u64 {
        let (level, run) = self.level_and_run(unit);
        let name = sha256(&format!("{}:{}", self.game.record.name, level.record.name));
        let name = u64::from_str_radix(&name[..16], 16).unwrap_or(0);
        // Programs that know no whole numbers beyond 2^53 can read it, too.
        Random::new(self.seed).fork(name).fork(run).bits() >> 11
    }

    /// The agent as it is recorded.
    pub fn agent_record(&self) -> AgentRecord {
        AgentRecord::new(&self.agent.name, &self.agent)
    }
}

impl Contest for VideoContest {
    /// The number of runs does not matter: more of them can be played later.
    fn id(&self) -> String {
        let conditions = &self.conditions;
        let levels: Vec<&str> = self.game.levels.iter().map(|l| l.record.sha256.as_str()).collect();
        let profile = self.game.levels.first().map_or("", |first| first.level.profile().name());
        let description = json!({
            "experiment": self.experiment,
            "game": self.game.record.sha256,
            "levels": levels,
            "profile": profile,
            "agent": self.agent_record(),
            "limits": limit::text(&conditions.action),
            "buffer": conditions.action.buffer.as_micros() as u64,
            "initialisation": limit::text(&conditions.initialisation),
            "grace": conditions.grace.as_micros() as u64,
            "seed": self.seed,
        });
        short_hash(&description)
    }

    fn is_timed(&self) -> bool {
        self.conditions.action.time.is_some()
    }

    /// By the clock: an agent that does not get its processor for a moment is disqualified.
    fn wants_quiet(&self) -> bool {
        self.is_timed()
    }

    fn compile<'c>(&'c self) -> Box<dyn CompiledContest + 'c> {
        Box::new(self)
    }
}

/// Nothing has to be compiled.
impl CompiledContest for &VideoContest {
    fn play(&self, number: GameNumber, stop: Stop<'_>) -> Option<Box<dyn Record>> {
        Some(Box::new(VideoContest::play(self, number.unit, stop)?))
    }
}
