//! The JSON schema of configuration files, made from the declarations.

use serde_json::{Map, Value, json};

use crate::parameter::{
    ALGORITHM, GENERAL, Kind, MAST, MAST_NAMES, PARAMETERS, Parameter, RAVE, RAVE_NAMES,
};

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Number(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
        Kind::Choice(_) | Kind::Policy | Kind::Statistic => {
            json!({ "enum": parameter.kind.words() })
        }
    };
    schema["description"] = json!(parameter.help);
    schema["default"] = match parameter.kind {
        Kind::Choice(_) | Kind::Policy | Kind::Statistic => json!(parameter.default),
        _ => parameter.default.parse().unwrap_or(Value::Null),
    };
    schema
}

fn properties(parameters: &[Parameter]) -> Map<String, Value> {
    parameters.iter().map(|p| (p.key.to_owned(), property(p))).collect()
}

fn object(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
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

/// The schema (JSON Schema 2020-12).
pub fn schema() -> Value {
    let mut algorithm = properties(ALGORITHM);
    algorithm.insert("parameters".to_owned(), object(properties(PARAMETERS)));
    let heuristics = [heuristic(MAST_NAMES, MAST), heuristic(RAVE_NAMES, RAVE)];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Regulus agent",
        "type": "object",
        "required": ["algorithm"],
        "additionalProperties": false,
        "properties": {
            "general": object(properties(GENERAL)),
            "algorithm": object(algorithm),
            "heuristics": { "type": "array", "items": { "anyOf": heuristics } },
        },
    })
}
