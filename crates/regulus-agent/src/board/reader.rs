//! Reading configurations for board games: JSON with the keys of THESIS 4.1 and a few of our own.

use regulus_diagnostic::did_you_mean;
use regulus_search::config::{Config, Refusal};
use regulus_search::{self as search, shot};
use serde_json::Value;

use super::heuristic::Declared;
use crate::agent::Agent;
use crate::file::Layout;
use crate::parameter::{Algorithm, BOARD, MCTS, SHOT};
use crate::problem::{Problem, problem};
use crate::section::Owner;

/// Reads a configuration whose algorithm is MCTS or SHOT.
pub(crate) fn read(name: &str, file: &Layout) -> Result<Agent, Problem> {
    let sections = file.sections()?;
    let mut config = Config::default();
    let is_shot = file.algorithm.name == SHOT.name;
    if is_shot {
        sections.apply(shot::settings(), &mut config)?;
        super::shot::refuse_others(file)?;
    } else {
        sections.apply(Config::settings(), &mut config)?;
    }
    heuristics(file, &mut config)?;
    if is_shot {
        super::shot::expand_at_random(file, &mut config);
    }
    let kind = if is_shot { search::Algorithm::Shot } else { search::Algorithm::Mcts };
    let search = kind(config);
    search.validate().map_err(refused)?;
    let mut agent = Agent::of(name, search);
    sections.apply(BOARD, &mut agent)?;
    Ok(agent)
}

/// A refusal of the search.
fn refused(refusal: Refusal) -> Problem {
    Problem {
        key: refusal.parameter.to_owned(),
        value: Some(refusal.value),
        message: refusal.reason,
    }
}

/// Adds the heuristics of a file.
fn heuristics(file: &Layout, search: &mut Config) -> Result<(), Problem> {
    let heuristics = match file.get("heuristics") {
        None => &Vec::new(),
        Some(Value::Array(heuristics)) => heuristics,
        Some(other) => return Err(problem("heuristics", Some(other), "must be an array")),
    };
    for (i, heuristic) in heuristics.iter().enumerate() {
        self::heuristic(search, heuristic, &format!("heuristics[{i}]"))?;
    }
    Ok(())
}

fn heuristic(search: &mut Config, value: &Value, path: &str) -> Result<(), Problem> {
    let Value::Object(object) = value else {
        return Err(problem(path, Some(value), "must be an object"));
    };
    if let Some(key) = object.keys().find(|k| !["name", "parameters"].contains(&k.as_str())) {
        let message = "unknown key; the keys here are name, parameters";
        return Err(problem(&format!("{path}.{key}"), None, message));
    }
    let name = object.get("name").unwrap_or(&Value::Null);
    let Algorithm { heuristics: kinds, .. } = MCTS;
    let find = |kind: &&'static dyn Declared| {
        let known = kind.names().iter().find(|known| Some(**known) == name.as_str())?;
        Some((*kind, *known))
    };
    let Some((kind, known)) = kinds.iter().find_map(find) else {
        let all: Vec<&str> = kinds.iter().flat_map(|kind| kind.names()).copied().collect();
        let mut message = format!("must be one of {}", all.join(", "));
        if let Some(near) = name.as_str().and_then(|n| did_you_mean(n, all)) {
            message = format!("{message}; did you mean {near}?");
        }
        return Err(problem(&format!("{path}.name"), Some(name), message));
    };
    let others = kinds.iter().map(|kind| (kind.names()[0], kind.keys())).collect();
    let owner = Owner { name: known, others };
    kind.read(known, path, object.get("parameters"), &owner, search)
}
