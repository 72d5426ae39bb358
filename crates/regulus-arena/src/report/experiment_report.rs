//! Everything that is told about an experiment, as plain data.

use serde::Serialize;

use super::average::{Average, averages};
use super::cell::Cell;
use super::notice::{Notice, notices};
use super::published::{Comparison, compare};
use super::rating::{RatingList, lists};
use super::resolution;
use super::speed::{Speed, of_searches, speeds};
use super::video::VideoReport;
use crate::board::BoardRecord;
use crate::experiment::{Archive, Kind};
use crate::video::VideoRecord;

/// Everything that is told about an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentReport {
    /// The name.
    pub experiment: String,
    /// What it is, in words.
    pub title: String,
    /// What it repeats.
    pub source: Option<String>,
    /// What was done.
    pub kind: Kind,
    /// Whom every agent plays against.
    pub baseline: Option<String>,
    /// The games, in the order of the declaration.
    pub games: Vec<String>,
    /// The agents that results are about, in the order of the plan.
    pub agents: Vec<String>,
    /// The limits, in the order of the declaration.
    pub limits: Vec<String>,
    /// Games, searches or runs that are there.
    pub played: u64,
    /// Games, searches or runs that there should be.
    pub planned: u64,
    /// What this size can show and what it cannot, and what the declaration has to say.
    pub about: Vec<String>,
    /// What a reader must know.
    pub notices: Vec<Notice>,
    /// Results by game, pair and limit, in the order of the plan.
    pub cells: Vec<Cell>,
    /// Averages over games.
    pub averages: Vec<Average>,
    /// Ratings.
    pub ratings: Vec<RatingList>,
    /// Speeds.
    pub speeds: Vec<Speed>,
    /// Published figures beside ours.
    pub published: Vec<Comparison>,
    /// What is told about video games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<VideoReport>,
}

/// The records of an experiment that can be relied on.
#[derive(Clone, Debug, Default)]
pub struct Sound<'a> {
    /// Games between agents.
    pub games: Vec<&'a BoardRecord>,
    /// Runs of video games.
    pub runs: Vec<&'a VideoRecord>,
}

impl ExperimentReport {
    /// What an archive says, and its records that can be relied on.
    pub fn new(archive: &Archive) -> (Self, Sound<'_>) {
        let (declaration, plan) = (&archive.declaration, &archive.plan);
        let names = declaration.agent_names();
        let baseline = declaration.baseline.as_ref().and_then(|_| names.first()).cloned();
        let (mut cells, mut all) = (Vec::new(), Vec::new());
        for contest in &archive.contests {
            let records: Vec<&BoardRecord> = contest.records().collect();
            if let Some(first) = records.first() {
                cells.push(Cell::new(&contest.planned, first.seats.len(), &records));
            }
            all.extend(records);
        }
        let games: Vec<String> = plan.games.iter().map(|game| game.name.clone()).collect();
        let limits: Vec<String> = declaration.limits.iter().map(|l| l.to_string()).collect();
        let mut agents: Vec<String> = Vec::new();
        for agent in plan.contests.iter().filter_map(|contest| contest.agents.first()) {
            if !agents.contains(agent) {
                agents.push(agent.clone());
            }
        }
        // A published average is over all games, also where a size has some of them.
        let averages = averages(&cells, archive.declared.games.len());
        // Of games or of searches: there are never both.
        let mut speeds = speeds(&cells, baseline.as_deref());
        speeds.extend(of_searches(&archive.contests, baseline.as_deref()));
        let mut found = notices(archive, &cells);
        let (mut video, mut runs) = (None, Vec::new());
        if let Some(declared) = &declaration.video {
            let (report, sound, notices) = VideoReport::new(archive, declared);
            (video, runs) = (Some(report), sound);
            found.extend(notices);
        }
        found.sort_by_key(|notice| notice.severity);
        let report = ExperimentReport {
            experiment: plan.experiment.clone(),
            title: declaration.title.clone(),
            source: declaration.source.clone(),
            kind: plan.kind,
            played: archive.played() as u64,
            planned: plan.game_count(),
            about: resolution::words(&archive.declared, declaration, plan),
            notices: found,
            ratings: lists(&cells, &limits, baseline.as_deref()),
            published: compare(&declaration.published, &cells, &averages, &speeds),
            baseline,
            games,
            agents,
            limits,
            cells,
            averages,
            speeds,
            video,
        };
        (report, Sound { games: all, runs })
    }

    /// The pairs of agents that results are about, in the order of the plan.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for cell in &self.cells {
            let pair = (cell.agent.as_str(), cell.against.as_str());
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    }

    /// A result.
    pub fn cell(&self, game: &str, pair: (&str, &str), limit: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| {
            c.game == game && c.agent == pair.0 && c.against == pair.1 && c.limit == limit
        })
    }

    /// An average.
    pub fn average(&self, pair: (&str, &str), limit: &str) -> Option<&Average> {
        self.averages.iter().find(|a| a.agent == pair.0 && a.against == pair.1 && a.limit == limit)
    }
}
