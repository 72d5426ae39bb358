//! The agents that visitors can choose from.

use std::sync::Arc;

use serde::Serialize;

use crate::json::json;

/// Agents of a kind of games.
#[derive(Serialize)]
pub struct AgentList {
    agents: Vec<AgentCard>,
    default: &'static str,
    /// How long an agent thinks, if the page cannot know.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

#[derive(Serialize)]
struct AgentCard {
    name: &'static str,
    description: String,
}

impl AgentList {
    /// No agents yet.
    pub fn new(default: &'static str, limit: Option<&'static str>) -> Self {
        AgentList { agents: Vec::new(), default, limit }
    }

    /// One more, with what it does.
    pub fn add(&mut self, name: &'static str, description: String) {
        self.agents.push(AgentCard { name, description });
    }

    /// One more, with the lines of its explanation.
    pub fn add_explained(&mut self, name: &'static str, explanation: &str) {
        // The first line is the name again.
        let lines = explanation.lines().skip(1).map(|line| line.trim_start_matches("- "));
        self.add(name, lines.collect::<Vec<_>>().join(" "));
    }

    /// All of them as JSON.
    pub fn json(&self) -> Arc<str> {
        json(self)
    }
}
