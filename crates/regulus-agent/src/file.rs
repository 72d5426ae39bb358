//! Configuration files of either kind: which one a text is, and reading it.

use serde_json::Value;

use crate::agent::{Agent, AnyAgent, VideoAgent};
use crate::parameter::nested::is_nested;
use crate::parameter::shot::is_shot;
use crate::parameter::{ALGORITHMS, Algorithm, Games, NAME, Parameter};
use crate::problem::{Problem, problem};
use crate::section::{Owner, Section};
use crate::{board, parameter, video};

/// A file whose outermost layout is right.
pub(crate) struct Layout {
    whole: Value,
    /// The algorithm that it asks for.
    pub algorithm: &'static Algorithm,
}

impl Layout {
    fn new(text: &str) -> Result<Self, Problem> {
        let whole: Value = serde_json::from_str(text)
            .map_err(|e| problem("the file", None, format!("is not JSON: {e}")))?;
        let keys = ["general", "algorithm", "heuristics"];
        Section::new("", Some(&whole), &[], &keys, &Owner::only()).map_err(|p| {
            if p.key.is_empty() { problem("the file", None, "must be one object") } else { p }
        })?;
        let algorithm = match whole.get("algorithm") {
            None => return Err(problem("algorithm", None, "is missing")),
            Some(Value::Object(algorithm)) => algorithm,
            Some(other) => return Err(problem("algorithm", Some(other), "must be an object")),
        };
        let name = algorithm.get("name").cloned().unwrap_or_else(|| NAME.default_value());
        let known = ALGORITHMS.iter().find(|a| Some(a.name) == name.as_str());
        match known {
            Some(algorithm) => Ok(Layout { whole, algorithm }),
            None => Err(crate::section::misfit("algorithm.name", NAME.kind, &name)),
        }
    }

    /// A value of the outermost object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.whole.get(key)
    }

    /// The section `general`.
    pub fn general(&self, keys: &'static [Parameter]) -> Result<Section<'_>, Problem> {
        let others = vec![
            (self.board_agents(), parameter::board::GENERAL),
            ("agents for video games", parameter::video::GENERAL),
        ];
        Section::new("general", self.get("general"), keys, &[], &self.owner(others))
    }

    /// The section `algorithm`, without its parameters.
    pub fn algorithm(&self, keys: &'static [Parameter]) -> Result<Section<'_>, Problem> {
        let others = vec![
            (parameter::board::MCTS.name, parameter::board::ALGORITHM),
            (parameter::shot::SHOT.name, parameter::shot::ALGORITHM),
        ];
        let owner = self.owner(others);
        Section::new("algorithm", self.get("algorithm"), keys, &["parameters"], &owner)
    }

    /// The section `algorithm.parameters`.
    pub fn parameters(&self) -> Result<Section<'_>, Problem> {
        let others = ALGORITHMS.iter().map(|a| (a.name, a.keys)).collect();
        let value = self.get("algorithm").and_then(|a| a.get("parameters"));
        let keys = self.algorithm.keys;
        Section::new("algorithm.parameters", value, keys, &[], &self.owner(others))
    }

    /// Who has all keys of board games.
    fn board_agents(&self) -> &'static str {
        if is_nested(self.algorithm) {
            parameter::board::MCTS.name
        } else {
            "agents for board games"
        }
    }

    fn owner(&self, others: Vec<(&'static str, &'static [Parameter])>) -> Owner<'static> {
        Owner { name: self.algorithm.name, others }
    }

    /// Refuses a file for other games.
    fn only(self, games: Games) -> Result<Self, Problem> {
        if self.algorithm.games == games {
            return Ok(self);
        }
        let name = Value::from(self.algorithm.name);
        Err(problem("algorithm.name", Some(&name), self.algorithm.games.refusal()))
    }
}

/// Reads a configuration for board games.
pub fn read(name: &str, text: &str) -> Result<Agent, Problem> {
    read_board(name, &Layout::new(text)?.only(Games::Board)?)
}

fn read_board(name: &str, layout: &Layout) -> Result<Agent, Problem> {
    if is_nested(layout.algorithm) {
        board::nested::read(name, layout)
    } else if is_shot(layout.algorithm) {
        board::shot::read(name, layout)
    } else {
        board::reader::read(name, layout)
    }
}

/// Reads a configuration for video games.
pub fn read_video(name: &str, text: &str) -> Result<VideoAgent, Problem> {
    video::reader::read(name, &Layout::new(text)?.only(Games::Video)?)
}

/// Reads a configuration of either kind.
pub fn read_any(name: &str, text: &str) -> Result<AnyAgent, Problem> {
    let layout = Layout::new(text)?;
    match layout.algorithm.games {
        Games::Board => read_board(name, &layout).map(AnyAgent::Board),
        Games::Video => video::reader::read(name, &layout).map(AnyAgent::Video),
    }
}
