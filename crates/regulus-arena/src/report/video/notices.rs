//! What a reader must know about results of video games.

use crate::experiment::Archive;
use crate::report::notice::{Notice, count};
use crate::video::{Scope, VideoRecord, VideoStanding};

/// What is to be known beyond what is told about every experiment.
pub fn notices(archive: &Archive, standing: &VideoStanding) -> Vec<Notice> {
    let mut notices = Vec::new();
    for contest in &archive.contests {
        let mut runs = contest.records::<VideoRecord>();
        let Some(first) = runs.next() else { continue };
        if runs.any(|run| run.contest != first.contest) {
            notices.push(Notice::warning(format!(
                "{}, {}, {}: runs with different texts, parameters or seeds are mixed",
                contest.planned.game,
                contest.planned.agents.join(", "),
                contest.planned.budget
            )));
        }
    }
    let games = || standing.results.iter().filter(|r| matches!(r.scope, Scope::Game(_)));
    let disqualified: u64 = games().map(|result| result.disqualified).sum();
    let failed: u64 = games().map(|result| result.failed).sum();
    let example = |is_late: bool| {
        let mut faults = standing.faults.iter();
        let fault = faults.find(|fault| fault.is_late == is_late);
        fault.map_or_else(String::new, |f| format!("; {}: {}", f.run, f.message))
    };
    if disqualified > 0 {
        notices.push(Notice::warning(format!(
            "{} disqualified for taking too long{}",
            count(disqualified, "run"),
            example(true)
        )));
    }
    let late: u64 = games().map(|result| result.late).sum();
    if late > 0 {
        notices.push(Notice::warning(format!("{} too late to be played", count(late, "action"))));
    }
    if failed > 0 {
        notices.push(Notice::warning(format!(
            "{} lost by a failure{}",
            count(failed, "run"),
            example(false)
        )));
    }
    let all = archive.contests.iter().flat_map(|contest| contest.records::<VideoRecord>());
    let broken: Vec<_> = all.filter(|run| run.breakdown.is_some()).collect();
    if let Some(first) = broken.first() {
        notices.push(Notice::warning(format!(
            "{} did not end by the rules; {}: {}",
            count(broken.len() as u64, "run"),
            first.name(),
            first.breakdown.as_deref().unwrap_or_default()
        )));
    }
    for ranking in &standing.rankings {
        let planned = archive.plan.contests.iter().filter(|c| c.budget == ranking.limit);
        let mut games: Vec<&str> = planned.map(|contest| contest.game.as_str()).collect();
        games.sort_unstable();
        games.dedup();
        if ranking.games.len() < games.len() {
            notices.push(Notice::note(format!(
                "the ranking with {} is over {} of {} games: those that all agents have played",
                ranking.limit,
                ranking.games.len(),
                games.len()
            )));
        }
    }
    notices
}
