//! The description of the interface and the server agree about addresses.

#![allow(clippy::unwrap_used)]

mod client;
mod schema;
mod server;

use serde_json::json;
use server::{Running, limits};

#[test]
fn every_address_is_described_and_answers() {
    let server = Running::start(limits());
    let client = &server.client;
    let document = client.get("/openapi.json").json();
    assert_eq!(document, schema::document());
    let (session, _) = client.begin(&json!({ "game": "hex" }));
    let (video, _) = client.begin_video(&json!({ "game": regulus_games::VIDEO_GAMES[0].name }));
    let mut described = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "delete", "patch"] {
            let known = methods.get(method);
            // What ends the session comes last, and event streams do not end by themselves.
            if method == "delete" && known.is_some() || path.ends_with("/events") && known.is_some()
            {
                described += 1;
                continue;
            }
            let address = path.replace("/video/sessions/{id}", &video);
            let address = address.replace("/sessions/{id}", &session);
            let answer = client.send(
                &method.to_uppercase(),
                &format!("/api/v1{address}"),
                "Content-Type: application/json\r\n",
                b"{}",
            );
            match known {
                Some(known) => {
                    let status = answer.status.to_string();
                    assert!(!known["responses"][&status].is_null(), "{method} {path}: {status}");
                    described += 1;
                }
                None => assert_eq!(answer.status, 405, "{method} {path}"),
            }
        }
    }
    // The router knows the description and nine addresses of every kind of games. Behind one of the nine are the commands;
    // a unit test knows them.
    assert_eq!(include_str!("../src/api/routes.rs").matches(".route(").count(), 10);
    let methods = document["paths"].as_object().unwrap().values();
    assert_eq!(described, methods.map(|methods| methods.as_object().unwrap().len()).sum::<usize>());
    for session in [&session, &video] {
        assert!(!client.events(session).next().unwrap().1["id"].is_null());
        assert_eq!(client.delete(session).status, 204);
    }
}

/// Every schema is used by an address, directly or by another schema.
#[test]
fn nothing_is_described_in_vain() {
    let text = include_str!("../openapi.json");
    for name in schema::document()["components"]["schemas"].as_object().unwrap().keys() {
        let reference = format!("\"#/components/schemas/{name}\"");
        // What is sent as events has no place for its schema.
        let event = ["Thinking", "VideoThought"].contains(&name.as_str());
        assert!(text.contains(&reference) || event, "{name}");
    }
}
