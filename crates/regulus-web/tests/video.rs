//! Video games over HTTP, as the page plays them; every answer is as the description says.

#![allow(clippy::unwrap_used)]

mod client;
mod schema;
mod server;

use std::collections::BTreeMap;

use client::Client;
use regulus_games::VIDEO_GAMES;
use regulus_web::Limits;
use schema::assert_is;
use serde_json::{Value, json};
use server::{Running, limits};

const GAME: &str = include_str!("data/corridor.txt");

const LEVEL: &str = "wwwwwww\nwAcc gw\nwwwwwww\nw  x  w\nwwwwwww";

fn texts() -> Value {
    json!({ "game": GAME, "level": LEVEL })
}

/// Sprites as a page keeps them.
type Shown = BTreeMap<i64, Vec<i64>>;

fn apply(shown: &mut Shown, frame: &Value) {
    for id in frame["gone"].as_array().unwrap() {
        assert!(shown.remove(&id.as_i64().unwrap()).is_some(), "{id} was not there");
    }
    let put: Vec<i64> =
        frame["put"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
    for sprite in put.chunks(5) {
        shown.insert(sprite[0], sprite[1..].to_vec());
    }
}

fn whole(frame: &Value) -> Shown {
    let mut shown = Shown::new();
    apply(&mut shown, frame);
    shown
}

fn act(client: &Client, session: &str, view: &Value, actions: &str) -> Value {
    let body = json!({ "revision": view["revision"], "actions": actions });
    let step = client.perform(session, "act", &body);
    assert_is("VideoStep", &step);
    step
}

#[test]
fn a_level_is_played_to_a_win() {
    let server = Running::start(limits());
    let client = &server.client;
    let (session, view) =
        client.begin_video(&json!({ "texts": texts(), "name": "corridor", "seed": 5 }));
    assert_is("VideoView", &view);
    assert_eq!((&view["status"], &view["game"]["uploaded"]), (&json!("waiting"), &json!(true)));
    assert_eq!(view["actions"], "LRDU");
    let mut shown = whole(&view["frame"]);
    let step = act(client, &session, &view, "R");
    apply(&mut shown, &step["frames"][0]);
    let last = act(client, &session, &step, "RRRRR");
    for frame in last["frames"].as_array().unwrap() {
        apply(&mut shown, frame);
    }
    assert_eq!((&last["status"], &last["ticks"]), (&json!("over"), &json!(4)));
    let end = client.get(&format!("{session}?scene=1")).json();
    assert_is("VideoView", &end);
    assert_eq!((&end["frame"]["result"], &end["frame"]["score"]), (&json!("won"), &json!(5)));
    assert_eq!(whole(&end["frame"]), shown);
    let body = json!({ "revision": view["revision"], "actions": "N" });
    let stale = client.post(&format!("{session}/act"), &body);
    assert_eq!((stale.status, stale.code().as_str()), (409, "stale"));
    assert_is("VideoStale", &stale.json());
    let over = json!({ "revision": end["revision"], "actions": "N" });
    let over = client.post(&format!("{session}/act"), &over);
    assert_eq!((over.status, over.code().as_str()), (409, "impossible"));
    // Sessions of boards are others.
    let id = session.rsplit('/').next().unwrap();
    assert_eq!(client.get(&format!("/sessions/{id}")).status, 404);
    assert_eq!(client.delete(&session).status, 204);
    assert_eq!(client.get(&session).status, 404);
}

#[test]
fn every_built_in_level_is_played() {
    let server = Running::start(limits());
    let client = &server.client;
    let games = client.get("/video/games").json();
    assert_is("VideoGames", &games);
    let agents = client.get("/video/agents").json();
    assert_is("VideoAgents", &agents);
    assert_eq!(games["games"].as_array().unwrap().len(), VIDEO_GAMES.len());
    for game in games["games"].as_array().unwrap() {
        for level in 0..game["levels"].as_array().unwrap().len() {
            let body = json!({ "game": game["name"], "level": level, "seed": level });
            let (session, first) = client.begin_video(&body);
            assert_is("VideoView", &first);
            assert_eq!(first["stage"], game["levels"][level]["stage"]);
            let mut shown = whole(&first["frame"]);
            let step = act(client, &session, &first, "RSDLNUSRRDDSLLUUNNSS");
            for frame in step["frames"].as_array().unwrap() {
                apply(&mut shown, frame);
                assert!(frame.to_string().len() < 20_000);
            }
            assert_eq!(shown, whole(&client.view(&session)["frame"]), "{body}");
            let replay = client.get(&format!("{session}/record"));
            assert_is("Replay", &replay.json());
            let text = String::from_utf8(replay.body).unwrap();
            let (_, loaded) = client.begin_video(&json!({ "replay": text }));
            assert_eq!((&loaded["status"], &loaded["ticks"]), (&json!("replay"), &step["ticks"]));
            assert_eq!(loaded["game"], first["game"]);
        }
    }
}

#[test]
fn an_agent_is_watched_by_two() {
    let server = Running::start(limits());
    let client = &server.client;
    let driver = json!({ "kind": "agent", "agent": "vg-ol-mcts", "limit": "sims=20" });
    let (session, view) =
        client.begin_video(&json!({ "texts": texts(), "seed": 3, "driver": driver }));
    assert_eq!((&view["status"], &view["driver"]), (&json!("running"), &driver));
    client.perform(&session, "speed", &json!({ "ms": 20 }));
    let listened: Vec<(Vec<String>, Shown, Value)> = std::thread::scope(|scope| {
        let tab = || {
            let (mut names, mut shown, mut last) = (Vec::new(), Shown::new(), Value::Null);
            for (name, data) in client.events(&session) {
                match name.as_str() {
                    "view" => {
                        assert_is("VideoView", &data);
                        shown = whole(&data["frame"]);
                        last = data;
                    }
                    "step" => {
                        assert_is("VideoStep", &data);
                        assert_eq!(data["from"], last["revision"], "nothing is left out");
                        data["frames"]
                            .as_array()
                            .unwrap()
                            .iter()
                            .for_each(|f| apply(&mut shown, f));
                        last = data;
                    }
                    "thinking" => {
                        assert_is("VideoThought", &data);
                        assert!(data["iterations"].as_u64() > Some(0), "{data}");
                    }
                    _ => panic!("{name}"),
                }
                names.push(name);
                if last["status"] == "over" {
                    break;
                }
            }
            (names, shown, last)
        };
        let tabs = [scope.spawn(tab), scope.spawn(tab)];
        tabs.map(|tab| tab.join().unwrap()).into_iter().collect()
    });
    let end = client.view(&session);
    assert_eq!(end["status"], "over");
    for (names, shown, last) in &listened {
        assert_eq!(names[0], "view");
        assert_eq!((shown, &last["ticks"]), (&whole(&end["frame"]), &end["ticks"]));
    }
    assert!(listened.iter().any(|(names, ..)| names.iter().any(|name| name == "thinking")));
    // The same seed and a limit in iterations: the same game, whether anybody looks or not.
    let record = client.get(&format!("{session}/record")).json();
    let (again, _) = client.begin_video(&json!({ "texts": texts(), "seed": 3, "driver": driver }));
    client.perform(&again, "pause", &json!({ "paused": true }));
    let mut events = client.events(&again);
    for tick in 1..=3 {
        client.perform(&again, "step", &json!({}));
        assert!(events.any(|(name, data)| name == "step" && data["ticks"] == tick));
    }
    let part = client.get(&format!("{again}/record")).json();
    let actions = record["actions"].as_str().unwrap();
    assert!(actions.starts_with(part["actions"].as_str().unwrap()), "{record} {part}");
}

#[test]
fn what_was_played_is_shown_again() {
    let server = Running::start(limits());
    let client = &server.client;
    let (session, mut view) = client.begin_video(&json!({ "texts": texts(), "seed": 9 }));
    let mut all = vec![whole(&view["frame"])];
    for _ in 0..4 {
        let step = act(client, &session, &view, &"N".repeat(25));
        for frame in step["frames"].as_array().unwrap() {
            let mut next = all.last().unwrap().clone();
            apply(&mut next, frame);
            all.push(next);
        }
        view = step;
    }
    let mut shown = Shown::new();
    for from in [0, 60, 100, 37] {
        let film = client.get(&format!("{session}/frames?from={from}&count=50")).json();
        assert_is("Film", &film);
        assert_eq!(film["ticks"], 100);
        shown.clear();
        for frame in film["frames"].as_array().unwrap() {
            apply(&mut shown, frame);
            assert_eq!(shown, all[frame["tick"].as_u64().unwrap() as usize]);
        }
    }
    let beyond = client.get(&format!("{session}/frames?from=101"));
    assert_eq!((beyond.status, beyond.code().as_str()), (400, "invalid"));
}

#[test]
fn replays_that_are_not_what_they_say() {
    let server = Running::start(limits());
    let client = &server.client;
    let (session, view) = client.begin_video(&json!({ "texts": texts(), "seed": 9 }));
    act(client, &session, &view, &"N".repeat(50));
    let view = client.view(&session);
    act(client, &session, &view, "NNRRRRR");
    let good = client.get(&format!("{session}/record")).json();
    assert_eq!(good["won"], true);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut replay = good.clone();
        change(&mut replay);
        replay.to_string()
    };
    client.begin_video(&json!({ "replay": good.to_string() }));
    let other_seed = changed(&|replay| replay["seed"] = json!(10));
    let cut = changed(&|replay| replay["actions"] = json!("N".repeat(20)));
    let letters = changed(&|replay| replay["actions"] = json!("XYZ"));
    let format = changed(&|replay| replay["replay"] = json!(7));
    let result = changed(&|replay| replay["won"] = json!(false));
    let text = changed(&|replay| replay["game_text"] = json!(format!("{GAME}\n# changed")));
    let nowhere = changed(&|replay| {
        replay["game_text"] = Value::Null;
        replay["level_text"] = Value::Null;
    });
    for (what, replay, part) in [
        ("another seed", other_seed.as_str(), "another state after 50 ticks"),
        ("a part", &cut, "another state after 20 ticks"),
        ("no actions", &letters, "`X` is no action"),
        ("another format", &format, "format 7 is not known"),
        ("another result", &result, "not lost with score"),
        ("another game", &text, "another text of the game"),
        ("nothing known", &nowhere, "not built in"),
        ("no replay", "{}", "this is no replay"),
        ("no JSON", "replay", "this is no replay"),
    ] {
        let answer = client.post("/video/sessions", &json!({ "replay": replay }));
        assert_eq!((answer.status, answer.code().as_str()), (422, "replay"), "{what}");
        assert_is("Error", &answer.json());
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(part), "{what}: {message}");
    }
}

