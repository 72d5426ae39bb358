//! `regulus match` for board games: agents play against each other.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_arena::board::{BoardContest, CompiledBoardContest, MatchReport, Summary};
use regulus_arena::statistics::Verdict;
use regulus_arena::{Baseline, Budget, Calibration, Calibrations, CompiledContest, GameRecord};
use regulus_player::{LoadedGame, limit};
use regulus_search::config::Limits;
use serde::Serialize;

use super::Match;
use crate::agent_argument::agent_for;
use crate::commands::print_json;
use crate::failure::Failure;
use crate::match_view;

/// What is played where nothing is said.
const GAMES: u64 = 100;
const LIMIT: Duration = Duration::from_millis(100);

#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    report: &'r MatchReport,
    seed: u64,
    budget: String,
    limits: String,
    calibration: Option<Calibration>,
    threads: usize,
    seconds: f64,
    interrupted: bool,
}

/// Runs the command.
pub fn run(command: &Match, game: LoadedGame) -> Result<(), Failure> {
    let options = [
        (command.initialisation.is_some(), "--initialisation"),
        (command.replays.is_some(), "--replays"),
        (command.profile.is_given(), "--profile"),
    ];
    command.refuse(&options, "video")?;
    let (contest, calibration) = contest(command, game)?;
    let compiled = CompiledBoardContest::new(&contest);
    note(&contest, &compiled)?;
    let threads = command.threads(&[&contest])?;
    let per_unit = contest.games_per_unit() as u64;
    let games = command.games.unwrap_or(GAMES).div_ceil(per_unit).saturating_mul(per_unit);
    let mut summary = Summary::default();
    let played = command.play(
        ((0..games).map(|index| contest.number(index)), games),
        "games",
        threads,
        |number, stop| compiled.play(number, stop),
        |record| {
            summary.add(record);
            let test = command.sprt;
            let is_decided =
                test.is_some_and(|test| test.verdict(test.llr(summary.pairs())) != Verdict::Open);
            let flow = if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            Ok((match_view::standing(&summary), flow))
        },
    )?;
    let report = summary.report(command.sprt);
    if command.json {
        print_json(&Report {
            report: &report,
            seed: command.seed,
            budget: contest.budget.to_string(),
            limits: limit::text(&contest.limits),
            calibration,
            threads: threads.count,
            seconds: played.seconds,
            interrupted: played.interrupted,
        })?;
    } else {
        let mut out = anstream::stdout().lock();
        match_view::print(&mut out, &contest, &report, calibration.as_ref())?;
    }
    played.end()
}

/// The contest, and what was measured for its limits.
fn contest(
    command: &Match,
    game: LoadedGame,
) -> Result<(BoardContest, Option<Calibration>), Failure> {
    let limit = command.limit.clone().unwrap_or(Budget::Limits(Limits::time(LIMIT)));
    let is_built_in = regulus_games::find(&command.game).is_some();
    let game = regulus::Game::from(if is_built_in { game } else { game.from_file(&command.game) });
    let agents = command.agents.iter().map(|agent| agent_for(agent, &game));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    if command.sprt.is_some() && game.players().len() != 2 {
        return Err(Failure::Failed(format!(
            "--sprt compares two agents, and {} is a game for {}",
            game.name(),
            game.players().len()
        )));
    }
    let mut calibration = None;
    let mut limits = limit.limits(|baseline, time| {
        let measured = calibrate(command, game.loaded(), baseline, time)?;
        calibration = Some(measured.clone());
        Ok::<_, Failure>(measured)
    })?;
    limits.buffer = command.buffer.unwrap_or_default();
    let contest = BoardContest::new(Arc::clone(game.loaded()), agents, limit, limits, command.seed);
    let mut contest = contest.map_err(Failure::Failed)?;
    contest.opening_plies = command.opening_plies.unwrap_or(0);
    contest.tolerance = command.tolerance.unwrap_or(contest.tolerance);
    contest.max_plies = command.max_plies.unwrap_or(contest.max_plies);
    Ok((contest, calibration))
}

/// Looks a measurement up, or makes it.
fn calibrate(
    command: &Match,
    game: &LoadedGame,
    baseline: Baseline,
    time: Duration,
) -> Result<Calibration, Failure> {
    let path = command.calibration.as_deref();
    let known = path.map(Calibrations::read).transpose()?.unwrap_or_default();
    if let Some(found) = known.find(&GameRecord::of(game), baseline, time) {
        return Ok(found.clone());
    }
    let measured = Calibration::measure(game, baseline, time, Calibration::time(baseline))?;
    path.map(|path: &Path| Calibrations::append(path, &measured)).transpose()?;
    Ok(measured)
}

/// Says what may surprise.
fn note(contest: &BoardContest, compiled: &CompiledBoardContest<'_>) -> Result<(), Failure> {
    let mut err = anstream::stderr();
    if let Some(why) = compiled.why_interpreted() {
        writeln!(err, "note: interpreted, because {why}")?;
    }
    if let Some(agent) = contest.agents.iter().find(|agent| agent.thinks_on_others_time) {
        writeln!(err, "note: {} does not think on the time of others in a match", agent.name)?;
    }
    Ok(())
}
