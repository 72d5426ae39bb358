//! Whole runs, without a network.

use std::collections::BTreeMap;

use regulus_vgdl::Profile;

use super::catalogue::{AGENTS, GAMES};
use super::check::VideoTexts;
use super::commands::Command;
use super::*;

const GAME: &str = include_str!("../../tests/data/corridor.txt");

const CORRIDOR: &str = "wwwwwww\nwAcc gw\nwwwwwww\nw  x  w\nwwwwwww";

fn texts(level: &str) -> VideoTexts {
    VideoTexts { game: GAME.to_owned(), level: Some(level.to_owned()), profile: None }
}

fn begin(opening: VideoOpening) -> Result<Run, Refusal> {
    let setting = VideoSetting::uploaded("corridor", &texts(CORRIDOR))?;
    Run::new("id".to_owned(), setting, Arc::new(Limits::default()), opening)
}

fn run(driver: Driver, seed: u64) -> Run {
    begin(VideoOpening { driver: Some(driver), seed, replay: None }).expect("a run")
}

fn agent(limit: &str) -> Driver {
    Driver::Agent { agent: "vg-one-step".to_owned(), limit: limit.to_owned() }
}

fn act(run: &mut Run, actions: &str) -> Result<Vec<Frame>, Refusal> {
    let revision = run.revision;
    run.perform(Command::Act { revision, actions: actions.to_owned() })
}

/// Sprites as a page keeps them.
type Shown = BTreeMap<i64, Vec<i64>>;

fn apply(shown: &mut Shown, frame: &Frame) {
    for id in &frame.gone {
        assert!(shown.remove(&i64::from(*id)).is_some(), "{id} was not there");
    }
    for sprite in frame.put.chunks(5) {
        shown.insert(sprite[0], sprite[1..].to_vec());
    }
}

fn whole(frame: &Frame) -> Shown {
    let mut shown = Shown::new();
    apply(&mut shown, frame);
    shown
}

fn work(job: VideoJob) -> Result<Option<Found>, String> {
    Box::new(job).work(0, &mut |_| true)
}

/// Makes one decision.
fn decide(run: &mut Run) -> Vec<Frame> {
    let wanted = run.wanted().expect("an agent");
    let job = run.job(wanted.ticket).expect("a job");
    let found = work(job).expect("no fault").expect("an action");
    run.finish(wanted.ticket, Ok(found)).expect("it is wanted")
}

#[test]
fn a_human_plays_to_a_win() {
    let mut run = run(Driver::Human {}, 5);
    let mut shown = whole(&run.view(true).frame);
    let (first, mut ticks) = (shown.clone(), 0);
    for actions in ["R", "NR", "RRRR"] {
        for frame in act(&mut run, actions).expect("frames") {
            apply(&mut shown, &frame);
            ticks += 1;
            assert_eq!(frame.tick, ticks);
        }
        assert_eq!(shown, whole(&run.view(false).frame), "differences lead to the same");
    }
    // Four steps lead to the door: nothing is played after that.
    let view = run.view(false);
    assert_eq!((view.now.ticks, view.now.status), (5, VideoStatus::Over));
    assert_eq!((view.frame.score, view.frame.result), (5, Some("won")));
    assert_eq!(view.now.text, "won after 5 ticks with score 5");
    let coin = view.frame.resources[0];
    assert_eq!(coin.1, 2);
    assert!(act(&mut run, "N").is_err_and(|refusal| refusal.status == 409));
    let frames = run.perform(Command::Restart { seed: None, driver: None });
    apply(&mut shown, &frames.expect("a frame")[0]);
    assert_eq!(shown, first);
    assert_eq!(run.view(false).now.run, 2);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let mut run = run(Driver::Human {}, 5);
    for actions in ["", "X", "RRX", "r", &"N".repeat(51)] {
        let refusal = act(&mut run, actions).expect_err("no actions");
        assert_eq!(refusal.status, 400, "{actions}");
    }
    let stale = run.perform(Command::Act { revision: 7, actions: "N".to_owned() });
    assert_eq!(stale.expect_err("stale").code, "stale");
    assert!(run.perform(Command::Step {}).is_err());
    assert!(run.film(1, 5).is_err());
    assert_eq!((run.revision, run.view(false).now.ticks), (1, 0));
    let nobody = Driver::Agent { agent: "vg-nobody".to_owned(), limit: "sims=5".to_owned() };
    let driven = |driver| begin(VideoOpening { driver: Some(driver), seed: 1, replay: None });
    assert!(driven(nobody).is_err());
    assert!(driven(agent("time=2s")).is_err());
    assert!(driven(Driver::Replay { agent: "me".to_owned() }).is_err());
}

#[test]
fn an_agent_plays_and_is_paused() {
    let mut run = run(agent("sims=50"), 3);
    assert_eq!(run.view(false).now.status, VideoStatus::Running);
    assert_eq!(decide(&mut run).len(), 1);
    let old = run.wanted().expect("the next").ticket;
    let job = run.job(old).expect("a job");
    run.perform(Command::Pause { paused: true }).expect("a pause");
    assert_eq!((run.wanted(), run.view(false).now.status), (None, VideoStatus::Paused));
    // It thought on, but nothing happens until it may.
    let found = work(job).expect("no fault").expect("an action");
    assert_eq!(run.finish(old, Ok(found.clone())), None);
    run.perform(Command::Step {}).expect("a step");
    assert_eq!(run.wanted().expect("one tick").delay_ms, 0);
    // It does not think again.
    let again = run.job(old).expect("a job");
    let mut thoughts = 0;
    let mut see = |_| {
        thoughts += 1;
        true
    };
    let same = Box::new(again).work(0, &mut see).expect("no fault");
    assert_eq!((same, thoughts), (Some(found.clone()), 0));
    assert_eq!(run.finish(old, Ok(found)).map(|frames| frames.len()), Some(1));
    assert_eq!((run.wanted(), run.view(false).now.ticks), (None, 2));
    assert!(act(&mut run, "N").is_err());
    run.perform(Command::Speed { ms: 0 }).expect("a speed");
    assert_eq!(run.view(false).now.tick_ms, 20);
}

