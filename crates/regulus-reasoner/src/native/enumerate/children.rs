//! Code that says of every move what it leads to once the keeper has run ([`Children`](regulus_game::Children)): the
//! moves are gone through as in `enumeration.rs`; at each, the state it leads to is written to memory, the keeper's
//! code runs on it, and what differs from the position is written down. Moves of one stage
//! ([`Stage`](regulus_game::Stage)) are listed in the same way.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Value};

use super::enumeration::{Choice, Enumeration};
use crate::native::Unsupported;
use crate::native::analysis::segments::{PositionId, Transition};
use crate::native::emit::{Emitter, FAILED, HEADER, Header};
use crate::native::keeper::confluence::Remembered;
use crate::native::sets::set::Set;

/// What the code and its caller share.
#[repr(C)]
pub(crate) struct ChildrenContext {
    pub(crate) header: Header,
    /// The steps of the walk that is being made.
    pub(crate) walk: *mut u64,
    /// The words of the position.
    pub(crate) parent: *const u64,
    /// The memory of the keeper.
    pub(crate) scratch: *mut u64,
    /// The state that a move leads to.
    pub(crate) child: *mut u64,
    /// Of every vertex the change away from what stands there, without the new piece.
    pub(crate) cells: *const u32,
    pub(crate) steps: *mut regulus_game::Step,
    pub(crate) changes: *mut regulus_game::Change,
    pub(crate) children: *mut regulus_game::Child,
    pub(crate) values: *mut u32,
    /// How many of them there are.
    pub(crate) step_count: u64,
    pub(crate) change_count: u64,
    pub(crate) child_count: u64,
    /// How many there is room for.
    pub(crate) step_limit: u64,
    pub(crate) change_limit: u64,
    pub(crate) child_limit: u64,
}

const WALK: usize = HEADER;
const PARENT: usize = HEADER + 1;
const SCRATCH: usize = HEADER + 2;
const CHILD: usize = HEADER + 3;
/// Listing by stages has the same words before this one.
const STAGE: usize = HEADER + 4;
const CELLS: usize = HEADER + 4;
const STEPS: usize = HEADER + 5;
const CHANGES: usize = HEADER + 6;
const CHILDREN: usize = HEADER + 7;
const VALUES: usize = HEADER + 8;
const STEP_COUNT: usize = HEADER + 9;
const CHANGE_COUNT: usize = HEADER + 10;
const CHILD_COUNT: usize = HEADER + 11;
const STEP_LIMIT: usize = HEADER + 12;
const CHANGE_LIMIT: usize = HEADER + 13;
const CHILD_LIMIT: usize = HEADER + 14;

/// The answer if there is no room.
pub(crate) const NO_ROOM: i64 = 1;

/// Who is to move in a child that is not known yet: the interpreter has to make a move of the keeper's.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Bytes of a [`Child`](regulus_game::Child) and of a step.
const CHILD_BYTES: i64 = size_of::<regulus_game::Child>() as i64;
const STEP_BYTES: i64 = size_of::<regulus_game::Step>() as i64;

impl Emitter<'_, '_> {
    /// Writes the state behind a switch to the memory of children, for the code of a child.
    pub(crate) fn hand_to_child(&mut self, choice: &Choice<'_>) -> Value {
        let layout = self.analysis.layout;
        let child = self.load_word(self.context, CHILD);
        let pointer = choice.place.at.expect("a modifier acts on one vertex");
        self.store_state(choice.env, pointer, child);
        let Transition::Switch(player, modifier) = choice.transition else {
            unreachable!("moves end with a switch");
        };
        let position = self.constant(PositionId::of(*modifier).word() as i64);
        self.store_word(child, layout.node(), position);
        let player = self.constant(i64::from(player.0));
        self.store_word(child, layout.player(), player);
        child
    }

