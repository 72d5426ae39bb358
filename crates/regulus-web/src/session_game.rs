//! What is played in a session: a board game at a table, or a level of a video game.

use std::sync::Arc;

use crate::catalogue::json;
use crate::table::{Found, SearchOrder, Table, Wanted};
use crate::thinking;
use crate::video::{self, Run};

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A board game.
    Board,
    /// A video game.
    Video,
}

/// What is played.
pub enum SessionGame {
    /// A board game.
    Board(Box<Table>),
    /// A video game.
    Video(Box<Run>),
}

/// A search that can be made, on any thread.
pub enum Job {
    /// For a table.
    Board(Box<SearchOrder>),
    /// For a run.
    Video(Box<video::Job>),
}

impl SessionGame {
    /// Which of the two.
    pub fn kind(&self) -> Kind {
        match self {
            SessionGame::Board(_) => Kind::Board,
            SessionGame::Video(_) => Kind::Video,
        }
    }

    /// The search that is waited for.
    pub fn wanted(&self) -> Option<Wanted> {
        match self {
            SessionGame::Board(table) => table.wanted(),
            SessionGame::Video(run) => run.wanted(),
        }
    }

    /// What the search of a ticket needs; nothing if it is not wanted any more.
    pub fn job(&self, ticket: u64) -> Option<Job> {
        match self {
            SessionGame::Board(table) => {
                table.search_order(ticket).map(|order| Job::Board(Box::new(order)))
            }
            SessionGame::Video(run) => run.job(ticket).map(|job| Job::Video(Box::new(job))),
        }
    }
}

impl Job {
    /// Searches. `see` is shown what is thought, as JSON, and says whether to go on; nothing is found if it says no.
    pub fn work(
        self,
        memory: usize,
        see: &mut dyn FnMut(Arc<str>) -> bool,
    ) -> Result<Option<Found>, String> {
        match self {
            Job::Board(order) => {
                thinking::search(&order, memory, &mut |thinking| see(json(thinking)))
            }
            Job::Video(job) => job.work(&mut |thought| {
                see(thought);
            }),
        }
    }
}
