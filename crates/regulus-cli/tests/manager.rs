//! `regulus manager` and `regulus join` as commands, over real sockets.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

fn regulus(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    regulus(folder).args(arguments).output().expect("regulus can be started")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A manager that listens, and where. It ends by itself if players do not come.
struct Manager {
    child: Child,
    messages: BufReader<std::process::ChildStderr>,
    address: String,
}

fn manager(folder: &Path, arguments: &[&str]) -> Manager {
    let mut command = regulus(folder);
    command.args(["manager", "--port", "0", "--connect-timeout", "60s"]).args(arguments);
    let mut child = command.spawn().expect("regulus can be started");
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    messages.read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    Manager { child, messages, address }
}

impl Manager {
    fn join(&self, folder: &Path, arguments: &[&str]) -> Child {
        let mut command = regulus(folder);
        command.args(["join", &self.address, "--silence-timeout", "60s"]).args(arguments);
        command.spawn().expect("regulus can be started")
    }

    /// The exit status, the output, and the messages.
    fn end(mut self) -> (Option<i32>, String, String) {
        let (mut messages, mut out) = (String::new(), String::new());
        self.messages.read_to_string(&mut messages).expect("text");
        self.child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
        (self.child.wait().expect("an end").code(), out, messages)
    }
}

#[test]
fn agents_join_and_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let files = ["--record", "games.jsonl", "--log-results", "results", "--log-moves", "stdout"];
    let more =
        ["tic-tac-toe", "--games", "6", "--swap", "--names", "one,two", "--deadline", "60000"];
    let manager = manager(folder, &[&more[..], &files].concat());
    let one = manager.join(folder, &["--agent", "mcts_orthodox_orthodox", "--limit", "sims=50"]);
    let two = manager.join(folder, &["--limit", "sims=5", "--seed", "9", "--states"]);
    let (status, out, messages) = manager.end();
    assert_eq!(status, Some(0), "{messages}");
    assert!(messages.contains("6 games, 0 void"), "{messages}");
    for (child, shows_moves) in [(one, false), (two, true)] {
        let output = child.wait_with_output().expect("an end");
        assert!(err(&output).contains("warning: the limit in simulations"), "{}", err(&output));
        assert_eq!(err(&output).contains("    visits   mean  move\n"), shows_moves);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(
            err(&output).ends_with("the manager has ended after 6 games\n"),
            "{}",
            err(&output)
        );
    }
    let records = fs::read_to_string(folder.join("games.jsonl")).expect("records");
    let records: Vec<Value> =
        records.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records.len(), 6);
    assert_eq!((&records[1]["unit"], &records[1]["seating"]), (&0.into(), &1.into()));
    assert_eq!(records[1]["agents"][0]["name"], "one");
    assert_eq!(records[1]["budget"], "time=60s");
    // The logs are the same games.
    let mut moves = String::new();
    for record in &records {
        for text in record["moves"].as_array().expect("a list") {
            moves.push_str(text.as_str().expect("text"));
            moves.push('\n');
        }
        moves.push_str("reset\n");
    }
    assert_eq!(out, moves);
    let results = fs::read_to_string(folder.join("results")).expect("a log");
    assert_eq!(results.lines().count(), 6);
    for (line, record) in results.lines().zip(&records) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 5, "{line}");
        assert!(words[0].parse::<f64>().is_ok());
        assert_eq!(words[1], record["moves"].as_array().expect("a list").len().to_string());
        assert_eq!([words[3], words[4]], [0, 1].map(|i| record["scores"][i].to_string()));
    }
    // What was recorded can be summed up after the fact.
    let summary = run(folder, &["summary", "games.jsonl", "--json"]);
    let summary: Value = serde_json::from_slice(&summary.stdout).expect("JSON");
    let series = &summary["series"][0];
    assert_eq!((&series["games"], &series["game"]), (&6.into(), &"tic-tac-toe".into()));
    let agents = series["agents"].as_array().expect("a list");
    assert_eq!(agents.len(), 2);
    for (agent, name) in agents.iter().zip(["one", "two"]) {
        assert_eq!(agent["name"], name);
        assert_eq!(agent["total"]["games"], 6);
        assert_eq!([0, 1].map(|seat| agent["seats"][seat]["games"].as_u64()), [Some(3); 2]);
        let results = ["wins", "draws", "losses"].map(|key| agent["total"][key].as_u64());
        assert_eq!(results.into_iter().flatten().sum::<u64>(), 6);
    }
    let checked = run(folder, &["replay", "games.jsonl", "--check"]);
    assert_eq!(String::from_utf8_lossy(&checked.stdout), "6 games checked, 0 wrong\n");
}

