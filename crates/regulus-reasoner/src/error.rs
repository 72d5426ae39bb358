//! What can go wrong while a game runs: rules can be legal and still ask for too much.
//!
//! Every limit is a number of things that both engines count alike, so that they give the same answer or
//! the same error. What has no such number is work that leads to nothing: walks that end nowhere. Each
//! engine stops those after about a second ([`MAX_WORK`], [`MAX_NATIVE_WORK`], [`MAX_DEAD_SEMIMOVES`]).

use std::fmt;

use regulus_game::MAX_GAME_MOVES;

/// Modifiers on one walk without its switch. A walk inside a condition counts by itself.
pub const MAX_WALK_MODIFIERS: usize = 4096;

/// Semimoves of one move, split points included.
pub const MAX_SEMIMOVES: usize = 2 * MAX_WALK_MODIFIERS;

/// Keeper moves between two players' moves.
pub const MAX_KEEPER_MOVES: usize = 1_000_000;

/// Moves of one position.
pub const MAX_MOVES: u64 = 10_000_000;

/// Steps of all moves of one position together: a quarter of a gigabyte.
pub const MAX_STEPS: u64 = 1 << 25;

/// Semimoves in a row that complete no move, while moves are drawn or put together from them.
pub const MAX_DEAD_SEMIMOVES: u64 = 1 << 22;

/// Edges of the automaton that the interpreter tries to answer one question.
pub const MAX_WORK: u64 = 1 << 26;

/// Edges that do not count for every move that is found.
pub const WORK_OF_MOVE: u64 = 32;

/// Words of states that native code hands over to answer one question.
pub const MAX_NATIVE_WORK: u64 = 1 << 28;

/// Refuses a move with more modifiers than a walk may have.
pub(crate) fn check_length(modifiers: usize) -> Result<(), RunError> {
    match modifiers {
        0..=MAX_WALK_MODIFIERS => Ok(()),
        _ => Err(RunError::TooManyMoves),
    }
}

/// Why a game cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The moves of a position are too many or too long: [`MAX_MOVES`], [`MAX_STEPS`],
    /// [`MAX_WALK_MODIFIERS`], [`MAX_SEMIMOVES`], or looking for them takes too long: [`MAX_WORK`],
    /// [`MAX_NATIVE_WORK`], [`MAX_DEAD_SEMIMOVES`].
    TooManyMoves,
    /// The keeper makes more than [`MAX_KEEPER_MOVES`] moves without handing over, or more than
    /// [`MAX_WALK_MODIFIERS`] modifiers in one of them, or takes too long to find one.
    EndlessKeeper,
    /// Players make more than [`MAX_GAME_MOVES`] moves in a random game.
    EndlessGame,
    /// No native code could be made for what was asked.
    NoNativeCode,
    /// There is no memory to run native code with.
    NoMemory,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::TooManyMoves => write!(
                f,
                "the position has too many moves, or moves that are too long (at most {MAX_MOVES} moves, \
                 {MAX_STEPS} steps of all moves together, and {MAX_WALK_MODIFIERS} modifiers in a move or \
                 condition are looked at)"
            ),
            RunError::EndlessKeeper => write!(
                f,
                "the keeper does not hand over to a player (at most {MAX_KEEPER_MOVES} moves of his in a \
                 row, and {MAX_WALK_MODIFIERS} modifiers in one of them, are made)"
            ),
            RunError::EndlessGame => {
                write!(f, "a random game has not come to an end after {MAX_GAME_MOVES} moves")
            }
            RunError::NoNativeCode => write!(f, "no native code can be made for this game"),
            RunError::NoMemory => write!(f, "there is not enough memory to run native code"),
        }
    }
}

impl std::error::Error for RunError {}

/// Counts the moves of a position against their limits.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct MoveCount {
    pub(crate) moves: u64,
    pub(crate) steps: u64,
}

impl MoveCount {
    /// One more move; false if that is too much.
    pub(crate) fn add(&mut self, steps: usize) -> bool {
        self.moves += 1;
        self.steps += steps as u64;
        self.is_allowed()
    }

    pub(crate) fn is_allowed(&self) -> bool {
        self.moves <= MAX_MOVES && self.steps <= MAX_STEPS
    }
}
