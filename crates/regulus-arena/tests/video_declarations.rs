//! Declarations of experiments with video games: what is read, what is planned, and what errors say.

use std::any::Any;
use std::fs;
use std::time::Duration;

use regulus_arena::experiment::{Declaration, Experiment, Kind, Layout, Options};
use regulus_arena::video::{GameSet, Levels, Scope, VideoContest};
use regulus_arena::{Calibrations, Contest};
use regulus_search::config::Limits;
use regulus_vgdl::Profile;

const GOOD: &str = r#"
title = "Video games"
kind = "video"
profile = "2015"
games = ["vgdl/sheepdog", "vgdl/firefly"]
levels = [0, 2]
agents = ["vg-random", "vg-ol-mcts"]
limits = ["time=40ms", "sims=20"]
initialisation = "sims=500"
runs = 10
seed = 7

[[set]]
name = "dogs"
games = ["vgdl/sheepdog"]

[[published]]
game = "average"
agent = "vg-ol-mcts"
limit = "sims=20"
wins = 24.6
error = 1.5
iterations = 20.5

[[published]]
set = "dogs"
agent = "vg-random"
limit = "time=0.04s"
score = -30.08
score_error = 13.81

[[published]]
game = "vgdl/Firefly"
agent = "vg-random"
limit = "sims=20"
wins = 0
"#;

#[test]
fn everything_is_read() {
    let declared = Declaration::parse(GOOD).expect("a declaration");
    assert_eq!((declared.kind, declared.seed), (Kind::Video, 7));
    assert_eq!(declared.tolerance, Duration::from_millis(10));
    let video = declared.video.expect("it is about video games");
    assert_eq!((video.profile, video.runs, video.buffer), (Profile::Y2015, 10, None));
    assert_eq!(video.levels, Levels::Named(vec!["0".to_owned(), "2".to_owned()]));
    assert_eq!(video.initialisation, Some(Limits::simulations(500)));
    let games = vec!["vgdl/sheepdog".to_owned()];
    assert_eq!(video.sets, [GameSet { name: "dogs".to_owned(), games }]);
    let [all, set, game] = &video.published[..] else { panic!("three figures") };
    assert_eq!((&all.scope, all.wins, all.error), (&Scope::All, Some(24.6), Some(1.5)));
    assert_eq!(all.iterations, Some(20.5));
    assert_eq!((set.score, set.limit.as_str()), (Some(-30.08), "time=40ms"));
    assert_eq!(game.scope, Scope::Game("vgdl/firefly".to_owned()));
    let shorter = GOOD.replace("levels = [0, 2]\n", "").replace("profile = \"2015\"\n", "");
    let video = Declaration::parse(&shorter).expect("a declaration").video.expect("video games");
    assert_eq!((video.levels, video.profile), (Levels::All, Profile::Y2021));
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("\"vgdl/firefly\"]", "\"vgdl/fierfly\"]", 5, "did you mean `vgdl/firefly`?"),
        ("\"vgdl/firefly\"]", "\"a/b.txt\"]", 5, "is no name of a video game"),
        ("\"vgdl/firefly\"]", "\"vgdl/sheep-dog\"]", 5, "two games with the name"),
        ("\"2015\"", "\"2016\"", 4, "no rule profile is called `2016`"),
        ("[0, 2]", "[]", 6, "`levels` is empty"),
        ("[0, 2]", "[0, 0]", 6, "level 0 is given twice"),
        ("[0, 2]", "[0, -1]", 6, "must be a list of whole numbers"),
        ("[0, 2]", "\"all\"", 6, "must be a list of whole numbers"),
        ("\"vg-random\", ", "\"vg-rando\", ", 7, "did you mean `vg-random`?"),
        ("\"vg-random\", ", "\"mcts_orthodox_orthodox\", ", 7, "mcts_orthodox_orthodox"),
        ("\"time=40ms\"", "\"fs0=40ms\"", 8, "measured with board games"),
        ("\"sims=500\"", "\"sims=none\"", 9, "must be a whole number from 1 on"),
        ("runs = 10", "runs = 0", 10, "`runs` must be a whole number from 1 on"),
        ("runs = 10\n", "", 1, "`runs` is missing"),
        ("runs = 10", "runs = 10\nbaseline = \"vg-random\"", 11, "`baseline` has no meaning here"),
        ("runs = 10", "runs = 10\nopening_plies = 2", 11, "`opening_plies` has no meaning here"),
        (
            "kind = \"video\"\n",
            "",
            3,
            "`profile` has no meaning here: it belongs to kind = \"video\"",
        ),
        ("name = \"dogs\"", "name = \"dogs\"\ncolour = 1", 15, "there is no key `colour`"),
        ("games = [\"vgdl/sheepdog\"]", "games = [\"aliens\"]", 15, "game `aliens` is not part"),
        ("games = [\"vgdl/sheepdog\"]", "", 13, "a set of games needs `games`"),
        ("wins = 24.6\n", "wins = 246\n", 21, "`wins` must be from 0 to 100"),
        ("wins = 24.6\n", "", 17, "`error` belongs to `wins`"),
        ("set = \"dogs\"", "set = \"dog\"", 26, "did you mean `dogs`?"),
        ("set = \"dogs\"", "set = \"dogs\"\ngame = \"average\"", 25, "needs `game` or `set`"),
        ("score = -30.08\nscore_error = 13.81\n", "", 25, "is `wins`, `score` or `iterations`"),
        ("score = -30.08", "score = \"low\"", 29, "`score` must be a number"),
        ("wins = 0\n", "wins = 0\nwin_rate = 5\n", 37, "there is no key `win_rate`"),
        ("limit = \"sims=20\"\nwins = 0", "wins = 0", 32, "a published figure needs `limit`"),
    ];
    for (from, to, line, message) in cases {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        let error = Declaration::parse(&text).expect_err(to);
        let found = error.to_string();
        assert!(error.message.contains(message), "{to}: {found}");
        assert_eq!(error.line, line, "{to}: {found}");
    }
    let part = format!("{GOOD}\n[[part]]\nbaseline = \"vg-random\"\n");
    let error = Declaration::parse(&part).expect_err("no baseline");
    assert!(error.message.contains("alone"), "{error}");
}

