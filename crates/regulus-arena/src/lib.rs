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
//! ```
//! use regulus_arena::{Budget, Contest, GameText, Stop, Summary, CompiledContest};
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
//! let (compiled, stop, mut summary) = (CompiledContest::new(&contest), AtomicBool::new(false), Summary::default());
//! for index in 0..2 {
//!     let record = compiled.play(contest.number(index), Stop::when(&stop)).expect("nobody stops it");
//!     summary.add(&record);
//! }
//! assert_eq!(summary.games(), 2);
//! # Ok::<(), String>(())
//! ```
//!
//! What is **not** here: game rules, searching, the command line.
//!
//! # Where to look
//!
//! A `Contest` is plain data: everything that results depend on. Its games are named by unit and seating; a
//! unit is all seatings with one opening and one set of seeds. `CompiledContest::play` makes a `Record` of a game: with
//! limits in simulations or states a pure function of contest and number, so that any list of games can be
//! spread over threads or machines in any order, and resumed by leaving out what is recorded. Records are
//! the truth; `Summary` and what comes after it are derived from them.
//!
//! An experiment is many contests in a directory. Every process that works on it writes a file of its own and
//! nobody else's, so that no crash and no race can damage anything; what two have played both, say because a
//! network was split, is there twice and counted once. Claims on shares (`experiment/claim.rs`) only save work.
//!
//! | to change | look at |
//! |---|---|
//! | who plays what, seatings, seeds | `contest.rs`; compiled: `compiled_contest.rs`, shared: `compiled.rs` |
//! | the course of a game, faults, time of a turn | `playing.rs`; the rules in it: `referee.rs` |
//! | what is recorded; files of records | `record.rs`; `record_file.rs`, line by line: `record_line.rs`, as a user names them: `recording.rs` |
//! | whether a record can be true | `verification.rs` |
//! | limits of a match, `fm0`, `fs0`, `fsOMR` | `budget.rs`, measured in `calibration.rs` |
//! | threads, order of results, processors | `parallel.rs`, `pinning.rs` |
//! | declarations of experiments | `experiment/declaration.rs`; names in them: `declaration_check.rs`; lines of errors: `toml_section.rs` |
//! | what is played, in which order | `experiment/plan.rs`, made in `setting.rs`; shares of it: `shard.rs` |
//! | what is where in the directory | `experiment/layout.rs`; reading everything: `archive.rs` |
//! | which lines count; what is left out; moving it out of the way | `experiment/record_check.rs`, `damage.rs`, `repair.rs` |
//! | working on a share | `experiment/worker.rs`; what it plays: `compiled_job.rs`, `speed.rs`; who has which share: `claim.rs` |
//! | what is kept about workers | `experiment/manifest.rs`, `machine.rs`; written: `journal.rs` |
//! | scripts for Slurm | `experiment/slurm.rs` |
//! | what games say about agents | `summary.rs`, as data `match_report.rs` |
//! | intervals, Elo, LOS, SPRT | `statistics/`, a file per concept with its source |
//! | what an experiment proves: results, averages, ratings, speeds, published figures, warnings | `report/`, a file per concept; all of it: `experiment_report.rs` |
//! | the columns of CSV and Parquet | `report/rows.rs` (games), `report/summary_table.rs` (results); the formats: `csv.rs`, `parquet.rs` on `thrift.rs` |
//! | the page | `report/html/`, a file per section; boards and pieces: `regulus-scene`; games on it: `report/replay.rs` |
//!
//! Video games have one player, and runs instead of matches: `video/` has their contests (the same games for all agents),
//! records, summaries and the ranking of the competition; an experiment is one of them by its `kind`.
//!
//! Seeds belong to seats, not to agents (`contest.rs`): the games of a pair then differ by the agents alone.
//! Agents run in the process: what they can do wrong ends their game, and a search that goes on for too long
//! is recorded as a timeout when it returns, since stoppers make sure that it does.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | experiments with video games: complete, playable, figures that add up | `tests/shipped_video_experiments.rs` |
//! | runs of video games: threads, records, ranking | `tests/video.rs` |
//! | agents that fail, crash, cheat or sleep | `tests/faults.rs` |
//! | whole contests: threads, seats, damaged records | `tests/contests.rs` |
//! | the experiments of `experiments/`: complete, playable, figures that add up | `tests/shipped_experiments.rs` |
//! | reports: values by hand, golden tables, Parquet read back, the page (`REGULUS_BLESS=1` rewrites the tables) | `tests/reports/` |
//! | error rates of the sequential test, by simulation | `src/statistics/sprt.rs` |
//! | declarations and their errors; what is read back, damaged or repaired | `tests/declarations.rs`, `archives.rs`; as commands: `crates/regulus-cli/tests/repair.rs` |

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
