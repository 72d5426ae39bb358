//! Runs of video games: the same for any number of threads and for all agents, records that prove themselves,
//! agents that crash or are late, and what is added up.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use regulus_agent::video_by_name;
use regulus_arena::parallel::{Order, Threads, run};
use regulus_arena::video::{
    ContestLevel, GRACE, GameSet, Levels, Scope, VideoContest, VideoGame, VideoOutcome,
    VideoRecord, VideoSummary, conditions, verify,
};
use regulus_arena::{Contest, Reason, Record, Stop};
use regulus_player::video::{DISQUALIFIED_SCORE, Pilot, ReplayFault, VideoLevel};
use regulus_search::config::Limits;
use regulus_search::video::Decision;
use regulus_vgdl::{Action, Profile};

const GAME: &str = include_str!("../../regulus-vgdl/tests/data/ghosts.txt");

const LEVELS: [&str; 2] =
    ["wwwwwwww\nwA    gw\nw  xx  w\nwwwwwwww", "wwwwwwww\nwA   xgw\nwwwwwwww"];

fn game() -> VideoGame {
    let level = |(number, text): (usize, &&str)| {
        let loaded = VideoLevel::load(&format!("ghosts:{number}"), GAME, text, Profile::Y2021);
        ContestLevel::new(&number.to_string(), None, loaded.expect("a level"))
    };
    let levels = LEVELS.iter().enumerate().map(level).collect();
    VideoGame::new("ghosts", None, levels).expect("a game")
}

fn contest(agent: &str, limits: &Limits, runs: u64) -> VideoContest {
    let agent = video_by_name(agent).expect("an agent");
    let conditions = conditions(limits, None, agent.buffer, GRACE);
    VideoContest::new(game(), agent, conditions, runs, 7).expect("a contest")
}

fn play(contest: &VideoContest, threads: usize) -> Vec<VideoRecord> {
    let (stop, mut records) = (AtomicBool::new(false), Vec::new());
    run(
        0..contest.units(),
        Threads { count: threads, pinned: false },
        Order::Jobs,
        &stop,
        |unit, stop| contest.play(unit, stop),
        |record| {
            records.push(record);
            ControlFlow::Continue(())
        },
    );
    records
}

fn decision(action: Action) -> Decision<Action> {
    Decision { action, iterations: 2, ticks: 5, known: Vec::new() }
}

#[test]
fn runs_are_the_same_for_one_and_two_threads() {
    let contest = contest("vg-ol-mcts", &Limits::simulations(5), 3);
    let timeless = |records: Vec<VideoRecord>| -> Vec<VideoRecord> {
        records.iter().map(VideoRecord::timeless).collect()
    };
    let one = timeless(play(&contest, 1));
    assert_eq!(one, timeless(play(&contest, 2)));
    let places: Vec<(&str, u64)> =
        one.iter().map(|record| (record.level.name.as_str(), record.run)).collect();
    assert_eq!(places, [("0", 0), ("1", 0), ("0", 1), ("1", 1), ("0", 2), ("1", 2)]);
    assert!(one.iter().all(|record| record.contest == contest.id()));
    for record in &one {
        let iterations = record.iterations;
        assert_eq!((iterations.min, iterations.max, iterations.mean), (5, 5, 5.0));
        assert_eq!(iterations.decisions, record.ticks);
        assert!(record.model_ticks > iterations.total);
    }
    // Run 4 alone is the same as among others.
    let alone = contest.play(4, Stop::default()).expect("not stopped");
    assert_eq!(alone.timeless(), one[4]);
}

/// Agents play the same games: the seed of a run belongs to its level.
#[test]
fn seeds_belong_to_levels() {
    let random = contest("vg-random", &Limits::simulations(1), 3);
    let search = contest("vg-ol-mcts", &Limits::simulations(9), 5);
    let seeds = |contest: &VideoContest| -> Vec<u64> {
        (0..6).map(|unit| contest.run_seed(unit)).collect()
    };
    assert_eq!(seeds(&random), seeds(&search));
    let mut distinct = seeds(&random);
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 6);
    assert!(distinct.iter().all(|seed| *seed < 1 << 53), "JSON keeps them everywhere");
    // They do not change when fewer levels are played.
    let mut fewer = random.clone();
    fewer.game.levels.remove(0);
    assert_eq!(fewer.run_seed(1), random.run_seed(3));
    let other = VideoContest { seed: 8, ..random.clone() };
    assert_ne!(seeds(&other), seeds(&random));
}

