//! `regulus replay` for video games: replays and records that prove themselves.

use std::io::Write;

use regulus_arena::video::{VideoOutcome, VideoRecord, verify};
use regulus_player::catalogue::{GameText, find_game};
use regulus_player::video::{Recorder, Replay, VideoLevel};
use serde::Serialize;

use super::{ReplayGame, Shown};
use crate::commands::print_json;
use crate::failure::Failure;
use crate::game_argument::load_level;
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

/// Shows a replay.
pub fn show_replay(command: &ReplayGame, replay: &Replay) -> Result<(), Failure> {
    let path = command.record.display();
    let level = replay_level(command, replay)?;
    let fault = |fault| Failure::Failed(format!("{path}: {fault}"));
    replay.verify(&level).map_err(fault)?;
    let outcome = match replay.won {
        None => "not over",
        Some(true) => "won",
        Some(false) => "lost",
    };
    show(command, replay, &level, outcome.to_owned())
}

impl Shown for VideoRecord {
    type Rules = VideoLevel;

    fn has_rules_of(&self, other: &Self) -> bool {
        (&self.game, &self.level, &self.profile) == (&other.game, &other.level, &other.profile)
    }

    /// The level of the game that is given, or the one that the record names.
    fn rules(&self, command: &ReplayGame) -> Result<Self::Rules, Failure> {
        let profile = self.profile.parse().map_err(Failure::Failed)?;
        let (game, level) = (&self.game, &self.level);
        if let Some(rules) = &command.rules {
            let has_level = matches!(find_game(rules)?, GameText::Video { level: Some(_), .. });
            let whole = if has_level { rules.clone() } else { format!("{rules}:{}", level.name) };
            return load(&whole, profile);
        }
        let place = |file: &Option<String>, name: &str| match file {
            Some(file) => command.beside_the_record(file),
            None => name.to_owned(),
        };
        let argument =
            format!("{}:{}", place(&game.file, &game.name), place(&level.file, &level.name));
        load(&argument, profile)
    }

    fn verify(&self, level: &VideoLevel) -> Result<(), String> {
        verify(self, level).map_err(|fault| fault.to_string())
    }

    fn show(&self, level: &VideoLevel, command: &ReplayGame, _count: usize) -> Result<(), Failure> {
        show(command, &self.replay(None), level, outcome(self))
    }
}

/// How a run ended, in words.
fn outcome(record: &VideoRecord) -> String {
    match &record.outcome {
        VideoOutcome::Finished if record.won => "won".to_owned(),
        VideoOutcome::Finished => match &record.breakdown {
            Some(why) => format!("lost, ended because {why}"),
            None => "lost".to_owned(),
        },
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

fn load(argument: &str, profile: regulus_vgdl::Profile) -> Result<VideoLevel, Failure> {
    match find_game(argument)? {
        GameText::Video { game, level } => load_level(&game, level.as_deref(), profile),
        GameText::Board(..) => Err(Failure::Failed(format!("{argument} is no video game"))),
    }
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
