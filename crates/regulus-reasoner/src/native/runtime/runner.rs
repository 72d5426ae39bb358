//! Running generated code: on a stack that is deep enough, on a state of the right length.

#![allow(unsafe_code)]

use super::room::{self, LazyBuffer, OwnStack};
use crate::error::{MoveCount, RunError};
use crate::native::Unsupported;
use crate::native::compiler::Code;
use crate::native::draw::levels::{LevelContext, LevelId};
use crate::native::emit::Header;
use crate::native::enumerate::listing::{CountContext, ListContext, Sink, StageMemory};
use crate::native::game::CompiledGame;

/// What code needs to run besides a state and its context.
#[derive(Default)]
pub(crate) struct Runner {
    stack: OwnStack,
    /// Where states are while guarded code works on them.
    guarded: LazyBuffer,
    /// The steps of the walk that is being made.
    steps: LazyBuffer,
    /// True if the last question was given up because it took too long.
    out_of_work: bool,
}

pub(crate) fn no_code(_: &Unsupported) -> RunError {
    RunError::NoNativeCode
}

impl Runner {
    /// The answer of code that may have given up.
    #[inline(always)]
    pub(crate) fn given(&mut self, answer: i64, header: &Header) -> Result<u64, RunError> {
        self.out_of_work = answer < 0 && header.is_out_of_work();
        u64::try_from(answer).map_err(|_| RunError::TooManyMoves)
    }

    /// Forgets how the last question ended.
    pub(crate) fn begin(&mut self) {
        self.out_of_work = false;
    }

    /// True if the last question was given up because it took too long. The interpreter may find the answer: it
    /// counts its work in another way.
    pub(crate) fn is_out_of_work(&self) -> bool {
        self.out_of_work
    }

    /// Runs code on a state, or on a copy of it that ends at a protected page.
    ///
    /// # Safety
    /// As for [`Code::run`]; the code was made for this game.
    #[inline(always)]
    pub(crate) unsafe fn run<C>(
        &mut self,
        native: &CompiledGame,
        code: &Code,
        state: &mut [u64],
        context: &mut C,
    ) -> Result<i64, RunError> {
        assert!(state.len() == native.plain.layout.len(), "a state of this game");
        if native.guards {
            // SAFETY: the caller's promise.
            return unsafe { self.run_guarded(code, state, context) };
        }
        // SAFETY: the caller's promise.
        unsafe { code.run(&mut self.stack, state.as_mut_ptr(), context) }
    }

    /// # Safety
    /// As for [`Runner::run`].
    #[cold]
    unsafe fn run_guarded<C>(
        &mut self,
        code: &Code,
        state: &mut [u64],
        context: &mut C,
    ) -> Result<i64, RunError> {
        let copy = self.guarded.get(state.len())?;
        let from = copy.len() - state.len();
        let copy = &mut copy[from..];
        copy.copy_from_slice(state);
        // SAFETY: the caller's promise; the copy is as long as the state.
        let answer = unsafe { code.run(&mut self.stack, copy.as_mut_ptr(), context) };
        state.copy_from_slice(copy);
        answer
    }

    /// The memory for the steps of a walk.
    #[inline(always)]
    pub(crate) fn steps(&mut self) -> Result<&mut [u64], RunError> {
        Ok(self.steps.get(room::STEPS)?)
    }

    /// Goes through all legal moves.
    #[inline]
    pub(crate) fn list(
        &mut self,
        native: &CompiledGame,
        words: &mut [u64],
        sink: Sink<'_>,
    ) -> Result<(), RunError> {
        let code = native.list_code().map_err(no_code)?;
        // SAFETY: this code does not use the memory of stages.
        unsafe { self.list_with(native, code, words, sink, StageMemory::NONE) }
    }

    /// Goes through the legal moves that some code lists.
    ///
    /// # Safety
    /// The code lists moves; if those of one stage, the memory for that has the room that `room.rs` says.
    #[inline]
    pub(crate) unsafe fn list_with(
        &mut self,
        native: &CompiledGame,
        code: &Code,
        words: &mut [u64],
        sink: Sink<'_>,
        stage: StageMemory,
    ) -> Result<(), RunError> {
        let steps = self.steps()?.as_mut_ptr();
        let count = MoveCount::default();
        let mut context = ListContext { header: Header::new(), steps, stage, sink, count };
        // SAFETY: the context is the one of listing, the steps have their room; the rest is the caller's promise.
        let answer = unsafe { self.run(native, code, words, &mut context) }?;
        self.given(answer, &context.header)?;
        if context.count.is_allowed() { Ok(()) } else { Err(RunError::TooManyMoves) }
    }

    /// Asks counting code.
    #[inline(always)]
    pub(crate) fn question(
        &mut self,
        native: &CompiledGame,
        code: &Code,
        state: &mut [u64],
        rest: u64,
    ) -> Result<u64, RunError> {
        let steps = self.steps()?.as_mut_ptr();
        let mut context = CountContext { header: Header::new(), steps, rest };
        // SAFETY: the context is the one of counting, and the steps have their room.
        let answer = unsafe { self.run(native, code, state, &mut context) }?;
        self.given(answer, &context.header)
    }

    /// Writes where the semimoves of a level are possible in a state.
    pub(crate) fn exits(
        &mut self,
        native: &CompiledGame,
        level: LevelId,
        state: &mut [u64],
        sets: &mut [u64],
    ) -> Result<(), RunError> {
        let code = native.level_code(level).map_err(no_code)?;
        let words = native.levels.levels[level].exits.len() * native.split_analysis().words();
        assert_eq!(sets.len(), words, "one set for each semimove");
        let mut context = LevelContext { header: Header::new(), sets: sets.as_mut_ptr() };
        // SAFETY: the context is the one of a level, and there is a set for every semimove.
        let answer = unsafe { self.run(native, code, state, &mut context) }?;
        self.given(answer, &context.header).map(|_| ())
    }
}
