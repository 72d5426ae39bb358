//! What agents of both kinds have in common: a file that says what they are, and words that do.

use crate::agent::{Agent, AnyAgent, VideoAgent};
use crate::{board, video};

/// What has a configuration file and can be explained: agents of both kinds, and either.
pub trait Described {
    /// The text of its configuration file.
    fn file(&self) -> String;

    /// What it does, a sentence a line; all but the first begin with `- `.
    fn words(&self) -> String;
}

impl Described for Agent {
    fn file(&self) -> String {
        board::writer::write(self)
    }

    fn words(&self) -> String {
        board::explain::explain(self)
    }
}

impl Described for VideoAgent {
    fn file(&self) -> String {
        video::writer::write(self)
    }

    fn words(&self) -> String {
        video::explain::explain(self)
    }
}

impl Described for AnyAgent {
    fn file(&self) -> String {
        match self {
            AnyAgent::Board(agent) => agent.file(),
            AnyAgent::Video(agent) => agent.file(),
        }
    }

    fn words(&self) -> String {
        match self {
            AnyAgent::Board(agent) => agent.words(),
            AnyAgent::Video(agent) => agent.words(),
        }
    }
}

/// The configuration of an agent as the text of a file.
pub fn write(agent: &impl Described) -> String {
    agent.file()
}

/// What an agent does, as sentences.
pub fn explain(agent: &impl Described) -> String {
    agent.words()
}
