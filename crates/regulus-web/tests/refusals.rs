//! What a server does not do, and how it says so.

#![allow(clippy::unwrap_used)]

mod client;
mod schema;
mod server;

use client::seats;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use regulus_web::Limits;
use schema::assert_is;
use serde_json::{Value, json};
use server::{Running, limits};

#[test]
fn stale_requests_change_nothing() {
    let server = Running::start(limits());
    let client = &server.client;
    let body = json!({ "game": "hex", "seats": seats(&["h", "h"]) });
    let (session, _) = client.begin(&body);
    client.perform(&session, "choose", &json!({ "revision": 1, "choice": 0 }));
    let answer = client.post(&format!("{session}/choose"), &json!({ "revision": 1, "choice": 0 }));
    assert_eq!((answer.status, answer.code().as_str()), (409, "stale"));
    assert_is("Stale", &answer.json());
    assert_eq!(answer.json()["view"], client.view(&session));
    assert_eq!(client.view(&session)["plies"], 1);
}

/// Of two that choose at the same time, one comes too late.
#[test]
fn one_of_two_wins() {
    let server = Running::start(limits());
    let client = &server.client;
    let (session, _) = client.begin(&json!({ "game": "hex", "seats": seats(&["h", "h"]) }));
    for revision in 1..20 {
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let choose = |choice: usize| {
                let body = json!({ "revision": revision, "choice": choice });
                client.post(&format!("{session}/choose"), &body).status
            };
            let both = [scope.spawn(move || choose(0)), scope.spawn(move || choose(1))];
            both.map(|one| one.join().unwrap()).to_vec()
        });
        let mut sorted = statuses;
        sorted.sort_unstable();
        assert_eq!(sorted, [200, 409]);
    }
    assert_eq!(client.view(&session)["plies"], 19);
}

#[test]
fn wrong_requests_say_why() {
    let server = Running::start(Limits { text_bytes: 10_000, ..limits() });
    let client = &server.client;
    let (session, _) = client.begin(&json!({ "game": "hex", "seats": seats(&["h", "100"]) }));
    let long = "x".repeat(10_001);
    for (path, body, status, code, part) in [
        ("/sessions", json!({ "game": "hexx" }), 404, "not_found", "did you mean `hex`?"),
        ("/sessions", json!({}), 400, "invalid", "either `game`"),
        ("/sessions", json!({ "game": "hex", "text": "x" }), 400, "invalid", "either `game`"),
        ("/sessions", json!({ "game": "hex", "sets": [] }), 400, "invalid", "`sets`"),
        ("/sessions", json!({ "game": "hex", "seats": [] }), 400, "invalid", "2 seats"),
        ("/sessions", json!({ "game": "hex", "moves": ["1 2 3"] }), 400, "invalid", "move 1"),
        ("/sessions", json!({ "game": "hex", "moves": ["9999 1"] }), 400, "invalid", "illegal"),
        ("/sessions", json!({ "text": "#players = " }), 422, "rules", "line 1"),
        ("/sessions", json!({ "text": long }), 413, "too_large", "10000 bytes"),
        ("/check", json!({ "text": long }), 413, "too_large", "10000 bytes"),
        ("/check", json!({ "text": 5 }), 400, "invalid", "string"),
        ("/sessions/00/choose", json!({}), 404, "not_found", "expired"),
        ("/nothing", json!({}), 404, "not_found", "nothing at this address"),
    ] {
        let answer = client.post(path, &body);
        let (json, shown) = (answer.json(), format!("{path} {body}"));
        assert_is("Error", &json);
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{shown}: {json}");
        assert!(json["error"]["message"].as_str().unwrap().contains(part), "{shown}: {json}");
    }
    for (command, body, status) in [
        ("choose", json!({ "revision": 1, "choice": 99_999 }), 400),
        ("choose", json!({ "revision": 1, "choice": -1 }), 400),
        ("choose", json!({ "choice": 1 }), 400),
        ("back", json!({ "revision": 1 }), 409),
        ("undo", json!({ "revision": 1 }), 409),
        ("step", json!({}), 409),
        ("goto", json!({ "ply": 1 }), 400),
        ("hint", json!({ "limit": "time=1h" }), 400),
        ("hint", json!({ "command": "resign", "revision": 1 }), 400),
        ("seats", json!({ "revision": 1, "seats": [{ "kind": "human" }] }), 400),
        ("seats", json!({ "revision": 1, "seats": [{ "kind": "h" }, { "kind": "h" }] }), 400),
        ("dance", json!({}), 404),
    ] {
        let answer = client.post(&format!("{session}/{command}"), &body);
        assert_eq!(answer.status, status, "{command} {body}: {}", answer.json());
        assert_is("Error", &answer.json());
    }
    assert_eq!(client.view(&session)["revision"], 1);
    for (method, path, status) in
        [("PUT", "/api/v1/games", 405), ("POST", "/api/v1/games", 405), ("POST", "/", 405)]
    {
        assert_eq!(client.send(method, path, "", b"").status, status, "{method} {path}");
    }
}