    /// The body of `child(state, context, steps) -> stop`: lets the keeper run on a state that a move of so many steps
    /// leads to, and writes down what has become of the position.
    pub(crate) fn child_function(
        &mut self,
        (state, steps): (Value, Value),
        remembered: Remembered,
    ) -> Result<(), Unsupported> {
        self.child_room(steps);
        let record = self.b.create_block();
        let to_move = self.b.append_block_param(record, I64);
        let player = self.load_word(state, self.analysis.layout.player());
        let keeper = self.b.create_block();
        self.b.ins().brif(player, record, &[BlockArg::from(player)], keeper, &[]);
        self.b.switch_to_block(keeper);
        let scratch = self.load_word(self.context, SCRATCH);
        let ends = self.keeper_code(state, scratch, remembered)?;
        self.b.switch_to_block(ends.handed_over);
        let player = self.load_word(state, self.analysis.layout.player());
        self.b.ins().jump(record, &[player.into()]);
        for (block, player) in [(ends.stuck, 0), (ends.ask, i64::from(UNKNOWN))] {
            self.b.switch_to_block(block);
            let player = self.constant(player);
            self.b.ins().jump(record, &[player.into()]);
        }
        self.b.switch_to_block(ends.endless);
        let failed = self.constant(FAILED);
        self.b.ins().return_(&[failed]);
        self.b.switch_to_block(record);
        self.record_child(state, steps, to_move);
        let go_on = self.constant(0);
        self.b.ins().return_(&[go_on]);
        Ok(())
    }

