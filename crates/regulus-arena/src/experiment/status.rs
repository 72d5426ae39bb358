//! How far an experiment is: what is played, what failed, who works on it, and how long it will take.

use serde::Serialize;

use super::archive::Archive;
use super::claim::living;
use super::error::ExperimentError;
use super::kind::Kind;
use super::layout::Layout;

/// How far a game, pair and limit is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContestStatus {
    /// The game.
    pub game: String,
    /// The agents; the one the contest is about comes first.
    pub agents: Vec<String>,
    /// The limit.
    pub limit: String,
    /// Games, searches or runs that are there.
    pub played: u64,
    /// Games, searches or runs that there should be.
    pub planned: u64,
    /// How many of those that are there were lost by a fault or cannot count.
    pub faults: u64,
    /// How long one took in the mean; nothing before the first.
    pub seconds: Option<f64>,
}

/// A process that works on an experiment now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorkerStatus {
    /// Its machine.
    pub host: String,
    /// Its number there.
    pub process: u32,
    /// Its share, `[i, n]`.
    pub shard: [u64; 2],
    /// How many games it plays at once.
    pub threads: usize,
    /// How many it has finished; it says so every few seconds.
    pub played: u64,
}

/// How far an experiment is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// The name.
    pub experiment: String,
    /// What it is, in words.
    pub title: String,
    /// How much of the declaration is played.
    pub size: String,
    /// What is done.
    pub kind: Kind,
    /// Games, searches or runs that are there.
    pub played: u64,
    /// Games, searches or runs that there should be.
    pub planned: u64,
    /// How many of those that are there were lost by a fault or cannot count.
    pub faults: u64,
    /// Lines of records that are left out; their games are missing.
    pub damaged_lines: u64,
    /// How long everything that is missing takes one thread, in seconds, if all games of a contest are as long; nothing if
    /// no game is there to judge by.
    pub thread_seconds_left: Option<f64>,
    /// The same for those who work on it now; nothing if nobody does.
    pub seconds_left: Option<f64>,
    /// Who works on it now.
    pub workers: Vec<WorkerStatus>,
    /// Contest by contest, in the order of the plan.
    pub contests: Vec<ContestStatus>,
}

impl Status {
    /// Reads the directory of an experiment. Works at any time, also while it is played.
    pub fn read(layout: &Layout) -> Result<Self, ExperimentError> {
        let archive = Archive::read(layout)?;
        let contest = |contest: &super::ContestArchive| {
            let records = &contest.records;
            let seconds: f64 = records.iter().map(|record| record.seconds()).sum();
            ContestStatus {
                game: contest.planned.game.clone(),
                agents: contest.planned.agents.clone(),
                limit: contest.planned.budget.clone(),
                played: records.len() as u64,
                planned: contest.planned.games,
                faults: records.iter().filter(|record| record.is_fault()).count() as u64,
                seconds: (!records.is_empty()).then(|| seconds / records.len() as f64),
            }
        };
        let contests: Vec<ContestStatus> = archive.contests.iter().map(contest).collect();
        let workers = workers(layout, &archive)?;
        let threads: usize = workers.iter().map(|worker| worker.threads).sum();
        let thread_seconds_left = thread_seconds_left(&contests);
        let sum = |count: fn(&ContestStatus) -> u64| contests.iter().map(count).sum();
        Ok(Status {
            experiment: archive.plan.experiment.clone(),
            title: archive.declaration.title.clone(),
            size: archive.plan.extent.to_string(),
            kind: archive.plan.kind,
            played: sum(|contest| contest.played),
            planned: sum(|contest| contest.planned),
            faults: sum(|contest| contest.faults),
            damaged_lines: archive.damage.count,
            seconds_left: thread_seconds_left
                .filter(|_| threads > 0)
                .map(|seconds| seconds / threads as f64),
            thread_seconds_left,
            workers,
            contests,
        })
    }
}

/// Who works on it now, with what each says of itself.
fn workers(layout: &Layout, archive: &Archive) -> Result<Vec<WorkerStatus>, ExperimentError> {
    let mut workers = Vec::new();
    for (name, holder) in living(layout)? {
        let manifest = archive.manifests.iter().find(|manifest| manifest.worker == name);
        if let (Some(manifest), Some(holder)) = (manifest, holder) {
            workers.push(WorkerStatus {
                host: holder.host,
                process: holder.process,
                shard: manifest.shard,
                threads: manifest.threads,
                played: manifest.played,
            });
        }
    }
    Ok(workers)
}

/// How long everything that is missing takes one thread. A contest of which nothing is there yet counts as the mean of the
/// others.
fn thread_seconds_left(contests: &[ContestStatus]) -> Option<f64> {
    let known: Vec<f64> = contests.iter().filter_map(|contest| contest.seconds).collect();
    let mean = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)?;
    let left = contests.iter().map(|contest| {
        contest.planned.saturating_sub(contest.played) as f64 * contest.seconds.unwrap_or(mean)
    });
    Some(left.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_played() {
        let contest = |played, planned, seconds| ContestStatus {
            game: "g".to_owned(),
            agents: Vec::new(),
            limit: "sims=1".to_owned(),
            played,
            planned,
            faults: 0,
            seconds,
        };
        assert_eq!(thread_seconds_left(&[contest(0, 4, None)]), None);
        // 2 x 10 s, 3 x 2 s, and 5 of which nothing is known: 5 x 6 s.
        let some = [contest(2, 4, Some(10.0)), contest(1, 4, Some(2.0)), contest(0, 5, None)];
        assert_eq!(thread_seconds_left(&some), Some(56.0));
        assert_eq!(thread_seconds_left(&[contest(4, 4, Some(10.0))]), Some(0.0));
    }
}