/// The rules come from the manager: a file that only it has, and a game for one.
#[test]
fn rules_come_from_the_manager() {
    let (there, here) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let text = "#players = me(100)\n#pieces = e, x\n#variables =\n#board = rectangle(u, d, l, r, [e, e])\n\
                #rules = ->me (l* + r*) {e} [x] ->me (l* + r*) {e} [x] ->> [$ me = 100] ->> {}\n";
    fs::write(there.path().join("alone.rbg"), text).expect("a file");
    let manager = manager(there.path(), &["alone.rbg", "--games", "3"]);
    let player = manager.join(here.path(), &["--limit", "sims=3"]);
    let (status, _, messages) = manager.end();
    assert_eq!(status, Some(0), "{messages}");
    assert!(messages.contains("game 3: 100 after 2 moves"), "{messages}");
    let output = player.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(err(&output).contains("plays as me, seat 1 of 1"), "{}", err(&output));
}

/// Sends what Ctrl-C sends.
fn interrupt(child: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(sent.expect("a shell can be started").success());
}

/// Ctrl-C ends both sides, whatever they wait for, and what was played is kept.
#[test]
fn they_can_be_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // While players are waited for.
    let waiting = manager(folder, &["tic-tac-toe"]);
    interrupt(&waiting.child);
    let (status, _, messages) = waiting.end();
    assert_eq!(status, Some(1));
    assert_eq!(messages, "error: interrupted after 0 games\n");
    // While a player waits for others.
    let second = manager(folder, &["tic-tac-toe"]);
    let mut alone = second.join(folder, &[]);
    let mut out = BufReader::new(alone.stderr.take().expect("a pipe"));
    let mut messages = second.messages;
    let mut line = String::new();
    messages.read_line(&mut line).expect("a line");
    assert!(line.ends_with("has connected, 1 more must come\n"), "{line}");
    interrupt(&alone);
    assert_eq!(alone.wait().expect("an end").code(), Some(1));
    let mut told = String::new();
    out.read_to_string(&mut told).expect("text");
    assert_eq!(told, "error: interrupted\n");
    let mut second = second.child;
    interrupt(&second);
    assert_eq!(second.wait().expect("an end").code(), Some(1));
    // In the middle of games without end.
    let arguments = ["tic-tac-toe", "--record", "games.jsonl", "--log-moves", "moves"];
    let mut endless = manager(folder, &arguments);
    let players = [0, 1].map(|_| endless.join(folder, &["--limit", "sims=2"]));
    let mut line = String::new();
    while !line.starts_with("game 3:") {
        line.clear();
        assert!(endless.messages.read_line(&mut line).expect("a line") > 0, "no third game");
    }
    interrupt(&endless.child);
    let (status, _, messages) = endless.end();
    assert_eq!(status, Some(1));
    let games = fs::read_to_string(folder.join("games.jsonl")).expect("records").lines().count();
    assert!(games >= 3);
    assert!(messages.ends_with(&format!("error: interrupted after {games} games\n")), "{messages}");
    let checked = run(folder, &["replay", "games.jsonl", "--check"]);
    assert_eq!(
        String::from_utf8_lossy(&checked.stdout),
        format!("{games} games checked, 0 wrong\n")
    );
    let moves = fs::read_to_string(folder.join("moves")).expect("a log");
    assert_eq!(moves.lines().filter(|line| *line == "reset").count(), games);
    // Whether the players were in a game when the manager went is up to chance.
    for player in players {
        let output = player.wait_with_output().expect("an end");
        let said = err(&output);
        let last = said.lines().last().unwrap_or_default();
        match output.status.code() {
            Some(0) => assert!(last.starts_with("the manager has ended after"), "{said}"),
            Some(1) => assert!(last.ends_with("the connection was closed"), "{said}"),
            status => panic!("{status:?}: {said}"),
        }
    }
}

