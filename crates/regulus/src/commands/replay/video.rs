//! `regulus replay` for video games: replays and records that prove themselves.

use std::io::Write;
use std::path::Path;

use regulus_arena::read_video_records;
use regulus_arena::video::{VideoOutcome, VideoRecord, verify};
use regulus_player::video::{Recorder, Replay, VideoLevel};
use serde::Serialize;
use serde_json::Value;

use super::ReplayGame;
use crate::commands::print_json;
use crate::failure::Failure;
use crate::game_argument::{Named, find};
use crate::video_view::VideoView;

/// A game that was played, as it is told.
#[derive(Serialize)]
struct Told<'t> {
    game: &'t str,
    profile: &'t str,
    agent: &'t str,
    seed: u64,
    ticks: usize,
    score: i32,
    won: Option<bool>,
    outcome: String,
    fingerprints: usize,
    verified: bool,
    actions: &'t str,
}

/// What a file has, if it has video games.
pub enum VideoFile {
    /// One game.
    Replay(Box<Replay>),
    /// Records, and whether the last line was cut off.
    Records(Vec<VideoRecord>, bool),
}

impl VideoFile {
    /// Reads a file of video games; nothing if it has others. It is looked at as a whole only if its first line
    /// says that it is one.
    pub fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let Some(first) = first_value(path) else { return Ok(None) };
        if first.get("replay").is_some() {
            let read = Replay::read(path);
            let read = read.map_err(|error| {
                Failure::Failed(format!("cannot read {}: {error}", path.display()))
            })?;
            return Ok(Some(VideoFile::Replay(Box::new(read))));
        }
        if first.get("actions").is_none() || first.get("run_seed").is_none() {
            return Ok(None);
        }
        let (records, torn) = read_video_records(path)?;
        Ok(Some(VideoFile::Records(records, torn)))
    }
}

/// The first JSON value of a file, if there is one.
fn first_value(path: &Path) -> Option<Value> {
    let file = std::io::BufReader::new(std::fs::File::open(path).ok()?);
    serde_json::Deserializer::from_reader(file).into_iter::<Value>().next()?.ok()
}

/// Runs the command.
pub fn run(command: &ReplayGame, file: VideoFile) -> Result<(), Failure> {
    let path = command.record.display();
    let (records, torn) = match file {
        VideoFile::Replay(replay) => {
            let level = replay_level(command, &replay)?;
            let fault = |fault| Failure::Failed(format!("{path}: {fault}"));
            replay.verify(&level).map_err(fault)?;
            let outcome = match replay.won {
                None => "not over",
                Some(true) => "won",
                Some(false) => "lost",
            };
            return show(command, &replay, &level, outcome.to_owned());
        }
        VideoFile::Records(records, torn) => (records, torn),
    };
    if torn {
        writeln!(anstream::stderr(), "note: the last line of {path} is incomplete and left out")?;
    }
    if records.is_empty() {
        return Err(Failure::Failed(format!("there is no game in {path}")));
    }
    if command.check {
        return check_all(command, &records);
    }
    let record = command.game.checked_sub(1).and_then(|index| records.get(index));
    let record = record.ok_or_else(|| {
        let (game, count) = (command.game, records.len());
        Failure::Failed(format!("there is no game {game} in {path}: it has {count}"))
    })?;
    let level = record_level(command, record)?;
    let fault = |fault| Failure::Failed(format!("{path}, game {}: {fault}", command.game));
    verify(record, &level).map_err(fault)?;
    show(command, &record.replay(None), &level, outcome(record))
}

/// How a run ended, in words.
fn outcome(record: &VideoRecord) -> String {
    match &record.outcome {
        VideoOutcome::Finished if record.won => "won".to_owned(),
        VideoOutcome::Finished => "lost".to_owned(),
        VideoOutcome::Disqualified { milliseconds, .. } => {
            format!("disqualified: an action took {milliseconds:.1} ms")
        }
        VideoOutcome::Failed { reason, message } => {
            format!("lost by {}: {message}", reason.word())
        }
    }
}

