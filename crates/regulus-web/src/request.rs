//! What is asked of a game, wherever it is, and what it answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::refusal::Refusal;
use crate::session_game::{Change, Found, SessionGame, Wanted};

/// What is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// To do what a visitor asks for: JSON as text, which may be nested as deeply as JSON may be.
    Perform(String),
    /// Its view.
    View {
        /// With how it is drawn.
        scene: bool,
    },
    /// The game as a file.
    Record,
    /// Frames of a game that has them.
    Film {
        /// From which tick on.
        from: usize,
        /// At most this many.
        count: usize,
    },
    /// To take the result of a search.
    Finish {
        /// Which search.
        ticket: u64,
        /// What it has found.
        found: Result<Found, String>,
    },
}

/// What is answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Why it was not done.
    pub refusal: Option<Refusal>,
    /// True if something has changed.
    pub changed: bool,
    /// What was asked for, or the view after it, as JSON.
    pub text: String,
    /// What has changed since the view before, if that is shorter than the view.
    pub step: Option<String>,
    /// The search that is waited for.
    pub wanted: Option<Wanted>,
}

impl Reply {
    /// The text, to be shared.
    pub fn shared(self) -> Arc<str> {
        self.text.into()
    }
}

fn perform(game: &mut dyn SessionGame, command: &str) -> Result<Change, Refusal> {
    let command: Value = serde_json::from_str(command).map_err(|_| Refusal::internal())?;
    game.perform(&command)
}

/// Answers a request.
pub fn answer(game: &mut dyn SessionGame, request: Request) -> Reply {
    let mut change: Option<Change> = None;
    let done = match request {
        Request::Perform(command) => perform(game, &command).map(|changed| {
            change = Some(changed);
            None
        }),
        Request::View { scene } => Ok(Some(game.view(scene))),
        Request::Record => Ok(Some(game.record())),
        Request::Film { from, count } => game.film(from, count).map(Some),
        Request::Finish { ticket, found } => {
            change = game.finish(ticket, found);
            Ok(None)
        }
    };
    let (text, refusal) = match done {
        Ok(text) => (text, None),
        Err(refusal) => (None, Some(refusal)),
    };
    let text = text.unwrap_or_else(|| game.view(false)).to_string();
    let changed = change.is_some();
    let step = change.and_then(|change| change.step).map(|step| step.to_string());
    Reply { refusal, changed, text, step, wanted: game.wanted() }
}
