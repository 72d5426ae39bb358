//! A run of a video game as it is kept: one line of JSON.

use std::time::Duration;

use regulus_player::video::{LateAction, Replay, VideoLevel};
use serde::{Deserialize, Serialize};

use crate::contest::GameNumber;
use crate::record::{AgentRecord, GameRecord, Origin, Reason, Record, origin};

/// Which level was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelRecord {
    /// The name: a number, or that of the file.
    pub name: String,
    /// The file of the level, if it is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The SHA-256 of its text.
    pub sha256: String,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum VideoOutcome {
    /// By the rules of the game.
    Finished,
    /// The agent took too long.
    Disqualified {
        /// In which tick; -1 before the first.
        tick: i32,
        /// How long it took.
        milliseconds: f64,
    },
    /// The agent could not go on.
    Failed {
        /// What happened.
        reason: Reason,
        /// The same in words.
        message: String,
    },
}

/// An action that came after its time, but before its agent was disqualified. Nothing was done in its tick
/// (GVGAI-THESIS Table 2.1), so that a letter `N` stands for it among the actions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LateRecord {
    /// In which tick.
    pub tick: i32,
    /// What the agent wanted to do, as a letter.
    pub action: char,
    /// How long it took.
    pub milliseconds: f64,
}

impl LateRecord {
    /// One that was played.
    pub fn of(late: &LateAction) -> Self {
        let milliseconds = milliseconds(late.took);
        LateRecord { tick: late.tick, action: late.action.letter(), milliseconds }
    }
}

/// To the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The iterations of the actions of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Iterations {
    /// Actions that were decided on.
    pub decisions: u64,
    /// Iterations of all of them together.
    pub total: u64,
    /// The fewest for an action.
    pub min: u64,
    /// The most for an action.
    pub max: u64,
    /// For an action in the mean.
    pub mean: f64,
}

impl Iterations {
    /// Those of a list of actions.
    pub fn of(all: &[u64]) -> Self {
        let (decisions, total) = (all.len() as u64, all.iter().sum());
        Iterations {
            decisions,
            total,
            min: all.iter().min().copied().unwrap_or(0),
            max: all.iter().max().copied().unwrap_or(0),
            mean: (total as f64 / decisions.max(1) as f64 * 1e4).round() / 1e4,
        }
    }
}

/// A run of a video game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VideoRecord {
    /// What it is a part of.
    pub experiment: String,
    /// The contest, see [`Contest::id`](crate::Contest::id).
    pub contest: String,
    /// The number of the run in the contest.
    pub unit: u64,
    /// The game.
    pub game: GameRecord,
    /// The level.
    pub level: LevelRecord,
    /// The rules it was played with: `2021` or `2015`.
    pub profile: String,
    /// The agent, alone.
    pub agents: Vec<AgentRecord>,
    /// Which run of the level, from 0.
    pub run: u64,
    /// What all random numbers of the contest come from.
    pub seed: u64,
    /// The seed of this run.
    pub run_seed: u64,
    /// What the agent could use for an action.
    pub budget: String,
    /// What it could use before the first.
    pub initialisation: String,
    /// What it kept back of its time, in milliseconds.
    pub buffer_ms: f64,
    /// By how many milliseconds it could be late.
    pub grace_ms: f64,
    /// How it ended.
    pub outcome: VideoOutcome,
    /// Whether it was won.
    pub won: bool,
    /// The score that counts: a win has at least 1, who was disqualified or failed has -1000.
    pub score: i32,
    /// The score of the game at the end.
    pub raw_score: i32,
    /// Why the game ended, if its rules did not end it, see [`regulus_vgdl::Breakdown`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<String>,
    /// Actions that came too late to be played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<LateRecord>,
    /// Ticks that were played.
    pub ticks: u64,
    /// Iterations of the actions.
    pub iterations: Iterations,
    /// Ticks of the forward model.
    pub model_ticks: u64,
    /// Time for all actions.
    pub thinking_seconds: f64,
    /// The longest time for an action.
    pub slowest_ms: f64,
    /// All actions, a letter each, as in a [`Replay`].
    pub actions: String,
    /// Fingerprints of states, as in a [`Replay`].
    pub fingerprints: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// How long it took.
    pub seconds: f64,
    /// The processor.
    pub processor: String,
    /// The version that played it.
    pub version: String,
}

impl VideoRecord {
    /// The name of the agent.
    pub fn agent(&self) -> &str {
        self.agents.first().map_or("", |agent| &agent.name)
    }

    /// What it is called where something is wrong with it.
    pub fn name(&self) -> String {
        let (game, level, run) = (&self.game.name, &self.level.name, self.run);
        format!("{game}, level {level}, {}, {}, run {run}", self.agent(), self.budget)
    }

    /// The same as a replay, with the texts of a level if they are to be in it.
    pub fn replay(&self, texts: Option<&VideoLevel>) -> Replay {
        Replay {
            replay: Replay::FORMAT,
            game: format!("{}:{}", self.game.name, self.level.name),
            profile: self.profile.clone(),
            game_sha256: self.game.sha256.clone(),
            level_sha256: self.level.sha256.clone(),
            game_text: texts.map(|level| level.game_text.to_string()),
            level_text: texts.map(|level| level.level_text.to_string()),
            agent: self.agent().to_owned(),
            seed: self.run_seed,
            actions: self.actions.clone(),
            fingerprints: self.fingerprints.clone(),
            score: self.raw_score,
            won: (self.outcome == VideoOutcome::Finished).then_some(self.won),
        }
    }

    /// The record without what differs when the same run is played again: times.
    #[must_use]
    pub fn timeless(&self) -> Self {
        VideoRecord {
            thinking_seconds: 0.0,
            slowest_ms: 0.0,
            started: 0.0,
            seconds: 0.0,
            ..self.clone()
        }
    }
}

impl Record for VideoRecord {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        GameNumber { unit: self.unit, seating: 0 }
    }

    fn contradiction(&self) -> Option<String> {
        if self.agents.len() != 1 {
            return Some(format!("it has {} agents", self.agents.len()));
        }
        if self.actions.len() as u64 != self.ticks {
            return Some(format!("{} actions in {} ticks", self.actions.len(), self.ticks));
        }
        let played = |late: &LateRecord| self.actions.chars().nth(usize::try_from(late.tick).ok()?);
        if let Some(late) = self.late.iter().find(|late| played(late) != Some('N')) {
            return Some(format!("the late action of tick {} was played", late.tick));
        }
        let finished = self.outcome == VideoOutcome::Finished;
        let score = score(finished, self.won, self.raw_score);
        if self.won && !finished {
            return Some("it was won without being finished".to_owned());
        }
        (self.score != score)
            .then(|| format!("the score that counts is {score}, not {}", self.score))
    }

    fn is_fault(&self) -> bool {
        self.outcome != VideoOutcome::Finished
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn headline(&self) -> String {
        let result = if self.won { "won" } else { "lost" };
        let (game, level, budget) = (&self.game.name, &self.level.name, &self.budget);
        format!("{game}:{level}, {budget}, {} {result} with {}", self.agent(), self.score)
    }
}

/// The score that counts.
pub(super) fn score(finished: bool, won: bool, raw: i32) -> i32 {
    match (finished, won) {
        (false, _) => regulus_player::video::DISQUALIFIED_SCORE,
        (true, true) => raw.max(1),
        (true, false) => raw,
    }
}
