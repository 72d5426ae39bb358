//! Declarations of experiments: what is read, what is planned, and what errors say.

use std::any::Any;
use std::fs;
use std::path::Path;
use std::time::Duration;

use regulus_arena::board::BoardContest;
use regulus_arena::experiment::{Archive, Declaration, Experiment, Kind, Layout, Options, Unit};
use regulus_arena::{Budget, Calibrations};

const GOOD: &str = r#"
title = "A table"
source = "A thesis, Table 1"
games = ["breakthrough", "tic-tac-toe"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_semisplitNodal_semisplit"]
pairs = [["mctsM_orthodox_semisplit", "mctsM_semisplitNodal_semisplit"]]
limits = ["time=50ms", "fs0=0.5s"]
games_per_pair = 500
seed = 7
opening_plies = 2
tolerance = "20ms"
buffer = "5ms"

[[published]]
game = "average"
agent = "mctsM_semisplitNodal_semisplit"
limit = "time=0.05s"
win_rate = 58.5
error = 4

[[published]]
game = "breakthrough"
agent = "mctsM_orthodox_semisplit"
against = "mctsM_semisplitNodal_semisplit"
limit = "fs0=500ms"
win_rate = 41
"#;

#[test]
fn everything_is_read() {
    let declared = Declaration::parse(GOOD).expect("a declaration");
    assert_eq!(declared.title, "A table");
    assert_eq!(declared.source.as_deref(), Some("A thesis, Table 1"));
    assert_eq!((declared.kind, declared.games_per_pair), (Kind::Matches, 500));
    assert_eq!((declared.seed, declared.opening_plies), (7, 2));
    let (tolerance, buffer) = (Duration::from_millis(20), Duration::from_millis(5));
    assert_eq!((declared.tolerance, declared.buffer), (tolerance, buffer));
    let pair = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    let nodal = "mctsM_semisplitNodal_semisplit";
    let expected = [pair(nodal, "mcts_orthodox_orthodox"), pair("mctsM_orthodox_semisplit", nodal)];
    assert_eq!(declared.pairs, expected);
    let [average, game] = &declared.published[..] else { panic!("two figures") };
    assert_eq!((average.game.as_deref(), average.win_rate), (None, Some(58.5)));
    assert_eq!(average.against.as_deref(), Some("mcts_orthodox_orthodox"));
    assert_eq!((average.limit.as_str(), average.error), ("time=50ms", Some(4.0)));
    assert_eq!(
        (game.game.as_deref(), game.against.as_deref()),
        (Some("breakthrough"), Some(nodal))
    );
    assert_eq!(game.limit, "fs0=500ms");
}

/// A declaration in which some text is another one.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("games = [", "game = [", 4, "there is no key `game`; did you mean `games`?"),
        ("title", "titel", 2, "there is no key `titel`; did you mean `title`?"),
        ("seed = 7", "colour = 7", 10, "the keys are title, "),
        ("win_rate = 58.5", "winrate = 58.5", 19, "did you mean `win_rate`?"),
        ("seed = 7", "seed = \"7\"", 10, "`seed` must be a whole number from 0 on"),
        ("games_per_pair = 500", "games_per_pair = 0", 9, "a whole number from 1 on"),
        ("games_per_pair = 500", "", 1, "`games_per_pair` is missing"),
        ("title = \"A table\"", "title = 5", 2, "must be a text in quotes, not an integer"),
        ("\"tic-tac-toe\"", "5", 4, "`games` must be a list of texts"),
        ("\"tic-tac-toe\"", "\"tik-tac-toe\"", 4, "did you mean `tic-tac-toe`?"),
        ("\"tic-tac-toe\"", "\"breakthrough\"", 4, "two games with the name `breakthrough`"),
        ("[\"mctsM_semi", "[\"mctsM_sme", 6, "did you mean `mctsM_semisplitNodal_semisplit`?"),
        ("[\"mctsM_semi", "[\"somebody_else", 6, "is no agent"),
        ("fs0=0.5s", "fx0=0.5s", 8, "`fx0` is no limit"),
        ("fs0=0.5s", "fs0=5", 8, "needs a unit"),
        ("fs0=0.5s", "time=0.05s", 8, "`time=50ms` is given twice"),
        ("[[\"mctsM_orthodox", "[\"mctsM_orthodox", 7, ""),
        ("win_rate = 58.5", "win_rate = 158.5", 19, "`win_rate` must be from 0 to 100"),
        ("win_rate = 41", "", 22, "`win_rate` and perhaps `error`"),
        ("game = \"average\"", "game = \"amazons\"", 16, "game `amazons` is not part of"),
        ("limit = \"time=0.05s\"", "limit = \"time=1s\"", 18, "limit `time=1s` is not part of"),
        ("limit = \"time=0.05s\"", "", 15, "a published figure needs `limit`"),
        ("baseline = \"mcts_orthodox_orthodox\"", "", 1, "`baseline` is missing"),
        ("seed = 7", "searches = 7", 10, "`searches` has no meaning here"),
        (
            "seed = 7",
            "kind = \"fast\"",
            10,
            "`kind` is \"matches\", \"speed\" or \"video\", not \"fast\"",
        ),
        ("seed = 7", "seed = ", 10, ""),
    ];
    for (from, to, line, message) in cases {
        let error = Declaration::parse(&changed(from, to)).expect_err(to);
        assert_eq!(error.line, line, "{to}: {error}");
        assert!(error.message.contains(message), "{to}: {error}");
    }
}

