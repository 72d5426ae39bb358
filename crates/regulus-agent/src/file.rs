//! Configuration files of either kind: which one a text is, and reading it.

use std::sync::Arc;

use regulus_search::parameter::Setting;
use serde_json::Value;

use crate::agent::{Agent, VideoAgent};
use crate::described::Described;
use crate::parameter::{ALGORITHMS, Algorithm, Games, MCTS, NAME, Parameter, RANDOM, SHOT};
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
        Section::new("", Some(&whole), Vec::new(), &keys, &Owner::only()).map_err(|p| {
            if p.key.is_empty() { problem("the file", None, "must be one object") } else { p }
        })?;
        let algorithm = match whole.get("algorithm") {
            None => return Err(problem("algorithm", None, "is missing")),
            Some(Value::Object(algorithm)) => algorithm,
            Some(other) => return Err(problem("algorithm", Some(other), "must be an object")),
        };
        let name = algorithm.get("name").cloned().unwrap_or_else(|| NAME.default.word().into());
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

    /// All sections with declared keys.
    pub fn sections(&self) -> Result<Sections<'_>, Problem> {
        use parameter::Section::{Algorithm, General, Parameters};
        let is_nested = board::nested::is_nested(self.algorithm);
        let board = if is_nested { MCTS.name } else { "agents for board games" };
        let general = [(board, MCTS), ("agents for video games", RANDOM)];
        let owners = |algorithms: &[(&'static str, parameter::Algorithm)], section| {
            algorithms.iter().map(|(name, of)| (*name, of.keys(section))).collect()
        };
        let section = |section, path, value, also: &[&str], others| {
            let owner = Owner { name: self.algorithm.name, others };
            Section::new(path, value, self.algorithm.keys(section), also, &owner)
        };
        let algorithm = self.get("algorithm");
        let all: Vec<_> = ALGORITHMS.iter().map(|of| (of.name, *of)).collect();
        Ok(Sections {
            general: section(
                General,
                "general",
                self.get("general"),
                &[],
                owners(&general, General),
            )?,
            parameters: section(
                Parameters,
                "algorithm.parameters",
                algorithm.and_then(|algorithm| algorithm.get("parameters")),
                &[],
                owners(&all, Parameters),
            )?,
            algorithm: section(
                Algorithm,
                "algorithm",
                algorithm,
                &["parameters"],
                owners(&[(MCTS.name, MCTS), (SHOT.name, SHOT)], Algorithm),
            )?,
        })
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

/// The sections of a file with declared keys.
pub(crate) struct Sections<'j> {
    general: Section<'j>,
    algorithm: Section<'j>,
    parameters: Section<'j>,
}

impl<'j> Sections<'j> {
    /// Sets what is said about a structure.
    pub fn apply<C: 'static>(
        &self,
        settings: impl IntoIterator<Item = &'static Setting<C>>,
        structure: &mut C,
    ) -> Result<(), Problem> {
        for setting in settings {
            let section = match setting.section {
                parameter::Section::General => &self.general,
                parameter::Section::Algorithm => &self.algorithm,
                parameter::Section::Parameters => &self.parameters,
            };
            section.apply(setting, structure)?;
        }
        Ok(())
    }

    /// An object in the parameters.
    pub fn object(&self, key: &str, keys: Vec<Parameter>) -> Result<Section<'j>, Problem> {
        self.parameters.object(key, keys)
    }
}

/// Reads a configuration for board games.
pub fn read(name: &str, text: &str) -> Result<Agent, Problem> {
    read_board(name, &Layout::new(text)?.only(Games::Board)?)
}

fn read_board(name: &str, layout: &Layout) -> Result<Agent, Problem> {
    if board::nested::is_nested(layout.algorithm) {
        board::nested::read(name, layout)
    } else {
        board::reader::read(name, layout)
    }
}

/// Reads a configuration for video games.
pub fn read_video(name: &str, text: &str) -> Result<VideoAgent, Problem> {
    video::reader::read(name, &Layout::new(text)?.only(Games::Video)?)
}

/// Reads a configuration for any games.
pub fn read_any(name: &str, text: &str) -> Result<Arc<dyn Described>, Problem> {
    let layout = Layout::new(text)?;
    Ok(match layout.algorithm.games {
        Games::Board => Arc::new(read_board(name, &layout)?),
        Games::Video => Arc::new(video::reader::read(name, &layout)?),
    })
}
