//! Writing configurations for board games.

use regulus_search::config::Config;
use regulus_search::{Algorithm, nested, shot};
use serde_json::Value;

use crate::agent::Agent;
use crate::parameter::{BOARD, MCTS, NESTED, SHOT};
use crate::written::Written;

/// The configuration of an agent as the text of a file.
pub(crate) fn write(agent: &Agent) -> String {
    let mut written = Written::default();
    let usual = Config::default();
    let is_nested = matches!(agent.search, Algorithm::Nested(_));
    written.add(if is_nested { NESTED } else { BOARD }, agent, &Agent::usual());
    let (algorithm, config) = match &agent.search {
        Algorithm::Nested(config) => {
            written.add(nested::Config::SETTINGS, config, &nested::Config::default());
            return text(&written.file(config.algorithm.name()));
        }
        Algorithm::Shot(config) => {
            written.add(shot::settings(), config, &usual);
            (SHOT, config)
        }
        Algorithm::Mcts(config) => {
            written.add(Config::settings(), config, &usual);
            (MCTS, config)
        }
    };
    let heuristics = algorithm.heuristics.iter().filter_map(|kind| kind.write(config));
    let heuristics: Vec<Value> = heuristics.collect();
    let mut file = written.file(algorithm.name);
    file["heuristics"] = heuristics.into();
    text(&file)
}

fn text(file: &Value) -> String {
    serde_json::to_string_pretty(file).unwrap_or_default()
}