#[test]
fn speed_has_searches() {
    let text = r#"
title = "Speed"
kind = "speed"
games = ["breakthrough"]
agents = ["mcts_orthodox_orthodox", "mctsM_orthodox_semisplit"]
limits = ["time=1s"]
searches = 3
[[published]]
game = "breakthrough"
agent = "mctsM_orthodox_semisplit"
states_per_s = 1_500_000
speed_up = 1.5
"#;
    let declared = Declaration::parse(text).expect("a declaration");
    assert_eq!((declared.kind, declared.searches), (Kind::Speed, 3));
    assert_eq!(declared.published[0].states_per_s, Some(1.5e6));
    let wrong = text.replace("searches = 3", "games_per_pair = 3");
    let error = Declaration::parse(&wrong).expect_err("a wrong key");
    assert_eq!(error.line, 7);
    let wrong = text.replace("speed_up = 1.5", "win_rate = 50");
    assert!(Declaration::parse(&wrong).is_err());
}

fn declare(folder: &Path, text: &str, scale: f64) -> (Experiment, String) {
    let path = folder.join("table.toml");
    fs::write(&path, text).expect("written");
    Experiment::declare(&path, Options { scale, ..Options::default() }).expect("an experiment")
}

#[test]
fn plans_list_all_units_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let (experiment, _) = declare(folder.path(), GOOD, 0.009);
    let plan = &experiment.plan;
    // Two games, two pairs, two limits; 4.5 games are rounded to 5, and to whole pairs.
    assert_eq!(plan.contests.len(), 8);
    assert!(plan.contests.iter().all(|contest| (contest.units, contest.games) == (3, 6)));
    assert_eq!((plan.unit_count(), plan.game_count()), (24, 48));
    let units: Vec<Unit> = plan.units().collect();
    assert_eq!(units.len(), 24);
    for (i, unit) in units.iter().enumerate() {
        let expected = Unit { contest: i / 3, unit: i as u64 % 3, index: i as u64 };
        assert_eq!(*unit, expected);
    }
    let (one, _) = declare(folder.path(), GOOD, 1e-6);
    assert!(one.plan.contests.iter().all(|contest| contest.games == 2));
}

/// Three players: the agent has each seat once, the baseline has the others.
#[test]
fn opponents_fill_all_seats() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "#players = white(100), black(100), red(100)\n#pieces = e\n#variables =\n\
                 #board = rectangle(up,down,left,right,[e])\n#rules = ->white [$ white=100] ->black \
                 [$ black=50] ->red [$ red=20] ->> {}\n";
    fs::write(folder.path().join("three.rbg"), rules).expect("written");
    let text = GOOD.replace("\"tic-tac-toe\"", "\"./three.rbg\"");
    let (experiment, declaration) = declare(folder.path(), &text, 0.01);
    let three = experiment.plan.contests.iter().find(|contest| contest.game == "three");
    let three = three.expect("the game");
    let orthodox = "mcts_orthodox_orthodox";
    assert_eq!(three.agents, ["mctsM_semisplitNodal_semisplit", orthodox, orthodox]);
    assert_eq!((three.units, three.games), (2, 6));

    // The directory needs nothing else: the file of the rules may go.
    let layout = Layout::new(folder.path().join("results"));
    experiment.settle(&layout, &declaration).expect("a directory");
    fs::remove_file(folder.path().join("three.rbg")).expect("removed");
    let opened = Experiment::open(&layout).expect("an experiment");
    assert_eq!(opened.plan, experiment.plan);
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.plan, archive.contests.len()), (experiment.plan.clone(), 8));
    assert!(archive.manifests.is_empty() && archive.contests.iter().all(|c| c.records.is_empty()));
    fs::write(layout.game("three"), rules.replace("50", "60")).expect("written");
    let error = Experiment::open(&layout).expect_err("other rules").to_string();
    assert!(error.contains("not the rules that the experiment was planned with"), "{error}");
}

#[test]
fn contests_have_what_was_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let (experiment, _) = declare(folder.path(), GOOD, 1.0);
    let missing = experiment.unmeasured(&Calibrations::default()).expect("budgets");
    let names: Vec<&str> = missing.iter().map(|(game, ..)| game.name()).collect();
    assert_eq!(names, ["breakthrough", "tic-tac-toe"]);
    let timed: Box<dyn Any> = experiment.contest(0, &Calibrations::default()).expect("a contest");
    let timed: Box<BoardContest> = timed.downcast().expect("a board game");
    assert_eq!(timed.budget, "time=50ms".parse::<Budget>().expect("a budget"));
    assert_eq!((timed.limits.buffer, timed.opening_plies), (Duration::from_millis(5), 2));
    let error = experiment.contest(1, &Calibrations::default()).expect_err("nothing is measured");
    assert!(error.to_string().contains("fs0=500ms was not measured for breakthrough"), "{error}");
}