#[test]
fn a_record_that_was_changed_is_found_out() {
    let contest = contest("vg-random", &Limits::simulations(1), 2);
    for record in play(&contest, 2) {
        let (level, _) = contest.level_and_run(record.unit);
        let line = serde_json::to_string(&record).expect("JSON");
        let read: VideoRecord = serde_json::from_str(&line).expect("what was written");
        assert_eq!(read, record);
        assert_eq!(verify(&record, &level.level), Ok(()));
        let with = |change: fn(&mut VideoRecord)| {
            let mut changed = record.clone();
            change(&mut changed);
            verify(&changed, &level.level)
        };
        assert!(with(|r| r.run_seed += 1).is_err());
        assert!(with(|r| r.won = !r.won).is_err());
        assert!(with(|r| r.score += 1).is_err());
        assert!(matches!(with(|r| r.ticks += 1), Err(ReplayFault::Format(_))));
        assert!(with(|r| r.raw_score += 1).is_err());
        assert!(
            with(|r| {
                r.actions.pop();
            })
            .is_err()
        );
        let print = |r: &mut VideoRecord| r.fingerprints[0] = "0".repeat(16);
        assert!(matches!(with(print), Err(ReplayFault::Differs { .. })));
        let other = &contest.game.levels[1 - (record.unit % 2) as usize];
        assert_eq!(verify(&record, &other.level), Err(ReplayFault::OtherText("level")));
    }
}

#[test]
fn an_agent_that_crashes_loses_and_what_it_did_is_kept() {
    let contest = contest("vg-random", &Limits::simulations(1), 1);
    let crashing = || {
        let mut actions = 0;
        Ok(Pilot::Other(Box::new(move |_, _| {
            actions += 1;
            assert!(actions < 4, "no idea what to do");
            decision(Action::Nil)
        })))
    };
    let record = contest.play_with(0, crashing, Stop::default()).expect("not stopped");
    let VideoOutcome::Failed { reason, message } = &record.outcome else {
        panic!("{:?}", record.outcome)
    };
    assert_eq!(*reason, Reason::Crashed);
    assert!(message.contains("no idea what to do"), "{message}");
    assert_eq!((record.won, record.score, record.raw_score), (false, DISQUALIFIED_SCORE, 0));
    assert_eq!((record.ticks, record.actions.as_str()), (3, "NNN"));
    assert_eq!((record.iterations.total, record.model_ticks), (6, 15));
    assert_eq!(verify(&record, &contest.game.levels[0].level), Ok(()));
    let mut summary = VideoSummary::default();
    summary.add(&record);
    let standing = summary.standing();
    assert_eq!((standing.results[0].failed, standing.results[0].wins), (1, 0));
    assert!(standing.faults[0].message.starts_with("crash: "), "{}", standing.faults[0].message);
}

#[test]
fn an_agent_that_is_late_is_disqualified() {
    let allowed = Duration::from_millis(1);
    let limits = Limits::time(allowed);
    let mut contest = contest("vg-random", &limits, 1);
    contest.conditions.grace = Duration::ZERO;
    // Whatever else the machine does: it takes longer than it may in the third tick at the latest.
    let late = || {
        let mut actions = 0;
        Ok(Pilot::Other(Box::new(move |_, _| {
            actions += 1;
            let asked = Instant::now();
            while actions == 3 && asked.elapsed() <= 2 * allowed {
                std::thread::yield_now();
            }
            decision(Action::Nil)
        })))
    };
    let record = contest.play_with(0, late, Stop::default()).expect("not stopped");
    let VideoOutcome::Disqualified { tick, milliseconds } = record.outcome else {
        panic!("{:?}", record.outcome)
    };
    assert!((0..=2).contains(&tick) && milliseconds > 1.0, "{tick}, {milliseconds}");
    assert_eq!(record.slowest_ms, milliseconds);
    assert_eq!((record.won, record.score), (false, DISQUALIFIED_SCORE));
    assert_eq!(record.ticks, tick as u64);
    assert_eq!(record.iterations.decisions, record.ticks + 1);
    assert_eq!(verify(&record, &contest.game.levels[0].level), Ok(()));
}

