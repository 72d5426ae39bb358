//! Files without an end: a command that is given one says so, soon and with little memory.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `regulus` with a bound on its memory: 1 GiB of addresses, of which most are never used.
fn run(folder: &Path, arguments: &[&str], input: Stdio) -> Output {
    let program = env!("CARGO_BIN_EXE_regulus");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 1048576; exec \"$0\" \"$@\"", program]).args(arguments);
    shell.current_dir(folder).stdin(input).output().expect("a shell can be started")
}

/// Everything that was said.
fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(text).expect("text")
}

/// An experiment that names a file as an agent.
fn declaration(agent: &str) -> String {
    format!(
        "title = \"x\"\ngames = [\"tic-tac-toe\"]\nbaseline = \"mcts_orthodox_orthodox\"\n\
         agents = [\"{agent}\"]\nlimits = [\"sims=5\"]\ngames_per_pair = 2\n"
    )
}

/// Every command that reads a file, with that file.
fn commands(file: &str) -> Vec<Vec<String>> {
    let replay = format!("replay:{file}");
    let level = format!("game.txt:{file}");
    let all: [&[&str]; 18] = [
        &["replay", file],
        &["replay", file, "--check"],
        &["check", file],
        &["check", &level],
        &["fmt", file],
        &["show", file],
        &["perft", file, "1"],
        &["bench", file, "--seconds", "0.1"],
        &["think", file, "--limit", "sims=1"],
        &["think", "tic-tac-toe", "--limit", "sims=1", "--agent", file],
        &["agents", file],
        &["match", file, "auto", "auto", "--games", "2"],
        &["match", "tic-tac-toe", "auto", file, "--games", "2", "--limit", "sims=1"],
        &["match", "tic-tac-toe", "auto", "auto", "--limit", "fm0=1ms", "--calibration", file],
        &["experiment", "run", file],
        &["experiment", "plan", "agent.toml"],
        &["trace", file],
        &["play", "vgdl/henhouse:0", "--agent", &replay],
    ];
    all.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect()
}

/// A folder with what the commands need.
fn folder(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "BasicGame\n  SpriteSet\n    goal > Door\n  TerminationSet\n    Timeout limit=9\n";
    fs::write(folder.path().join("game.txt"), game).expect("written");
    fs::write(folder.path().join("agent.toml"), declaration(file)).expect("written");
    folder
}

/// Every command refuses a file, and says why.
fn refused(folder: &Path, file: &str, why: &[&str]) {
    for words in commands(file) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run(folder, &words, Stdio::null());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}\n{said}");
        assert!(why.iter().any(|why| said.contains(why)), "{words:?}\n{said}");
    }
}

#[test]
fn devices() {
    for device in ["/dev/zero", "/dev/urandom"] {
        let why = ["it is longer than ", "is no file of records"];
        refused(folder(device).path(), device, &why);
    }
}

#[test]
fn gigabytes_on_one_line() {
    let folder = folder("./huge.json");
    let file = File::create(folder.path().join("huge.json")).expect("a file");
    file.set_len(100 << 30).expect("sparse");
    refused(folder.path(), "./huge.json", &["it is longer than "]);
    // Records before such a line do not help.
    let games = ["match", "tic-tac-toe", "auto", "auto", "--games", "2", "--limit", "sims=1"];
    let record = [&games[..], &["--record", "games.jsonl"]].concat();
    assert!(run(folder.path(), &record, Stdio::null()).status.success());
    let file = File::options().append(true).open(folder.path().join("games.jsonl"));
    file.expect("records").set_len(100 << 30).expect("sparse");
    let output = run(folder.path(), &["replay", "games.jsonl"], Stdio::null());
    assert!(said(&output).contains("line 3 is no record: it is longer than 64 MiB"));
    // Nobody appends to such a file, and nothing of it is taken away.
    let output = run(folder.path(), &record, Stdio::null());
    assert!(said(&output).contains("its last line is longer than 64 MiB"), "{}", said(&output));
    let length = fs::metadata(folder.path().join("games.jsonl")).expect("a file").len();
    assert_eq!(length, 100 << 30);
}

