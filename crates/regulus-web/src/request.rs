//! What is asked of a table, wherever it is, and what it answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalogue::json;
use crate::order::Order;
use crate::refusal::Refusal;
use crate::table::{Found, Table, Wanted};

/// What is asked of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// To do what a visitor asks for.
    Perform(Order),
    /// Its view.
    View {
        /// With how it is drawn.
        scene: bool,
    },
    /// The game as a file.
    Record,
    /// To take the result of a search.
    Finish {
        /// Which search.
        ticket: u64,
        /// What it has found.
        found: Result<Found, String>,
    },
}

/// What a table answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Why it did not do it.
    pub refusal: Option<Refusal>,
    /// True if something has changed.
    pub changed: bool,
    /// What was asked for, or the view after it, as JSON.
    pub text: String,
    /// The search it waits for.
    pub wanted: Option<Wanted>,
}

impl Reply {
    /// The text, to be shared.
    pub fn shared(self) -> Arc<str> {
        self.text.into()
    }
}

/// Answers a request.
pub fn answer(table: &mut Table, request: Request) -> Reply {
    let (mut refusal, mut changed, mut text) = (None, false, None);
    match request {
        Request::Perform(order) => match table.perform(order) {
            Ok(()) => changed = true,
            Err(why) => refusal = Some(why),
        },
        Request::View { scene } => text = Some(json(&table.view(scene))),
        Request::Record => text = Some(json(&table.record())),
        Request::Finish { ticket, found } => changed = table.finish(ticket, found),
    }
    let text = text.unwrap_or_else(|| json(&table.view(false))).to_string();
    Reply { refusal, changed, text, wanted: table.wanted() }
}