/// A manager that says what it is told to, and `regulus join` that has connected to it.
fn scripted(rules: &str, arguments: &[&str]) -> (TcpStream, Child) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    let mut command = regulus(Path::new("."));
    let child =
        command.args(["join", &address]).args(arguments).spawn().expect("it can be started");
    let mut manager = listener.accept().expect("it connects").0;
    manager.write_all(format!("300.000000\0{rules}\x001\x00").as_bytes()).expect("sent");
    (manager, child)
}

fn hear(manager: &mut TcpStream) -> String {
    let (mut message, mut byte) = (Vec::new(), [0]);
    loop {
        manager.read_exact(&mut byte).expect("a message");
        if byte == [0] {
            return String::from_utf8(message).expect("text");
        }
        message.extend(byte);
    }
}

/// Rules for one player on a row of three vertices.
fn rules_for_one(variables: &str, rules: &str) -> String {
    format!(
        "#players = a(100)\n#pieces = e, x\n#variables = {variables}\n\
         #board = rectangle(up, down, left, right, [e,e,e])\n#rules = {rules}"
    )
}

#[test]
fn rules_that_ask_for_too_much_are_given_up() {
    let fails = |rules: &str, arguments: &[&str], message: &str| {
        let (_manager, child) = scripted(rules, arguments);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).ends_with(&format!("error: {message}\n")), "{}", err(&output));
    };
    let chess = regulus_games::find("chess").expect("built in").text;
    fails(
        chess,
        &["--max-preparation", "1ms", "--agent", "mcts_orthodox_orthodox"],
        "the rules of the manager take longer than 1ms to prepare",
    );
    // Moves without number, all of which are listed.
    let row = vec!["e"; 1000].join(",");
    let many = rules_for_one("", "->a ((left* + right*) [x])^3 ->> {}").replace("e,e,e", &row);
    fails(
        &many,
        &["--max-process-memory", "256", "--agent", "mcts_orthodox_orthodox"],
        "the rules need more than 256 MB of memory",
    );
}

/// The process that runs the rules of a manager.
#[cfg(target_os = "linux")]
fn children(process: &Child) -> Vec<String> {
    let id = process.id();
    let path = format!("/proc/{id}/task/{id}/children");
    let text = fs::read_to_string(path).expect("it is there");
    text.split_whitespace().map(str::to_owned).collect()
}

/// Rules are run by a process that can do nothing else, with machine code, by one thread or several.
#[cfg(target_os = "linux")]
#[test]
fn rules_of_managers_run_in_a_confined_process() {
    let text = regulus_games::find("tic-tac-toe").expect("built in").text;
    for agent in ["auto", "mcts_orthodox_orthodox_root2", "mctsM_semisplitNodal_semisplit_tree2"] {
        let (mut manager, child) = scripted(text, &["--agent", agent]);
        assert_eq!(hear(&mut manager), "ready");
        let player = children(&child);
        assert_eq!(player.len(), 1, "{player:?}");
        let status = fs::read_to_string(format!("/proc/{}/status", player[0])).expect("status");
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.contains(line), "{status}");
        }
        manager.write_all(b"0.400000\0").expect("sent");
        assert!(!hear(&mut manager).is_empty());
        manager.write_all(b"reset\0").expect("sent");
        drop(manager);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(!err(&output).contains("interpreted"), "{}", err(&output));
        assert!(!err(&output).contains("note:"), "{}", err(&output));
    }
}

