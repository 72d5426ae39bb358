//! Matches and their records through the command line: what needs files, signals or several runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ORTHODOX: &str = "mcts_orthodox_orthodox";
const SEMISPLIT: &str = "mctsM_semisplitNodal_semisplit_mastsplit";

fn regulus(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.current_dir(folder).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    regulus(folder).args(arguments).output().expect("regulus can be started")
}

fn good(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The records of a file without their times.
fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("records");
    let timeless = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a line is JSON");
        record["started"] = Value::Null;
        record["seconds"] = Value::Null;
        record["turns"]["seconds"] = Value::Null;
        record
    };
    text.lines().map(timeless).collect()
}

#[test]
fn threads_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |threads: &str, file: &str, more: &[&str]| {
        let arguments =
            ["match", "breakthrough", ORTHODOX, SEMISPLIT, "--limit", "sims=40", "--seed"];
        let more = [&["9", "--threads", threads, "--record", file, "--json"], more].concat();
        let output = run(folder.path(), &[&arguments[..], &more].concat());
        let mut report: Value = serde_json::from_str(&good(&output)).expect("JSON");
        for key in ["seconds", "threads", "slowest_move"] {
            report[key] = Value::Null;
        }
        for agent in report["agents"].as_array_mut().expect("a list") {
            for key in ["states_per_s", "simulations_per_s", "mean_turn_seconds"] {
                assert!(agent[key].as_f64().is_some_and(|rate| rate > 0.0), "{key}");
                agent[key] = Value::Null;
            }
        }
        (report, records(&folder.path().join(file)))
    };
    let games = ["--games", "12", "--opening-plies", "2"];
    assert_eq!(play("1", "a.jsonl", &games), play("2", "b.jsonl", &games));
    // A test that is decided early ends with the same game.
    let test = ["--games", "500", "--sprt", "elo0=-400,elo1=400,alpha=0.1,beta=0.1"];
    let (report, records) = play("1", "c.jsonl", &test);
    assert_eq!((report.clone(), records.clone()), play("2", "d.jsonl", &test));
    assert_ne!(report["sprt"]["verdict"], "open");
    assert_eq!(report["games"], records.len());
    assert!(records.len() < 500);
}

