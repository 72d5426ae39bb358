//! Many sessions at the same time: nothing is lost, and memory stays within bounds.

#![allow(clippy::unwrap_used)]

mod client;
mod server;

use std::sync::atomic::{AtomicUsize, Ordering};

use client::seats;
use regulus_web::Limits;
use serde_json::{Value, json};
use server::{Running, limits};

const SESSIONS: usize = 240;

/// Memory of this process in megabytes, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kilobytes| kilobytes >> 10)
}

#[test]
fn many_sessions_with_agents() {
    let server = Running::start(Limits { sessions: SESSIONS, ..limits() });
    let client = &server.client;
    let games = ["tic-tac-toe", "connect-four", "hex", "breakthrough", "reversi"];
    let next = AtomicUsize::new(0);
    // All sessions are there before the first is played to its end.
    let sessions: Vec<(String, Value)> = (0..SESSIONS)
        .map(|i| {
            let body =
                json!({ "game": games[i % games.len()], "seats": seats(&["h", "40"]), "seed": i });
            client.begin(&body)
        })
        .collect();
    assert_eq!(client.post("/sessions", &json!({ "game": "hex" })).status, 503);
    let before = resident();
    let finished: usize = std::thread::scope(|scope| {
        let visitors: Vec<_> = (0..32)
            .map(|_| {
                let (sessions, next) = (&sessions, &next);
                scope.spawn(move || {
                    let mut finished = 0;
                    while let Some((session, first)) =
                        sessions.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        finished += usize::from(play(client, session, first));
                    }
                    finished
                })
            })
            .collect();
        visitors.into_iter().map(|visitor| visitor.join().unwrap()).sum()
    });
    assert_eq!(finished, SESSIONS);
    if let (Some(before), Some(after)) = (before, resident()) {
        eprintln!("{SESSIONS} sessions: {before} MB before the games, {after} MB after them");
        // Two searches at a time with 8 MB each; the rest is positions, a few kilobytes each.
        assert!(after < before + 200, "{before} MB before, {after} MB after");
    }
    // Every session is still there, with its own game.
    for (i, (session, _)) in sessions.iter().enumerate() {
        assert_eq!(client.view(session)["game"]["name"], games[i % games.len()]);
    }
}

/// Plays some moves against the agent, listening to events; true if every move was answered.
fn play(client: &client::Client, session: &str, first: &Value) -> bool {
    let mut events = client.events(session);
    let mut view = first.clone();
    for turn in 0..6 {
        let plies = view["plies"].as_u64().unwrap();
        while view["status"] == "choosing" && view["plies"].as_u64() == Some(plies) {
            let count = view["choices"].as_array().unwrap().len();
            let body = json!({ "revision": view["revision"], "choice": (turn * 3) % count });
            view = client.perform(session, "choose", &body);
        }
        let revision = view["revision"].as_u64();
        if view["status"] == "over" {
            return true;
        }
        view = events
            .until(|view| view["revision"].as_u64() >= revision && view["status"] != "thinking");
        if view["status"] == "over" {
            return true;
        }
        assert_eq!(view["plies"].as_u64(), Some(plies + 2), "{view}");
    }
    true
}
