//! What moves lead to: running the code of `enumerate/children.rs`, and what a move changes on the board.

#![allow(unsafe_code)]

use regulus_game::{
    Change, Child, Children, Engine, Moves, Stage, Step, children_one_by_one, list_stage_one_by_one,
};

use super::room::{self, LazyBuffer};
use super::runner::no_code;
use super::state::NativeState;
use super::worker::NativeWorker;
use crate::error::{MAX_MOVES, MAX_STEPS, RunError};
use crate::native::analysis::Analysis;
use crate::native::emit::Header;
use crate::native::enumerate::children::{ChildrenContext, NO_ROOM, UNKNOWN};
use crate::native::enumerate::listing::{Sink, StageMemory};

/// The memory for what moves lead to.
#[derive(Default)]
pub(crate) struct ChildrenMemory {
    /// The state that a move leads to.
    child: LazyBuffer,
    /// The words of the position.
    parent: Vec<u64>,
    /// Of every vertex the change away from what stands there, without the new piece.
    cells: Vec<u32>,
}

/// Moves that there is room for at first.
const FEW: usize = 64;

impl ChildrenMemory {
    /// Remembers the position whose moves are asked for.
    fn set(&mut self, analysis: &Analysis, words: &[u64]) {
        self.parent.clear();
        self.parent.extend_from_slice(words);
        let (layout, vertices) = (analysis.layout, analysis.embedding.vertices());
        self.cells.resize(layout.words_per_set * 64, 0);
        for piece in 0..layout.pieces {
            for word in 0..layout.words_per_set {
                let mut rest = words[layout.set(piece, word)];
                while rest != 0 {
                    let at = word * 64 + rest.trailing_zeros() as usize;
                    self.cells[at] = Change::new(vertices[at], piece as u8, 0).bits();
                    rest &= rest - 1;
                }
            }
        }
    }
}

/// Says which positions differ between two states, with the pieces there.
pub(crate) fn for_each_difference(
    analysis: &Analysis,
    before: &[u64],
    after: &[u64],
    mut f: impl FnMut(Change),
) {
    let (layout, vertices) = (analysis.layout, analysis.embedding.vertices());
    for piece in 0..layout.pieces {
        for word in 0..layout.words_per_set {
            let at = layout.set(piece, word);
            let mut gained = after[at] & !before[at];
            while gained != 0 {
                let bit = gained.trailing_zeros();
                let old = |piece: &usize| before[layout.set(*piece, word)] >> bit & 1 == 1;
                let old = (0..layout.pieces).find(old).unwrap_or(0);
                f(Change::new(vertices[word * 64 + bit as usize], old as u8, piece as u8));
                gained &= gained - 1;
            }
        }
    }
}

impl NativeWorker {
    /// [`Engine::advance`].
    pub(super) fn advance_natively(
        &mut self,
        state: &mut NativeState,
        steps: &[Step],
        changes: &mut Vec<Change>,
    ) -> Result<bool, RunError> {
        let mut parent = std::mem::take(&mut self.children.parent);
        parent.clear();
        parent.extend_from_slice(&state.words);
        self.apply(state, steps);
        let goes_on = self.run_keeper(state);
        changes.clear();
        let analysis = &self.native.plain;
        for_each_difference(analysis, &parent, &state.words, |change| changes.push(change));
        self.children.parent = parent;
        goes_on
    }

    /// [`Engine::list_stage`].
    pub(super) fn list_stage_natively(
        &mut self,
        state: &mut NativeState,
        stage: Stage,
        moves: &mut Moves,
    ) -> Result<(), RunError> {
        let native = &*self.native;
        let Ok(code) = native.stage_code() else {
            return list_stage_one_by_one(self, state, stage, moves);
        };
        let parent = &mut self.children.parent;
        parent.clear();
        parent.extend_from_slice(&state.words);
        let memory = StageMemory {
            parent: parent.as_ptr(),
            scratch: self.scratch.get(room::scratch_words(&native.plain))?.as_mut_ptr(),
            child: self.children.child.get(native.plain.layout.len())?.as_mut_ptr(),
            loud: u64::from(stage == Stage::Loud),
        };
        moves.clear();
        let sink = Sink::All { moves, vertices: native.plain.embedding.vertices() };
        // SAFETY: a position and a child have the words of a state, the keeper's memory has its room.
        let listed = unsafe { self.runner.list_with(native, code, &mut state.words, sink, memory) };
        match listed {
            Ok(()) => Ok(()),
            // The answers of the single questions are right where this one was given up.
            Err(_) => list_stage_one_by_one(self, state, stage, moves),
        }
    }