/// Whether somebody pauses or not: the same game.
#[test]
fn pauses_change_nothing() {
    let mut one = run(agent("sims=20"), 8);
    let mut other = run(agent("sims=20"), 8);
    for tick in 0..60 {
        if one.view(false).now.status == VideoStatus::Over {
            break;
        }
        decide(&mut one);
        if tick % 3 == 0 {
            let ticket = other.wanted().expect("a tick").ticket;
            let job = other.job(ticket).expect("a job");
            other.perform(Command::Pause { paused: true }).expect("a pause");
            let _ = work(job);
            other.perform(Command::Pause { paused: false }).expect("no pause");
        }
        decide(&mut other);
        assert_eq!(one.record(), other.record());
    }
    assert!(one.view(false).now.ticks > 2);
}

#[test]
fn films_show_what_was_played() {
    let mut run = run(Driver::Human {}, 11);
    let mut all = vec![whole(&run.view(false).frame)];
    for _ in 0..30 {
        let frames = act(&mut run, "NLNUD").expect("frames");
        for frame in frames {
            let mut next = all.last().expect("one").clone();
            apply(&mut next, &frame);
            all.push(next);
        }
    }
    assert_eq!(all.len(), 151);
    for (from, count) in [(0, 151), (150, 1), (20, 30), (50, 20), (7, 9999)] {
        let film = run.film(from, count).expect("a film");
        assert_eq!(film.ticks, 150);
        assert_eq!(film.frames.len(), count.min(151 - from));
        let mut shown = Shown::new();
        for frame in &film.frames {
            apply(&mut shown, frame);
            assert_eq!(shown, all[frame.tick], "tick {}", frame.tick);
        }
    }
}

#[test]
fn replays_are_verified() {
    let mut played = run(Driver::Human {}, 11);
    act(&mut played, "NLNUDNNNRRRRR").expect("frames");
    let replay = played.record();
    assert_eq!((replay.agent.as_str(), replay.won), ("human", Some(true)));
    let load = |replay| begin(VideoOpening { driver: None, seed: 1, replay: Some(replay) });
    let mut loaded = load(replay.clone()).expect("a replay");
    let view = loaded.view(true);
    assert_eq!((view.now.status, view.frame.tick), (VideoStatus::Replay, 0));
    assert_eq!(view.now.ticks, played.view(false).now.ticks);
    assert_eq!(
        whole(&loaded.film(12, 1).expect("a film").frames[0]),
        whole(&played.view(false).frame)
    );
    assert_eq!(loaded.record(), replay);
    // A game that goes on can be taken over by somebody.
    let command = Command::Restart { seed: None, driver: None };
    assert!(loaded.perform(command).is_err());
    let command = Command::Restart { seed: None, driver: Some(Driver::Human {}) };
    loaded.perform(command).expect("a new run");
    assert_eq!(loaded.view(false).now.status, VideoStatus::Waiting);
    // What was changed is found out, with the tick.
    let wrong = regulus_player::video::Replay { seed: replay.seed + 1, ..replay };
    let refusal = load(wrong).err().expect("another game");
    assert_eq!((refusal.status, refusal.code.as_str()), (422, "replay"));
    assert!(refusal.message.contains("another state after 12 ticks"), "{}", refusal.message);
}

#[test]
fn built_in_levels_are_listed_and_drawn() {
    let listed: serde_json::Value = serde_json::from_str(&GAMES).expect("JSON");
    let cards = listed["games"].as_array().expect("games");
    assert_eq!(cards.len(), regulus_games::VIDEO_GAMES.len());
    for (card, game) in cards.iter().zip(regulus_games::VIDEO_GAMES) {
        assert_eq!(card["name"], game.name);
        assert!(card["profiles"].as_array().is_some_and(|profiles| !profiles.is_empty()));
        for (number, level) in card["levels"].as_array().expect("levels").iter().enumerate() {
            let setting = VideoSetting::built_in(game.name, number, Profile::Y2021);
            let setting = setting.unwrap_or_else(|refusal| panic!("{}", refusal.message));
            assert_eq!(level["stage"]["columns"], setting.stage.columns);
            let full = &setting.level.name;
            assert!(VideoSetting::named(full, Profile::Y2021).is_some(), "{full}");
            // A frame is small enough to be sent often.
            let bytes = level["frame"].to_string().len();
            assert!(bytes < 20_000, "{full}: {bytes}");
        }
    }
    assert!(VideoSetting::built_in("henhoose", 0, Profile::Y2021).is_err_and(|r| r.status == 404));
    assert!(VideoSetting::named("vgdl/henhouse:9", Profile::Y2021).is_none());
    let listed: serde_json::Value = serde_json::from_str(&AGENTS).expect("JSON");
    let names = listed["agents"].as_array().expect("agents");
    assert_eq!(names.len(), regulus_agent::VIDEO_COLLECTION.len());
    assert!(names.iter().any(|agent| agent["name"] == listed["default"]));
}