/// The level of a replay: the one that is given, the one that is in it, or a built-in one.
fn replay_level(command: &ReplayGame, replay: &Replay) -> Result<VideoLevel, Failure> {
    let wrong = |why: &dyn std::fmt::Display| {
        Failure::Failed(format!("{}: {why}", command.record.display()))
    };
    let profile = replay.profile().map_err(|fault| wrong(&fault))?;
    let inside = replay.level().map_err(|fault| wrong(&fault))?;
    match (&command.rules, inside) {
        (Some(rules), _) => load(rules, profile),
        (None, Some(level)) => Ok(level),
        (None, None) => load(&replay.game, profile),
    }
}

/// The level of a record: of the game that is given, or the one that it names.
fn record_level(command: &ReplayGame, record: &VideoRecord) -> Result<VideoLevel, Failure> {
    let profile = record.profile.parse().map_err(Failure::Failed)?;
    let (game, level) = (&record.game, &record.level);
    if let Some(rules) = &command.rules {
        let named = find(rules)?;
        let has_level = matches!(&named, Named::Video(video) if video.level.is_some());
        let whole = if has_level { rules.clone() } else { format!("{rules}:{}", level.name) };
        return load(&whole, profile);
    }
    let place = |file: &Option<String>, name: &str| match file {
        Some(file) => command.beside_the_record(file),
        None => name.to_owned(),
    };
    let argument = format!("{}:{}", place(&game.file, &game.name), place(&level.file, &level.name));
    load(&argument, profile)
}

fn load(argument: &str, profile: regulus_vgdl::Profile) -> Result<VideoLevel, Failure> {
    match find(argument)? {
        Named::Video(video) => video.load(profile),
        Named::Board(..) => Err(Failure::Failed(format!("{argument} is no video game"))),
    }
}

fn check_all(command: &ReplayGame, records: &[VideoRecord]) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let mut known: Option<(&VideoRecord, VideoLevel)> = None;
    let mut wrong = 0;
    for (i, record) in records.iter().enumerate() {
        let same = |other: &VideoRecord| {
            (&other.game, &other.level, &other.profile)
                == (&record.game, &record.level, &record.profile)
        };
        if known.as_ref().is_none_or(|(other, _)| !same(other)) {
            known = Some((record, record_level(command, record)?));
        }
        if let Some((_, level)) = &known
            && let Err(fault) = verify(record, level)
        {
            wrong += 1;
            writeln!(out, "game {}: {fault}", i + 1)?;
        }
    }
    writeln!(out, "{} games checked, {wrong} wrong", records.len())?;
    if wrong > 0 { Err(Failure::Silent) } else { Ok(()) }
}

/// Shows a game that is known to be right: how it ended, and the last state.
fn show(
    command: &ReplayGame,
    replay: &Replay,
    level: &VideoLevel,
    outcome: String,
) -> Result<(), Failure> {
    if command.json {
        return Ok(print_json(&Told {
            game: &replay.game,
            profile: &replay.profile,
            agent: &replay.agent,
            seed: replay.seed,
            ticks: replay.actions.len(),
            score: replay.score,
            won: replay.won,
            outcome,
            fingerprints: replay.fingerprints.len(),
            verified: true,
            actions: &replay.actions,
        })?);
    }
    let mut again = Recorder::new(level, replay.seed);
    let actions = replay.actions().map_err(|fault| Failure::Failed(fault.to_string()))?;
    actions.into_iter().for_each(|action| again.advance(action));
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{}: {}, {} ticks, seed {}, rules of {}",
        replay.game,
        replay.agent,
        replay.actions.len(),
        replay.seed,
        replay.profile
    )?;
    for row in VideoView::new(&level.level).rows(again.state(), 1) {
        writeln!(out, "{row}")?;
    }
    writeln!(out, "{outcome}, score {}", replay.score)?;
    let prints = replay.fingerprints.len();
    let plural = if prints == 1 { "fingerprint agrees" } else { "fingerprints agree" };
    writeln!(out, "played again: {prints} {plural}, and so do score and end")?;
    Ok(())
}