#[test]
fn pipes() {
    let folder = folder("./pipe");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    // Nobody writes into it; one command is enough to wait for.
    let output = run(folder.path(), &["replay", "./pipe"], Stdio::null());
    assert!(said(&output).contains("nothing has come from it for 2 seconds"), "{}", said(&output));
    let output = run(folder.path(), &["check", "./pipe"], Stdio::null());
    assert!(said(&output).contains("nothing has come from it for 2 seconds"), "{}", said(&output));

    // Somebody writes games into it for ever.
    let games = ["match", "tic-tac-toe", "auto", "auto", "--games", "2", "--limit", "sims=1"];
    let record = [&games[..], &["--record", "games.jsonl"]].concat();
    assert!(run(folder.path(), &record, Stdio::null()).status.success());
    let mut writer = Command::new("sh");
    writer.args(["-c", "exec yes \"$(head -1 games.jsonl)\" > pipe"]).current_dir(folder.path());
    let mut writer = writer.stderr(Stdio::null()).spawn().expect("a shell");
    let output = run(folder.path(), &["replay", "./pipe"], Stdio::null());
    let _ = writer.kill();
    writer.wait().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("more than 256 MiB came from it"), "{}", said(&output));

    // A pipe with an end is as good as a file.
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat games.jsonl > pipe"]).current_dir(folder.path());
    let mut writer = writer.spawn().expect("a shell");
    let output = run(folder.path(), &["replay", "./pipe", "--check"], Stdio::null());
    writer.wait().expect("it ends");
    assert_eq!(said(&output), "2 games checked, 0 wrong\n");
}

#[test]
fn input_without_an_end() {
    let folder = folder("./none");
    for words in [&["play", "tic-tac-toe"][..], &["play", "vgdl/henhouse:0"]] {
        let zeros = File::open("/dev/zero").expect("a device");
        let output = run(folder.path(), words, zeros.into());
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("a line is longer than 1 MiB"), "{}", said(&output));
    }
    for words in [&["check", "-"][..], &["trace", "-"]] {
        let zeros = File::open("/dev/zero").expect("a device");
        let output = run(folder.path(), words, zeros.into());
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("it is longer than "), "{}", said(&output));
    }
}

/// A file that is almost what it should be.
#[test]
fn damaged_records_are_replayed_as_far_as_they_go() {
    let folder = folder("./none");
    let games = ["match", "tic-tac-toe", "auto", "auto", "--games", "4", "--limit", "sims=1"];
    let record = [&games[..], &["--record", "games.jsonl"]].concat();
    assert!(run(folder.path(), &record, Stdio::null()).status.success());
    let path = folder.path().join("games.jsonl");
    let text = fs::read_to_string(&path).expect("records");
    let lines: Vec<&str> = text.lines().collect();
    let mut file = File::create(&path).expect("a file");
    file.write_all(&lines[0].as_bytes()[..100]).expect("written");
    file.write_all(b"\n\xff\xfe\0\n").expect("written");
    write!(file, "{}\n{}\n{}", lines[1], lines[2], &lines[3][..50]).expect("written");
    drop(file);
    let output = run(folder.path(), &["replay", "games.jsonl", "--game", "2"], Stdio::null());
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    for part in [
        "game 2 of 2",
        "warning: games.jsonl, line 1 is left out: it is no record: EOF while parsing",
        "warning: games.jsonl, line 2 is left out: it is no record: expected value at column 1\n",
        "note: the last line of games.jsonl is incomplete and left out\n",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let output = run(folder.path(), &["replay", "games.jsonl", "--check"], Stdio::null());
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    assert!(text.contains("2 games checked, 0 wrong, 2 lines are no records\n"), "{text}");
    fs::write(&path, "{}\n").expect("written");
    let output = run(folder.path(), &["replay", "games.jsonl"], Stdio::null());
    let text = said(&output);
    assert!(
        text.contains("there is no game in games.jsonl: line 1 is none, it is no record"),
        "{text}"
    );
}
