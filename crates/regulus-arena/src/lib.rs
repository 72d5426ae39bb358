//! Games between agents: played, recorded, and judged.
//!
//! A [`Contest`] says who plays what and how; it is plain data. A [`Venue`] is a contest with everything
//! compiled. The unit of work is a *unit*: all seatings of the agents (a pair of games with swapped seats
//! for two players) with the same random opening and the same seeds; a game of it is named by
//! [`GameNumber`]. With limits in simulations or states, a game is a pure function of contest and
//! number, whoever plays it and when. [`parallel::run`] plays any list of games on several threads.
//!
//! A finished game is a [`Record`], one line of JSON, and the truth: [`Summary`] and everything else is
//! derived from records. [`statistics`] says what they prove. [`experiment`] is many contests in a directory,
//! [`report`] what is made of them.
//!
//! ```
//! use regulus_arena::{Budget, Contest, GameText, Stop, Summary, Venue};
//! use regulus_search::config::Limits;
//! # use std::sync::atomic::AtomicBool;
//!
//! let text = regulus_games::find("tic-tac-toe").expect("built in").text;
//! let game = regulus_rbg::load(&regulus_rbg::Source::new("tic-tac-toe", text)).game.expect("right");
//! let game = GameText::new("tic-tac-toe", None, text, game);
//! let agent = regulus_agent::by_name("mcts_orthodox_orthodox")?;
//! let limits = Limits::simulations(10);
//! let budget = Budget::Limits(limits.clone());
//! let contest = Contest::new(game, vec![agent.clone(), agent], budget, limits, 1)?;
//! let (venue, stop, mut summary) = (Venue::new(&contest), AtomicBool::new(false), Summary::default());
//! for index in 0..2 {
//!     let record = venue.play(contest.number(index), Stop::when(&stop)).expect("nobody stops it");
//!     summary.add(&record);
//! }
//! assert_eq!(summary.games(), 2);
//! # Ok::<(), String>(())
//! ```
//!
//! What is **not** here: game rules, searching, the command line.

mod budget;
mod calibration;
mod compiled;
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
mod venue;
mod verification;
pub mod video;

pub use budget::{Baseline, Budget};
pub use calibration::{Calibration, Calibrations};
pub use contest::{Contest, GameNumber, GameText};
pub use match_report::{
    AgentSummary, Elo, FaultReport, MatchReport, SeatSummary, SlowestMove, SprtReport, WinRate,
};
pub use playing::{Conditions, Played, Player, Stop, play};
pub use record::{AgentRecord, GameRecord, Outcome, Reason, Record, Turns};
pub use record_file::{RecordError, RecordFile};
pub use record_line::{Flaw, MAX_LINE};
pub use recording::{LeftOut, Recording, Records};
pub use referee::{Referee, Table};
pub use regulus_player::sha256;
pub use summary::Summary;
pub use venue::{Venue, rules, table};
pub use verification::{Fault, Verifier};
