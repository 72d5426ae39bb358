//! What can go wrong while a game runs. Rules can be legal and still ask for too much.

use std::fmt;

/// Modifiers in one walk, those inside conditions included. (Native code lists moves of up to 1000
/// steps.)
pub const MAX_WALK_MODIFIERS: usize = 4096;

/// Keeper moves between two players' moves.
pub const MAX_KEEPER_MOVES: usize = 1_000_000;

/// Moves in one list.
pub const MAX_LISTED_MOVES: usize = 10_000_000;

/// Why a game cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A walk passes more than [`MAX_WALK_MODIFIERS`] modifiers without a switch.
    WalkTooLong,
    /// The keeper makes more than [`MAX_KEEPER_MOVES`] moves without handing over.
    EndlessKeeper,
    /// A position has more than [`MAX_LISTED_MOVES`] moves.
    TooManyMoves,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::WalkTooLong => {
                write!(f, "a move passes more than {MAX_WALK_MODIFIERS} modifiers without a switch")
            }
            RunError::EndlessKeeper => write!(
                f,
                "the keeper makes more than {MAX_KEEPER_MOVES} moves without handing over to a player"
            ),
            RunError::TooManyMoves => {
                write!(f, "the position has more than {MAX_LISTED_MOVES} moves")
            }
        }
    }
}

impl std::error::Error for RunError {}