#[test]
fn other_sites_are_kept_out() {
    let server = Running::start(limits());
    let client = &server.client;
    let (session, _) = client.begin(&json!({ "game": "hex" }));
    let events = format!("/api/v1{session}/events");
    let own = format!("Origin: http://{}\r\n", client.host);
    assert_eq!(client.send("GET", "/api/v1/agents", &own, b"").status, 200);
    for headers in [
        "Host: evil.example\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        for (method, path) in [
            ("POST", "/api/v1/sessions"),
            ("DELETE", &format!("/api/v1{session}")),
            ("GET", &events),
            ("GET", "/"),
        ] {
            let answer = client.send(method, path, headers, b"{}");
            assert_eq!((answer.status, answer.code().as_str()), (403, "forbidden"), "{headers}");
            assert_is("Error", &answer.json());
        }
    }
    assert_eq!(client.get(&session).status, 200);
    // A form of another site cannot send JSON.
    let form = "Content-Type: text/plain\r\n";
    assert_eq!(client.send("POST", "/api/v1/sessions", form, br#"{"game":"hex"}"#).status, 415);
    for path in ["/", "/api/v1/games", "/api/v1/nothing", "/nothing"] {
        let answer = client.send("GET", path, "", b"");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
        let cached = if path == "/" { "no-cache" } else { "no-store" };
        assert_eq!(answer.header("cache-control"), Some(cached), "{path}");
    }
}

/// Only what is in the program is served.
#[test]
fn there_are_no_files() {
    let server = Running::start(limits());
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/./index.html", "/src"] {
        let answer = server.client.send("GET", path, "", b"");
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[test]
fn large_and_broken_requests_are_refused() {
    let server = Running::start(limits());
    let client = &server.client;
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(2 << 20));
    let answer = client.post_bytes("/check", large.as_bytes());
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    // Without a length, and more and more.
    let mut endless = format!(
        "POST /api/v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        client.host
    );
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    endless.extend(std::iter::repeat_n(chunk.as_str(), 20));
    assert_eq!(client.raw(endless.as_bytes()).status, 413);
    for body in ["", "{", "[]", "null", "\"x\"", "{\"text\":\"\\ud800\"}", "\u{0}"] {
        let answer = client.post_bytes("/check", body.as_bytes());
        assert_eq!(answer.status, 400, "{body}");
        assert_is("Error", &answer.json());
    }
    let nested = "[".repeat(100_000);
    assert_eq!(client.post_bytes("/check", nested.as_bytes()).status, 400);
    assert_eq!(client.post_bytes("/check", b"{\"text\":\"\xff\"}").status, 400);
    assert_eq!(client.raw(b"HELLO\r\n\r\n").status, 400);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert_eq!(client.raw(long.as_bytes()).status, 431);
    assert_eq!(client.get("/agents").status, 200);
}

/// Whatever JSON is sent, the server answers with a sentence, and goes on.
#[test]
fn any_json_is_answered() {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u64..4).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop_oneof![
            "human",
            "agent",
            "auto",
            "sims=2",
            "time=1s",
            "hex",
            "1 1",
            "NRS",
            "vg-random",
            "\\{\\}"
        ]
        .prop_map(Value::from),
    ];
    let key = prop_oneof![
        "game",
        "text",
        "name",
        "seats",
        "seed",
        "moves",
        "revision",
        "choice",
        "paused",
        "limit",
        "ply",
        "ms",
        "kind",
        "agent",
        "command",
        "level",
        "profile",
        "texts",
        "replay",
        "driver",
        "actions",
        "[a-z]{0,5}",
    ];
    let value = leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let server = Running::start(Limits { sessions: 4000, ..limits() });
    let client = &server.client;
    let (session, _) = client.begin(&json!({ "game": "tic-tac-toe", "seats": seats(&["h", "1"]) }));
    let (video, _) = client.begin_video(&json!({ "game": regulus_games::VIDEO_GAMES[0].name }));
    let document = schema::document();
    let described = document["paths"].as_object().unwrap().iter();
    let paths: Vec<String> = described
        .filter(|(_, methods)| methods.get("post").is_some())
        .map(|(path, _)| path.replace("/video/sessions/{id}", &video))
        .map(|path| path.replace("/sessions/{id}", &session))
        .collect();
    let mut runner =
        TestRunner::new(Config { cases: 600, failure_persistence: None, ..Config::default() });
    runner
        .run(&(prop::sample::select(paths), value), |(path, body)| {
            let answer = client.post(&path, &body);
            prop_assert!(answer.status < 500, "{path} {body}: {}", answer.json());
            if answer.status >= 400 {
                let message = answer.json()["error"]["message"].clone();
                prop_assert!(message.as_str().is_some_and(|text| text.len() > 5));
            }
            Ok(())
        })
        .unwrap();
    assert_is("View", &client.view(&session));
    assert_is("VideoView", &client.view(&video));
}

