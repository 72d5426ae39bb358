//! What is asked of a table or a run, wherever it is, and what it answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalogue::json;
use crate::command::Command;
use crate::refusal::Refusal;
use crate::session_game::SessionGame;
use crate::table::{Found, Wanted};
use crate::video::VideoCommand;

/// What is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// To do what a visitor asks for.
    Perform(AnyCommand),
    /// Its view.
    View {
        /// With how it is drawn.
        scene: bool,
    },
    /// The game as a file.
    Record,
    /// Frames of a run.
    Film {
        /// From which tick on.
        from: usize,
        /// How many.
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

/// What a visitor asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AnyCommand {
    /// Of a table.
    Board(Command),
    /// Of a run.
    Video(VideoCommand),
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
    /// What has changed since the view before, if that can be said in fewer words.
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

/// What was done: nothing, or something, of which a run tells what has changed.
type Done = (bool, Option<String>);

fn perform(played: &mut SessionGame, order: AnyCommand) -> Result<Done, Refusal> {
    match (played, order) {
        (SessionGame::Board(table), AnyCommand::Board(order)) => {
            table.perform(order).map(|()| (true, None))
        }
        (SessionGame::Video(run), AnyCommand::Video(order)) => {
            let from = run.revision();
            let frames = run.perform(order)?;
            Ok((true, Some(json(&run.step(from, &frames)).to_string())))
        }
        _ => Err(Refusal::invalid("that is for games of another kind")),
    }
}

fn finish(played: &mut SessionGame, ticket: u64, found: Result<Found, String>) -> Done {
    match played {
        SessionGame::Board(table) => (table.finish(ticket, found), None),
        SessionGame::Video(run) => {
            let from = run.revision();
            match run.finish(ticket, found) {
                Some(frames) => (true, Some(json(&run.step(from, &frames)).to_string())),
                None => (false, None),
            }
        }
    }
}

fn view(played: &SessionGame, scene: bool) -> Arc<str> {
    match played {
        SessionGame::Board(table) => json(&table.view(scene)),
        SessionGame::Video(run) => json(&run.view(scene)),
    }
}

fn film(played: &mut SessionGame, from: usize, count: usize) -> Result<Arc<str>, Refusal> {
    match played {
        SessionGame::Board(_) => Err(Refusal::invalid("board games have no frames")),
        SessionGame::Video(run) => run.film(from, count).map(|film| json(&film)),
    }
}

/// Answers a request.
pub fn answer(played: &mut SessionGame, request: Request) -> Reply {
    let (mut refusal, mut done, mut text) = (None, (false, None), None);
    match request {
        Request::Perform(order) => match perform(played, order) {
            Ok(so) => done = so,
            Err(why) => refusal = Some(why),
        },
        Request::View { scene } => text = Some(view(played, scene)),
        Request::Record => {
            text = Some(match played {
                SessionGame::Board(table) => json(&table.record()),
                SessionGame::Video(run) => json(&run.record()),
            });
        }
        Request::Film { from, count } => match film(played, from, count) {
            Ok(film) => text = Some(film),
            Err(why) => refusal = Some(why),
        },
        Request::Finish { ticket, found } => done = finish(played, ticket, found),
    }
    let text = text.unwrap_or_else(|| view(played, false)).to_string();
    let (changed, step) = done;
    Reply { refusal, changed, text, step, wanted: played.wanted() }
}
