//! Video games on the command line: what tools rely on, replays, recordings of other engines. What people see is in
//! `tests/cmd/video.trycmd`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const LANTERN: &str = "tests/cmd/video.in/lantern.txt";

fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("regulus can be started");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // Whoever refuses the arguments need not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("regulus ends")
}

fn run(arguments: &[&str]) -> Output {
    run_with_input(arguments, b"")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the output is text")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("messages are text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", out(output), err(output)))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The folder with games and recordings, beside the project or where `REGULUS_SHARED` says.
fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("REGULUS_SHARED").map_or_else(beside, PathBuf::from);
    if shared.join("traces").is_dir() {
        return Some(shared);
    }
    println!("skipped: {} has no traces", shared.display());
    None
}

/// All recordings of the Java frameworks, through the command.
#[test]
fn recordings_of_the_reference_agree() {
    let Some(shared) = shared() else { return };
    for (profile, traces) in [("2021", "new2021"), ("2015", "y2015")] {
        let folder = fs::read_dir(shared.join("traces").join(traces)).expect("recordings");
        let files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
        assert_eq!(files.len(), 90);
        let games = shared.join("games/vgdl").join(profile);
        let mut arguments = vec!["trace", "--games", text(&games), "--profile", profile, "--json"];
        arguments.extend(files.iter().map(|file| text(file)));
        let output = run(&arguments);
        let value = json(&output);
        let found = value["files"].as_array().expect("a list");
        assert_eq!(found.len(), 90);
        for file in found {
            assert_eq!(file["ok"], true, "{file}");
        }
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn recordings_of_our_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("henhouse.trace");
    let recorded = run(&["trace", "--record", "vgdl/henhouse:1", "--seed", "3", "--ticks", "60"]);
    assert_eq!(recorded.status.code(), Some(0), "{}", err(&recorded));
    fs::write(&file, &recorded.stdout).expect("a file");
    // The same seed gives the same recording, another one does not.
    let again = run(&["trace", "--record", "vgdl/henhouse:1", "--seed", "3", "--ticks", "60"]);
    assert_eq!(again.stdout, recorded.stdout);
    let value = json(&run(&["trace", text(&file), "--json"]));
    let found = &value["files"][0];
    assert_eq!(
        (&found["ok"], &found["tick"], &found["reason"]),
        (&true.into(), &Value::Null, &Value::Null)
    );
    assert!(found["ticks"].as_u64().is_some_and(|ticks| (1..=60).contains(&ticks)), "{found}");
    // With the files of the same game it agrees as well.
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../regulus-games/vgdl");
    let output = run(&["trace", text(&file), "--games", games]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(out(&output).contains("1 file: all agree"), "{}", out(&output));
}

#[test]
fn the_first_difference_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lantern.trace");
    let games = "tests/cmd/video.in";
    let level = format!("{LANTERN}:0");
    let recorded = out(&run(&["trace", "--record", &level, "--ticks", "20"])).to_owned();
    // In tick 3 the recording has another score and a moth elsewhere.
    let lines: Vec<String> = recorded
        .lines()
        .map(|line| match line.strip_prefix("T 3 ") {
            Some(rest) => {
                let (action, rest) = rest.split_once(' ').expect("an action");
                let (_, rest) = rest.split_once(' ').expect("a score");
                format!("T 3 {action} 77 {rest}")
            }
            None => line.to_owned(),
        })
        .collect();
    fs::write(&file, lines.join("\n")).expect("a file");
    let arguments = ["trace", text(&file), "--games", games];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("in tick 3 of lantern 0 0 1"), "{}", out(&output));
    assert!(out(&output).contains("score: 77 expected, 0 found"), "{}", out(&output));
    let value = json(&run(&[&arguments[..], &["--json"]].concat()));
    let found = &value["files"][0];
    assert_eq!((&found["ok"], &found["tick"]), (&false.into(), &3.into()));
    assert!(found["reason"].as_str().is_some_and(|why| why.contains("77 expected")), "{found}");
    // A sprite elsewhere at the beginning is listed.
    let init = recorded.lines().find(|line| line.starts_with("INIT ")).expect("a beginning");
    let (state, _) = init.rsplit_once(' ').expect("a hash");
    let other = recorded
        .replace(init, &format!("{state} 0123456789abcdef"))
        .replace("= moth 20 20", "= moth 30 20");
    fs::write(&file, other).expect("a file");
    let output = run(&arguments);
    assert!(out(&output).contains("at the beginning of lantern 0 0 1"), "{}", out(&output));
    assert!(out(&output).contains("hash of sprites: 0123456789abcdef"), "{}", out(&output));
    let sprites = "         + moth 20 20\n         - moth 30 20\n";
    assert!(out(&output).contains(sprites), "{}", out(&output));
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("some.trace");
    for (content, why) in [
        ("nothing", "is no trace"),
        ("TRACE no-such-game 0 0 1\n", "there is no built-in video game"),
        ("TRACE henhouse 9 0 1\n", "has no level 9; its levels are 0 to 2"),
        ("TRACE henhouse 0 0 1\nWHAT\n", "line 2 is not of the trace format"),
    ] {
        fs::write(&file, content).expect("a file");
        let output = run(&["trace", text(&file), "--json"]);
        assert_eq!(output.status.code(), Some(1), "{content}");
        let value = json(&output);
        let found = &value["files"][0];
        assert_eq!(found["ok"], false);
        assert!(found["reason"].as_str().is_some_and(|said| said.contains(why)), "{found}");
    }
    let missing = json(&run(&["trace", "no.trace", "--json"]));
    assert_eq!(missing["files"][0]["ok"], false);
    let record = run(&["trace", "--record", "breakthrough"]);
    assert!(err(&record).contains("breakthrough is no video game"), "{}", err(&record));
}

