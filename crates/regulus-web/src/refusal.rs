//! Why a request is not answered as wished.

use serde::{Deserialize, Serialize};

/// A status, a word for programs and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// A word that programs can rely on.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Refusal {
    /// Any refusal.
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Refusal { status, code: code.to_owned(), message: message.into() }
    }

    /// The request cannot be understood.
    pub fn invalid(message: impl Into<String>) -> Self {
        Refusal::new(400, "invalid", message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Refusal::new(404, "not_found", message)
    }

    /// The request is about an earlier state of the session.
    pub fn stale(revision: u64) -> Self {
        let message = format!("the session has changed: its revision is {revision} now");
        Refusal::new(409, "stale", message)
    }

    /// That cannot be done in this state of the session.
    pub fn impossible(message: impl Into<String>) -> Self {
        Refusal::new(409, "impossible", message)
    }

    /// The rules cannot be played.
    pub fn rules(message: impl Into<String>) -> Self {
        Refusal::new(422, "rules", message)
    }

    /// The server has too much to do.
    pub fn busy(message: impl Into<String>) -> Self {
        Refusal::new(503, "busy", message)
    }

    /// A mistake of ours.
    pub fn internal() -> Self {
        Refusal::new(500, "internal", "something went wrong in the server; this is not your fault")
    }
}
