//! The command line as its users meet it. Texts are in `tests/cmd`; `TRYCMD=overwrite cargo test -p
//! regulus --test cli` rewrites them. What needs standard input, files that change or a closed pipe
//! is below.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[test]
fn texts() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

fn regulus() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

fn run(arguments: &[&str]) -> Output {
    regulus().args(arguments).output().expect("regulus can be started")
}

/// Runs a command on a standard input.
fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = regulus()
        .args(arguments)
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

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the output is text")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("messages are text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const UNFORMATTED: &str = "#players=me(1)\n#pieces = e,x // two\n";
const FORMATTED: &str = "#players = me(1)\n#pieces = e, x // two\n";

#[test]
fn games_as_json() {
    let output = run(&["games", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let value = json(&output);
    let games = value["games"].as_array().expect("a list");
    assert_eq!(games.len(), regulus_games::GAMES.len());
    for game in games {
        for key in ["name", "title", "description", "board"] {
            assert!(game[key].as_str().is_some_and(|s| !s.is_empty()), "{key} of {game}");
        }
    }
    let video = value["video_games"].as_array().expect("a list");
    assert_eq!(video.len(), regulus_games::VIDEO_GAMES.len());
    for game in video {
        assert!(game["name"].as_str().is_some_and(|name| name.starts_with("vgdl/")), "{game}");
        assert_eq!(game["levels"].as_array().map(Vec::len), Some(3), "{game}");
    }
    let chess = games.iter().find(|g| g["name"] == "chess").expect("chess is built in");
    assert_eq!((&chess["players"], &chess["vertices"]), (&2.into(), &64.into()));
}

#[test]
fn check_as_json() {
    let output = run(&["check", "--json", "tests/cmd/check.in/macro.rbg"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&output);
    assert_eq!(keys(&value), ["files"]);
    assert_eq!(value["files"][0]["file"], "tests/cmd/check.in/macro.rbg");
    let diagnostics = value["files"][0]["diagnostics"].as_array().expect("a list");
    assert!(!diagnostics.is_empty());
    let places = ["line", "column", "end_line", "end_column"];
    for diagnostic in diagnostics {
        for key in ["code", "severity", "message"] {
            assert!(diagnostic[key].is_string(), "{key} of {diagnostic}");
        }
        assert!(places.iter().all(|key| diagnostic[*key].as_u64().is_some_and(|n| n > 0)));
        for related in diagnostic["related"].as_array().expect("a list") {
            assert!(related["message"].is_string());
            assert!(places.iter().all(|key| related[*key].as_u64().is_some_and(|n| n > 0)));
        }
    }
    // `piece` in `[piece]`, in the macro.
    let first = &diagnostics[0];
    assert_eq!((&first["line"], &first["column"]), (&5.into(), &44.into()));
    assert_eq!((&first["end_line"], &first["end_column"]), (&5.into(), &49.into()));
    assert_eq!(first["code"], "RBG0062");
}

#[test]
fn check_reads_standard_input() {
    let good = fs::read("tests/cmd/check.in/good.rbg").expect("the fixture is there");
    let output = run_with_input(&["check", "-"], &good);
    assert_eq!((output.status.code(), out(&output)), (Some(0), "1 file checked: no errors\n"));
    let output = run_with_input(&["check", "--json", "-"], b"#players");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["files"][0]["file"], "<stdin>");
    let output = run_with_input(&["check", "-"], &vec![b'('; 10_000_000]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("it is longer than 4 MiB"), "{}", out(&output));
}

#[test]
fn fmt_standard_input() {
    let output = run_with_input(&["fmt", "-"], UNFORMATTED.as_bytes());
    assert_eq!((output.status.code(), out(&output)), (Some(0), FORMATTED));
    let output = run_with_input(&["fmt", "--check", "-"], UNFORMATTED.as_bytes());
    assert_eq!((output.status.code(), out(&output)), (Some(1), "<stdin> is not formatted\n"));
    let output = run_with_input(&["fmt", "--check", "-"], FORMATTED.as_bytes());
    assert_eq!((output.status.code(), out(&output)), (Some(0), ""));
    let output = run_with_input(&["fmt", "-"], b"#players = \xff");
    assert_eq!((output.status.code(), out(&output)), (Some(1), ""));
    assert!(err(&output).contains("RBG0001"));
}

#[test]
fn fmt_in_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("game.rbg");
    let path = file.to_str().expect("a path in UTF-8");
    fs::write(&file, UNFORMATTED).expect("the file can be written");
    let checked = run(&["fmt", "--check", path]);
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(
        fs::read_to_string(&file).expect("still there"),
        UNFORMATTED,
        "--check changes nothing"
    );
    let first = run(&["fmt", path]);
    assert_eq!((first.status.code(), out(&first)), (Some(0), &*format!("formatted {path}\n")));
    assert_eq!(fs::read_to_string(&file).expect("still there"), FORMATTED);
    let again = run(&["fmt", path]);
    assert_eq!((again.status.code(), out(&again)), (Some(0), ""), "nothing is left to do");
    // One file that cannot be read does not keep the next from being formatted.
    fs::write(&file, UNFORMATTED).expect("the file can be written");
    let missing = folder.path().join("missing.rbg");
    let both = run(&["fmt", missing.to_str().expect("a path in UTF-8"), path]);
    assert_eq!(both.status.code(), Some(1));
    assert!(err(&both).contains("missing.rbg"));
    assert_eq!(fs::read_to_string(&file).expect("still there"), FORMATTED);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("the folder is there").collect();
    assert_eq!(left.len(), 1, "no temporary file is left behind");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, link) = (folder.path().join("game.rbg"), folder.path().join("link.rbg"));
    fs::write(&file, UNFORMATTED).expect("the file can be written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("a file of our own");
    symlink(&file, &link).expect("links are possible");
    let output = run(&["fmt", link.to_str().expect("a path in UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(fs::symlink_metadata(&link).expect("still there").file_type().is_symlink());
    let metadata = fs::metadata(&file).expect("still there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&file).expect("still there"), FORMATTED);
}

#[cfg(unix)]
#[test]
fn fmt_loses_nothing_in_a_folder_it_cannot_write() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("game.rbg");
    fs::write(&file, UNFORMATTED).expect("the file can be written");
    let mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
    mode(0o555).expect("a folder of our own");
    // Permissions do not bind the superuser: then the file is simply formatted.
    let is_bound = fs::write(folder.path().join("probe"), "").is_err();
    let output = run(&["fmt", file.to_str().expect("a path in UTF-8")]);
    mode(0o755).expect("a folder of our own");
    let text = fs::read_to_string(&file).expect("the file is still there");
    if is_bound {
        assert_eq!((output.status.code(), text.as_str()), (Some(1), UNFORMATTED));
        assert!(err(&output).contains("cannot write"), "{}", err(&output));
    } else {
        assert_eq!((output.status.code(), text.as_str()), (Some(0), FORMATTED));
    }
}

#[test]
fn fmt_refuses_a_folder() {
    let output = run(&["fmt", "tests/cmd"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("it is a directory"), "{}", err(&output));
}

#[test]
fn explain_lists_every_code() {
    let output = run(&["explain"]);
    assert_eq!(output.status.code(), Some(0));
    let boards = regulus_rbg::Code::ALL.iter().map(|code| code.id());
    let codes: Vec<String> =
        boards.chain(regulus_vgdl::Code::ALL.iter().map(|code| code.id())).collect();
    assert_eq!(out(&output).lines().count(), codes.len());
    for code in codes {
        assert!(out(&output).contains(&code));
        let one = run(&["explain", &code]);
        assert_eq!(one.status.code(), Some(0));
        assert!(out(&one).starts_with(&code));
    }
}

#[test]
fn every_built_in_game_can_be_shown() {
    for game in regulus_games::GAMES {
        let output = run(&["show", game.name]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", game.name, err(&output));
        for word in ["players", "variables", "pieces", "board", "rules"] {
            assert!(out(&output).contains(&format!("\n{word} ")), "{}: {word}", game.name);
        }
    }
}

#[test]
fn expanded_rules_are_a_description() {
    let expanded = run(&["show", "chess", "--expanded"]);
    let output = run_with_input(&["check", "-"], &expanded.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
}

/// As in `regulus explain | head -1`: whoever reads the output stops early.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["games"][..], &["explain"], &["show", "chess", "--json"]] {
        let mut child = regulus()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("regulus can be started");
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
        reader.read_line(&mut line).expect("there is a line");
        drop(reader);
        let output = child.wait_with_output().expect("regulus ends");
        assert_eq!((output.status.code(), err(&output)), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let bad = Path::new("tests/cmd/check.in/bad.rbg").to_str().expect("a path in UTF-8");
    let coloured = |variable: Option<&str>| {
        let mut command = regulus();
        command.args(["check", bad]);
        if let Some(variable) = variable {
            command.env(variable, "1");
        }
        let output = command.output().expect("regulus can be started");
        out(&output).contains('\x1b')
    };
    assert!(!coloured(None), "a pipe is no terminal");
    assert!(!coloured(Some("NO_COLOR")));
    assert!(coloured(Some("CLICOLOR_FORCE")), "colours can be had through a pipe");
}

#[test]
fn think_as_json() {
    let limits = ["--limit", "sims=200", "--seed", "5", "--json"];
    let arguments = [&["think", "breakthrough"], &limits[..]].concat();
    let mut value = json(&run(&arguments));
    for key in ["iterations", "nodal_states", "states", "nodes", "bytes", "seconds", "max_depth"] {
        assert!(value[key].is_number(), "{key}");
    }
    assert_eq!(value["iterations"], 200);
    let moves = value["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 22);
    let visits: u64 = moves.iter().filter_map(|m| m["visits"].as_u64()).sum();
    assert_eq!(visits, 200);
    assert!(moves.iter().any(|m| m["move"] == value["move"]));
    // The same search twice is the same search.
    let mut again = json(&run(&arguments));
    value["seconds"] = Value::Null;
    again["seconds"] = Value::Null;
    assert_eq!(value, again);
}

#[test]
fn a_saved_game_can_be_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my game.json");
    // Whoever sits second has to answer; numbers beyond the end of the game are refused.
    let script = format!("1\n1\n1\n1\n1\n1\nsave {0}\nsave {0}\n", path.display());
    let arguments = ["play", "tic-tac-toe", "--seat", "2", "--limit", "sims=100"];
    let output = run_with_input(&arguments, script.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("The game is over: "));
    let text = fs::read_to_string(&path).expect("a file was saved");
    let saved: Value = serde_json::from_str(&text).expect("the file is JSON");
    assert_eq!(
        keys(&saved),
        ["agent", "finished", "game", "moves", "resigned", "scores", "seat", "seed"]
    );
    assert_eq!(saved["finished"], true);
    let moves = saved["moves"].as_array().expect("a list");
    let moves: Vec<&str> = moves.iter().map(|m| m.as_str().expect("text")).collect();
    let position = moves.join(",");
    let replayed = run(&["think", "tic-tac-toe", "--position", &position, "--json"]);
    assert_eq!(json(&replayed)["move"], Value::Null);
}

#[test]
fn a_saved_game_can_be_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let arguments = ["play", "tic-tac-toe", "--limit", "sims=100"];
    let script = format!("x1y1\nsave {}\n", path.display());
    let before = run_with_input(&arguments, script.as_bytes());
    let board = |text: &str| text.split("   x0 1 2\n").last().expect("a board")[..29].to_owned();
    let saved = board(out(&before));
    let wrong = folder.path().join("wrong.json");
    fs::write(&wrong, "{\"moves\": 7}").expect("a file");
    let script = format!(
        "load\nload {}\nload {}/none\nload {}\nquit\n",
        wrong.display(),
        folder.path().display(),
        path.display()
    );
    let after = run_with_input(&arguments, script.as_bytes());
    assert_eq!(after.status.code(), Some(0), "{}", err(&after));
    assert!(out(&after).contains("Load which file?"), "{}", out(&after));
    assert_eq!(out(&after).matches("Cannot read ").count(), 2, "{}", out(&after));
    assert!(out(&after).contains("Loaded 2 moves"), "{}", out(&after));
    assert_eq!(board(out(&after)), saved);
    let other = run_with_input(&["play", "hex", "--limit", "sims=1"], script.as_bytes());
    assert!(out(&other).contains("is a game of tic-tac-toe, not hex"), "{}", out(&other));
    // Moves that the rules do not allow change nothing.
    let text = fs::read_to_string(&path).expect("the saved game");
    let first = text.find("\"moves\": [").expect("moves") + "\"moves\": [".len();
    fs::write(&path, format!("{}\"1 99\", {}", &text[..first], &text[first..])).expect("a file");
    let after = run_with_input(&arguments, format!("load {}\nmoves\n", path.display()).as_bytes());
    assert!(out(&after).contains("Cannot play the moves of"), "{}", out(&after));
    assert!(out(&after).contains("9 rx2y2"), "{}", out(&after));
}

#[test]
fn what_is_for_the_page_is_refused_without_it() {
    let output = run_with_input(&["play", "hex", "--port", "0"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("--port and --bind are for --web"), "{}", err(&output));
}

#[test]
fn moves_that_look_alike_can_be_told_apart() {
    // Passing and playing on the first vertex are the same vertex with another modifier.
    let arguments = ["play", "go", "--agent", "mcts_orthodox_orthodox", "--limit", "sims=2"];
    let output = run_with_input(&arguments, b"pass\nx99y99\n");
    assert!(out(&output).contains("white plays "), "{}", out(&output));
    // Pentago: a quarter can be turned both ways.
    let arguments = ["play", "pentago", "--limit", "sims=2"];
    let output = run_with_input(&arguments, b"x3y0\nx4y4\n");
    assert!(out(&output).contains("31 rx3y0 rx4y4:"), "{}", out(&output));
    assert!(!out(&output).contains("black plays "), "{}", out(&output));
}

#[test]
fn play_ends_with_the_input() {
    let output = run_with_input(&["play", "peg-solitaire", "--limit", "sims=2"], b"a\xff");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("No legal move has"));
    let output = run_with_input(&["play", "reversi", "--seat", "3"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("there is no seat 3"), "{}", err(&output));
    let output = run_with_input(&["play", "tic-tac-toe", "--seat", "0", "--limit", "sims=9"], b"");
    assert!(out(&output).contains("The game is over: "), "{}", out(&output));
}

#[test]
fn agents_write_what_they_read() {
    let listed = json(&run(&["agents", "--json"]));
    let names = listed["agents"].as_array().expect("a list");
    assert_eq!(names.len(), regulus_agent::COLLECTION.len());
    let names = listed["halving_agents"].as_array().expect("a list");
    assert_eq!(names.len(), regulus_agent::SHOT_COLLECTION.len());
    let names = listed["single_player_agents"].as_array().expect("a list");
    assert_eq!(names.len(), regulus_agent::NESTED_COLLECTION.len());
    let names = listed["video_agents"].as_array().expect("a list");
    assert_eq!(names.len(), regulus_agent::VIDEO_COLLECTION.len());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agent.json");
    for name in ["mctsMS_semisplitNodal_semisplit_mastmix7_ravecontext", "vg-ol-mcts_ph_nst_qb"] {
        let written = run(&["agents", name, "--json"]);
        fs::write(&path, &written.stdout).expect("a file");
        let again = run(&["agents", path.to_str().expect("a name"), "--json"]);
        assert_eq!(again.stdout, written.stdout);
    }
    let schema = json(&run(&["agents", "--schema"]));
    let kinds = schema["anyOf"].as_array().expect("kinds of files");
    let names: Vec<&serde_json::Value> =
        kinds.iter().map(|kind| &kind["properties"]["algorithm"]["properties"]["name"]).collect();
    assert!(names.iter().any(|name| name["const"] == "MCTS"), "{names:?}");
    assert!(names.iter().any(|name| name["const"] == "OPEN_LOOP_MCTS"), "{names:?}");
}
