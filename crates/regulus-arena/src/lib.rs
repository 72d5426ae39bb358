//! Games that agents play: played, recorded, and judged.
//!
//! A [`Contest`] says who plays what and how; it is plain data. [`Contest::compile`] makes a [`CompiledContest`] of it, whose
//! games are named by [`GameNumber`]. With limits in simulations or states, a game is a pure function of contest and
//! number, whoever plays it and when. [`parallel::run`] plays any list of games on several threads. A finished
//! game is a [`Record`], one line of JSON, and the truth: everything else is derived from records.
//!
//! These three are all that most of this crate knows. [`board`] implements them for board games, with agents against
//! each other, and [`video`] for video games, which agents play alone; each also has what its records say. [`statistics`]
//! says what they prove. [`experiment`] is many contests in a directory, [`report`] what is made of them.
//!
//! ```
//! use regulus_arena::board::{BoardContest, CompiledBoardContest, Summary};
//! use regulus_arena::{Budget, Stop};
//! use regulus_search::config::Limits;
//! # use std::sync::atomic::AtomicBool;
//!
//! let game = regulus_player::catalogue::Catalogue::default().game("tic-tac-toe")?;
//! let agent = regulus_agent::by_name("mcts_orthodox_orthodox")?;
//! let limits = Limits::simulations(10);
//! let budget = Budget::Limits(limits.clone());
//! let contest = BoardContest::new(game, vec![agent.clone(), agent], budget, limits, 1)?;
//! let (compiled, stop, mut summary) = (CompiledBoardContest::new(&contest), AtomicBool::new(false), Summary::default());
//! for index in 0..2 {
//!     let record = compiled.play(contest.number(index), Stop::when(&stop)).expect("nobody stops it");
//!     summary.add(&record);
//! }
//! assert_eq!(summary.games(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is **not** here: game rules, searching, the command line.
//!
//! # Where to look
//!
//! The interface is in `contest.rs` and `record.rs`; `board/` and `video/` implement it. Since a game is a pure function of
//! contest and number, any list of games can be spread over threads or machines in any order, and resumed by leaving
//! out what is recorded.
//!
//! An experiment is many contests in a directory. Every process that works on it writes a file of its own and
//! nobody else's, so that no crash and no race can damage anything; what two have played both, say because a
//! network was split, is there twice and counted once. Claims on shares (`experiment/claim.rs`) only save work.
//!
//! | to change | look at |
//! |---|---|
//! | what everything that is played has in common | `contest.rs`, `record.rs`; leaving a game: `stop.rs`; times: `timestamp.rs` |
//! | who plays which board game, seatings, seeds | `board/contest.rs`; compiled: `compiled_contest.rs` |
//! | the course of a board game, faults, time of a turn | `board/playing.rs`; the rules in it: `referee.rs` |
//! | what is recorded of it; whether that can be true | `board/record.rs`, `verification.rs` |
//! | searches for their speed; simulations alone | `board/speed.rs`; `flat.rs` |
//! | runs of video games: levels, conditions, records | `video/contest.rs`, `conditions.rs`, `playing.rs`, `record.rs`, `verification.rs` |
//! | files of records | `record_file.rs`, line by line: `record_line.rs`, as a user names them: `recording.rs` |
//! | limits of a match, `fm0`, `fs0`, `fsOMR` | `budget.rs`, measured in `calibration.rs` |
//! | threads, order of results, processors | `parallel.rs`, `pinning.rs` |
//! | declarations of experiments | `experiment/declaration.rs`, `video_declaration.rs`; blocks of them: `combinations.rs`; names in them: `declaration_check.rs`; lines of errors: `toml_section.rs` |
//! | sizes of an experiment | `experiment/size.rs`; what is played of a declaration: `sized.rs`; what fits into the time: `fitting.rs`; what a size can show: `report/resolution.rs` |
//! | what a kind of experiment decides | `experiment/kind.rs` |
//! | the games and agents of an experiment, loaded | `experiment/roster.rs`; `board_roster.rs`, `video_roster.rs` |
//! | what is played, in which order | `experiment/plan.rs`; shares of it: `shard.rs` |
//! | what is where in the directory | `experiment/layout.rs`; reading everything: `archive.rs` |
//! | which lines count; what is left out; moving it out of the way | `experiment/record_check.rs`, `damage.rs`, `repair.rs` |
//! | working on a share | `experiment/worker.rs`; who has which share: `claim.rs` |
//! | how far an experiment is | `experiment/status.rs` |
//! | what is kept about workers | `experiment/manifest.rs`, `machine.rs`; written: `journal.rs` |
//! | scripts for Slurm | `experiment/slurm.rs` |
//! | what games say about agents | `board/summary.rs`, as data `match_report.rs`; of recorded files: `series.rs`; `video/summary.rs`, `ranking.rs` |
//! | intervals, Elo, LOS, SPRT | `statistics/`, a file per concept with its source |
//! | what an experiment proves: results, averages, ratings, speeds, published figures, warnings | `report/`, a file per concept; all of it: `experiment_report.rs` |
//! | the columns of CSV and Parquet | `report/rows.rs` (games), `report/summary_table.rs` (results); the formats: `csv.rs`, `parquet.rs` on `thrift.rs` |
//! | the page | `report/html/`, a file per section; boards and pieces: `regulus-scene`; games on it: `report/replay.rs` |
//!
//! Seeds belong to seats or levels, not to agents (`board/contest.rs`, `video/contest.rs`): the games of a pair then differ
//! by the agents alone.
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
//! | sizes: what is played, what a directory remembers | `tests/sizes.rs` |
//! | error rates of the sequential test, by simulation | `src/statistics/sprt.rs` |
//! | declarations and their errors; what is read back, damaged or repaired | `tests/declarations.rs`, `archives.rs`; as commands: `crates/regulus-cli/tests/repair.rs` |

pub mod board;
mod budget;
mod calibration;
mod contest;
pub mod experiment;
pub mod parallel;
mod pinning;
mod record;
mod record_file;
mod record_line;
mod recording;
pub mod report;
pub mod statistics;
mod stop;
mod timestamp;
pub mod video;

pub use budget::{Baseline, Budget, duration_or_zero};
pub use calibration::{Calibration, Calibrations};
pub use contest::{CompiledContest, Contest, GameNumber};
pub use record::{AgentRecord, GameRecord, Origin, Reason, Record};
pub use record_file::{RecordError, RecordFile};
pub use record_line::{Flaw, JsonLine, MAX_LINE};
pub use recording::{LeftOut, Recording, Records};
pub use regulus_player::sha256;
pub use stop::Stop;
