//! Whether JSON is as the description of the interface says. Knows the words that it uses, and no others: an
//! unknown one is a mistake, not something to ignore.

#![allow(dead_code)] // Not every test needs everything.

use serde_json::Value;

/// The description.
pub fn document() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).expect("openapi.json is JSON")
}

/// Fails unless a value is as a schema of the description says.
pub fn assert_is(schema: &str, value: &Value) {
    let document = document();
    let reference = serde_json::json!({ "$ref": format!("#/components/schemas/{schema}") });
    let mut wrong = Vec::new();
    check(&document, &reference, value, schema, &mut wrong);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Adds what is wrong with a value.
pub fn check(document: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else { return wrong.push(format!("{at}: no schema")) };
    for (word, means) in schema {
        match word.as_str() {
            "description" | "required" | "properties" => {}
            "$ref" => {
                let path = means.as_str().and_then(|path| path.strip_prefix('#'));
                match path.and_then(|path| document.pointer(path)) {
                    Some(schema) => check(document, schema, value, at, wrong),
                    None => wrong.push(format!("{at}: {means} leads nowhere")),
                }
            }
            "type" => {
                let types: Vec<&str> = match means {
                    Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                    _ => means.as_str().into_iter().collect(),
                };
                if !types.iter().any(|name| has_type(name, value)) {
                    wrong.push(format!("{at}: {value} is not {means}"));
                }
            }
            "enum" => {
                if !means.as_array().is_some_and(|all| all.contains(value)) {
                    wrong.push(format!("{at}: {value} is none of {means}"));
                }
            }
            "minimum" | "maximum" => {
                let (bound, number) = (means.as_f64().unwrap_or(f64::NAN), value.as_f64());
                let fits = |n: f64| if word == "minimum" { n >= bound } else { n <= bound + 1e-9 };
                if number.is_some_and(|n| !fits(n)) {
                    wrong.push(format!("{at}: {value} is beyond the {word} {means}"));
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(document, means, item, &format!("{at}[{i}]"), wrong);
                }
            }
            "oneOf" | "anyOf" => {
                let fits = |schema: &Value| {
                    let mut wrong = Vec::new();
                    check(document, schema, value, at, &mut wrong);
                    wrong.is_empty()
                };
                let count = means.as_array().into_iter().flatten().filter(|s| fits(s)).count();
                if count == 0 || (word == "oneOf" && count > 1) {
                    wrong.push(format!("{at}: {value} fits {count} of {word}"));
                }
            }
            "additionalProperties" => assert_eq!(means, &Value::Bool(false), "{at}"),
            _ => wrong.push(format!("{at}: the word `{word}` of the schema is unknown")),
        }
    }
    let (Some(properties), Some(object)) =
        (schema.get("properties").and_then(Value::as_object), value.as_object())
    else {
        return;
    };
    for (key, inner) in object {
        match properties.get(key) {
            Some(schema) => check(document, schema, inner, &format!("{at}.{key}"), wrong),
            None => wrong.push(format!("{at}.{key} is not described")),
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    for key in required.into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(key) {
            wrong.push(format!("{at}.{key} is missing"));
        }
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}
