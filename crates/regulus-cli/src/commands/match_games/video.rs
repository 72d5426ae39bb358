//! `regulus match` for video games: every agent plays every level.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regulus_arena::video::{
    ContestLevel, GRACE, VideoContest, VideoGame, VideoRecord, VideoStanding, VideoSummary,
    conditions,
};
use regulus_arena::{Budget, Contest};
use regulus_player::catalogue::{GameText, VideoText, find_game};
use regulus_player::limit;
use regulus_search::config::Limits;
use regulus_vgdl::Profile;
use serde::Serialize;

use super::{Match, Played};
use crate::commands::print_json;
use crate::failure::Failure;
use crate::game_argument::load_level;
use crate::video_player::read_video_agent;
use crate::video_result_view;

/// The time for an action.
const ACTION: Duration = Duration::from_millis(40);

/// How often every level is played.
const RUNS: u64 = 10;

#[derive(Serialize)]
struct Report<'r> {
    games: Vec<&'r str>,
    profile: &'static str,
    #[serde(flatten)]
    standing: &'r VideoStanding,
    runs_per_level: u64,
    seed: u64,
    limits: String,
    initialisation: String,
    threads: usize,
    seconds: f64,
    interrupted: bool,
}

/// True if an argument can only be meant as a video game.
fn is_game(argument: &str) -> bool {
    argument.starts_with("vgdl/") || argument.contains(':') || argument.ends_with(".txt")
}

/// Runs the command.
pub fn run(command: &Match) -> Result<(), Failure> {
    let options = [
        (command.sprt.is_some(), "--sprt"),
        (command.opening_plies.is_some(), "--opening-plies"),
        (command.max_plies.is_some(), "--max-plies"),
        (command.calibration.is_some(), "--calibration"),
    ];
    command.refuse(&options, "board")?;
    let limits = match &command.limit {
        None => Limits::time(ACTION),
        Some(Budget::Limits(limits)) => limits.clone(),
        Some(calibrated) => {
            let message =
                format!("{calibrated} is measured with board games; give time, sims or states");
            return Err(Failure::Failed(message));
        }
    };
    let contests = contests(command, &limits)?;
    if let Some(folder) = &command.replays {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| {
            Failure::Failed(format!("cannot make {}: {error}", folder.display()))
        })?;
    }
    let every: Vec<&dyn Contest> = contests.iter().map(|contest| contest as &dyn Contest).collect();
    let threads = command.threads(&every)?;
    let jobs = jobs(&contests);
    let total = jobs.len() as u64;
    let mut summary = VideoSummary::default();
    let mut broken: Option<(u64, String)> = None;
    let played = command.play(
        (jobs.into_iter(), total),
        "runs",
        threads,
        |(index, unit), stop| contests[index].play(unit, stop),
        |record| {
            keep_replay(command, &contests, record)?;
            summary.add(record);
            if let Some(why) = &record.breakdown {
                let (count, _) =
                    broken.get_or_insert_with(|| (0, format!("{}: {why}", record.name())));
                *count += 1;
            }
            Ok((standing(record), ControlFlow::Continue(())))
        },
    )?;
    print(command, &contests, &summary.standing(), threads.count, &played)?;
    if let Some((count, first)) = broken {
        let runs = if count == 1 { "run" } else { "runs" };
        writeln!(anstream::stderr(), "note: {count} {runs} did not end by the rules; {first}")?;
    }
    played.end()
}

/// A contest for every game and agent.
fn contests(command: &Match, limits: &Limits) -> Result<Vec<VideoContest>, Failure> {
    let is_game = |argument: &&String| is_game(argument);
    let further = command.agents.iter().take_while(is_game).count();
    let (more, agents) = command.agents.split_at(further);
    let profile = command.profile.profile();
    let games = std::iter::once(&command.game).chain(more).map(|game| load(game, profile));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    for (i, game) in games.iter().enumerate() {
        if games[..i].iter().any(|other| other.record.name == game.record.name) {
            return Err(Failure::Failed(format!(
                "there are two games with the name {}",
                game.record.name
            )));
        }
    }
    let agents = agents.iter().map(|agent| read_video_agent(agent));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    if agents.is_empty() {
        return Err(Failure::Failed("who plays? Give an agent behind the games".to_owned()));
    }
    for (i, agent) in agents.iter().enumerate() {
        if agents[..i].iter().any(|other| other.name == agent.name) {
            return Err(Failure::Failed(format!(
                "there are two agents with the name {}",
                agent.name
            )));
        }
    }
    let mut contests = Vec::new();
    for game in &games {
        for agent in &agents {
            let buffer = command.buffer.unwrap_or(agent.buffer);
            let grace = command.tolerance.unwrap_or(GRACE);
            let conditions = conditions(limits, command.initialisation.as_ref(), buffer, grace);
            let runs = command.games.unwrap_or(RUNS);
            let contest =
                VideoContest::new(game.clone(), agent.clone(), conditions, runs, command.seed);
            contests.push(contest.map_err(Failure::Failed)?);
        }
    }
    Ok(contests)
}