#[test]
fn a_match_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["match", "reversi", ORTHODOX, SEMISPLIT, "--games", "3", "--limit", "sims=10"];
    let output = run(folder.path(), &[&arguments[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&good(&output)).expect("JSON");
    // Rounded up to whole pairs.
    assert_eq!((&report["games"], &report["budget"]), (&4.into(), &"sims=10".into()));
    let agents = report["agents"].as_array().expect("a list");
    assert_eq!(agents[0]["name"], ORTHODOX);
    let sum = |agent: &Value| -> u64 {
        ["wins", "draws", "losses"].iter().filter_map(|key| agent["total"][key].as_u64()).sum()
    };
    assert_eq!((sum(&agents[0]), sum(&agents[1])), (4, 4));
    assert_eq!(agents[0]["total"]["wins"], agents[1]["total"]["losses"]);
    let rate = report["win_rate"]["rate"].as_f64().expect("a number");
    let wins = agents[0]["total"]["wins"].as_f64().expect("a number");
    let draws = agents[0]["total"]["draws"].as_f64().expect("a number");
    assert!((rate - (wins + draws / 2.0) / 4.0).abs() < 1e-12);
    for key in ["elo", "los", "length", "distinct_games", "slowest_move", "pairs"] {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["interrupted"], false);
}

#[test]
fn records_can_be_replayed_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    for game in ["tic-tac-toe", "breakthrough"] {
        let arguments = ["match", game, ORTHODOX, SEMISPLIT, "--games", "2", "--limit", "sims=20"];
        good(&run(folder.path(), &[&arguments[..], &["--record", "games.jsonl"]].concat()));
    }
    let checked = run(folder.path(), &["replay", "games.jsonl", "--check"]);
    assert_eq!(good(&checked), "4 games checked, 0 wrong\n");
    let shown = good(&run(folder.path(), &["replay", "games.jsonl", "--game", "3"]));
    assert!(shown.starts_with("breakthrough: game 3 of 4, "), "{shown}");
    assert!(shown.contains("1. white (mcts_orthodox_orthodox) plays "), "{shown}");
    assert!(shown.trim_end().ends_with(")."), "{shown}");
    let output = run(folder.path(), &["replay", "games.jsonl", "--game", "5"]);
    assert!(err(&output).contains("there is no game 5 in games.jsonl: it has 4"));

    // The fifth move of the second game is another one.
    let text = fs::read_to_string(&path).expect("records");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut damaged: Value = serde_json::from_str(&lines[1]).expect("JSON");
    damaged["moves"][4] = damaged["moves"][0].clone();
    lines[1] = damaged.to_string();
    fs::write(&path, lines.join("\n") + "\n").expect("written");
    let output = run(folder.path(), &["replay", "games.jsonl", "--game", "2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("games.jsonl, game 2: move 5: `"), "{}", err(&output));
    let checked = run(folder.path(), &["replay", "games.jsonl", "--check"]);
    assert_eq!(checked.status.code(), Some(1));
    let found = String::from_utf8_lossy(&checked.stdout);
    assert!(
        found.starts_with("game 2: move 5: `") && found.ends_with("4 games checked, 1 wrong\n")
    );

    // Torn in the middle of the last line: the rest is still there, and the next match goes on.
    let text = fs::read_to_string(&path).expect("records");
    fs::write(&path, &text[..text.len() - 100]).expect("written");
    let output = run(folder.path(), &["replay", "games.jsonl", "--game", "3"]);
    assert!(good(&output).starts_with("breakthrough: game 3 of 3, "));
    assert!(err(&output).contains("the last line of games.jsonl is incomplete"));
    let arguments = ["match", "reversi", ORTHODOX, ORTHODOX, "--games", "2", "--limit", "sims=5"];
    good(&run(folder.path(), &[&arguments[..], &["--record", "games.jsonl"]].concat()));
    assert_eq!(records(&path).len(), 5);
}

#[test]
fn rules_are_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = regulus_games::find("tic-tac-toe").expect("a built-in game").text;
    fs::write(folder.path().join("my.rbg"), rules).expect("written");
    let arguments = ["match", "my.rbg", ORTHODOX, ORTHODOX, "--games", "2", "--limit", "sims=5"];
    good(&run(folder.path(), &[&arguments[..], &["--record", "r.jsonl"]].concat()));
    let output = run(folder.path(), &["replay", "r.jsonl"]);
    assert!(good(&output).starts_with("my: game 1 of 2") && err(&output).is_empty());
    // Other rules are noted, and everything is checked with them.
    fs::write(folder.path().join("my.rbg"), format!("{rules}\n// changed")).expect("written");
    let output = run(folder.path(), &["replay", "r.jsonl"]);
    assert!(good(&output).starts_with("my: game 1 of 2"));
    assert!(err(&output).contains("note: the rules of my.rbg are not those of the record"));
    let output = run(folder.path(), &["replay", "r.jsonl", "--rules", "tic-tac-toe"]);
    assert!(err(&output).is_empty(), "{}", err(&output));
    let output = run(folder.path(), &["replay", "r.jsonl", "--rules", "breakthrough"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("r.jsonl, game 1: move 1: "), "{}", err(&output));
}

#[test]
fn a_measurement_is_made_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("calibration.jsonl");
    let play = || {
        let arguments = ["match", "tic-tac-toe", ORTHODOX, SEMISPLIT, "--games", "2", "--json"];
        let more = ["--limit", "fs0=1ms", "--calibration", "calibration.jsonl"];
        let output = run(folder.path(), &[&arguments[..], &more].concat());
        let report: Value = serde_json::from_str(&good(&output)).expect("JSON");
        (report["limits"].clone(), report["calibration"].clone())
    };
    let first = play();
    let kept = fs::read_to_string(&file).expect("a measurement");
    assert_eq!(kept.lines().count(), 1);
    assert_eq!(play(), first);
    assert_eq!(fs::read_to_string(&file).expect("a measurement"), kept);
    let states = first.1["nodal_states"].as_f64().expect("a number");
    assert_eq!(first.0, format!("states={states}"));
}