#[test]
fn wrong_requests_say_why() {
    let server = Running::start(Limits { text_bytes: 10_000, ..limits() });
    let client = &server.client;
    let game = VIDEO_GAMES[0].name;
    let agent =
        |agent: &str, limit: &str| json!({ "kind": "agent", "agent": agent, "limit": limit });
    let wrong_class = json!({ "game": GAME.replace("Door", "Dor"), "level": LEVEL });
    let no_avatar = json!({ "game": GAME, "level": "wwww" });
    let long = json!({ "game": "x".repeat(10_001), "level": "" });
    for (path, body, status, part) in [
        ("/video/sessions", json!({}), 400, "either `game`"),
        ("/video/sessions", json!({ "game": "nothing-like-it" }), 404, "no built-in video game"),
        ("/video/sessions", json!({ "game": &game[1..] }), 404, "did you mean"),
        ("/video/sessions", json!({ "game": game, "level": 99 }), 404, "no level 99"),
        ("/video/sessions", json!({ "game": game, "profile": "1999" }), 400, "no rule profile"),
        ("/video/sessions", json!({ "game": game, "texts": texts() }), 400, "either `game`"),
        (
            "/video/sessions",
            json!({ "game": game, "driver": agent("hal", "sims=1") }),
            400,
            "no agent",
        ),
        (
            "/video/sessions",
            json!({ "game": game, "driver": agent("vg-random", "time=3600s") }),
            400,
            "at most",
        ),
        (
            "/video/sessions",
            json!({ "game": game, "driver": { "kind": "replay", "agent": "x" } }),
            400,
            "replay",
        ),
        ("/video/sessions", json!({ "replay": "{}", "seed": 4 }), 400, "only `replay`"),
        ("/video/sessions", json!({ "texts": wrong_class }), 422, "line 3 of the game"),
        ("/video/sessions", json!({ "texts": no_avatar }), 422, "of the level"),
        ("/video/sessions", json!({ "texts": long }), 413, "10000 bytes"),
        ("/video/check", long.clone(), 413, "10000 bytes"),
        ("/video/check", json!({ "game": GAME, "profile": "1999" }), 400, "no rule profile"),
        ("/video/sessions/00/act", json!({}), 404, "expired"),
    ] {
        let answer = client.post(path, &body);
        assert_is("Error", &answer.json());
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.json());
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(part), "{path} {body}: {message}");
    }
    let (session, _) = client.begin_video(&json!({ "game": game }));
    for (command, body, status) in [
        ("act", json!({ "revision": 1, "actions": "" }), 400),
        ("act", json!({ "revision": 1, "actions": "RX" }), 400),
        ("act", json!({ "revision": 1, "actions": "N".repeat(51) }), 400),
        ("act", json!({ "revision": 1, "actions": ["N"] }), 400),
        ("act", json!({ "actions": "N" }), 400),
        ("step", json!({}), 409),
        ("speed", json!({ "ms": -1 }), 400),
        ("restart", json!({ "driver": agent("hal", "sims=1") }), 400),
        ("choose", json!({ "revision": 1, "choice": 0 }), 404),
    ] {
        let answer = client.post(&format!("{session}/{command}"), &body);
        assert_eq!(answer.status, status, "{command} {body}: {}", answer.json());
        assert_is("Error", &answer.json());
    }
    assert_eq!(client.view(&session)["revision"], 1);
}

#[test]
fn texts_are_checked() {
    let server = Running::start(limits());
    let client = &server.client;
    let check = |body: Value| {
        let checked = client.post("/video/check", &body).json();
        assert_is("VideoCheck", &checked);
        checked
    };
    let good = check(texts());
    assert_eq!((&good["ok"], &good["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!((&good["stage"]["columns"], &good["stage"]["rows"]), (&json!(7), &json!(5)));
    assert_eq!(whole(&good["frame"]).len(), 25 + 5);
    let wrong = check(json!({ "game": GAME.replace("Door", "Dor"), "level": LEVEL }));
    let first = &wrong["diagnostics"][0];
    assert_eq!(
        (&wrong["ok"], &first["text"], &first["line"]),
        (&json!(false), &json!("game"), &json!(3))
    );
    let wrong = check(json!({ "game": GAME, "level": "wwww\nw??w\nwwww" }));
    assert!(wrong["diagnostics"].as_array().unwrap().iter().all(|d| d["text"] == "level"));
    assert_eq!((&wrong["ok"], &wrong["stage"]), (&json!(false), &Value::Null));
    assert_eq!(check(json!({ "game": GAME }))["ok"], true);
}
