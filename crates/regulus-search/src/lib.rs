//! Monte-Carlo tree search on moves and on semimoves (THESIS chapter 2, AAAI22).
//!
//! Two papers are cited throughout: THESIS is W. Pawlik, *A General Game Playing agent using Monte-Carlo
//! Tree Search with split moves* (2021), AAAI22 is Kowalski et al., *Split Moves for Monte-Carlo Tree
//! Search*. Read the code beside them; algorithm numbers are those of THESIS:
//!
//! | file | part of the algorithm |
//! |---|---|
//! | `config.rs` | all parameters; Table 2.1 |
//! | `iteration.rs` | selection and expansion: Algorithms 2 and 3 |
//! | `select.rs` | UCT and RAVE values; the rest of the catalogue: `tree_policy.rs`, `solver.rs`, `proof.rs`, `endgame.rs`, `proof_search/` |
//! | `simulation.rs` | Algorithm 1; with MAST Algorithm 5 |
//! | `backpropagation.rs` | Algorithm 6; roll-up, Algorithm 4 |
//! | `final_move.rs` | final selection, section 2.2.2; where there is nothing to select: `any_move.rs` |
//! | `learning/` | playout policies that are learned: PPA, MAST by Algorithm 5 of PPA |
//! | `statistic/`, `policy/` | action-based heuristics, section 2.2.4 |
//! | `action.rs`, `tree.rs` | data structures, section 3.3 |
//! | `stopper.rs`, `think.rs`, `report.rs` | limits, turns, what is told about them |
//! | `parameter.rs` | what a parameter is, and what follows from its declaration |
//! | `part/` | what trees of board games and of video games can have: selections, widenings and the like |
//! | `root_allocation.rs` | halving at the root instead of selection |
//! | `shot/` | halving in the whole tree |
//! | `nested/` | single-player games: NMCS, and NRPA of PPA |
//! | `parallel/` | several threads: one tree for all, or a tree each |
//! | `video/` | agents for video games: other sources, other algorithms |
//!
//! Everything random comes from [`config::Config::seed`]: with a limit in simulations or states the
//! same search gives the same tree on every machine.
//!
//! ```
//! use regulus_search::{Config, Limits, Search};
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("tic-tac-toe").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("tic-tac-toe", text)).game.unwrap();
//! let interpreter = regulus_reasoner::Interpreter::new(&game);
//! let mut search = Search::new(interpreter.worker(), Config::default())?;
//! let thought = search.think(&Limits::simulations(200))?;
//! let chosen = thought.chosen.expect("the game is not over");
//! assert_eq!(search.moves().len(), 9);
//! search.advance(&chosen)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is **not** here: any game language, configuration files.

pub mod action;
mod any_move;
mod backpropagation;
pub mod config;
mod endgame;
mod failure;
mod final_move;
mod iteration;
mod learning;
pub mod nested;
pub mod numeric;
mod outcomes;
pub mod parallel;
pub mod parameter;
pub mod part;
pub mod policy;
mod proof;
mod proof_search;
mod record;
mod report;
mod root_allocation;
mod search;
mod select;
pub mod shot;
mod simulation;
mod solver;
pub mod statistic;
pub mod stopper;
mod think;
pub mod tree;
mod tree_policy;
pub mod video;

pub use config::{Config, Limits, Refusal};
pub use failure::Failure;
pub use report::{Glimpse, MoveReport, Thought, Totals};
pub use search::Search;