    /// [`Engine::children`].
    pub(super) fn children_natively(
        &mut self,
        state: &mut NativeState,
        children: &mut Children,
    ) -> Result<(), RunError> {
        if self.native.children_code().is_err() {
            return children_one_by_one(self, state, children);
        }
        let layout = self.native.plain.layout;
        children.clear();
        children.values_each = layout.variables;
        self.children.set(&self.native.plain, &state.words);
        let (mut room, mut changes) = (FEW, self.native.game().board.len() * 4);
        loop {
            let steps = room * 4;
            children.children.reserve(room);
            children.steps.reserve(steps);
            children.changes.reserve(changes);
            // The others may have had more room.
            let most = children.children.capacity();
            children.values.reserve(most * layout.variables);
            match self.fill_children(state, children)? {
                Some(true) => break,
                Some(false) => {}
                // The answers of the single questions are right where this one was given up.
                None => return children_one_by_one(self, state, children),
            }
            let most = [most as u64, children.steps.capacity() as u64];
            if most[0] > 2 * MAX_MOVES
                || most[1].max(children.changes.capacity() as u64) > 2 * MAX_STEPS
            {
                return Err(RunError::TooManyMoves);
            }
            (room, changes) = (2 * children.children.capacity(), 2 * children.changes.capacity());
        }
        if children.len() as u64 > MAX_MOVES || children.steps.len() as u64 > MAX_STEPS {
            return Err(RunError::TooManyMoves);
        }
        self.complete_children(state, children)
    }

    /// Writes all moves of the position, as far as there is room; `None` if code has given up.
    fn fill_children(
        &mut self,
        state: &mut NativeState,
        children: &mut Children,
    ) -> Result<Option<bool>, RunError> {
        let native = &*self.native;
        let code = native.children_code().map_err(no_code)?;
        let mut context = ChildrenContext {
            header: Header::new(),
            walk: self.runner.steps()?.as_mut_ptr(),
            parent: self.children.parent.as_ptr(),
            scratch: self.scratch.get(room::scratch_words(&native.plain))?.as_mut_ptr(),
            child: self.children.child.get(native.plain.layout.len())?.as_mut_ptr(),
            cells: self.children.cells.as_ptr(),
            steps: children.steps.as_mut_ptr(),
            changes: children.changes.as_mut_ptr(),
            children: children.children.as_mut_ptr(),
            values: children.values.as_mut_ptr(),
            step_count: 0,
            change_count: 0,
            child_count: 0,
            step_limit: children.steps.capacity() as u64,
            change_limit: children.changes.capacity() as u64,
            child_limit: children.children.capacity() as u64,
        };
        // SAFETY: the context is the one of children, and says how much room there is; there are as many values as
        // children times variables.
        let answer = unsafe { self.runner.run(native, code, &mut state.words, &mut context) }?;
        if answer < 0 {
            return Ok(None);
        }
        if answer == NO_ROOM {
            return Ok(Some(false));
        }
        let count = context.child_count as usize;
        // SAFETY: the code has written as many as it counts in the context.
        unsafe {
            children.steps.set_len(context.step_count as usize);
            children.changes.set_len(context.change_count as usize);
            children.children.set_len(count);
            children.values.set_len(count * native.plain.layout.variables);
        }
        Ok(Some(true))
    }

    /// Completes what the interpreter has to find out.
    fn complete_children(
        &mut self,
        state: &NativeState,
        children: &mut Children,
    ) -> Result<(), RunError> {
        let is_unknown = |child: &Child| child.player == UNKNOWN;
        if !children.children.iter().any(is_unknown) {
            return Ok(());
        }
        let (mut next, mut steps, mut changes) = (state.clone(), Vec::new(), Vec::new());
        for index in 0..children.len() {
            if !is_unknown(&children.children[index]) {
                continue;
            }
            next.clone_from(state);
            self.forget_hash(&mut next);
            steps.clear();
            steps.extend_from_slice(children.steps(index));
            let goes_on = self.advance(&mut next, &steps, &mut changes)?;
            let child = &mut children.children[index];
            child.changes_start = children.changes.len() as u32;
            children.changes.extend_from_slice(&changes);
            child.changes_end = children.changes.len() as u32;
            children.set(index, self, &next, goes_on);
        }
        Ok(())
    }
}