#[test]
fn there_is_room_for_a_limited_number() {
    let server = Running::start(Limits { sessions: 3, streams: 2, uploads: 1, ..limits() });
    let client = &server.client;
    let body = json!({ "game": "hex" });
    let sessions: Vec<String> = (0..3).map(|_| client.begin(&body).0).collect();
    let answer = client.post("/sessions", &body);
    assert_eq!((answer.status, answer.code().as_str()), (503, "busy"));
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("try again later"));
    assert_eq!(client.delete(&sessions[0]).status, 204);
    let text = regulus_games::find("hex").unwrap().text;
    let upload = json!({ "text": text, "name": "mine" });
    let (mine, view) = client.begin(&upload);
    assert_eq!((&view["game"]["name"], &view["game"]["uploaded"]), (&json!("mine"), &json!(true)));
    assert_eq!(client.delete(&sessions[1]).status, 204);
    assert_eq!(client.post("/sessions", &upload).status, 503, "only one on uploaded rules");
    let streams = [client.events(&mine), client.events(&mine)];
    let answer = client.get(&format!("{mine}/events"));
    assert_eq!((answer.status, answer.code().as_str()), (429, "streams"));
    drop(streams);
}

/// A session goes when its time is over, but not while somebody listens.
#[test]
fn sessions_expire_unless_somebody_listens() {
    let expiry = std::time::Duration::from_secs(2);
    let server = Running::start(Limits { expiry, sessions: 2, ..limits() });
    let client = &server.client;
    let hex = json!({ "game": "hex" });
    // Begins as soon as there is a place.
    let begin = || {
        loop {
            let answer = client.post("/sessions", &hex);
            if answer.status == 201 {
                return format!("/sessions/{}", answer.json()["id"].as_str().unwrap());
            }
            assert_eq!(answer.status, 503);
            std::thread::yield_now();
        }
    };
    let first = begin();
    let events = client.events(&first);
    let _second = begin();
    // The place of the second, which was used later than the first.
    let third = begin();
    assert_eq!(client.get(&first).status, 200);
    let _events = client.events(&third);
    drop(events);
    let _fourth = begin();
    assert_eq!(client.get(&first).status, 404);
}
