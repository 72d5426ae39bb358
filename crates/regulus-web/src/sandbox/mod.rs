//! Uploaded rules are run in processes of their own. Rules can be legal and still ask for moves without
//! number, searches of them may never come to an end, and nothing can stop a thread; a process can be
//! ended, the system limits its memory, and whatever goes wrong in it stays in it ([`regulus_sandbox`]).
//!
//! A process has one table or one run, or makes one check. It reads [`Message`]s and writes [`Word`]s, a line of JSON
//! each, and ends when it can read no more.

mod child;
mod process;

use serde::{Deserialize, Serialize};

use std::sync::Arc;

use crate::catalogue::json;
use crate::check::Check;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::session_game::SessionGame;
use crate::setting::Setting;
use crate::table::{Found, Opening, Table};
use crate::video::{Run, VideoCheck, VideoOpening, VideoSetting, VideoTexts};

pub use child::work;
pub use process::{Sandbox, Starter, check};

/// How a process begins.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    limits: Limits,
    task: Task,
}

/// What a process is for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Task {
    /// To check rules.
    Check {
        /// The rules.
        text: String,
    },
    /// To check a video game.
    CheckVideo {
        /// Game and level.
        texts: VideoTexts,
    },
    /// A table.
    Table {
        /// The session.
        id: String,
        /// The name of the rules.
        name: String,
        /// The rules.
        text: String,
        /// How it begins.
        opening: Box<Opening>,
    },
    /// A run.
    Run {
        /// The session.
        id: String,
        /// The name of the level.
        name: String,
        /// Game and level.
        texts: VideoTexts,
        /// How it begins.
        opening: Box<VideoOpening>,
    },
}

impl Task {
    /// The result of a check, as JSON; nothing if it is none.
    fn check(&self, limits: &Limits) -> Option<Result<Arc<str>, Refusal>> {
        match self {
            Task::Check { text } => Some(Ok(json(&Check::new(text, limits)))),
            Task::CheckVideo { texts } => Some(VideoCheck::new(texts).map(|check| json(&check))),
            Task::Table { .. } | Task::Run { .. } => None,
        }
    }

    /// Begins what is played.
    pub fn begin(self, limits: &Arc<Limits>) -> Result<SessionGame, Refusal> {
        let limits = Arc::clone(limits);
        match self {
            Task::Table { id, name, text, opening } => {
                let setting = Arc::new(Setting::uploaded(&name, &text, &limits)?);
                Ok(SessionGame::Board(Box::new(Table::new(id, setting, limits, *opening)?)))
            }
            Task::Run { id, name, texts, opening } => {
                let setting = VideoSetting::uploaded(&name, &texts)?;
                Ok(SessionGame::Video(Box::new(Run::new(id, setting, limits, *opening)?)))
            }
            Task::Check { .. } | Task::CheckVideo { .. } => Err(Refusal::internal()),
        }
    }
}

/// What a process is told after that.
#[derive(Debug, Serialize, Deserialize)]
enum Message {
    Ask(Request),
    Search { ticket: u64 },
    Stop,
}

/// What a process says.
#[derive(Debug, Serialize, Deserialize)]
enum Word {
    /// Before anything else: what the system does not do to confine it.
    Incomplete(String),
    /// The check, as JSON.
    Checked(String),
    /// It cannot be done.
    Refused(Refusal),
    /// The answer to the setup, with how it is drawn, and to every [`Message::Ask`].
    Reply(Reply),
    /// A search that goes on, as JSON.
    Thinking(String),
    /// The end of a search.
    Searched(Result<Option<Found>, String>),
}
