//! Regulus on the network.
//!
//! [`protocol`] is the wire protocol of the RBG game manager: messages that end with a NUL byte, in an order
//! that both sides know. [`manager`] is the side that knows the rules and lets players join it; [`join()`]
//! is the side of an agent. Both work with players and managers that were written for the original.
//!
//! Plain threads and blocking sockets are enough for it: a game has one player to move at a time. Every
//! read and write has an end by the clock.
//!
//! ```
//! use regulus_server::protocol::{Decoder, encode};
//!
//! let mut decoder = Decoder::new(1000);
//! decoder.push(&encode(b"56 2 48 3"));
//! assert_eq!(decoder.message(), Ok(Some(b"56 2 48 3".to_vec())));
//! ```
//!
//! What is **not** here: game rules, searching, printing, files.
//!
//! # Where to look
//!
//! `docs/manager.md` describes the protocol. Sockets block, with an end by the clock for every read and write; a game has
//! one player to move at a time, so that one thread manages it. What happens is told to a watcher, who prints
//! and keeps files.
//!
//! | to change | look at |
//! |---|---|
//! | bytes: framing, what messages say | `protocol/framing.rs`, `protocol/message.rs` |
//! | sockets, timeouts | `protocol/connection.rs` |
//! | options of the manager, the course of its games | `manager/settings.rs`, `manager/mod.rs`; one game: `manager/game.rs` |
//! | connecting, `ready`, who gets a seat, bad connections | `manager/candidates.rs` (before the seat), `manager/seats.rs` (with it) |
//! | what is logged and told | `manager/result_line.rs`, `manager/notice.rs`, `manager/standing.rs` |
//! | the side of a player: who holds the connection | `join/relay.rs`; connecting again: `join/mod.rs` |
//! | the side of a player: who runs the rules, in a process of its own | `join/player.rs`, `session.rs`; before `ready`: `rehearsal.rs`; between the two: `words.rs`, `link.rs` |
//! | when a turn began, how long it may last, who answers if the search is late | `join/clock.rs`, `reserve.rs`, `timekeeper.rs`, `parts.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | what is decoded of any bytes | `tests/fuzz.rs`; coverage-guided: `fuzz/` |
//! | two players among 500 bad connections; clashes of seats | `tests/bad_connections.rs` |
//! | managers and players on real sockets: segments, garbage, silence, going at every step | `tests/manager.rs`, `join.rs` |
//! | the exact bytes of whole sessions, recorded from the original manager | `tests/transcript.rs`, texts: `tests/transcripts/` |
//! | a thousand games over the network | `tests/many_games.rs` |

mod join;
pub mod manager;
pub mod protocol;

pub use join::{JoinError, JoinNotice, JoinSettings, MoveStatistics, join, play_apart};
pub use manager::{Manager, ManagerError};