/// Ctrl-C in the middle of a match of a million games: the result so far, and every game of it recorded.
#[cfg(unix)]
#[test]
fn ctrl_c_loses_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let arguments = ["match", "breakthrough", ORTHODOX, SEMISPLIT, "--games", "1000000", "--json"];
    let more = ["--limit", "sims=20", "--threads", "2", "--record", "games.jsonl"];
    let child = regulus(folder.path())
        .args([&arguments[..], &more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("regulus can be started");
    while fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        std::thread::yield_now();
    }
    let killed = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(killed.expect("a shell can be started").success());
    let output = child.wait_with_output().expect("regulus ends");
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["interrupted"], true);
    let games = report["games"].as_u64().expect("a number") as usize;
    assert!(games > 0 && records(&path).len() == games);
    let message = format!("error: interrupted after {games} of 1000000 games\n");
    assert!(err(&output).ends_with(&message), "{}", err(&output));
    let checked = run(folder.path(), &["replay", "games.jsonl", "--check"]);
    assert_eq!(good(&checked), format!("{games} games checked, 0 wrong\n"));
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        ["match", "tic-tac-toe", ORTHODOX, ORTHODOX, "--games", "4", "--limit", "sims=5"];
    let output = run(folder.path(), &[&arguments[..], &["--record", "/dev/full"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("error: cannot write /dev/full: "), "{}", err(&output));
}

/// The runs of a file without their times.
fn runs(path: &Path) -> Vec<Value> {
    let mut runs = records(path);
    for run in &mut runs {
        run["thinking_seconds"] = Value::Null;
        run["slowest_ms"] = Value::Null;
    }
    runs
}

#[test]
fn video_games_are_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let play = |threads: &str, file: &str| {
        let games = ["match", "vgdl/sheepdog:0,2", "vgdl/firefly:1", "vg-random", "vg-ol-mcts"];
        let more = ["--games", "2", "--limit", "sims=2", "--threads", threads, "--record", file];
        let output = run(path, &[&games[..], &more, &["--json"]].concat());
        serde_json::from_str::<Value>(&good(&output)).expect("JSON")
    };
    let (one, two) = (play("1", "one.jsonl"), play("2", "two.jsonl"));
    let found = runs(&path.join("one.jsonl"));
    assert_eq!(found, runs(&path.join("two.jsonl")));
    assert_eq!(found.len(), 2 * (2 + 1) * 2);
    assert_eq!(one["rankings"], two["rankings"]);
    assert_eq!(one["games"], serde_json::json!(["vgdl/sheepdog", "vgdl/firefly"]));
    let results = one["results"].as_array().expect("results");
    // All games and two games, for two agents.
    assert_eq!(results.len(), 6);
    assert_eq!(results[0]["runs"], 6);
    assert_eq!((&one["interrupted"], &one["limits"]), (&false.into(), &"sims=2".into()));
    // Both agents have played the same games.
    let seeds = |agent: &str| -> Vec<(String, String)> {
        let own = found.iter().filter(|run| run["agents"][0]["name"] == agent);
        own.map(|run| (run["level"]["sha256"].to_string(), run["run_seed"].to_string())).collect()
    };
    assert_eq!(seeds("vg-random"), seeds("vg-ol-mcts"));

    let check = |file: &str| run(path, &["replay", file, "--check"]);
    assert_eq!(good(&check("one.jsonl")), "12 games checked, 0 wrong\n");
    let text = fs::read_to_string(path.join("one.jsonl")).expect("records");
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines[3]["fingerprints"][0] = "0000000000000000".into();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path.join("changed.jsonl"), text).expect("written");
    let output = check("changed.jsonl");
    assert_eq!(output.status.code(), Some(1));
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        found.starts_with("game 4: the game goes differently: another state after "),
        "{found}"
    );
    let output = run(path, &["replay", "changed.jsonl", "--game", "4"]);
    assert!(err(&output).contains("changed.jsonl, game 4: the game goes differently"));
}

