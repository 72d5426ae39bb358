//! The room rule: **generated code stores nothing outside the memory it was given, whatever the rules say.**
//!
//! Every store goes to one of these, and this is who proves that there is room:
//!
//! | memory | room | proof |
//! |---|---|---|
//! | a state | [`Layout::len`](crate::native::analysis::Layout::len) words | stores have constant offsets below that |
//! | remembered answers | the words that `memo_words` counts, on the stack of a playout | which answer it is are the last bits of a number; the rest are constant offsets |
//! | the steps of a walk | [`MAX_WALK_MODIFIERS`] and the switch | at a node where [`Analysis::may_overrun`] is true every store is preceded by a comparison; elsewhere the longest walk is known and shorter |
//! | the semimoves of a playout | [`MAX_SEMIMOVES`] | the same, counted with split points |
//! | the keys of a guided playout | [`MAX_GAME_MOVES`] | `count_turn` compares before every move |
//! | choice points of the keeper, entries of a turn | [`scratch_words`] | `leave_choice` compares with the end; how many entries loops can write is known when their code is made (`full_move`) |
//! | groups and beginnings of moves | as many as their context says | `stop_without_room` compares before every one |
//! | children, their steps, changes and values | as many as their context says | `child_room` compares before every child, for as many changes as there are vertices; every child has as many values |
//! | games that are played together | a state and [`lane_words`](crate::native::draw::lanes::lane_words) for every lane; a state, a random generator and a length for every game of the queue | stores have constant offsets below that; a game's number is below the count of the queue, compared when it begins |
//! | the sets of a level | one for each of its semimoves | stores have constant offsets below that |
//! | the stack | [`MAX_STACK`] | functions that call themselves do so at most once for every modifier of a walk, so the need is a product that is known when code is made (`compiler.rs`) |
//!
//! Debug builds check the first column of numbers once more (`verify::walk_lengths`). All of this memory but
//! states ends at a page that cannot be accessed, and so does the stack. [`Native::guarded`](crate::native::Native::guarded)
//! puts states there, too: a store beyond the end then ends the process at once.

#![allow(unsafe_code)]

use std::ops::{Deref, DerefMut};

use corosensei::stack::DefaultStack;
use regulus_game::MAX_GAME_MOVES;

use crate::error::{MAX_SEMIMOVES, MAX_WALK_MODIFIERS, RunError};
use crate::native::analysis::Analysis;

/// Choice points of the keeper at most.
const MAX_CHOICES: usize = 4 * MAX_WALK_MODIFIERS;

/// Bytes of choice points, of entries, at most.
const MAX_SCRATCH_BYTES: usize = 64 << 20;

/// Bytes of stack that code may need.
pub(crate) const MAX_STACK: usize = 256 << 20;

/// What may be needed on whatever stack the caller has: less than Rust's own functions may.
const DIRECT_STACK: usize = 256 << 10;

/// For the functions that generated code calls: they grow lists and draw moves.
const HELPER_STACK: usize = 128 << 10;

/// Steps that the buffer of a walk has room for.
pub(crate) const STEPS: usize = MAX_WALK_MODIFIERS + 1;

/// Steps that the buffer of a split move has room for.
pub(crate) const SEMIMOVES: usize = MAX_SEMIMOVES;

/// Keys that the buffer of a guided playout has room for.
pub(crate) const PLAYED: usize = MAX_GAME_MOVES as usize;

/// Words of the memory for choice points and entries.
pub(crate) fn scratch_words(analysis: &Analysis) -> usize {
    let choice = choice_words(analysis);
    (MAX_CHOICES * choice).min(MAX_SCRATCH_BYTES / 8).max(2 * choice)
}

/// Choice points that there is room for.
pub(crate) fn choices(analysis: &Analysis) -> usize {
    scratch_words(analysis) / choice_words(analysis)
}

/// Words of a choice point: two and a state.
fn choice_words(analysis: &Analysis) -> usize {
    analysis.layout.len() + 2
}

