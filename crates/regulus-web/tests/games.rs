//! Games over HTTP, as the page plays them; every answer is as the description says.

#![allow(clippy::unwrap_used)]

mod client;
mod schema;
mod server;

use client::{Client, seats};
use schema::assert_is;
use serde_json::{Value, json};
use server::{Running, limits};

fn status(view: &Value) -> &str {
    view["status"].as_str().unwrap()
}

fn revision(view: &Value) -> &Value {
    &view["revision"]
}

/// Chooses in a session; gives the view.
fn choose(client: &Client, session: &str, view: &Value, choice: usize) -> Value {
    let body = json!({ "revision": revision(view), "choice": choice });
    client.perform(session, "choose", &body)
}

/// Waits until nobody thinks.
fn settled(client: &Client, session: &str) -> Value {
    client.events(session).until(|view| status(view) != "thinking")
}

#[test]
fn whole_games_are_played_by_choices() {
    let server = Running::start(limits());
    let client = &server.client;
    for game in ["tic-tac-toe", "connect-four", "hex", "breakthrough", "the-mill-game", "reversi"] {
        let (session, mut view) =
            client.begin(&json!({ "game": game, "seats": seats(&["h", "h"]) }));
        assert_is("View", &view);
        assert!(view["scene"]["cells"].as_array().unwrap().len() > 8);
        assert!(view["pieces"].as_array().unwrap().len() > 1);
        let mut number = 3;
        while status(&view) == "choosing" {
            assert_is("View", &view);
            let count = view["choices"].as_array().unwrap().len();
            assert!(count > 0, "{game}: {view}");
            view = choose(client, &session, &view, number % count);
            number += 5;
        }
        assert_is("View", &view);
        assert_eq!(status(&view), "over", "{game}");
        assert!(view["scores"].as_array().unwrap().len() == 2 && view["outcome"].is_string());
        assert_eq!(client.view(&session), view);
        assert_eq!(client.delete(&session).status, 204);
        assert_eq!(client.get(&session).status, 404);
    }
}

#[test]
fn an_agent_is_played_against() {
    let server = Running::start(limits());
    let client = &server.client;
    let body = json!({ "game": "tic-tac-toe", "seats": seats(&["h", "200"]) });
    let (session, mut view) = client.begin(&body);
    while status(&view) == "choosing" {
        choose(client, &session, &view, 0);
        view = settled(client, &session);
        assert_is("View", &view);
    }
    assert_eq!(status(&view), "over");
    // Filling squares in their order loses or draws, never wins, against an agent that looks ahead.
    assert_ne!(view["scores"][0], 100, "{view}");
}

#[test]
fn everything_that_can_be_asked_for() {
    let server = Running::start(limits());
    let client = &server.client;
    let body = json!({ "game": "breakthrough", "seats": seats(&["h", "20"]), "seed": 7 });
    let (session, first) = client.begin(&body);
    let view = choose(client, &session, &first, 0);
    assert_eq!(view["chosen"].as_array().unwrap().len(), 1);
    let view = client.perform(&session, "back", &json!({ "revision": revision(&view) }));
    assert_eq!((&view["board"], &view["chosen"]), (&first["board"], &json!([])));

    let play = |view: Value| {
        let view = choose(client, &session, &view, 0);
        choose(client, &session, &view, 0);
        settled(client, &session)
    };
    let two = play(view);
    assert_eq!(two["plies"], 2);
    let four = play(two.clone());
    let undone = client.perform(&session, "undo", &json!({ "revision": revision(&four) }));
    assert_eq!((&undone["board"], &undone["plies"]), (&two["board"], &json!(2)));
    // The same seed and the same limit in simulations: the same game.
    let again = play(undone);
    assert_eq!((&again["board"], &again["moves"]), (&four["board"], &four["moves"]));

    let looked = client.perform(&session, "goto", &json!({ "ply": 1 }));
    assert_eq!((status(&looked), &looked["ply"]), ("looking", &json!(1)));
    let view = client.perform(&session, "goto", &json!({ "ply": 4 }));
    assert_eq!((status(&view), &view["board"]), ("choosing", &four["board"]));

    client.perform(&session, "hint", &json!({ "limit": "sims=50" }));
    let view = client.events(&session).until(|view| !view["hint"].is_null());
    assert_is("View", &view);
    assert!(view["hint"]["text"].is_string());

    let paused = client.perform(&session, "pause", &json!({ "paused": true }));
    let view = choose(client, &session, &paused, 0);
    let view = choose(client, &session, &view, 0);
    assert_eq!(status(&view), "paused");
    client.perform(&session, "step", &json!({}));
    let view = settled(client, &session);
    assert_eq!((&view["plies"], status(&view)), (&json!(6), "choosing"));

    let record = client.get(&format!("{session}/record")).json();
    assert_is("Record", &record);
    let body = json!({ "game": record["game"], "moves": record["moves"], "seed": record["seed"],
                       "seats": record["seats"] });
    let (_, loaded) = client.begin(&body);
    assert_eq!((&loaded["board"], &loaded["moves"]), (&view["board"], &view["moves"]));

    client.perform(&session, "pause", &json!({ "paused": false }));
    let view = client.perform(&session, "speed", &json!({ "ms": 100 }));
    assert_eq!(view["speed_ms"], 100);
    let view = client.perform(&session, "resign", &json!({ "revision": revision(&view) }));
    assert_eq!((status(&view), &view["resigned"]), ("over", &json!(0)));
    let body = json!({ "revision": revision(&view), "seats": seats(&["h", "h"]) });
    let view = client.perform(&session, "restart", &body);
    assert_eq!((&view["board"], &view["seats"]), (&first["board"], &seats(&["h", "h"])));
    let body = json!({ "revision": revision(&view), "seats": seats(&["5", "h"]) });
    client.perform(&session, "seats", &body);
    let view = settled(client, &session);
    assert_eq!(view["plies"], 1);
    assert_is("View", &client.get(&format!("{session}?scene=1")).json());
}

