//! Results and runs of video games as tables for other programs.

use super::{VideoMeasure, VideoReport};
use crate::report::table::Table;
use crate::video::{Scope, VideoOutcome, VideoRecord, VideoResult};

/// One row per agent, limit and games; rates are in percent.
pub fn results(report: &VideoReport) -> Table {
    let mut table = Table::default();
    let all = || report.results.iter();
    let whole = |value: u64| i64::try_from(value).ok();
    let rounded = |value: Option<f64>| value.map(|v| (v * 1e4).round() / 1e4);
    let percent = |value: f64| rounded(Some(100.0 * value));
    let scope = |result: &VideoResult| match result.scope {
        Scope::All => "all",
        Scope::Set(_) => "set",
        Scope::Game(_) => "game",
    };
    let points = |result: &VideoResult| match &result.scope {
        Scope::All => report.points(&result.agent, &result.limit),
        Scope::Game(game) => {
            let ranking = report.rankings.iter().find(|r| r.limit == result.limit)?;
            let ranked = ranking.agents.iter().find(|ranked| ranked.agent == result.agent)?;
            ranked.games.iter().find(|placing| placing.game == *game).map(|placing| placing.points)
        }
        Scope::Set(_) => None,
    };
    table.text("scope", all().map(|r| Some(scope(r).to_owned())));
    table.text("name", all().map(|r| Some(r.scope.name().to_owned())));
    table.text("agent", all().map(|r| Some(r.agent.clone())));
    table.text("limit", all().map(|r| Some(r.limit.clone())));
    table.integer("games", all().map(|r| Some(r.games as i64)));
    table.integer("runs", all().map(|r| whole(r.runs)));
    table.integer("wins", all().map(|r| whole(r.wins)));
    table.real("win_rate", all().map(|r| percent(r.rate)));
    table.real("error", all().map(|r| percent(r.error)));
    table.real("low", all().map(|r| percent(r.interval.low)));
    table.real("high", all().map(|r| percent(r.interval.high)));
    table.real("score", all().map(|r| rounded(Some(r.score))));
    table.real("score_error", all().map(|r| rounded(r.score_error)));
    table.real("ticks", all().map(|r| rounded(Some(r.ticks))));
    table.real("iterations", all().map(|r| rounded(Some(r.iterations))));
    table.real("iterations_error", all().map(|r| rounded(r.iterations_error)));
    table.integer("iterations_min", all().map(|r| whole(r.iterations_min)));
    table.integer("iterations_max", all().map(|r| whole(r.iterations_max)));
    table.real("model_ticks_per_s", all().map(|r| rounded(Some(r.model_ticks_per_s))));
    table.real("slowest_ms", all().map(|r| rounded(Some(r.slowest_ms))));
    table.integer("late", all().map(|r| whole(r.late)));
    table.integer("disqualified", all().map(|r| whole(r.disqualified)));
    table.integer("failed", all().map(|r| whole(r.failed)));
    table.real("points", all().map(|r| rounded(points(r))));
    let measures = [
        (VideoMeasure::Wins, ["published_wins", "published_error", "deviation"]),
        (VideoMeasure::Score, ["published_score", "published_score_error", "score_deviation"]),
        (
            VideoMeasure::Iterations,
            ["published_iterations", "published_iterations_error", "iterations_deviation"],
        ),
    ];
    for (measure, [published, error, deviation]) in measures {
        let figures = || all().map(|r| report.figure(r, measure));
        table.real(published, figures().map(|f| f.map(|f| f.published)));
        table.real(error, figures().map(|f| f.and_then(|f| f.published_error)));
        table.real(deviation, figures().map(|f| rounded(f.and_then(|f| f.deviation))));
    }
    table
}

/// One row per run.
pub fn runs(records: &[&VideoRecord]) -> Table {
    let mut table = Table::default();
    let all = || records.iter().copied();
    let whole = |value: u64| i64::try_from(value).ok();
    table.text("experiment", all().map(|r| Some(r.experiment.clone())));
    table.text("contest", all().map(|r| Some(r.contest.clone())));
    table.text("game", all().map(|r| Some(r.game.name.clone())));
    table.text("level", all().map(|r| Some(r.level.name.clone())));
    table.text("profile", all().map(|r| Some(r.profile.clone())));
    table.text("agent", all().map(|r| Some(r.agent().to_owned())));
    table.text("limit", all().map(|r| Some(r.budget.clone())));
    table.text("initialisation", all().map(|r| Some(r.initialisation.clone())));
    table.integer("unit", all().map(|r| whole(r.unit)));
    table.integer("run", all().map(|r| whole(r.run)));
    table.integer("seed", all().map(|r| whole(r.seed)));
    table.integer("run_seed", all().map(|r| whole(r.run_seed)));
    let outcome = |record: &VideoRecord| match record.outcome {
        VideoOutcome::Finished => "finished",
        VideoOutcome::Disqualified { .. } => "disqualified",
        VideoOutcome::Failed { .. } => "failed",
    };
    table.text("outcome", all().map(|r| Some(outcome(r).to_owned())));
    table.integer("won", all().map(|r| Some(i64::from(r.won))));
    table.integer("score", all().map(|r| Some(i64::from(r.score))));
    table.integer("raw_score", all().map(|r| Some(i64::from(r.raw_score))));
    table.integer("ticks", all().map(|r| whole(r.ticks)));
    table.integer("decisions", all().map(|r| whole(r.iterations.decisions)));
    table.integer("iterations", all().map(|r| whole(r.iterations.total)));
    table.integer("iterations_min", all().map(|r| whole(r.iterations.min)));
    table.integer("iterations_max", all().map(|r| whole(r.iterations.max)));
    table.integer("model_ticks", all().map(|r| whole(r.model_ticks)));
    table.real("thinking_seconds", all().map(|r| Some(r.thinking_seconds)));
    table.real("slowest_ms", all().map(|r| Some(r.slowest_ms)));
    table.integer("late", all().map(|r| whole(r.late.len() as u64)));
    table.real("started", all().map(|r| Some(r.started)));
    table.real("seconds", all().map(|r| Some(r.seconds)));
    table.text("processor", all().map(|r| Some(r.processor.clone())));
    table.text("version", all().map(|r| Some(r.version.clone())));
    table
}
