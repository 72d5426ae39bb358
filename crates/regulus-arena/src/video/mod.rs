//! Video games: agents play levels, alone, and are compared by what they achieve.
//!
//! A [`VideoContest`] is an agent in the levels of a game; with limits in iterations a run is a pure function of
//! contest and number. A run becomes a [`VideoRecord`], one line of JSON that can be played again
//! ([`verify()`]). [`VideoSummary`] adds records up: wins, scores and ticks by game, and the [`ranking`] of the
//! competition.

mod conditions;
mod contest;
mod playing;
pub mod ranking;
mod record;
pub mod source;
mod summary;
mod verification;

pub use conditions::{GRACE, conditions};
pub use contest::{ContestLevel, VideoContest, VideoGame};
pub use playing::{PlayedRun, play_run};
pub use record::{Iterations, LateRecord, LevelRecord, VideoOutcome, VideoRecord};
pub use source::Levels;
pub use summary::{
    GameSet, LevelResult, Scope, VideoFault, VideoRanking, VideoResult, VideoStanding, VideoSummary,
};
pub use verification::verify;
