//! Agents at work: what brings together an agent ([`regulus_agent`]), the rules as it sees them
//! ([`regulus_reasoner`]) and a search ([`regulus_search`]), for whoever lets agents play: the
//! commands, matches, servers.
//!
//! ```
//! use regulus_player::catalogue::Catalogue;
//! use regulus_player::{PreparedAgent, wire};
//! use regulus_search::config::Limits;
//! let game = Catalogue::default().game("tic-tac-toe")?;
//! let agent = regulus_agent::by_name("mcts_orthodox_orthodox")?;
//! let prepared_agent = PreparedAgent::new(&agent, &game);
//! let mut searcher = prepared_agent.searcher(1, std::iter::empty())?;
//! let chosen = searcher.think(&Limits::simulations(100))?.chosen.expect("the game is not over");
//! assert_eq!(wire::parse(&wire::text(&chosen)), Ok(chosen));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! People at a board are served as well: a [`Position`] with its legal moves in words, and an [`Entry`] for
//! moves that are chosen semimove by semimove.
//!
//! What is **not** here: printing, matches, networking.
//!
//! # Where to look
//!
//! What everybody needs who lets agents play, whether in a match, at a terminal or over a network. It is a
//! crate of its own because `regulus-agent` must not know games and servers must not know matches.
//!
//! | to change | look at |
//! |---|---|
//! | what a word means: games, levels, agents, files; did-you-mean | `catalogue/mod.rs`, `catalogue/video_text.rs`, `catalogue/agent.rs` |
//! | a game that was read, and the code that all share | `loaded_game.rs`; what is wrong with a text: `description_fault.rs` |
//! | native code or interpreter | `rules.rs` |
//! | an agent and its searches | `prepared_agent.rs` |
//! | a position with the moves before it; results in words | `position.rs`; its moves in words: `move_words.rs` |
//! | a move that a person enters choice by choice | `entry.rs` |
//! | what is saved of a game; files that a user names, within bounds | `saved_game.rs`; `bounded_file.rs` |
//! | moves for other programs; `--limit` | `wire.rs`; `limit.rs` |
//! | the letters of pieces | `symbol.rs` |
//! | what `auto` means | `auto.rs` |
//! | a level of a video game, who plays it, the clock, what is kept | `video/level.rs`, `pilot.rs`, `playing.rs`, `replay.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | what `auto` means, for built-in and unknown games | `tests/auto.rs` |
//! | video games under the clock; replays that were changed | `tests/video.rs` |
//! | every legal move can be entered, choice by choice | `tests/entry.rs` |
//! | all agents play moves of any length, and a legal one where they cannot search | `tests/long_moves.rs` |

mod auto;
pub mod bounded_file;
pub mod catalogue;
mod description_fault;
mod entry;
mod hash;
pub mod limit;
mod loaded_game;
mod move_words;
mod position;
mod prepared_agent;
mod rules;
mod saved_game;
mod symbol;
pub mod video;
pub mod wire;

pub use auto::{AUTO, ONE_PLAYER, SEVERAL_CHOICES, USUAL, auto_in_words};
pub use description_fault::DescriptionFault;
pub use entry::{Choice, Chosen, Entry};
pub use hash::sha256;
pub use loaded_game::LoadedGame;
pub use position::{PlayFault, Position};
pub use prepared_agent::{Failure, PreparedAgent};
pub use rules::{Rules, RulesState};
pub use saved_game::SavedGame;
pub use symbol::{belongs_to, symbols};
