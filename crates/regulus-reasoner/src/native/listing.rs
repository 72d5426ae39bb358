//! What code that lists or counts moves shares with its helpers.

#![allow(unsafe_code)]

use regulus_game::{Moves, Random, Step};

use crate::error::{MAX_LISTED_MOVES, MAX_NATIVE_STEPS, RunError, is_too_long};

/// What the listing code and its helper share. The first field is read by the code.
#[repr(C)]
pub(super) struct ListContext<'c> {
    pub(super) steps: *mut u64,
    pub(super) sink: Sink<'c>,
    pub(super) error: Option<RunError>,
}

/// What becomes of the moves that are listed.
pub(super) enum Sink<'c> {
    /// All are kept.
    All { moves: &'c mut Moves, vertices: &'c [u16] },
    /// One is drawn: the n-th move takes the place of the one before it with probability 1/n, so that
    /// in the end every move has the same chance.
    One { chosen: &'c mut Vec<u64>, seen: u64, random: &'c mut Random },
}

/// A step as code writes it: the modifier in the low half, the position in the high half.
pub(super) fn read_step(raw: u64, vertices: &[u16]) -> Step {
    Step { action: raw as u32 as i32, vertex: vertices[(raw >> 32) as usize] }
}

/// Called by listing code for every complete move; tells it to stop when there are too many.
///
/// # Safety
/// `context` is the one that was handed to the listing code, and the first `steps` entries of its
/// buffer are written.
pub(super) unsafe extern "C" fn emit_move(context: *mut ListContext<'_>, steps: i64) -> i64 {
    // SAFETY: the code passes on the context it was called with, which outlives the call.
    let context = unsafe { &mut *context };
    let Ok(steps) = usize::try_from(steps) else {
        context.error = Some(RunError::WalkTooLong { limit: MAX_NATIVE_STEPS });
        return 1;
    };
    // SAFETY: the code has written this many entries, and never more than the buffer has.
    let raw = unsafe { std::slice::from_raw_parts(context.steps, steps) };
    let too_many = match &mut context.sink {
        Sink::All { moves, vertices } => {
            moves.push_steps(raw.iter().map(|step| read_step(*step, vertices)));
            is_too_long(moves)
        }
        Sink::One { chosen, seen, random } => {
            *seen += 1;
            if *seen == 1 || random.below(*seen) == 0 {
                chosen.clear();
                chosen.extend_from_slice(raw);
            }
            *seen as usize > MAX_LISTED_MOVES
        }
    };
    if too_many {
        context.error = Some(RunError::TooManyMoves);
        return 1;
    }
    0
}

/// What counting code and its helper share. The code reads the first two and writes the second.
#[repr(C)]
pub(super) struct NthContext {
    pub(super) steps: *mut u64,
    /// The number of the move that is looked for, less those that were passed.
    pub(super) rest: u64,
    pub(super) error: Option<RunError>,
}

/// Called by counting code when a walk gets too long.
///
/// # Safety
/// `context` is the one that was handed to the code.
pub(super) unsafe extern "C" fn count_failed(context: *mut NthContext, _: i64) -> i64 {
    // SAFETY: the code passes on the context it was called with, which outlives the call.
    unsafe { &mut *context }.error = Some(RunError::WalkTooLong { limit: MAX_NATIVE_STEPS });
    1
}
