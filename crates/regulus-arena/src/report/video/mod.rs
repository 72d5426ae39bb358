//! What is told about video games: results of agents by game, set and altogether, beside published figures, and
//! the ranking of the competition.

mod comparison;
mod notices;
mod tables;

use serde::Serialize;

pub use comparison::{VideoComparison, VideoMeasure};
pub use notices::notices;
pub use tables::{results, runs};

use super::notice::Notice;
use crate::experiment::{Archive, Declaration, VideoDeclaration};
use crate::video::{GameSet, Scope, VideoRanking, VideoRecord, VideoResult, VideoSummary};

/// What is told about video games.
#[derive(Clone, Debug, Serialize)]
pub struct VideoReport {
    /// The rules that games were read and run with.
    pub profile: String,
    /// Sets of games.
    pub sets: Vec<GameSet>,
    /// Results by limit and agent: all games, the sets, the games.
    pub results: Vec<VideoResult>,
    /// Rankings, one for each limit with several agents.
    pub rankings: Vec<VideoRanking>,
    /// Published figures beside ours.
    pub published: Vec<VideoComparison>,
}

impl VideoReport {
    /// What an archive says, its records, and what a reader must know.
    pub fn new<'a>(
        archive: &'a Archive,
        video: &VideoDeclaration,
    ) -> (Self, Vec<&'a VideoRecord>, Vec<Notice>) {
        let records: Vec<&VideoRecord> =
            archive.contests.iter().flat_map(|contest| contest.records()).collect();
        let mut summary = summary(&archive.declaration, video);
        records.iter().for_each(|record| summary.add(record));
        let standing = summary.standing();
        let published = comparison::compare(&archive.declaration, video, &standing.results);
        let found = notices(archive, &standing);
        let report = VideoReport {
            profile: video.profile.name().to_owned(),
            sets: video.sets.clone(),
            results: standing.results,
            rankings: standing.rankings,
            published,
        };
        (report, records, found)
    }

    /// A result.
    pub fn result(&self, scope: &Scope, agent: &str, limit: &str) -> Option<&VideoResult> {
        self.results.iter().find(|r| r.scope == *scope && r.agent == agent && r.limit == limit)
    }

    /// A published figure beside ours.
    pub fn figure(&self, result: &VideoResult, measure: VideoMeasure) -> Option<&VideoComparison> {
        self.published.iter().find(|c| {
            c.measure == measure
                && c.scope == result.scope
                && c.agent == result.agent
                && c.limit == result.limit
        })
    }

    /// The agents that have results with a limit, in their order.
    pub fn agents(&self, limit: &str) -> Vec<&str> {
        let mut agents: Vec<&str> = Vec::new();
        for result in self.results.iter().filter(|result| result.limit == limit) {
            if !agents.contains(&result.agent.as_str()) {
                agents.push(&result.agent);
            }
        }
        agents
    }

    /// The result over as many games as there are.
    pub fn total(&self, agent: &str, limit: &str) -> Option<&VideoResult> {
        self.results.iter().find(|result| result.agent == agent && result.limit == limit)
    }

    /// The points of an agent in the ranking.
    pub fn points(&self, agent: &str, limit: &str) -> Option<f64> {
        let ranking = self.rankings.iter().find(|ranking| ranking.limit == limit)?;
        ranking.agents.iter().find(|ranked| ranked.agent == agent).map(|ranked| ranked.points)
    }
}

/// A summary in the order of the declaration.
fn summary(declaration: &Declaration, video: &VideoDeclaration) -> VideoSummary {
    let limits: Vec<String> = declaration.limits.iter().map(ToString::to_string).collect();
    VideoSummary::new(
        video.sets.clone(),
        limits,
        declaration.agent_names(),
        declaration.games.clone(),
    )
}
