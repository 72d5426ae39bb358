//! The schema says the same as the reader. The validator below is written for these tests from the standard
//! (JSON Schema 2020-12) and knows the keywords that the schema uses, no others.

use std::collections::BTreeSet;

use regulus_agent::parameter::{ALGORITHMS, Kind, Parameter, Section};
use regulus_agent::{
    COLLECTION, NESTED_COLLECTION, SHOT_COLLECTION, VIDEO_COLLECTION, any_by_name, explain,
    read_any, schema, write,
};
use regulus_game::Random;
use serde_json::{Map, Value, json};

/// Whether a value is as a schema says.
fn valid(schema: &Value, value: &Value) -> bool {
    let keywords = schema.as_object().expect("a schema is an object");
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "default" => true,
        "type" => match rule.as_str().expect("one type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|n| n.fract() == 0.0),
            other => panic!("type {other}"),
        },
        "minimum" => value.as_f64().is_none_or(|n| n >= rule.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|n| n <= rule.as_f64().expect("a number")),
        "enum" => rule.as_array().expect("values").contains(value),
        "const" => rule == value,
        "anyOf" => rule.as_array().expect("schemas").iter().any(|schema| valid(schema, value)),
        "items" => value.as_array().is_none_or(|all| all.iter().all(|item| valid(rule, item))),
        "required" => {
            let mut keys = rule.as_array().expect("keys").iter();
            let has = |object: &Map<String, Value>, key: &Value| {
                object.contains_key(key.as_str().expect("a key"))
            };
            value.as_object().is_none_or(|object| keys.all(|key| has(object, key)))
        }
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| rule.get(key).is_none_or(|rule| valid(rule, value)))
        }),
        "additionalProperties" => {
            assert_eq!(rule, &json!(false));
            let known = keywords["properties"].as_object().expect("properties");
            value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
        }
        other => panic!("keyword {other}"),
    })
}

fn names() -> impl Iterator<Item = &'static str> {
    let board = COLLECTION.iter().chain(SHOT_COLLECTION).chain(NESTED_COLLECTION);
    board.chain(VIDEO_COLLECTION).copied()
}

fn file(name: &str) -> Value {
    let agent = any_by_name(name).unwrap_or_else(|e| panic!("{e}"));
    serde_json::from_str(&write(&*agent)).expect("JSON")
}

#[test]
fn files_of_all_agents_are_valid() {
    let schema = schema();
    for name in names() {
        let file = file(name);
        assert!(valid(&schema, &file), "{name}: {file:#}");
    }
}

/// All keys that a schema describes, with what is said about them.
fn described(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            for (key, value) in
                object.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let description = value.get("description").and_then(Value::as_str);
                found.insert(format!("{key}: {}", description.unwrap_or_default()));
            }
            object.values().for_each(|value| described(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| described(value, found)),
        _ => {}
    }
}

/// All keys that are declared.
fn declared(keys: &[Parameter], found: &mut BTreeSet<String>) {
    for parameter in keys {
        found.insert(format!("{}: {}", parameter.key(), parameter.help));
        match parameter.kind {
            Kind::Component(parts) => parts().iter().for_each(|part| declared(part.keys, found)),
            Kind::Object(keys) => declared(&keys(), found),
            _ => {}
        }
    }
}

#[test]
fn every_declared_key_is_described() {
    let (mut expected, mut found) = (BTreeSet::new(), BTreeSet::new());
    for algorithm in ALGORITHMS {
        for section in [Section::General, Section::Algorithm, Section::Parameters] {
            declared(&algorithm.keys(section), &mut expected);
        }
        algorithm.heuristics().for_each(|(_, keys)| declared(&keys, &mut expected));
    }
    // Every algorithm has its own constant name.
    expected.remove("name: the algorithm");
    described(&schema(), &mut found);
    let missing: Vec<&String> = expected.difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn defaults_are_valid() {
    fn check(schema: &Value) {
        if let Some(default) = schema.get("default") {
            assert!(valid(schema, default), "{schema:#}");
        }
        match schema {
            Value::Object(object) => object.values().for_each(check),
            Value::Array(values) => values.iter().for_each(check),
            _ => {}
        }
    }
    check(&schema());
}

/// Paths to all values inside a value.
fn paths(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_owned());
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| paths(value, &format!("{here}/{key}"), all));
        }
        Value::Array(values) => {
            let values = values.iter().enumerate();
            values.for_each(|(i, value)| paths(value, &format!("{here}/{i}"), all));
        }
        _ => {}
    }
}

/// A place in a value.
fn place(value: &Value, random: &mut Random) -> String {
    let mut all = Vec::new();
    paths(value, "", &mut all);
    all.swap_remove(random.below(all.len() as u64) as usize)
}

/// Changes something: a value becomes one of another place or one of its own, a key is lost or misspelt.
fn mutate(file: &mut Value, donor: &Value, random: &mut Random) {
    let path = place(file, random);
    let from = donor.pointer(&place(donor, random)).expect("a place").clone();
    let Some(value) = file.pointer_mut(&path) else { return };
    let numbers = [-1.0, 0.0, 0.5, 1.0, 2.0, 1e3, 1e9, 1e300];
    match random.below(6) {
        0 => *value = from,
        1 => *value = json!(numbers[random.below(8) as usize]),
        2 => *value = json!(random.below(12)),
        3 => {
            *value = [json!(null), json!(true), json!({}), json!([]), json!("")]
                [random.below(5) as usize]
                .clone()
        }
        choice => {
            let Value::Object(object) = value else { return };
            let Some(key) = object.keys().nth(random.below(8) as usize).cloned() else { return };
            let lost = object.remove(&key).unwrap_or_default();
            if choice == 5 {
                object.insert(format!("{key}s"), lost);
            }
        }
    }
}

/// Whatever is in a file, the reader says something sensible: an agent that is written and read again, or an
/// error that names a key. What it accepts is valid.
#[test]
fn what_the_reader_accepts_is_valid() {
    let schema = schema();
    let names: Vec<&str> = names().collect();
    let mut random = Random::new(7);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..6000 {
        let donor = file(names[random.below(names.len() as u64) as usize]);
        let mut file = file(names[round % names.len()]);
        for _ in 0..=random.below(3) {
            mutate(&mut file, &donor, &mut random);
        }
        match read_any("mutant", &file.to_string()) {
            Ok(agent) => {
                accepted += 1;
                assert!(valid(&schema, &file), "{file:#}");
                assert!(!explain(&*agent).is_empty());
                let again = read_any("mutant", &write(&*agent));
                assert_eq!(*again.unwrap_or_else(|e| panic!("{e}: {file:#}")), *agent);
            }
            Err(problem) => {
                refused += 1;
                assert!(!problem.key.is_empty() && !problem.message.is_empty(), "{file:#}");
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}
