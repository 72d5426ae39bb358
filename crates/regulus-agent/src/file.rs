//! Configuration files of either kind: which one a text is, and reading it.

use serde_json::Value;

use crate::agent::{Agent, AnyAgent, VideoAgent};
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
            ("agents for board games", parameter::board::GENERAL),
            ("agents for video games", parameter::video::GENERAL),
        ];
        Section::new("general", self.get("general"), keys, &[], &self.owner(others))
    }

    /// The section `algorithm`, without its parameters.
    pub fn algorithm(&self, keys: &'static [Parameter]) -> Result<Section<'_>, Problem> {
        let others = vec![(parameter::board::MCTS.name, parameter::board::ALGORITHM)];
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
    board::reader::read(name, &Layout::new(text)?.only(Games::Board)?)
}

/// Reads a configuration for video games.
pub fn read_video(name: &str, text: &str) -> Result<VideoAgent, Problem> {
    video::reader::read(name, &Layout::new(text)?.only(Games::Video)?)
}

/// Reads a configuration of either kind.
pub fn read_any(name: &str, text: &str) -> Result<AnyAgent, Problem> {
    let layout = Layout::new(text)?;
    match layout.algorithm.games {
        Games::Board => board::reader::read(name, &layout).map(AnyAgent::Board),
        Games::Video => video::reader::read(name, &layout).map(AnyAgent::Video),
    }
}
