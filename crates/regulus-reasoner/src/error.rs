//! What can go wrong while a game runs. Rules can be legal and still ask for too much.

use std::fmt;

use regulus_game::{MAX_GAME_MOVES, Moves};

/// Modifiers in one walk, those inside conditions included.
pub const MAX_WALK_MODIFIERS: usize = 4096;

/// Steps of a move that native code lists: loops of modifiers are calls there, and the stack is
/// finite.
pub const MAX_NATIVE_STEPS: usize = 1000;

/// Keeper moves between two players' moves.
pub const MAX_KEEPER_MOVES: usize = 1_000_000;

/// Moves in one list.
pub const MAX_LISTED_MOVES: usize = 10_000_000;

/// Steps of all moves in one list: half a gigabyte.
pub const MAX_LISTED_STEPS: usize = 64_000_000;

/// Moves that are counted before that is given up: it would take minutes.
pub const MAX_COUNTED_MOVES: u64 = 10_000_000_000;

/// True if a list is too long to go on with it.
pub(crate) fn is_too_long(moves: &Moves) -> bool {
    moves.len() > MAX_LISTED_MOVES || moves.total_steps() > MAX_LISTED_STEPS
}

/// Refuses a move with more modifiers than a walk may have.
pub(crate) fn check_length(modifiers: usize) -> Result<(), RunError> {
    match modifiers {
        0..=MAX_WALK_MODIFIERS => Ok(()),
        _ => Err(RunError::WalkTooLong { limit: MAX_WALK_MODIFIERS }),
    }
}

/// Why a game cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A walk passes too many modifiers without a switch.
    WalkTooLong {
        /// How many modifiers were allowed.
        limit: usize,
    },
    /// The keeper makes more than [`MAX_KEEPER_MOVES`] moves without handing over.
    EndlessKeeper,
    /// Players make more than [`MAX_GAME_MOVES`] moves in a random game.
    EndlessGame,
    /// A position has more than [`MAX_LISTED_MOVES`] moves, or they have more than
    /// [`MAX_LISTED_STEPS`] steps; when they are only counted, more than [`MAX_COUNTED_MOVES`].
    TooManyMoves,
    /// No native code could be made for what was asked.
    NoNativeCode,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::WalkTooLong { limit } => {
                write!(f, "a move passes more than {limit} modifiers without a switch")
            }
            RunError::EndlessKeeper => write!(
                f,
                "the keeper makes more than {MAX_KEEPER_MOVES} moves without handing over to a player"
            ),
            RunError::EndlessGame => {
                write!(f, "a random game has not come to an end after {MAX_GAME_MOVES} moves")
            }
            RunError::NoNativeCode => write!(f, "no native code can be made for this game"),
            RunError::TooManyMoves => {
                write!(
                    f,
                    "the position has more than {MAX_LISTED_MOVES} moves (or {MAX_LISTED_STEPS} steps of moves)"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}