#[test]
fn check_as_json() {
    let output = run(&["check", "--json", "tests/cmd/video.in/broken.txt"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&output);
    let diagnostics = value["files"][0]["diagnostics"].as_array().expect("a list");
    for diagnostic in diagnostics {
        for key in ["code", "severity", "message"] {
            assert!(diagnostic[key].is_string(), "{key} of {diagnostic}");
        }
        for key in ["line", "column", "end_line", "end_column"] {
            assert!(diagnostic[key].as_u64().is_some_and(|n| n > 0), "{key} of {diagnostic}");
        }
        assert!(diagnostic["related"].is_array());
    }
    let class = diagnostics.iter().find(|one| one["code"] == "VGDL0009").expect("an error");
    assert_eq!((&class["line"], &class["column"]), (&3.into(), &16.into()));
    assert_eq!((&class["end_line"], &class["end_column"]), (&3.into(), &19.into()));
    assert_eq!(class["help"], "did you mean `Door`?");
}

/// A game is known by its text: on standard input it has no name.
#[test]
fn games_are_known_by_their_text() {
    let game = fs::read(LANTERN).expect("the fixture");
    let output = run_with_input(&["check", "-"], &game);
    assert_eq!((output.status.code(), out(&output)), (Some(0), "1 file checked: no errors\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lantern.game");
    fs::write(&file, &game).expect("a file");
    let output = run(&["check", text(&file)]);
    assert_eq!((output.status.code(), out(&output)), (Some(0), "1 file checked: no errors\n"));
    // And a board game in a text file is one.
    let board = folder.path().join("board.txt");
    fs::copy("tests/cmd/check.in/good.rbg", &board).expect("a file");
    let output = run(&["check", text(&board)]);
    assert_eq!((output.status.code(), out(&output)), (Some(0), "1 file checked: no errors\n"));
    let output = run(&["show", &format!("{}:0", text(&board))]);
    assert!(err(&output).contains("is no video game: it has no levels"), "{}", err(&output));
}

#[test]
fn bench_as_json() {
    let level = format!("{LANTERN}:0");
    let value = json(&run(&["bench", &level, "--seconds", "0.06", "--threads", "2", "--json"]));
    for key in ["copies_per_s", "ticks_per_s", "playouts10_per_s", "seconds"] {
        assert!(value[key].as_f64().is_some_and(|rate| rate > 0.0), "{key} of {value}");
    }
    assert_eq!((&value["game"], &value["threads"]), (&"lantern:0".into(), &2.into()));
}

#[test]
fn every_built_in_level_can_be_shown() {
    for game in regulus_games::VIDEO_GAMES {
        for level in 0..game.levels.len() {
            let name = format!("vgdl/{}:{level}", game.name);
            let value = json(&run(&["show", &name, "--json"]));
            assert_eq!(value["game"], name.as_str());
            let rows = value["rows"].as_array().expect("rows");
            assert_eq!(Some(rows.len() as u64), value["height"].as_u64(), "{name}");
            let has_avatar = rows.iter().any(|row| row.as_str().is_some_and(|r| r.contains('@')));
            assert!(has_avatar, "{name}: {rows:?}");
        }
    }
}

#[test]
fn a_game_is_saved_and_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json");
    let level = format!("{LANTERN}:1");
    let arguments = ["play", &level, "--seed", "5", "--save", text(&file)];
    let played = run_with_input(&arguments, b"RRRR\nLRD\n");
    assert_eq!(played.status.code(), Some(0), "{}", err(&played));
    assert!(out(&played).contains("Saved 7 ticks to "), "{}", out(&played));
    let saved: Value =
        serde_json::from_str(&fs::read_to_string(&file).expect("a file")).expect("JSON");
    assert_eq!((&saved["actions"], &saved["seed"]), (&"RRRRLRD".into(), &5.into()));
    assert_eq!((&saved["agent"], &saved["game"]), (&"human".into(), &"lantern:1".into()));
    assert!(saved["game_text"].is_string(), "the game is not built in");
    let replay = format!("replay:{}", text(&file));
    let again = run(&["play", &level, "--agent", &replay]);
    assert_eq!(again.status.code(), Some(0), "{}", err(&again));
    let last = |output: &Output| {
        let text = out(output).to_owned();
        let at = text.rfind("\ntick 7, score ").unwrap_or_else(|| panic!("{text}"));
        text[at..].split("##\n").next().map(str::to_owned)
    };
    assert_eq!(last(&again), last(&played));
    // Another level, other rules, a changed file.
    let other = run(&["play", &format!("{LANTERN}:0"), "--agent", &replay]);
    assert!(err(&other).contains("another text of the level"), "{}", err(&other));
    let rules = run(&["play", &level, "--agent", &replay, "--profile", "2015"]);
    assert!(err(&rules).contains("rules of 2021: give --profile"), "{}", err(&rules));
    let text = fs::read_to_string(&file).expect("a file").replace("RRRRLRD", "RRRRLRR");
    fs::write(&file, text).expect("a file");
    let changed = run(&["play", &level, "--agent", &replay]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(err(&changed).contains("differently"), "{}", err(&changed));
}

#[test]
fn think_as_json() {
    let arguments = ["think", "vgdl/henhouse:0", "--limit", "sims=60", "--seed", "2", "--json"];
    let mut value = json(&run(&arguments));
    assert_eq!(value["iterations"], 60);
    let moves = value["moves"].as_array().expect("a list");
    let visits: u64 = moves.iter().filter_map(|one| one["visits"].as_u64()).sum();
    assert!(visits > 0, "{value}");
    assert!(moves.iter().any(|one| one["move"] == value["move"]), "{value}");
    let mut again = json(&run(&arguments));
    value["seconds"] = Value::Null;
    again["seconds"] = Value::Null;
    assert_eq!(value, again);
}

/// A game in which every sprite makes others without end, in several ways.
fn breeding(folder: &Path, name: &str, sprites: &str, interactions: &str) -> String {
    let text = format!(
        "BasicGame square_size=10\n  SpriteSet\n{sprites}  InteractionSet\n{interactions}  LevelMapping\n\
         \x20   A > avatar seed\n    s > seed seed\n  TerminationSet\n    Timeout limit=1500\n"
    );
    let path = folder.join(format!("{name}.txt"));
    fs::write(&path, text).expect("written");
    fs::write(folder.join(format!("{name}_lvl0.txt")), "      \n s A s\n      \n")
        .expect("written");
    path.to_string_lossy().into_owned()
}

/// Whatever the rules breed, every command ends, and says why the game did.
#[test]
fn games_that_breed_without_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let sprites = "there are more than 10000 sprites, and 26 more had no room";
    let steps = "a tick takes more than 16 million steps";
    let games = [
        ("spawners", "    seed > SpawnPoint stype=seed\n", "", sprites),
        ("bombers", "    seed > Bomber stype=seed orientation=LEFT speed=1\n", "", sprites),
        ("clones", "    seed > RandomNPC\n", "    seed seed > cloneSprite\n", steps),
        (
            "changing",
            "    seed > Immovable\n    tree > Immovable\n",
            "    seed tree > transformTo stype=tree\n    seed avatar > spawn stype=tree\n    \
             tree avatar > spawn stype=seed\n",
            steps,
        ),
        (
            "away",
            "    seed > Missile speed=5 orientation=RIGHT\n",
            "    seed EOS > cloneSprite\n",
            sprites,
        ),
    ];
    for (name, set, interactions, why) in games {
        let game = breeding(folder.path(), name, set, interactions);
        let nothing = "N".repeat(40);
        let played = run_with_input(&["play", &game], format!("{nothing}\n").as_bytes());
        assert!(played.status.success(), "{}", err(&played));
        let over = format!(", ended because {why}");
        assert!(out(&played).contains(&over), "{name}: {}", out(&played));
        let thought = run(&["think", &game, "--position", &nothing, "--limit", "sims=9"]);
        assert!(out(&thought).contains(&over), "{name}: {}", out(&thought));
        for agent in ["vg-mcts", "vg-rhea"] {
            let thought =
                run(&["think", &game, "--agent", agent, "--limit", "time=30ms", "--json"]);
            let thought: Value = serde_json::from_str(out(&thought)).expect("JSON");
            assert!(thought["move"].is_string(), "{name}: {thought}");
        }
        let bench = run(&["bench", &game, "--seconds", "0.1", "--json"]);
        assert!(bench.status.success(), "{name}: {}", err(&bench));
        let record = folder.path().join("runs.jsonl").to_string_lossy().into_owned();
        let matched = run(&[
            "match",
            &game,
            "vg-random",
            "--games",
            "2",
            "--limit",
            "sims=1",
            "--record",
            &record,
        ]);
        assert!(matched.status.success(), "{name}: {}", err(&matched));
        let recorded = fs::read_to_string(&record).expect("records");
        fs::remove_file(&record).expect("removed");
        // An avatar that goes away from what it breeds with may live.
        if recorded.contains("\"breakdown\"") {
            let note = "did not end by the rules; ";
            assert!(err(&matched).contains(note), "{name}: {}", err(&matched));
        } else {
            assert_eq!(name, "changing");
        }
        let trace = run(&["trace", "--record", &format!("{game}:0")]);
        assert!(
            trace.status.success() && out(&trace).starts_with("TRACE "),
            "{name}: {}",
            err(&trace)
        );
    }
}

/// An effect that the framework of 2021 does not have: it reads no further, and says nothing; we say it.
#[test]
fn reading_stops_where_the_framework_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let interactions = "    seed avatar > killSprite scoreChange=1\n    avatar seed > explode\n";
    let game = breeding(folder.path(), "stops", "    seed > Immovable\n", interactions);
    let why = "no effect is called `explode`; the framework of 2021 stops reading here, and this line and the 5 behind \
               it do not count";
    let checked = run(&["check", &game]);
    assert!(checked.status.success(), "{}", out(&checked));
    assert!(out(&checked).contains(&format!("warning[VGDL0032]: {why}")), "{}", out(&checked));
    assert!(!run(&["check", "--deny-warnings", &game]).status.success());
    // Nothing ends it before tick 2000, since there is no termination; it is told by every command.
    let played = run_with_input(&["play", &game], format!("{}\n", "N".repeat(2100)).as_bytes());
    assert!(err(&played).contains("warning[VGDL0032]"), "{}", err(&played));
    assert!(out(&played).contains("lost after 2001 ticks"), "{}", out(&played));
    let old = run(&["check", "--profile", "2015", &game]);
    assert!(out(&old).contains("error[VGDL0012]: no effect is called `explode`"), "{}", out(&old));
    let explained = run(&["explain", "VGDL0032"]);
    assert!(out(&explained).contains("plays with what stands before it"), "{}", out(&explained));
}
