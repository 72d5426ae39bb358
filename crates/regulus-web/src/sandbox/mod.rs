//! Uploaded rules are run in processes of their own. Rules can be legal and still ask for moves without
//! number, searches of them may never come to an end, and nothing can stop a thread; a process can be
//! ended, the system limits its memory, and whatever goes wrong in it stays in it ([`regulus_sandbox`]).
//!
//! A process has one game, or makes one check. It reads [`Message`]s and writes [`Word`]s, a line of JSON
//! each, and ends when it can read no more.

mod child;
mod process;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game_kind::GameKind;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::session_game::Found;

pub use child::work;
pub use process::{Sandbox, Starter, check};

/// How a process begins.
#[derive(Debug, Serialize, Deserialize)]
pub struct Setup {
    limits: Limits,
    /// The name of the kind of games.
    kind: String,
    /// What the visitor has sent.
    request: Value,
    task: Task,
}

impl Setup {
    /// How a process for a request begins.
    pub fn new(kind: &dyn GameKind, request: Value, task: Task, limits: &Limits) -> Self {
        Setup { limits: limits.clone(), kind: kind.about().name.to_owned(), request, task }
    }
}

/// What a process is for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Task {
    /// To check rules.
    Check,
    /// To play.
    Begin {
        /// The name of the session.
        id: String,
    },
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