/// Loads the levels of an argument: those it names, or all.
fn load(argument: &str, profile: Profile) -> Result<VideoGame, Failure> {
    let GameText::Video { game, level } = find_game(argument)? else {
        return Err(Failure::Failed(format!("{argument} is no video game")));
    };
    let names: Vec<String> = match &level {
        Some(list) => list.split(',').map(str::to_owned).collect(),
        None => game.levels().iter().map(usize::to_string).collect(),
    };
    // Without any the first is asked for, and the error says which file it would be.
    let names = if names.is_empty() { vec!["0".to_owned()] } else { names };
    let levels = names.iter().map(|level| contest_level(&game, level, profile));
    let levels = levels.collect::<Result<Vec<_>, _>>()?;
    let file = game.file().map(|path| path.to_string_lossy().into_owned());
    VideoGame::new(&game.name, file.as_deref(), levels).map_err(Failure::Failed)
}

fn contest_level(game: &VideoText, level: &str, profile: Profile) -> Result<ContestLevel, Failure> {
    let file = game.level_file(Some(level)).map(|path| path.to_string_lossy().into_owned());
    let level = load_level(game, Some(level), profile)?;
    let name = level.name.rsplit_once(':').map_or("", |(_, name)| name).to_owned();
    Ok(ContestLevel::new(&name, file.as_deref(), level))
}

/// All runs, by contest and number. Those that all agents play come together, so that a match that is
/// interrupted compares them fairly.
fn jobs(contests: &[VideoContest]) -> Vec<(usize, u64)> {
    let most = contests.iter().map(VideoContest::units).max().unwrap_or(0);
    let of_unit = |unit: u64| {
        let has = move |contest: &VideoContest| unit < contest.units();
        let all = contests.iter().enumerate().filter(move |(_, contest)| has(contest));
        all.map(move |(index, _)| (index, unit))
    };
    (0..most).flat_map(of_unit).collect()
}

/// Writes the replay of a run, if it was asked for.
fn keep_replay(
    command: &Match,
    contests: &[VideoContest],
    record: &VideoRecord,
) -> Result<(), Failure> {
    let Some(folder) = &command.replays else { return Ok(()) };
    // All contests of a game have the same levels.
    let contest = contests.iter().find(|contest| contest.game.record.name == record.game.name);
    let level = contest.map(|contest| &contest.level_and_run(record.unit).0.level);
    let is_built_in = record.game.file.is_none() && record.level.file.is_none();
    let replay = record.replay(level.filter(|_| !is_built_in));
    let path = replay_file(folder, record);
    replay
        .write(&path)
        .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", path.display())))
}

/// The file of a replay: game, level, agent, run.
fn replay_file(folder: &Path, record: &VideoRecord) -> PathBuf {
    let game = record.game.name.replace('/', "-");
    let (level, agent, run) = (&record.level.name, record.agent(), record.run);
    folder.join(format!("{game}_{level}_{agent}_{run}.json"))
}

/// What was played last, in a few words.
fn standing(record: &VideoRecord) -> String {
    let (game, level, agent) = (&record.game.name, &record.level.name, record.agent());
    let result = if record.won { "won" } else { "lost" };
    format!("{game}:{level}, {agent} {result} with {} after {} ticks", record.score, record.ticks)
}

fn print(
    command: &Match,
    contests: &[VideoContest],
    found: &VideoStanding,
    threads: usize,
    played: &Played,
) -> Result<(), Failure> {
    let Some(first) = contests.first() else { return Ok(()) };
    let mut games: Vec<&VideoGame> = Vec::new();
    for contest in contests {
        if games.iter().all(|game| game.record.name != contest.game.record.name) {
            games.push(&contest.game);
        }
    }
    let limits = limit::text(&first.conditions.action);
    let initialisation = limit::text(&first.conditions.initialisation);
    if command.json {
        return Ok(print_json(&Report {
            games: games.iter().map(|game| game.record.name.as_str()).collect(),
            profile: command.profile.profile().name(),
            standing: found,
            runs_per_level: first.runs,
            seed: command.seed,
            limits,
            initialisation,
            threads,
            seconds: played.seconds,
            interrupted: played.interrupted,
        })?);
    }
    let mut out = anstream::stdout().lock();
    for game in games {
        let levels: Vec<&str> = game.levels.iter().map(|l| l.record.name.as_str()).collect();
        let plural = if levels.len() == 1 { "level" } else { "levels" };
        writeln!(out, "{}: {plural} {}", game.record.name, levels.join(", "))?;
    }
    let year = command.profile.profile();
    let runs = first.runs;
    let plural = if runs == 1 { "run" } else { "runs" };
    writeln!(
        out,
        "{runs} {plural} of every level, {limits} per action, {initialisation} before the first, rules of {year}, \
         seed {}",
        command.seed
    )?;
    video_result_view::print_match(&mut out, &found.results, &found.rankings)?;
    for fault in &found.faults {
        let what = if fault.is_late { "disqualified" } else { "failed" };
        writeln!(out, "{what}: {}: {}", fault.run, fault.message)?;
    }
    Ok(())
}
