//! Writing configurations for board games.

use regulus_search::config::Config;
use regulus_search::nested::Design;
use regulus_search::shot;
use serde_json::Value;

use crate::agent::Agent;
use crate::parameter::{Algorithm, BOARD, MCTS, NESTED, SHOT, nested_settings};
use crate::written::Written;

/// The configuration of an agent as the text of a file.
pub(crate) fn write(agent: &Agent) -> String {
    let (search, usual) = (&agent.search, Config::default());
    let mut written = Written::default();
    let file = if let Some(design) = agent.nested {
        written.add(NESTED, agent, &Agent::usual());
        written.add(nested_settings(), search, &usual);
        written.add(Design::SETTINGS, &design, &Design::default());
        written.file(design.algorithm.name())
    } else {
        written.add(BOARD, agent, &Agent::usual());
        if agent.shot {
            written.add(shot::settings(), search, &usual);
        } else {
            written.add(Config::settings(), search, &usual);
        }
        let Algorithm { name, heuristics, .. } = if agent.shot { SHOT } else { MCTS };
        let heuristics: Vec<Value> =
            heuristics.iter().filter_map(|kind| kind.write(search)).collect();
        let mut file = written.file(name);
        file["heuristics"] = heuristics.into();
        file
    };
    serde_json::to_string_pretty(&file).unwrap_or_default()
}