/// Whatever happens to that process, `join` says what, and ends.
#[cfg(target_os = "linux")]
#[test]
fn a_player_that_crashes_is_told() {
    let text = regulus_games::find("tic-tac-toe").expect("built in").text;
    for (signal, message) in [
        ("-KILL", "the process that runs the rules was killed from outside (SIGKILL)"),
        ("-ILL", "the process that runs the rules crashed (SIGILL)"),
    ] {
        for arguments in [&["--limit", "sims=9"][..], &["--limit", "sims=9", "--reconnect"]] {
            let (mut manager, child) = scripted(text, arguments);
            assert_eq!(hear(&mut manager), "ready");
            let player = children(&child).pop().expect("a process");
            assert!(Command::new("kill").args([signal, &player]).status().expect("kill").success());
            let output = child.wait_with_output().expect("an end");
            assert_eq!(output.status.code(), Some(1), "{}", err(&output));
            assert!(err(&output).ends_with(&format!("error: {message}\n")), "{}", err(&output));
        }
    }
    // Nothing is left of `join` itself, either.
    let (mut manager, mut child) = scripted(text, &[]);
    assert_eq!(hear(&mut manager), "ready");
    let player = children(&child).pop().expect("a process");
    child.kill().expect("it is there");
    child.wait().expect("an end");
    let alive = || {
        let stat = fs::read_to_string(format!("/proc/{player}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    while alive() {
        std::thread::yield_now();
    }
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for option in ["--log-results", "--log-moves", "--record"] {
        let manager = manager(folder.path(), &["tic-tac-toe", "--games", "2", option, "/dev/full"]);
        let players = [0, 1].map(|_| manager.join(folder.path(), &["--limit", "sims=2"]));
        let (status, _, messages) = manager.end();
        assert_eq!(status, Some(1), "{option}: {messages}");
        let last = messages.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: cannot write /dev/full: "), "{option}: {messages}");
        for player in players {
            player.wait_with_output().expect("an end");
        }
    }
}

/// Other machines can join only if that was asked for.
#[test]
fn the_address_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = regulus(folder.path());
    command.args(["manager", "tic-tac-toe", "--port", "0", "--bind", "0.0.0.0"]);
    let output = command.args(["--connect-timeout", "10ms"]).output().expect("it can be started");
    assert!(err(&output).starts_with("listening on 0.0.0.0:"), "{}", err(&output));
    let nowhere = ["manager", "tic-tac-toe", "--port", "0", "--bind", "no such host"];
    let output = run(folder.path(), &nowhere);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("cannot listen on no such host:0: "), "{}", err(&output));
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let failed = |arguments: &[&str], status: i32, message: &str| {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(message), "{arguments:?}: {}", err(&output));
    };
    failed(&["manager", "tic-tac-toe"], 2, "--port");
    failed(&["manager", "tic-tac-toe", "--port", "0", "--forfeit"], 2, "--deadline");
    failed(&["manager", "tic-tac-toe", "--port", "0", "--deadline=-4"], 2, "milliseconds");
    failed(&["manager", "tic-tac-toe", "--port", "0", "--deadline", "soon"], 2, "milliseconds");
    failed(&["manager", "nothing.rbg", "--port", "0"], 1, "cannot read nothing.rbg");
    failed(
        &["manager", "tic-tac-toe", "--port", "0", "--names", "a,b,c"],
        1,
        "3 names for 2 players",
    );
    let alone = ["manager", "tic-tac-toe", "--port", "0", "--connect-timeout", "10ms"];
    failed(&alone, 1, "2 players have not come within 10ms");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port().to_string();
    failed(&["manager", "tic-tac-toe", "--port", &port], 1, "cannot listen on 127.0.0.1:");
    drop(taken);
    let address = format!("127.0.0.1:{port}");
    failed(&["join", &address, "--connect-timeout", "10ms"], 1, "cannot connect to 127.0.0.1:");
    failed(&["join", "nowhere", "--connect-timeout", "10ms"], 1, "cannot connect to nowhere");
    failed(&["join", &address, "--limit", "soon"], 2, "is no limit");
}
