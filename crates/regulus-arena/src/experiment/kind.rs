//! What is done in an experiment. Everything that a kind decides, but for the words of a declaration, is decided here.

use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::board_roster::BoardRoster;
use super::declaration::Declaration;
use super::error::ExperimentError;
use super::layout::Layout;
use super::plan::Plan;
use super::roster::Roster;
use super::video_roster::VideoRoster;
use crate::board::{BoardRecord, SpeedRecord};
use crate::record::Record;
use crate::record_line::{Line, Parsed};
use crate::video::VideoRecord;

/// What is done in an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Games between pairs of agents.
    #[default]
    Matches,
    /// Searches of the first turn, to see how fast agents are.
    Speed,
    /// Video games, which agents play alone.
    Video,
}

impl Kind {
    /// What is counted.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Matches => "game",
            Kind::Speed => "search",
            Kind::Video => "run",
        }
    }

    /// What is counted, several of it.
    pub fn nouns(self) -> &'static str {
        match self {
            Kind::Matches => "games",
            Kind::Speed => "searches",
            Kind::Video => "runs",
        }
    }

    /// What becomes of what is counted.
    pub fn participle(self) -> &'static str {
        match self {
            Kind::Matches | Kind::Video => "played",
            Kind::Speed => "made",
        }
    }

    /// The record of a line.
    pub(super) fn record(self, line: &Line<'_>) -> Parsed<Box<dyn Record>> {
        fn read<T: Record + DeserializeOwned>(line: &Line<'_>) -> Parsed<Box<dyn Record>> {
            Some(line.parse::<T>()?.map(|record| Box::new(record) as Box<dyn Record>))
        }
        match self {
            Kind::Matches => read::<BoardRecord>(line),
            Kind::Speed => read::<SpeedRecord>(line),
            Kind::Video => read::<VideoRecord>(line),
        }
    }
}

/// The games and agents of a declaration. Files that it names are looked for in `folder`, video games that are not built in
/// in `games`.
pub(super) fn declared_roster(
    declaration: &Declaration,
    folder: &Path,
    games: Option<&Path>,
) -> Result<Arc<dyn Roster>, ExperimentError> {
    Ok(match &declaration.video {
        Some(video) => Arc::new(VideoRoster::declare(declaration, video, folder, games)?),
        None => Arc::new(BoardRoster::declare(declaration, folder)?),
    })
}

/// The games and agents of a plan, from its directory.
pub(super) fn planned_roster(
    plan: &Plan,
    layout: &Layout,
) -> Result<Arc<dyn Roster>, ExperimentError> {
    Ok(match &plan.video {
        Some(video) => Arc::new(VideoRoster::open(layout, plan, video)?),
        None => Arc::new(BoardRoster::open(layout, plan)?),
    })
}
