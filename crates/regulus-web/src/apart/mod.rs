//! Uploaded rules are run in processes of their own. Rules can be legal and still ask for moves without
//! number, searches of them may never come to an end, and nothing can stop a thread; a process can be
//! ended, and the system limits its memory.
//!
//! A process has one table, or makes one check. It reads [`Message`]s and writes [`Word`]s, a line of JSON
//! each, and ends when it can read no more.

mod child;
mod process;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::table::{Found, Opening};

pub use child::work;
pub use process::{Apart, Program, check};

/// How a process begins.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    limits: Limits,
    text: String,
    task: Task,
}

/// What a process is for.
#[derive(Debug, Serialize, Deserialize)]
enum Task {
    Check,
    Table { id: String, name: String, opening: Opening },
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
    /// The check, as JSON.
    Checked(String),
    /// There is no table.
    Refused(Refusal),
    /// The answer to the setup, with how it is drawn, and to every [`Message::Ask`].
    Reply(Reply),
    /// A search that goes on, as JSON.
    Thinking(String),
    /// The end of a search.
    Searched(Result<Option<Found>, String>),
}
