//! `regulus serve` as a program: its address, its end, and rules that ask for too much.

#![allow(clippy::unwrap_used)]

#[path = "../../regulus-web/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use client::{Client, seats};
use serde_json::{Value, json};

/// A program that serves. It is ended with the test.
struct Program {
    process: Child,
    /// The line it has printed.
    line: String,
    client: Client,
}

fn start(arguments: &[&str]) -> Program {
    let mut process = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let line = line.trim_end().to_owned();
    let host = line.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    let host = host.unwrap_or_else(|| panic!("no address: {line}")).to_owned();
    let client = Client { address: host.parse().unwrap(), host };
    Program { process, line, client }
}

impl Program {
    /// Ends it as Ctrl-C does.
    #[cfg(unix)]
    fn interrupt(mut self) -> ExitStatus {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.process.wait().unwrap()
    }

    /// The processes that it has started.
    #[cfg(target_os = "linux")]
    fn children(&self) -> Vec<String> {
        let id = self.process.id();
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
        let children = |task: std::fs::DirEntry| {
            let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        tasks.flat_map(|task| children(task.unwrap())).collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Rules for one player on a row of vertices.
fn rules(length: usize, variables: &str, rules: &str) -> String {
    let row = vec!["e"; length].join(",");
    format!(
        "#players = a(100)\n#pieces = e, x\n#variables = {variables}\n\
         #board = rectangle(up, down, left, right, [{row}])\n#rules = {rules}"
    )
}

#[test]
#[cfg(unix)]
fn it_serves_until_it_is_interrupted() {
    let program = start(&["serve", "--port", "0"]);
    assert!(program.line.starts_with("http://127.0.0.1:") && program.line.ends_with('/'));
    let page = program.client.send("GET", "/", "", b"");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    // A search that is under way, and whoever listens to it, do not keep it from ending.
    let agent = json!({ "kind": "agent", "agent": "auto", "limit": "time=30s" });
    let (session, _) = program.client.begin(&json!({ "game": "go", "seats": [agent, agent] }));
    let mut events = program.client.events(&session);
    assert!(events.any(|(name, _)| name == "thinking"));
    assert!(program.interrupt().success());
    assert_eq!(events.last().map(|(name, _)| name).as_deref(), Some("gone"));
}

#[test]
fn a_port_that_is_in_use_is_an_error() {
    let first = start(&["serve", "--port", "0"]);
    let port = first.client.address.port().to_string();
    let second = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(["serve", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(error.contains(&format!("port {port} of 127.0.0.1 is in use")), "{error}");
}

#[test]
fn a_game_is_there_from_the_beginning() {
    let program =
        start(&["play", "hex", "--web", "--port", "0", "--seat", "2", "--limit", "sims=9"]);
    let (_, id) = program.line.split_once("/#session=").expect("a session");
    let mut events = program.client.events(&format!("/sessions/{id}"));
    let view = events.until(|view| view["status"] == "choosing");
    assert_eq!((&view["plies"], &view["player"]), (&json!(1), &json!(1)));
    assert_eq!(view["seats"], seats(&["9", "h"]));
    // Rules from a file are played like uploaded ones.
    let mut file = tempfile::Builder::new().suffix(".rbg").tempfile().unwrap();
    write!(file, "{}", rules(3, "", "->a right [x] ->> {}")).unwrap();
    let path = file.path().to_str().unwrap();
    let program = start(&["play", path, "--web", "--port", "0"]);
    let (_, id) = program.line.split_once("/#session=").expect("a session");
    let session = format!("/sessions/{id}");
    let view = program.client.view(&session);
    assert_eq!((&view["game"]["uploaded"], &view["status"]), (&json!(true), &json!("choosing")));
    let view = program.client.perform(&session, "choose", &json!({ "revision": 1, "choice": 0 }));
    assert_eq!(view["status"], "over", "{view}");
}

#[test]
fn uploaded_rules_are_played() {
    let program = start(&["serve", "--port", "0"]);
    let client = &program.client;
    let text = regulus_games::find("tic-tac-toe").unwrap().text;
    let body = json!({ "text": text, "name": "mine", "seats": seats(&["50", "50"]), "seed": 5 });
    let (session, view) = client.begin(&body);
    assert!(view["scene"]["cells"].is_array());
    let over = |session: &str| client.events(session).until(|view| view["status"] == "over");
    let view = over(&session);
    // Where the rules are run makes no difference.
    let body = json!({ "game": "tic-tac-toe", "seats": seats(&["50", "50"]), "seed": 5 });
    let (other, _) = client.begin(&body);
    assert_eq!(view["moves"], over(&other)["moves"]);
    let record = client.get(&format!("{session}/record")).json();
    assert_eq!((&record["text"], &record["finished"]), (&json!(text), &json!(true)));
    let stale = client.post(&format!("{session}/undo"), &json!({ "revision": 1 }));
    assert_eq!((stale.status, stale.code().as_str()), (409, "stale"));
    // A process ends with its session.
    #[cfg(target_os = "linux")]
    {
        let children = program.children();
        assert_eq!(children.len(), 1);
        // It can do nothing else.
        let status = std::fs::read_to_string(format!("/proc/{}/status", children[0])).unwrap();
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.contains(line), "{status}");
        }
        assert_eq!(client.delete(&session).status, 204);
        while !program.children().is_empty() {
            std::thread::yield_now();
        }
    }
}

/// Whoever has the page open hears at once that the process behind it is gone, and how; its place is free then.
#[test]
#[cfg(target_os = "linux")]
fn killed_processes_are_told() {
    let program = start(&["serve", "--port", "0", "--max-uploads", "1"]);
    let client = &program.client;
    let text = regulus_games::find("tic-tac-toe").unwrap().text;
    let kill = |signal: &str| {
        let process = program.children().pop().expect("a process");
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    };
    for (signal, why) in [
        ("-KILL", "the process that runs the rules was killed from outside (SIGKILL)"),
        ("-ILL", "the process that runs the rules crashed (SIGILL)"),
        (
            "-SYS",
            "the process that runs the rules was stopped: it made a system call that it may not make",
        ),
    ] {
        // Nobody has to do anything: neither somebody who is to move,
        let (session, _) = client.begin(&json!({ "text": text, "seats": seats(&["h", "h"]) }));
        let mut events = client.events(&session);
        kill(signal);
        let view = events.until(|view| view["status"] == "over");
        assert_eq!(view["text"], format!("the game cannot go on, because {why}"));
        assert_eq!(view["choices"], json!([]));
        // nor an agent.
        let agent = json!({ "kind": "agent", "agent": "auto", "limit": "time=30s" });
        let (session, _) = client.begin(&json!({ "text": text, "seats": [agent, agent] }));
        let mut events = client.events(&session);
        assert!(events.any(|(name, _)| name == "thinking"));
        kill(signal);
        let view = events.until(|view| view["status"] == "over");
        assert_eq!(view["outcome"], format!("it cannot go on, because {why}"));
    }
    let (session, _) = client.begin_video(&json!({ "texts": crowded(3, 1) }));
    let mut events = client.events(&session);
    kill("-KILL");
    let view = events.until(|view| view["status"] == "over");
    assert!(view["text"].as_str().unwrap().contains("was killed from outside"), "{view}");
}

/// A video game with `sprites` sprites in one place, which all meet each other with `effects` effects.
fn crowded(sprites: usize, effects: usize) -> Value {
    let game = format!(
        "BasicGame\n  SpriteSet\n    crowd > Passive\n    avatar > MovingAvatar\n  InteractionSet\n{}\
         \x20 LevelMapping\n    x >{}\n  TerminationSet\n    Timeout limit=99 win=True\n",
        "    crowd crowd > turnAround\n".repeat(effects),
        " crowd".repeat(sprites)
    );
    json!({ "game": game, "level": "A x" })
}

#[test]
fn uploaded_video_games_are_played() {
    let program = start(&["serve", "--port", "0"]);
    let client = &program.client;
    let driver = json!({ "kind": "agent", "agent": "vg-one-step", "limit": "sims=9" });
    let body = json!({ "texts": crowded(3, 1), "name": "mine", "driver": driver });
    let (session, view) = client.begin_video(&body);
    assert_eq!((&view["game"]["name"], &view["game"]["uploaded"]), (&json!("mine"), &json!(true)));
    let played = |(name, data): &(String, Value)| name == "step" && data["ticks"] == 5;
    let mut events = client.events(&session);
    assert!(events.any(|event| played(&event)));
    let paused = client.perform(&session, "pause", &json!({ "paused": true }));
    let record = client.get(&format!("{session}/record"));
    let text = String::from_utf8(record.body).unwrap();
    let (replay, view) = client.begin_video(&json!({ "replay": text }));
    assert_eq!((&view["status"], &view["ticks"]), (&json!("replay"), &paused["ticks"]));
    let film = client.get(&format!("{replay}/frames")).json();
    assert_eq!(
        film["frames"].as_array().map(Vec::len),
        paused["ticks"].as_u64().map(|n| n as usize + 1)
    );
    let checked = client.post("/video/check", &crowded(3, 1)).json();
    assert_eq!(checked["ok"], true);
    #[cfg(target_os = "linux")]
    {
        assert_eq!(program.children().len(), 2);
        for session in [session, replay] {
            assert_eq!(client.delete(&session).status, 204);
        }
        while !program.children().is_empty() {
            std::thread::yield_now();
        }
    }
}

/// One tick of a legal game would take hours: it is ended, for a person and for an agent.
#[test]
fn hostile_video_games_are_stopped() {
    let program = start(&["serve", "--port", "0"]);
    let client = &program.client;
    let texts = crowded(9_000, 2_000);
    let (session, _) = client.begin_video(&json!({ "texts": texts }));
    let body = json!({ "revision": 1, "actions": "N" });
    let stopped = |view: &Value| {
        let text = view["text"].as_str().unwrap();
        let why = "lost after 1 ticks with score 0, ended because a tick takes more than 16 million steps";
        assert!(text.starts_with(why), "{text}");
    };
    stopped(&client.perform(&session, "act", &body));
    let view = client.view(&session);
    assert_eq!(view["status"], "over");
    stopped(&view);
    let driver = json!({ "kind": "agent", "agent": "vg-one-step", "limit": "sims=9" });
    let (session, _) = client.begin_video(&json!({ "texts": texts, "driver": driver }));
    assert!(client.events(&session).any(|(_, data)| data["status"] == "over"));
    stopped(&client.view(&session));
    // Nobody else notices.
    let (session, _) = client.begin_video(&json!({ "game": regulus_games::VIDEO_GAMES[0].name }));
    client.perform(&session, "act", &body);
}

/// Rules that are legal and ask for too much: an answer in bounded time, and nobody else notices.
#[test]
fn hostile_rules_are_stopped() {
    let arguments = ["serve", "--port", "0", "--max-delay", "2s", "--max-process-memory", "400"];
    let program = start(&arguments);
    let client = &program.client;
    let twice = "([$ v = v + 1] + [$ v = v + 2])^60 {$ v == 1}";
    for (what, text, why) in [
        ("a billion moves", rules(1000, "", "->a ((left* + right*) [x])^3 ->> {}"), "the "),
        ("dead walks", rules(3, "v(1000000)", &format!("->a {twice} ->> {{}}")), "the "),
        ("a condition", rules(3, "v(1000000)", &format!("->a {{! {twice}}} [x] ->> {{}}")), "the "),
        ("a long move", rules(3, "v(1000000)", "->a ([$ v = v + 1])* ->> {}"), "modifiers"),
    ] {
        let answer = client.post("/sessions", &json!({ "text": text, "seats": seats(&["h"]) }));
        assert_eq!((answer.status, answer.code().as_str()), (422, "rules"), "{what}");
        let message = answer.json()["error"]["message"].clone();
        assert!(message.as_str().unwrap().contains(why), "{what}: {message}");
    }
    // Every move after the first takes years: so does the first simulation.
    let later = rules(3, "v(1000000)", &format!("->a right [x] ->> ->a {twice} ->> {{}}"));
    let seats = json!([{ "kind": "agent", "agent": "auto", "limit": "time=100ms" }]);
    let (session, _) = client.begin(&json!({ "text": later, "seats": seats }));
    // Somebody who goes away does not leave the search behind.
    assert_eq!(client.delete(&session).status, 204);
    let (session, _) = client.begin(&json!({ "text": later, "seats": seats }));
    // It is given up by the rules, or by the clock.
    let view = client.events(&session).until(|view| view["status"] != "thinking");
    let text = view["text"].as_str().unwrap();
    let stopped = text.contains("a search does not end") || text.contains("too many moves");
    assert!(stopped, "{view}");
    // Games that never end are no reason to end the process.
    let endless = rules(3, "v(1)", "(->a (left + right + {e}) [$ v = 1 - v])*");
    for agent in ["auto", "mcts_orthodox_orthodox"] {
        let seats = json!([{ "kind": "agent", "agent": agent, "limit": "sims=2" }]);
        let (session, _) = client.begin(&json!({ "text": endless, "seats": seats }));
        let view = client.events(&session).until(|view| view["status"] == "paused");
        assert!(view["text"].as_str().unwrap().contains("has not come to an end"), "{view}");
    }
    let (session, _) = client.begin(&json!({ "game": "hex", "seats": client::seats(&["9", "9"]) }));
    client.events(&session).until(|view: &Value| view["plies"].as_u64() >= Some(2));
}
