//! Games between agents: played, recorded, and judged.
//!
//! A [`Contest`] says who plays what and how; it is plain data. A [`CompiledContest`] is a contest with everything
//! compiled. The unit of work is a *unit*: all seatings of the agents (a pair of games with swapped seats
//! for two players) with the same random opening and the same seeds; a game of it is named by
//! [`GameNumber`]. With limits in simulations or states, a game is a pure function of contest and
//! number, whoever plays it and when. [`parallel::run`] plays any list of games on several threads.
//!
//! A finished game is a [`Record`], one line of JSON, and the truth: [`Summary`] and everything else is
//! derived from records. [`statistics`] says what they prove. [`experiment`] is many contests in a directory,
//! [`report`] what is made of them.
//!
//! What is **not** here: game rules, searching, the command line.

mod budget;
mod calibration;
mod compiled;
mod compiled_contest;
mod contest;
pub mod experiment;
mod match_report;
pub mod parallel;
mod pinning;
mod playing;
mod record;
mod record_file;
mod record_line;
mod recording;
mod referee;
pub mod report;
pub mod statistics;
mod summary;
mod verification;
pub mod video;

pub use budget::{Baseline, Budget};
pub use calibration::{Calibration, Calibrations};
pub use compiled_contest::{CompiledContest, rules, table};
pub use contest::{Contest, GameNumber, GameText};
pub use match_report::{
    AgentSummary, Elo, FaultReport, MatchReport, SeatSummary, SlowestMove, SprtReport, WinRate,
};
pub use playing::{Conditions, GameResult, Player, Stop, play};
pub use record::{AgentRecord, GameRecord, Outcome, Reason, Record, Turns};
pub use record_file::{RecordError, RecordFile};
pub use record_line::{Flaw, MAX_LINE};
pub use recording::{LeftOut, Recording, Records};
pub use referee::{Referee, Table};
pub use regulus_player::sha256;
pub use summary::Summary;
pub use verification::{Fault, Verifier};
