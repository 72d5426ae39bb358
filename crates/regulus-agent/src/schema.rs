//! The JSON schema of configuration files, made from the declarations.

use serde_json::{Map, Value, json};

use crate::parameter::board::{
    self, LEARNING, LEARNING_NAMES, LGR, LGR_NAMES, MAST, MAST_NAMES, NST, NST_NAMES, RAVE,
    RAVE_NAMES,
};
use crate::parameter::nested::{self, is_nested};
use crate::parameter::shot::{self, is_shot};
use crate::parameter::{ALGORITHMS, Algorithm, Games, Kind, Parameter, Part, video};

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Number(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
        Kind::Choice(_) | Kind::Algorithm | Kind::Policy | Kind::Statistic => {
            json!({ "enum": parameter.kind.words() })
        }
        Kind::Part(parts) => {
            let mut forms = vec![json!({ "enum": parameter.kind.words() })];
            forms.extend(parts.all().iter().map(part));
            json!({ "anyOf": forms })
        }
        Kind::Object(keys) => object(properties(keys)),
    };
    schema["description"] = json!(parameter.help);
    schema["default"] = parameter.default_value();
    schema
}

fn properties(parameters: &[Parameter]) -> Map<String, Value> {
    parameters.iter().map(|p| (p.key.to_owned(), property(p))).collect()
}

fn object(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// An object with a name and keys of its own.
fn part(part: &Part) -> Value {
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
    let (general, keys) = match algorithm.games {
        Games::Board if is_nested(algorithm) => (nested::GENERAL, nested::ALGORITHM),
        Games::Board if is_shot(algorithm) => (board::GENERAL, shot::ALGORITHM),
        Games::Board => (board::GENERAL, board::ALGORITHM),
        Games::Video => (video::GENERAL, video::ALGORITHM),
    };
    let mut section = properties(keys);
    section.insert("name".to_owned(), json!({ "const": algorithm.name }));
    section.insert("parameters".to_owned(), object(properties(algorithm.keys)));
    let mut section = object(section);
    let mut all = Map::new();
    match algorithm.games {
        Games::Board if !is_nested(algorithm) => {
            let mut heuristics = vec![heuristic(MAST_NAMES, MAST)];
            if is_shot(algorithm) {
                section["required"] = json!(["name"]);
            } else {
                heuristics.extend([
                    heuristic(RAVE_NAMES, RAVE),
                    heuristic(LEARNING_NAMES, LEARNING),
                    heuristic(NST_NAMES, NST),
                    heuristic(LGR_NAMES, LGR),
                ]);
            }
            all.insert(
                "heuristics".to_owned(),
                json!({ "type": "array", "items": { "anyOf": heuristics } }),
            );
        }
        // Without a name it is the tree search for board games.
        Games::Board | Games::Video => section["required"] = json!(["name"]),
    }
    all.insert("general".to_owned(), object(properties(general)));
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