    /// Returns if there is no room for one more child with all it may change.
    fn child_room(&mut self, steps: Value) {
        let vertices = self.constant(self.analysis.game.board.len() as i64);
        let one = self.constant(1);
        let (no_room, go) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(no_room);
        let mut full = None;
        for (count, more, limit) in [
            (STEP_COUNT, steps, STEP_LIMIT),
            (CHANGE_COUNT, vertices, CHANGE_LIMIT),
            (CHILD_COUNT, one, CHILD_LIMIT),
        ] {
            let count = self.load_word(self.context, count);
            let count = self.b.ins().iadd(count, more);
            let limit = self.load_word(self.context, limit);
            let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, count, limit);
            full = Some(full.map_or(over, |full| self.b.ins().bor(full, over)));
        }
        if let Some(full) = full {
            self.b.ins().brif(full, no_room, &[], go, &[]);
        }
        self.b.switch_to_block(no_room);
        let answer = self.constant(NO_ROOM);
        self.b.ins().return_(&[answer]);
        self.b.switch_to_block(go);
    }

    /// The address of an entry of a list of the context.
    fn list_entry(&mut self, list: usize, number: Value, bytes: i64) -> Value {
        let list = self.load_word(self.context, list);
        let offset = self.b.ins().imul_imm_s(number, bytes);
        self.b.ins().iadd(list, offset)
    }

    fn store_half(&mut self, address: Value, index: i32, value: Value) {
        self.b.ins().istore32(MemFlagsData::trusted(), value, address, 4 * index);
    }

    /// Writes down a child: its steps, its values, and what it changes.
    fn record_child(&mut self, state: Value, steps: Value, to_move: Value) {
        let steps_end = self.copy_steps(steps);
        let number = self.load_word(self.context, CHILD_COUNT);
        let variables = self.analysis.layout.variables;
        if variables > 0 {
            let values = self.list_entry(VALUES, number, 4 * variables as i64);
            for variable in 0..variables {
                let value = self.load_word(state, self.analysis.layout.variable(variable));
                self.store_half(values, variable as i32, value);
            }
        }
        let changes_start = self.load_word(self.context, CHANGE_COUNT);
        let (changes_end, loud) = self.write_changes(state, changes_start);
        self.store_word(self.context, CHANGE_COUNT, changes_end);
        let child = self.list_entry(CHILDREN, number, CHILD_BYTES);
        let halves = [steps_end, changes_start, changes_end, to_move, loud];
        for (i, half) in halves.into_iter().enumerate() {
            self.store_half(child, i as i32, half);
        }
        let next = self.b.ins().iadd_imm_s(number, 1);
        self.store_word(self.context, CHILD_COUNT, next);
    }

    /// Copies the steps of the walk; gives how many there are then.
    fn copy_steps(&mut self, steps: Value) -> Value {
        let embedding = &self.analysis.embedding;
        let vertices = embedding.vertices().iter().map(|vertex| u64::from(*vertex)).collect();
        let vertices = self.table(vertices);
        let walk = self.load_word(self.context, WALK);
        let count = self.load_word(self.context, STEP_COUNT);
        let to = self.list_entry(STEPS, count, STEP_BYTES);
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(head, I64);
        let zero = self.constant(0);
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        let offset = self.b.ins().ishl_imm_s(index, 3);
        let from = self.b.ins().iadd(walk, offset);
        let step = self.load_word(from, 0);
        let at = self.b.ins().ushr_imm_s(step, 32);
        let at = self.b.ins().ishl_imm_s(at, 3);
        let at = self.b.ins().iadd(vertices, at);
        let vertex = self.load_word(at, 0);
        // A step is an action and a vertex (`Step`).
        let to = self.b.ins().iadd(to, offset);
        self.store_half(to, 0, step);
        self.b.ins().istore16(MemFlagsData::trusted(), vertex, to, 4);
        let next = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, steps);
        self.b.ins().brif(more, head, &[next.into()], done, &[]);
        self.b.switch_to_block(done);
        let count = self.b.ins().iadd(count, steps);
        self.store_word(self.context, STEP_COUNT, count);
        count
    }

    /// Writes what a state has elsewhere than the position; gives how many changes there are then, and not 0 if the
    /// number of some piece changes. Every vertex that changes is in the set of one piece more than before.
    fn write_changes(&mut self, state: Value, from: Value) -> (Value, Value) {
        let layout = self.analysis.layout;
        let parent = self.load_word(self.context, PARENT);
        let cells = self.load_word(self.context, CELLS);
        let changes = self.load_word(self.context, CHANGES);
        let zero = self.constant(0);
        let (count, loud) = (self.b.declare_var(I64), self.b.declare_var(I64));
        let more = self.b.declare_var(I64);
        self.b.def_var(count, from);
        self.b.def_var(loud, zero);
        for piece in 0..layout.pieces {
            self.b.def_var(more, zero);
            for word in 0..layout.words_per_set {
                let old = self.load_word(parent, layout.set(piece, word));
                let new = self.load_word(state, layout.set(piece, word));
                let differs = self.b.ins().bxor(old, new);
                let (inside, after) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(differs, inside, &[], after, &[]);
                self.b.switch_to_block(inside);
                let (were, are) = (self.b.ins().popcnt(old), self.b.ins().popcnt(new));
                let sum = self.b.use_var(more);
                let sum = self.b.ins().iadd(sum, are);
                let sum = self.b.ins().isub(sum, were);
                self.b.def_var(more, sum);
                let gained = self.b.ins().band(differs, new);
                let cells = self.b.ins().iadd_imm_s(cells, 4 * 64 * word as i64);
                self.for_each_bit_of(gained, after, |this, at| {
                    let offset = this.b.ins().ishl_imm_s(at, 2);
                    let cell = this.b.ins().iadd(cells, offset);
                    let change = this.b.ins().uload32(MemFlagsData::trusted(), cell, 0);
                    let change = this.b.ins().bor_imm_s(change, (piece as i64) << 24);
                    let number = this.b.use_var(count);
                    let offset = this.b.ins().ishl_imm_s(number, 2);
                    let to = this.b.ins().iadd(changes, offset);
                    this.store_half(to, 0, change);
                    let next = this.b.ins().iadd_imm_s(number, 1);
                    this.b.def_var(count, next);
                });
            }
            let (all, more) = (self.b.use_var(loud), self.b.use_var(more));
            let all = self.b.ins().bor(all, more);
            self.b.def_var(loud, all);
        }
        (self.b.use_var(count), self.b.use_var(loud))
    }

    /// Runs code for every bit of a word, then goes on in a block.
    fn for_each_bit_of(
        &mut self,
        word: Value,
        done: Block,
        mut body: impl FnMut(&mut Self, Value),
    ) {
        let (head, inside) = (self.b.create_block(), self.b.create_block());
        let rest = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[word.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(rest, inside, &[], done, &[]);
        self.b.switch_to_block(inside);
        let at = self.b.ins().ctz(rest);
        body(self, at);
        let less = self.b.ins().iadd_imm_s(rest, -1);
        let less = self.b.ins().band(rest, less);
        self.b.ins().jump(head, &[less.into()]);
        self.b.switch_to_block(done);
    }

    /// The body of `staged(state, context, steps) -> stop`: lets the keeper run on a state that a move of so many steps
    /// leads to, and reports the move if it is of the stage that is asked for.
    pub(crate) fn staged_function(
        &mut self,
        (state, steps): (Value, Value),
        report: FuncRef,
        remembered: Remembered,
    ) -> Result<(), Unsupported> {
        let (look, skip) = (self.b.create_block(), self.b.create_block());
        let player = self.load_word(state, self.analysis.layout.player());
        let keeper = self.b.create_block();
        self.b.ins().brif(player, look, &[], keeper, &[]);
        self.b.switch_to_block(keeper);
        let scratch = self.load_word(self.context, SCRATCH);
        let ends = self.keeper_code(state, scratch, remembered)?;
        for block in [ends.handed_over, ends.stuck] {
            self.b.switch_to_block(block);
            self.b.ins().jump(look, &[]);
        }
        for block in [ends.ask, ends.endless] {
            // Move by move it can be found out.
            self.b.switch_to_block(block);
            let failed = self.constant(FAILED);
            self.b.ins().return_(&[failed]);
        }
        self.b.switch_to_block(look);
        let loud = self.changes_counts(state);
        let wanted = self.load_word(self.context, STAGE);
        let is_wanted = self.b.ins().icmp(IntCC::Equal, loud, wanted);
        let reports = self.b.create_block();
        self.b.ins().brif(is_wanted, reports, &[], skip, &[]);
        self.b.switch_to_block(reports);
        let call = self.b.ins().call(report, &[self.context, steps]);
        let stop = self.b.inst_results(call)[0];
        self.b.ins().return_(&[stop]);
        self.b.switch_to_block(skip);
        let go_on = self.constant(0);
        self.b.ins().return_(&[go_on]);
        Ok(())
    }

    /// 1 if there are more or fewer of some piece in a state than in the position, else 0.
    fn changes_counts(&mut self, state: Value) -> Value {
        let layout = self.analysis.layout;
        let parent = self.load_word(self.context, PARENT);
        let mut differs = self.constant(0);
        for piece in 0..layout.pieces {
            let mut more = self.constant(0);
            for word in 0..layout.words_per_set {
                let old = self.load_word(parent, layout.set(piece, word));
                let new = self.load_word(state, layout.set(piece, word));
                let (were, are) = (self.b.ins().popcnt(old), self.b.ins().popcnt(new));
                more = self.b.ins().iadd(more, are);
                more = self.b.ins().isub(more, were);
            }
            differs = self.b.ins().bor(differs, more);
        }
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, differs, 0);
        self.b.ins().uextend(I64, some)
    }

    /// Ends the search for any move where a set is not empty.
    pub(crate) fn stop_where_some(&mut self, asked: &Enumeration<'_>, set: &Set) {
        let some = set.is_nonempty(&mut self.b).value(&mut self.b);
        let (found, go) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(some, found, &[], go, &[]);
        self.b.switch_to_block(found);
        let yes = self.constant(1);
        self.b.def_var(asked.answer, yes);
        self.b.ins().jump(asked.stop, &[]);
        self.b.switch_to_block(go);
    }
}
