//! Video games: played under the clock, kept, and played again.

use std::time::Duration;

use regulus_player::video::{Conditions, Pilot, Replay, ReplayFault, VideoLevel, play};
use regulus_search::config::Limits;
use regulus_search::video::{Algorithm, Config};
use regulus_vgdl::{Action, Profile};

const GAME: &str = include_str!("../../regulus-vgdl/tests/data/ghosts.txt");

const LEVEL: &str = "wwwwwwww\nwA    gw\nw  xx  w\nwwwwwwww";

fn level() -> VideoLevel {
    VideoLevel::load("ghosts:0", GAME, LEVEL, Profile::Y2021).expect("a level")
}

fn conditions() -> Conditions {
    let limits = Limits::simulations(10);
    Conditions { action: limits.clone(), initialisation: limits, grace: Duration::ZERO }
}

fn random_game(seed: u64) -> (VideoLevel, Replay) {
    let level = level();
    let config = Config { algorithm: Algorithm::Random, seed: 1 };
    let mut pilot = Pilot::agent(&config, seed).expect("a random agent");
    let played =
        play(&level, seed, &mut pilot, &conditions(), &mut |_, _| true).expect("not given up");
    assert!(played.disqualified.is_none());
    let replay = played.recorder.replay(&level, "random", true);
    (level, replay)
}

#[test]
fn replays_prove_themselves() {
    for seed in 0..20 {
        let (level, replay) = random_game(seed);
        let text = serde_json::to_string(&replay).expect("JSON");
        let again = Replay::parse(&text).expect("what was written");
        assert_eq!(again, replay);
        assert_eq!(again.verify(&level), Ok(()));
        let alone = again.level().expect("texts").expect("they are inside");
        assert_eq!(again.verify(&alone), Ok(()));
    }
}

#[test]
fn a_replay_that_was_changed_is_found_out() {
    let (level, replay) = random_game(3);
    let longer = Replay { actions: format!("{}N", replay.actions), ..replay.clone() };
    assert!(longer.verify(&level).is_err());
    let other_seed = Replay { seed: 4, ..replay.clone() };
    assert!(other_seed.verify(&level).is_err());
    let print =
        Replay { fingerprints: vec![String::new(); replay.fingerprints.len()], ..replay.clone() };
    assert!(matches!(print.verify(&level), Err(ReplayFault::Differs { .. })));
    let score = Replay { score: replay.score + 1, ..replay.clone() };
    assert!(matches!(score.verify(&level), Err(ReplayFault::OtherResult(_))));
    let text = Replay { level_sha256: String::new(), ..replay.clone() };
    assert_eq!(text.verify(&level), Err(ReplayFault::OtherText("level")));
    let letter = Replay { actions: "RX".to_owned(), ..replay };
    assert!(matches!(letter.verify(&level), Err(ReplayFault::Format(_))));
}

#[test]
fn a_pilot_repeats_a_replay() {
    let (level, replay) = random_game(5);
    let mut pilot = Pilot::replay(replay.actions().expect("letters"));
    let played =
        play(&level, 5, &mut pilot, &conditions(), &mut |_, _| true).expect("not given up");
    assert_eq!(played.recorder.replay(&level, "random", true), replay);
}

#[test]
fn wins_count_at_least_one_and_watchers_can_give_up() {
    let level = level();
    let mut pilot = Pilot::replay(vec![Action::Right; 9]);
    let won = (0..50).any(|seed| {
        let mut pilot = Pilot::replay(vec![Action::Right; 9]);
        let played =
            play(&level, seed, &mut pilot, &conditions(), &mut |_, _| true).expect("a game");
        assert_eq!(played.won, played.score == 3);
        played.won
    });
    assert!(won, "the way to the goal is free now and then");
    assert!(play(&level, 1, &mut pilot, &conditions(), &mut |_, _| false).is_none());
}

/// Nobody can decide in no time.
#[test]
fn who_takes_too_long_is_disqualified() {
    let level = level();
    let config = Config { algorithm: Algorithm::Random, seed: 1 };
    let mut pilot = Pilot::agent(&config, 1).expect("a random agent");
    let limits = Limits::time(Duration::from_nanos(1));
    let initialisation = Limits::time(Duration::from_secs(3600));
    let conditions = Conditions { action: limits, initialisation, grace: Duration::ZERO };
    let played = play(&level, 1, &mut pilot, &conditions, &mut |_, _| true).expect("a game");
    assert_eq!((played.won, played.score), (false, -1000));
    assert_eq!(played.disqualified.map(|found| found.tick), Some(0));
}

/// "If an agent does not choose an action in time, but before he gets disqualified, the framework assigns the
/// ACTION_NIL for the current game cycle" (GVGAI-THESIS Table 2.1).
#[test]
fn who_is_late_does_nothing() {
    let level = level();
    let limits = Limits::time(Duration::from_nanos(1));
    let patient = Limits::time(Duration::from_secs(3600));
    let grace = Duration::from_secs(3600);
    let conditions = Conditions { action: limits, initialisation: patient.clone(), grace };
    let mut pilot = Pilot::replay(vec![Action::Right; 3]);
    let mut watched = Vec::new();
    let played = play(&level, 7, &mut pilot, &conditions, &mut |_, decision| {
        watched.push(decision.action);
        true
    })
    .expect("a game");
    assert!(played.disqualified.is_none());
    let count = played.recorder.actions().len();
    assert!(count > 3);
    assert_eq!(played.recorder.actions(), vec![Action::Nil; count]);
    assert_eq!(watched, vec![Action::Nil; count]);
    let late: Vec<_> = played.late.iter().map(|late| (late.tick, late.action)).collect();
    let wanted = |tick: usize| if tick < 3 { Action::Right } else { Action::Nil };
    let expected: Vec<_> = (0..count).map(|tick| (tick as i32, wanted(tick))).collect();
    assert_eq!(late, expected);
    // The same game, in time.
    let conditions = Conditions { action: patient, ..conditions };
    let mut idle = Pilot::replay(Vec::new());
    let same = play(&level, 7, &mut idle, &conditions, &mut |_, _| true).expect("a game");
    assert!(same.late.is_empty());
    assert_eq!(same.recorder.state().fingerprint(), played.recorder.state().fingerprint());
}
