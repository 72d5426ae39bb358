//! A configuration for video games in words: what its declarations say of what its file says.

use std::fmt::Write as _;

use serde_json::Value;

use super::writer;
use crate::agent::VideoAgent;
use crate::parameter::{Kind, Parameter, Section};

/// What an agent does, as sentences.
pub(crate) fn explain(agent: &VideoAgent) -> String {
    let (algorithm, mut written) = writer::written(&agent.config.algorithm);
    let mut text = format!("{}, for video games: {}.\n", agent.name, algorithm.help);
    for parameter in algorithm.keys(Section::Parameters) {
        if let Some(value) = written.parameters().get(parameter.key()) {
            let _ = writeln!(text, "- {}", sentence(&parameter, value));
        }
    }
    let _ = writeln!(text, "- It keeps {} ms of its time back.", agent.buffer.as_millis());
    text
}

/// A key, its value, and what that means.
fn sentence(parameter: &Parameter, value: &Value) -> String {
    let (key, help) = (parameter.key(), parameter.help);
    match parameter.kind {
        Kind::Component(parts) => {
            let name = value.get("name").unwrap_or(value);
            let parts = parts();
            let part = parts.iter().find(|part| Some(part.name) == name.as_str());
            let (does, keys) = part.map_or(("", &[][..]), |part| (part.help, part.keys));
            format!("{key} = {}: {does}{}.", plain(name), values(keys, value))
        }
        Kind::Object(keys) => format!("{key}: {help}{}.", values(&keys(), value)),
        _ => format!("{key} = {}: {help}.", plain(value)),
    }
}

/// The values of keys, after a semicolon.
fn values(keys: &[Parameter], value: &Value) -> String {
    let present = keys.iter().filter_map(|p| value.get(p.key()).map(|value| (p, value)));
    let values: Vec<String> =
        present.map(|(p, value)| format!("{} = {}", p.key(), plain(value))).collect();
    if values.is_empty() { String::new() } else { format!("; {}", values.join(", ")) }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Number(number) => number.as_f64().map_or(number.to_string(), |n| n.to_string()),
        other => other.to_string(),
    }
}