fn declare(text: &str, options: Options) -> Result<Experiment, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample.toml");
    fs::write(&path, text).expect("written");
    let declared = Experiment::declare(&path, options);
    declared.map(|(experiment, _)| experiment).map_err(|error| error.to_string())
}

#[test]
fn plans_follow_from_declarations() {
    let plan = declare(GOOD, Options::default()).expect("an experiment").plan;
    // Two games, two agents, two limits; two levels with ten runs each.
    assert_eq!(plan.contests.len(), 8);
    assert!(plan.contests.iter().all(|contest| (contest.units, contest.games) == (20, 20)));
    let video = plan.video.as_ref().expect("video games");
    assert_eq!((video.profile.as_str(), video.runs), ("2015", 10));
    let levels: Vec<&str> = video.games[0].levels.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(levels, ["0", "2"]);
    let text = regulus_games::find_video("sheepdog").expect("a game").levels[2];
    assert_eq!(video.games[0].levels[1].sha256, regulus_arena::sha256(text));
    let small = Options { scale: 0.01, ..Options::default() };
    let small = declare(GOOD, small).expect("an experiment").plan;
    assert_eq!((small.game_count(), small.video.expect("video games").runs), (16, 1));
    // All that is read back is the same.
    let text = serde_json::to_string(&plan).expect("JSON");
    let again: regulus_arena::experiment::Plan = serde_json::from_str(&text).expect("a plan");
    assert_eq!(again.difference(&plan), None);
    let changed = GOOD.replace("sims=500", "sims=501");
    let other = declare(&changed, Options::default()).expect("an experiment").plan;
    let difference = plan.difference(&other).expect("another one");
    assert_eq!(difference, "initialisation: sims=500 there, sims=501 now");
    let changed = GOOD.replace("[0, 2]", "[0, 1]");
    let other = declare(&changed, Options::default()).expect("an experiment").plan;
    assert_eq!(
        plan.difference(&other).expect("another one"),
        "levels: 0 2, 0 2 there, 0 1, 0 1 now"
    );
}

fn contest(experiment: &Experiment, index: usize) -> VideoContest {
    let contest = experiment.contest(index, &Calibrations::default());
    let contest: Box<dyn Any> = contest.expect("a contest");
    *contest.downcast().expect("a video game")
}

#[test]
fn contests_have_what_was_declared() {
    let experiment = declare(GOOD, Options::default()).expect("an experiment");
    let contest = contest(&experiment, 0);
    let conditions = &contest.conditions;
    assert_eq!(conditions.action.time, Some(Duration::from_millis(40)));
    assert_eq!(conditions.action.buffer, contest.agent.buffer);
    assert_eq!(conditions.initialisation.simulations, Some(500));
    assert_eq!((contest.units(), contest.experiment.as_str()), (20, "sample"));
    let with = GOOD.replace("runs = 10", "runs = 10\nbuffer = \"3ms\"\ntolerance = \"50ms\"");
    let experiment = declare(&with, Options::default()).expect("an experiment");
    let conditions = self::contest(&experiment, 1).conditions;
    assert_eq!(conditions.action.buffer, Duration::from_millis(3));
    assert_eq!(conditions.grace, Duration::from_millis(50));
}

#[test]
fn games_that_are_not_built_in_need_a_folder() {
    let text = GOOD.replace("vgdl/sheepdog", "sheep");
    let why = declare(&text, Options::default()).expect_err("where is it?");
    assert!(why.contains("--games-from DIR"), "{why}");
    let folder = tempfile::tempdir().expect("a folder");
    let options = || Options { games: Some(folder.path().to_owned()), ..Options::default() };
    let why = declare(&text, options()).expect_err("there is no file");
    assert!(why.starts_with("cannot read "), "{why}");
    let game = regulus_games::find_video("sheepdog").expect("a game");
    fs::write(folder.path().join("sheep.txt"), game.text).expect("written");
    for (number, level) in game.levels.iter().enumerate() {
        fs::write(folder.path().join(format!("sheep_lvl{number}.txt")), level).expect("written");
    }
    let experiment = declare(&text, options()).expect("an experiment");
    let record = &experiment.plan.games[0];
    assert_eq!(record.file.as_deref(), Some("games/sheep.txt"));
    // A directory has everything.
    let run = tempfile::tempdir().expect("a folder");
    let layout = Layout::new(run.path().join("run"));
    experiment.settle(&layout, &text).expect("settled");
    let opened = Experiment::open(&layout).expect("an experiment");
    assert_eq!(opened.plan, experiment.plan);
    for index in [0, 3] {
        let (ours, theirs) = (contest(&opened, index), contest(&experiment, index));
        assert_eq!(ours.id(), theirs.id());
        assert_eq!(ours.game.record, theirs.game.record);
    }
}