/// Words that end at a page which cannot be accessed. What is not touched takes no memory.
pub(crate) struct Buffer {
    /// Keeps the pages.
    _pages: region::Allocation,
    start: *mut u64,
    length: usize,
}

// SAFETY: the memory belongs to this value alone.
unsafe impl Send for Buffer {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of zeros.
    pub(crate) fn new(length: usize) -> Result<Buffer, RunError> {
        let page = region::page::size();
        let bytes = (length * 8).next_multiple_of(page).max(page);
        let no_memory = |_| RunError::NoMemory;
        let mut pages =
            region::alloc(bytes + page, region::Protection::READ_WRITE).map_err(no_memory)?;
        let first: *mut u8 = pages.as_mut_ptr();
        // SAFETY: the allocation has one page more than `bytes`, and nothing else uses that page.
        let start = unsafe {
            region::protect(first.add(bytes), page, region::Protection::NONE).map_err(no_memory)?;
            first.add(bytes - length * 8).cast()
        };
        Ok(Buffer { _pages: pages, start, length })
    }
}

impl Deref for Buffer {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        // SAFETY: `length` words from `start` on belong to the allocation, and zeros are words.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.length) }
    }
}

/// A buffer that is made when it is first used.
#[derive(Default)]
pub(crate) struct LazyBuffer(Option<Buffer>);

impl LazyBuffer {
    /// The buffer, with at least `length` words.
    #[inline(always)]
    pub(crate) fn get(&mut self, length: usize) -> Result<&mut Buffer, RunError> {
        if self.0.as_ref().is_none_or(|buffer| buffer.length < length) {
            self.make(length)?;
        }
        self.0.as_mut().ok_or(RunError::NoMemory)
    }

    #[cold]
    fn make(&mut self, length: usize) -> Result<(), RunError> {
        self.0 = Some(Buffer::new(length)?);
        Ok(())
    }
}

/// The stack that code runs on if it may need more than every thread has.
#[derive(Default)]
pub(crate) struct OwnStack {
    /// With its size.
    stack: Option<(usize, DefaultStack)>,
}

impl OwnStack {
    /// Runs something that needs `bytes` bytes of stack.
    #[inline(always)]
    pub(crate) fn run<R>(&mut self, bytes: usize, f: impl FnOnce() -> R) -> Result<R, RunError> {
        if bytes <= DIRECT_STACK { Ok(f()) } else { self.run_apart(bytes + HELPER_STACK, f) }
    }

    #[cold]
    fn run_apart<R>(&mut self, bytes: usize, f: impl FnOnce() -> R) -> Result<R, RunError> {
        if self.stack.as_ref().is_none_or(|(size, _)| *size < bytes) {
            let stack = DefaultStack::new(bytes).map_err(|_| RunError::NoMemory)?;
            self.stack = Some((bytes, stack));
        }
        let (_, stack) = self.stack.as_mut().ok_or(RunError::NoMemory)?;
        Ok(corosensei::on_stack(stack, f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_end_at_the_end_of_a_page() {
        let page = region::page::size();
        for length in [1, 7, page / 8, page / 8 + 1, 100_000] {
            let mut buffer = Buffer::new(length).expect("memory");
            assert_eq!(buffer.len(), length);
            buffer[length - 1] = 7;
            let end = buffer.as_ptr_range().end;
            assert_eq!(end.addr() % page, 0);
            let behind = region::query(end).expect("mapped");
            assert_eq!(behind.protection(), region::Protection::NONE);
        }
    }

    #[test]
    fn stacks_are_as_deep_as_was_asked_for() {
        fn deep(n: usize) -> usize {
            let here = std::hint::black_box([n; 128]);
            if n == 0 { here[0] } else { deep(n - 1) + here[1] - n }
        }
        let mut stacks = OwnStack::default();
        // Much deeper than the stack of a test's thread.
        let answer = stacks.run(MAX_STACK, || deep(32 << 10));
        assert_eq!(answer, Ok(0));
        assert_eq!(stacks.run(100, || 5), Ok(5));
    }
}