/// GVGAI-THESIS Table 2.1: later than its time, earlier than a disqualification, an action is replaced by ACTION_NIL.
#[test]
fn a_late_action_is_not_played_and_counted() {
    let mut contest = contest("vg-random", &Limits::time(Duration::from_secs(3600)), 1);
    contest.conditions.grace = Duration::from_secs(3600);
    contest.conditions.action.time = Some(Duration::from_nanos(1));
    let right = || Ok(Pilot::Other(Box::new(|_, _| decision(Action::Right))));
    let record = contest.play_with(0, right, Stop::default()).expect("not stopped");
    assert_eq!(record.outcome, VideoOutcome::Finished);
    assert_eq!(record.actions, "N".repeat(record.ticks as usize));
    assert_eq!(record.late.len() as u64, record.ticks);
    for (tick, late) in record.late.iter().enumerate() {
        assert_eq!((late.tick as usize, late.action), (tick, 'R'));
        assert!(late.milliseconds <= record.slowest_ms);
    }
    assert_eq!(verify(&record, &contest.game.levels[0].level), Ok(()));
    assert_eq!(record.contradiction(), None);
    let text = serde_json::to_string(&record).expect("JSON");
    assert_eq!(serde_json::from_str::<VideoRecord>(&text).expect("what was written"), record);
    let mut summary = VideoSummary::default();
    summary.add(&record);
    let standing = summary.standing();
    assert_eq!((standing.results[0].late, standing.results[0].disqualified), (record.ticks, 0));
    assert!(standing.faults.is_empty());
    let mut played = record;
    played.actions.replace_range(0..1, "R");
    assert_eq!(played.contradiction().as_deref(), Some("the late action of tick 0 was played"));
    // Who was in time has nothing to tell.
    let in_time = self::contest("vg-random", &Limits::simulations(1), 1);
    let record = in_time.play(0, Stop::default()).expect("not stopped");
    assert!(!serde_json::to_string(&record).expect("JSON").contains("late"));
}

#[test]
fn a_run_that_is_stopped_is_no_record() {
    let contest = contest("vg-random", &Limits::simulations(1), 1);
    static STOP: AtomicBool = AtomicBool::new(false);
    let stopping = || {
        Ok(Pilot::Other(Box::new(|_, _| {
            STOP.store(true, Ordering::Relaxed);
            decision(Action::Nil)
        })))
    };
    assert!(contest.play_with(0, stopping, Stop::when(&STOP)).is_none());
}

/// A record of a run that was not played.
fn made_up(
    agent: &str,
    game: &str,
    place: (&str, u64),
    won: bool,
    score: i32,
    ticks: u64,
) -> VideoRecord {
    let contest = contest("vg-random", &Limits::simulations(1), 1);
    let mut record = contest.play(0, Stop::default()).expect("not stopped");
    record.agents[0].name = agent.to_owned();
    record.game.name = game.to_owned();
    record.level.name = place.0.to_owned();
    record.run = place.1;
    (record.won, record.score, record.ticks) = (won, score, ticks);
    record.iterations.decisions = ticks;
    record.iterations.total = 20 * ticks;
    (record.iterations.min, record.iterations.max) = (10, 30);
    record
}

/// Two agents, two games, two levels: wins, means and intervals by hand.
#[test]
fn runs_are_added_up() {
    let sets = vec![GameSet { name: "first".to_owned(), games: vec!["one".to_owned()] }];
    let mut summary = VideoSummary::new(sets, Vec::new(), Vec::new(), Vec::new());
    for (level, won) in [("0", true), ("1", false)] {
        summary.add(&made_up("a", "one", (level, 0), won, 4, 10));
        summary.add(&made_up("b", "one", (level, 0), false, 6, 10));
        summary.add(&made_up("a", "two", (level, 0), true, 1, 30));
        summary.add(&made_up("b", "two", (level, 0), true, 1, 20));
    }
    let standing = summary.standing();
    let result = |scope: &Scope, agent: &str| {
        let found = standing.results.iter().find(|r| r.scope == *scope && r.agent == agent);
        found.expect("a result").clone()
    };
    let a = result(&Scope::All, "a");
    assert_eq!((a.runs, a.wins, a.games), (4, 3, 2));
    // 1.96 sqrt(3/4 1/4 / 4)
    assert!((a.error - 1.959_964 * (0.1875_f64 / 4.0).sqrt()).abs() < 1e-6);
    assert_eq!((a.score, a.ticks, a.iterations), (2.5, 20.0, 20.0));
    assert_eq!((a.iterations_min, a.iterations_max, a.iterations_error), (10, 30, Some(0.0)));
    assert_eq!(result(&Scope::Set("first".to_owned()), "b").wins, 0);
    let levels = result(&Scope::Game("one".to_owned()), "a").levels;
    let levels: Vec<(&str, u64, u64)> =
        levels.iter().map(|l| (l.level.as_str(), l.wins, l.runs)).collect();
    assert_eq!(levels, [("0", 1, 1), ("1", 0, 1)]);
    // a wins the first game by wins, b the second by time.
    let [ranking] = &standing.rankings[..] else { panic!("one limit") };
    let points: Vec<(&str, f64, usize)> =
        ranking.agents.iter().map(|r| (r.agent.as_str(), r.points, r.place)).collect();
    assert_eq!(points, [("a", 43.0, 1), ("b", 43.0, 1)]);
}

