//! Agents: a configuration of [`regulus_search`] with a name and manners, for board games ([`Agent`]) or for
//! video games ([`VideoAgent`]).
//!
//! An agent comes from a JSON file ([`read`], [`read_video`], [`read_any`]) or from a name ([`by_name`],
//! [`video_by_name`], [`any_by_name`]). Files for board games have the keys of THESIS 4.1, names are those of the
//! original collection; files for video games name the parts of GVGAI-THESIS. Every key is declared once, in
//! [`regulus_search`] beside the part that it belongs to; reading, writing, error messages, explanations, names and the
//! JSON schema ([`schema()`]) all come from there. [`parameter`] says which algorithm has which keys.
//!
//! ```
//! let agent = regulus_agent::by_name("mcts_orthodox_orthodox")?;
//! let text = regulus_agent::write(&agent);
//! assert_eq!(regulus_agent::read("mcts_orthodox_orthodox", &text)?, agent);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is **not** here: searching itself, networking, games.
//!
//! # Where to look
//!
//! Agents of both kinds of games have one format of files. `board/` and `video/` each have reading, writing, names and
//! explanations; what they share is beside them.
//!
//! | to change | look at |
//! |---|---|
//! | a key, its range, default, help, sentence and word in names | declared once in `regulus-search`, beside its part (`crates/regulus-search/src/parameter/mod.rs` says how); which algorithm has which keys, and what only agents have: `parameter.rs` |
//! | reading and writing files, error messages | `file.rs`, `section.rs`, `written.rs`, `problem.rs`; then `board/` or `video/` |
//! | the schema; the page of all keys, `docs/keys.md` | `schema.rs`; `reference.rs` |
//! | names of the collections and their patterns | `board/name.rs`, `video/name.rs` |
//! | heuristics, searches for one player, SHOT | `board/heuristic.rs`, `nested.rs`, `shot.rs` |
//! | a configuration in words | `board/explain.rs`, `video/explain.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | agents for video games: files, names, every error | `tests/video_files.rs` |
//! | the schema says what the reader says, on mutated files | `tests/schema.rs` |
//! | agents find wins and blocks in one (`REGULUS_BLESS=1` looks for positions again) | `tests/strength/tactics.rs`, positions: `positions.tsv` |
//! | ten times the simulations win; MAST and RAVE win | `tests/strength/matches.rs` |
//! | every agent of the collection repeats itself | `tests/determinism.rs` |
//! | configuration files with the original keys | `tests/original_files.rs` |

mod agent;
mod board;
mod described;
mod file;
mod name;
pub mod parameter;
mod problem;
mod reference;
mod schema;
mod section;
mod video;
mod written;

pub use agent::{Agent, VideoAgent};
pub use board::name::{BOARD_PATTERN, COLLECTION};
pub use board::nested::{NESTED_COLLECTION, NESTED_PATTERN};
pub use board::shot::{SHOT_COLLECTION, SHOT_PATTERN};
pub use described::{Described, explain, write};
pub use file::{read, read_any, read_video};
pub use name::{any_by_name, by_name, video_by_name};
pub use parameter::Games;
pub use problem::Problem;
pub use reference::reference;
pub use schema::schema;
pub use video::name::{VIDEO_COLLECTION, VIDEO_PATTERN};
