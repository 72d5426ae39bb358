//! The JSON schema of configuration files, made from the declarations.

use regulus_search::parameter::Value as Declared;
use serde_json::{Map, Value, json};

use crate::parameter::{ALGORITHMS, Algorithm, Component, Kind, NAME, Parameter, Section};
use crate::written;

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Number(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
        Kind::Choice(_) | Kind::Named(_) => {
            json!({ "enum": parameter.kind.words() })
        }
        Kind::Component(parts) => {
            let mut forms = vec![json!({ "enum": parameter.kind.words() })];
            forms.extend(parts().iter().map(part));
            json!({ "anyOf": forms })
        }
        Kind::Object(keys) => object(properties(&keys())),
    };
    schema["description"] = json!(parameter.help);
    schema["default"] = match parameter.default {
        Declared::Component(part) => part.name.into(),
        value => written::json(parameter.kind, value),
    };
    schema
}

fn properties(parameters: &[Parameter]) -> Map<String, Value> {
    parameters.iter().map(|p| (p.key().to_owned(), property(p))).collect()
}

fn object(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// An object with a name and keys of its own.
fn part(part: &Component) -> Value {
    let mut properties = properties(part.keys);
    properties.insert("name".to_owned(), json!({ "const": part.name }));
    let mut schema = object(properties);
    schema["required"] = json!(["name"]);
    schema["description"] = json!(part.help);
    schema
}

fn heuristic(names: &[&str], parameters: &[Parameter]) -> Value {
    let mut schema = object(
        [
            ("name".to_owned(), json!({ "enum": names })),
            ("parameters".to_owned(), object(properties(parameters))),
        ]
        .into_iter()
        .collect(),
    );
    schema["required"] = json!(["name"]);
    schema
}

/// What a file for an algorithm is.
fn file(algorithm: &Algorithm) -> Value {
    let mut section = properties(&algorithm.keys(Section::Algorithm));
    section.insert("name".to_owned(), json!({ "const": algorithm.name }));
    let parameters = properties(&algorithm.keys(Section::Parameters));
    section.insert("parameters".to_owned(), object(parameters));
    let mut section = object(section);
    let mut all = Map::new();
    let heuristics: Vec<Value> =
        algorithm.heuristics().map(|(names, keys)| heuristic(names, &keys)).collect();
    if !heuristics.is_empty() {
        let items = json!({ "type": "array", "items": { "anyOf": heuristics } });
        all.insert("heuristics".to_owned(), items);
    }
    // Without a name it is the tree search for board games.
    if algorithm.name != NAME.default.word() {
        section["required"] = json!(["name"]);
    }
    all.insert("general".to_owned(), object(properties(&algorithm.keys(Section::General))));
    all.insert("algorithm".to_owned(), section);
    let mut schema = object(all);
    schema["title"] = json!(format!("{} for {}", algorithm.name, algorithm.games.words()));
    schema["description"] = json!(algorithm.help);
    schema["required"] = json!(["algorithm"]);
    schema
}

/// The schema (JSON Schema 2020-12): a file is for one of the algorithms.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Regulus agent",
        "anyOf": ALGORITHMS.iter().map(file).collect::<Vec<Value>>(),
    })
}