/// Wins are counted in a ranking, so that only runs count that everybody has played.
#[test]
fn rankings_are_over_common_runs() {
    let mut summary = VideoSummary::default();
    summary.add(&made_up("a", "one", ("0", 0), false, 5, 10));
    summary.add(&made_up("a", "one", ("0", 1), true, 5, 10));
    summary.add(&made_up("b", "one", ("0", 0), false, 6, 10));
    summary.add(&made_up("a", "two", ("0", 0), true, 1, 1));
    let standing = summary.standing();
    let ranking = &standing.rankings[0];
    assert_eq!(ranking.games, ["one"]);
    assert_eq!((ranking.agents[0].agent.as_str(), ranking.agents[0].points), ("b", 25.0));
    // Nobody is ranked alone.
    let mut alone = VideoSummary::default();
    alone.add(&made_up("a", "one", ("0", 0), false, 5, 10));
    assert!(alone.standing().rankings.is_empty());
}

#[test]
fn games_are_found_with_their_levels() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ghosts.txt");
    let read = |levels: &[&str]| {
        let levels = match levels {
            [] => Levels::All,
            some => Levels::Named(some.iter().map(|s| (*s).to_owned()).collect()),
        };
        let read = VideoGame::read("ghosts", &path, &levels, Profile::Y2015);
        read.map(|game| game.levels.iter().map(|l| l.record.name.clone()).collect::<Vec<_>>())
    };
    let why = read(&[]).expect_err("no file");
    assert!(why.starts_with("cannot read "), "{why}");
    std::fs::write(&path, GAME).expect("written");
    let why = read(&[]).expect_err("no level");
    assert!(why.contains("ghosts_lvl0.txt"), "{why}");
    for (number, text) in LEVELS.iter().enumerate() {
        let file = folder.path().join(format!("ghosts_lvl{number}.txt"));
        std::fs::write(file, text).expect("written");
    }
    assert_eq!(read(&[]), Ok(vec!["0".to_owned(), "1".to_owned()]));
    assert_eq!(read(&["1"]), Ok(vec!["1".to_owned()]));
    assert!(read(&["1", "1"]).expect_err("twice").contains("given twice"));
    assert!(read(&["2"]).expect_err("no such level").contains("ghosts_lvl2.txt"));
    std::fs::write(folder.path().join("ghosts_lvl1.txt"), "").expect("written");
    let why = read(&["1"]).expect_err("a level without rows");
    assert!(why.contains("ghosts_lvl1.txt") && why.contains("level has an error"), "{why}");
    for game in regulus_games::VIDEO_GAMES {
        let name = format!("vgdl/{}", game.name);
        let all = VideoGame::built_in(&name, &Levels::All, Profile::Y2021).expect("built in");
        assert_eq!((all.record.name, all.levels.len()), (name, game.levels.len()));
    }
    let named = |game: &str, level: &str| {
        VideoGame::built_in(game, &Levels::Named(vec![level.to_owned()]), Profile::Y2021)
    };
    let first = regulus_games::VIDEO_GAMES[0].name;
    assert!(named(first, "9").expect_err("no such level").contains("no level `9`"));
    assert!(
        named("no-such-game", "0").expect_err("no such game").contains("no built-in video game")
    );
}