#[test]
fn agents_are_watched_by_two() {
    let server = Running::start(limits());
    let client = &server.client;
    let body = json!({ "game": "breakthrough", "seats": seats(&["60000", "60000"]) });
    let (session, _) = client.begin(&body);
    let mut tabs = [client.events(&session), client.events(&session)];
    let is_done = |view: &Value| view["plies"].as_u64() >= Some(2);
    // Both see a search while it goes on, and then the same position.
    for tab in &mut tabs {
        let (_, thinking) = tab.find(|(name, _)| name == "thinking").unwrap();
        assert_is("Thinking", &thinking);
        assert!(thinking["iterations"].as_u64() > Some(0));
        assert!(!thinking["variation"].as_array().unwrap().is_empty());
        let all: f64 = thinking["heat"]
            .as_array()
            .unwrap()
            .iter()
            .map(|heat| heat["share"].as_f64().unwrap())
            .sum();
        assert!((all - 1.0).abs() < 1e-6, "{all}");
    }
    let seen = tabs.each_mut().map(|tab| tab.until(is_done)["moves"][1].clone());
    assert_eq!(seen[0], seen[1]);
    // The end of the session is the end of the streams.
    assert_eq!(client.delete(&session).status, 204);
    for mut tab in tabs {
        assert!(tab.any(|(name, _)| name == "gone"));
        assert_eq!(tab.next(), None);
    }
}

#[test]
fn lists_and_checks_are_as_described() {
    let server = Running::start(limits());
    let client = &server.client;
    let games = client.get("/games").json();
    assert_is("Games", &games);
    let names: Vec<&str> =
        games["games"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert_eq!(names, regulus_games::GAMES.iter().map(|g| g.name).collect::<Vec<_>>());
    let agents = client.get("/agents").json();
    assert_is("Agents", &agents);
    assert_eq!(agents["agents"].as_array().unwrap().len(), 1 + regulus_agent::COLLECTION.len());

    let text = regulus_games::find("hex").unwrap().text;
    let checked = client.post("/check", &json!({ "text": text })).json();
    assert_is("Check", &checked);
    assert_eq!((&checked["ok"], &checked["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!(checked["board"].as_array().unwrap().len(), 121);
    let wrong = text.replace("#players", "#playres");
    let checked = client.post("/check", &json!({ "text": wrong })).json();
    assert_is("Check", &checked);
    assert_eq!((&checked["ok"], &checked["scene"]), (&json!(false), &Value::Null));
    let first = &checked["diagnostics"][0];
    assert!(first["help"].as_str().unwrap().contains("did you mean `#players`"), "{first}");
}

/// The text that the editor begins with, as the page has it.
#[test]
fn the_first_draft_of_the_editor_has_nothing_wrong() {
    let server = Running::start(limits());
    let client = &server.client;
    let script = client.send("GET", "/draft.js", "", b"");
    let script = String::from_utf8(script.body).unwrap();
    let (_, from_text_on) = script.split_once("const RULES = `").unwrap();
    let (text, _) = from_text_on.split_once('`').unwrap();
    assert!(!text.contains('\\') && !text.contains("${"), "JavaScript would change it");
    let checked = client.post("/check", &json!({ "text": text })).json();
    assert_eq!((&checked["ok"], &checked["diagnostics"]), (&json!(true), &json!([])));
    let source = regulus_rbg::Source::new("draft", text);
    assert_eq!(regulus_rbg::format::format(&source).as_deref(), Ok(text));
}
