//! What code that lists or counts moves shares with its caller and its helper.

#![allow(unsafe_code)]

use regulus_game::{Moves, Random, Step};

use crate::error::MoveCount;
use crate::native::emit::Header;

/// What the listing code, its caller and its helper share. The code uses the first two; where it lists one stage, the
/// first three.
#[repr(C)]
pub(crate) struct ListContext<'c> {
    pub(crate) header: Header,
    pub(crate) steps: *mut u64,
    pub(crate) stage: StageMemory,
    pub(crate) sink: Sink<'c>,
    pub(crate) count: MoveCount,
}

/// What listing one stage needs besides.
#[repr(C)]
pub(crate) struct StageMemory {
    /// The words of the position.
    pub(crate) parent: *const u64,
    /// The memory of the keeper.
    pub(crate) scratch: *mut u64,
    /// The state that a move leads to.
    pub(crate) child: *mut u64,
    /// 1 for moves that change numbers of pieces, 0 for the others.
    pub(crate) loud: u64,
}

impl StageMemory {
    /// For listing all moves.
    pub(crate) const NONE: StageMemory = StageMemory {
        parent: std::ptr::null(),
        scratch: std::ptr::null_mut(),
        child: std::ptr::null_mut(),
        loud: 0,
    };
}

/// What becomes of the moves that are listed.
pub(crate) enum Sink<'c> {
    /// All are kept.
    All { moves: &'c mut Moves, vertices: &'c [u16] },
    /// One is drawn: the n-th move takes the place of the one before it with probability 1/n, so that
    /// in the end every move has the same chance.
    One { chosen: &'c mut Vec<u64>, random: &'c mut Random },
    /// They are only counted.
    None,
}

/// A step as code writes it: the modifier in the low half, the position in the high half.
pub(crate) fn read_step(raw: u64, vertices: &[u16]) -> Step {
    Step { action: raw as u32 as i32, vertex: vertices[(raw >> 32) as usize] }
}

/// Called by listing code for every complete move; tells it to stop when there are too many.
///
/// # Safety
/// `context` is the one that was handed to the listing code, and the first `steps` entries of its
/// buffer are written.
pub(crate) unsafe extern "C" fn emit_move(context: *mut ListContext<'_>, steps: i64) -> i64 {
    // SAFETY: the code passes on the context it was called with, which outlives the call.
    let context = unsafe { &mut *context };
    // SAFETY: the first `steps` entries of the buffer are written.
    let raw = unsafe { std::slice::from_raw_parts(context.steps, steps as usize) };
    context.count.add(raw.len());
    // What a thousand moves take beyond the limit does no harm; the caller looks at the end.
    if context.count.moves.is_multiple_of(1024) && !context.count.is_allowed() {
        return 1;
    }
    match &mut context.sink {
        Sink::All { moves, vertices } => {
            moves.push_steps(raw.iter().map(|step| read_step(*step, vertices)));
        }
        Sink::One { chosen, random } => {
            if context.count.moves == 1 || random.below(context.count.moves) == 0 {
                chosen.clear();
                chosen.extend_from_slice(raw);
            }
        }
        Sink::None => {}
    }
    0
}

/// What counting code and its caller share.
#[repr(C)]
pub(crate) struct CountContext {
    pub(crate) header: Header,
    pub(crate) steps: *mut u64,
    /// The steps of all moves that were counted; or the number of the move that is looked for, less those that
    /// were passed.
    pub(crate) rest: u64,
}
