//! Board games: agents play against each other, by rules that a referee watches over.
//!
//! A [`BoardContest`] is a game and who plays it; a [`CompiledBoardContest`] is one with everything compiled. The unit of
//! work is a *unit*: all seatings of the agents (a pair of games with swapped seats for two players) with the same random
//! opening and the same seeds. A game becomes a [`BoardRecord`], which can be checked against the rules
//! ([`Verifier`]); [`Summary`] adds records up. A [`SpeedContest`] has searches of the first turn, or
//! random simulations alone, instead of games.

mod compiled_contest;
mod contest;
mod flat;
mod match_report;
mod playing;
pub(crate) mod record;
mod referee;
mod series;
mod speed;
mod summary;
mod verification;

pub use compiled_contest::{CompiledBoardContest, rules, table};
pub use contest::{BoardContest, MAX_PLIES, TOLERANCE};
pub use flat::FlatRecord;
pub use match_report::{
    AgentSummary, Elo, FaultReport, MatchReport, SeatSummary, SlowestMove, SprtReport, WinRate,
};
pub use playing::{Conditions, GameResult, Player, play};
pub use record::{BoardRecord, Outcome, Turns};
pub use referee::{Referee, Table};
pub use series::{AgentSeries, SeatSeries, Series};
pub use speed::{SpeedContest, SpeedRecord};
pub use summary::Summary;
pub use verification::{Fault, Verifier};
