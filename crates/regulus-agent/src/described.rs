//! What agents have in common, whatever they play: a file that says what they are, and words that do.

use std::fmt::Debug;

use crate::agent::{Agent, VideoAgent};
use crate::parameter::Games;
use crate::{board, video};

/// An agent for some games.
pub trait Described: Debug + Send + Sync {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// What it plays.
    fn games(&self) -> Games;

    /// The text of its configuration file.
    fn file(&self) -> String;

    /// What it does, a sentence a line; all but the first begin with `- `.
    fn words(&self) -> String;

    /// What it is in board games, if it plays these.
    fn board(&self) -> Option<&Agent> {
        None
    }

    /// What it is in video games, if it plays these.
    fn video(&self) -> Option<&VideoAgent> {
        None
    }
}

impl PartialEq for dyn Described {
    fn eq(&self, other: &Self) -> bool {
        (self.board(), self.video()) == (other.board(), other.video())
    }
}

impl Described for Agent {
    fn name(&self) -> &str {
        &self.name
    }

    fn games(&self) -> Games {
        Games::Board
    }

    fn file(&self) -> String {
        board::writer::write(self)
    }

    fn words(&self) -> String {
        board::explain::explain(self)
    }

    fn board(&self) -> Option<&Agent> {
        Some(self)
    }
}

impl Described for VideoAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn games(&self) -> Games {
        Games::Video
    }

    fn file(&self) -> String {
        video::writer::write(self)
    }

    fn words(&self) -> String {
        video::explain::explain(self)
    }

    fn video(&self) -> Option<&VideoAgent> {
        Some(self)
    }
}

/// The configuration of an agent as the text of a file.
pub fn write(agent: &dyn Described) -> String {
    agent.file()
}

/// What an agent does, as sentences.
pub fn explain(agent: &dyn Described) -> String {
    agent.words()
}
