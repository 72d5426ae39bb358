//! Choice points of the keeper: what he comes back to when he gets stuck (pass P12).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use cranelift_frontend::Switch;

use super::Keeper;
use crate::native::Unsupported;
use crate::native::analysis::segments::NodeId;
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;

/// Bytes before the state in a choice point: its number, and how many modifiers the move has.
const HEADER: i64 = 16;

/// How a choice point goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resume {
    /// With the alternatives of a node from one of them on.
    Node { node: NodeId, from: usize },
    /// With other vertices: those are left to the interpreter, who makes the whole move.
    Ask,
}

impl Emitter<'_, '_> {
    /// The code of getting stuck: back to the last choice point, if there is one. Gives the block for
    /// when there is none; there, the state in memory is what the last complete move left.
    pub(crate) fn keeper_stuck(&mut self, keeper: &Keeper) -> Block {
        let (over, back) = (self.b.create_block(), self.b.create_block());
        self.b.switch_to_block(keeper.stuck_unchanged);
        let env = self.env_of(&keeper.slots);
        let pointer = self.b.use_var(keeper.slots.pointer);
        self.store_state(&env, pointer, keeper.state);
        self.b.ins().jump(over, &[]);
        self.b.switch_to_block(keeper.stuck);
        let top = self.b.use_var(keeper.top);
        let none = self.b.ins().icmp(IntCC::Equal, top, keeper.bottom);
        let last = self.b.create_block();
        self.b.ins().brif(none, last, &[], back, &[]);
        self.b.switch_to_block(last);
        // A walk that was given up might have come to a switch.
        let gave_up = self.b.use_var(keeper.gave_up);
        self.b.ins().brif(gave_up, keeper.endless, &[], over, &[]);
        self.b.switch_to_block(back);
        self.count_entered(keeper);
        let bytes = self.choice_bytes();
        let entry = self.b.ins().iadd_imm_s(top, -bytes);
        self.b.def_var(keeper.top, entry);
        let made = self.load_word(entry, 1);
        self.b.def_var(keeper.made, made);
        let number = self.load_word(entry, 0);
        let mut switch = Switch::new();
        for (i, (block, _)) in keeper.resumes.iter().enumerate() {
            switch.set_entry(i as u128, *block);
        }
        switch.emit(&mut self.b, number, over);
        over
    }

    fn choice_bytes(&self) -> i64 {
        HEADER + (self.analysis.layout.len() * 8) as i64
    }

    /// Pushes a choice point: its number, how many modifiers the move has, and the state. Where there is no
    /// room for it the interpreter has to make the move.
    pub(crate) fn leave_choice(
        &mut self,
        keeper: &mut Keeper,
        resume: Resume,
        env: &Env,
        here: &PointerSet,
    ) {
        let number = match keeper.resumes.iter().position(|(_, r)| *r == resume) {
            Some(number) => number,
            None => {
                keeper.resumes.push((self.b.create_block(), resume));
                keeper.resumes.len() - 1
            }
        };
        let top = self.b.use_var(keeper.top);
        let bytes = self.choice_bytes();
        let new_top = self.b.ins().iadd_imm_s(top, bytes);
        let go = self.b.create_block();
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, new_top, keeper.limit);
        self.b.ins().brif(full, keeper.ask, &[], go, &[]);
        self.b.switch_to_block(go);
        let number = self.constant(number as i64);
        self.store_word(top, 0, number);
        let made = self.b.use_var(keeper.made);
        self.store_word(top, 1, made);
        let state = self.b.ins().iadd_imm_s(top, HEADER);
        let pointer = here.at.expect("choice points are made at one vertex");
        self.store_state(env, pointer, state);
        self.b.def_var(keeper.top, new_top);
    }

    /// Goes on from the choice point that was just taken off.
    pub(crate) fn resume(
        &mut self,
        keeper: &mut Keeper,
        resume: Resume,
    ) -> Result<(), Unsupported> {
        let Resume::Node { node, from } = resume else {
            self.b.ins().jump(keeper.ask, &[]);
            return Ok(());
        };
        let entry = self.b.use_var(keeper.top);
        let state = self.b.ins().iadd_imm_s(entry, HEADER);
        let slots = keeper.slots.clone();
        self.load_slots(&slots, state);
        self.keeper_node(keeper, node, from)
    }
}
