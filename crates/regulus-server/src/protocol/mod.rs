//! The wire protocol of the RBG game manager.
//!
//! | who | says |
//! |---|---|
//! | manager, to each player | the preparation time in seconds, the description of the game, the number of the seat |
//! | player | `ready` |
//! | manager, to whoever is to move | the time for the move in seconds |
//! | that player | a move |
//! | manager, to all others | the same move |
//! | manager, to all, when no move is left | `reset`; the next game begins at once |
//!
//! Nothing else is ever sent: all sides run the rules, the moves of the keeper included. Moves are
//! encoded as by [`regulus_player::wire`].

mod connection;
mod framing;
mod message;
mod pending;

pub use connection::{Connection, Lost, Sender};
pub use framing::{Decoder, TooLong, encode};
pub(crate) use message::message_text;
pub use message::{READY, RESET, Told, parse_seconds, seconds};
pub use pending::PendingConnection;

/// The longest message that a player can have to say: a move of thousands of steps.
pub const MAX_PLAYER_MESSAGE: usize = 1 << 16;

/// The longest message that a manager can have to say: a description of a game.
pub const MAX_MANAGER_MESSAGE: usize = regulus_rbg::limits::MAX_FILE_BYTES;