#[test]
fn video_games_are_kept_as_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let game = regulus_games::find_video("sheepdog").expect("a game");
    fs::write(path.join("dog.txt"), game.text).expect("written");
    fs::write(path.join("dog_lvl0.txt"), game.levels[0]).expect("written");
    fs::write(path.join("dog_lvl1.txt"), game.levels[1]).expect("written");
    let arguments = ["match", "dog.txt", "vgdl/sheepdog:0", "vg-random", "--games", "1"];
    let more = ["--limit", "sims=1", "--replays", "kept/here", "--profile", "2015"];
    let text = good(&run(path, &[&arguments[..], &more].concat()));
    assert!(text.starts_with("dog: levels 0, 1\nvgdl/sheepdog: level 0\n1 run of every level, "));
    assert!(text.contains("rules of 2015, seed 1\n"), "{text}");
    let mut names: Vec<String> = fs::read_dir(path.join("kept/here"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    let expected =
        ["dog_0_vg-random_0.json", "dog_1_vg-random_0.json", "vgdl-sheepdog_0_vg-random_0.json"];
    assert_eq!(names, expected);
    // The texts of files are inside, so that nothing else is needed.
    fs::remove_file(path.join("dog.txt")).expect("removed");
    for name in &names {
        let file = format!("kept/here/{name}");
        let told = good(&run(path, &["replay", &file]));
        assert!(told.contains("fingerprint") && told.contains("vg-random, "), "{told}");
        let json: Value =
            serde_json::from_str(&good(&run(path, &["replay", &file, "--json"]))).expect("JSON");
        assert_eq!((&json["verified"], &json["agent"]), (&true.into(), &"vg-random".into()));
        assert_eq!(json["ticks"].as_u64(), json["actions"].as_str().map(|a| a.len() as u64));
        let changed = fs::read_to_string(path.join(&file)).expect("a replay");
        let mut replay: Value = serde_json::from_str(&changed).expect("JSON");
        replay["seed"] = 1.into();
        fs::write(path.join("changed.json"), replay.to_string()).expect("written");
        let message = err(&run(path, &["replay", "changed.json"]));
        assert!(
            message.contains("the game goes differently") || message.contains("ends differently")
        );
    }
}

#[test]
fn wrong_matches_of_video_games_say_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["match"], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        err(&output)
    };
    let cases: [(&[&str], &str); 10] = [
        (&["vgdl/sheepdog", "vgdl/firefly"], "who plays?"),
        (&["vgdl/shepdog", "vg-random"], "did you mean `vgdl/sheepdog`?"),
        (&["vgdl/sheepdog:7", "vg-random"], "has no level 7"),
        (&["vgdl/sheepdog:0,0", "vg-random"], "level 0 of vgdl/sheepdog is given twice"),
        (&["vgdl/sheepdog", "vg-random", "vg-random"], "two agents with the name vg-random"),
        (&["vgdl/sheepdog", "vgdl/sheepdog:1", "vg-random"], "two games with the name"),
        (&["vgdl/sheepdog", "mcts_orthodox_orthodox"], "mcts_orthodox_orthodox"),
        (&["vgdl/sheepdog", "vg-random", "--sprt", "elo0=0,elo1=9"], "--sprt is for board games"),
        (&["vgdl/sheepdog", "vg-random", "--limit", "fs0=1ms"], "measured with board games"),
        (&["breakthrough", ORTHODOX, ORTHODOX, "--replays", "r"], "--replays is for video games"),
    ];
    for (arguments, expected) in cases {
        let message = why(arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
