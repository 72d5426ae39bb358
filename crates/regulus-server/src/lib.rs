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

mod join;
pub mod manager;
pub mod protocol;

pub use join::{JoinError, JoinNotice, JoinSettings, join, play_apart};
pub use manager::{Manager, ManagerError};
