//! Choice points of the keeper: what he comes back to when he gets stuck (pass P12).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use cranelift_frontend::Switch;

use super::emit::{Emitter, Unsupported};
use super::environment::Env;
use super::keeper::Keeper;
use super::place::Where;
use super::set::{Set, Word};

/// How a choice point goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resume {
    /// With the alternatives of a node from this one on.
    Arcs { node: u32, from: usize },
    /// With the remaining vertices, at the arc that was about to be taken.
    Vertices { node: u32, arc: usize },
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
        self.b.ins().brif(none, over, &[], back, &[]);
        self.b.switch_to_block(back);
        let bytes = self.choice_bytes();
        let entry = self.b.ins().iadd_imm_s(top, -bytes);
        self.b.def_var(keeper.top, entry);
        let number = self.load_word(entry, 0);
        let mut switch = Switch::new();
        for (i, (block, _)) in keeper.resumes.iter().enumerate() {
            switch.set_entry(i as u128, *block);
        }
        switch.emit(&mut self.b, number, over);
        over
    }

    /// What stands before the state in a choice point: its number and a set.
    fn choice_header(&self) -> i64 {
        ((1 + self.words()) * 8) as i64
    }

    fn choice_bytes(&self) -> i64 {
        self.choice_header() + (self.analysis.layout.len() * 8) as i64
    }

    /// Pushes a choice point: its number, a set of vertices, and the state.
    pub(super) fn leave_choice(
        &mut self,
        keeper: &mut Keeper,
        resume: Resume,
        env: &Env,
        here: &Where,
        rest: Option<&Set>,
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
        self.b.ins().brif(full, keeper.endless, &[], go, &[]);
        self.b.switch_to_block(go);
        let number = self.constant(number as i64);
        self.store_word(top, 0, number);
        if let Some(rest) = rest {
            for (w, word) in rest.0.iter().enumerate() {
                let value = word.value(&mut self.b);
                self.store_word(top, 1 + w, value);
            }
        }
        let header = self.choice_header();
        let state = self.b.ins().iadd_imm_s(top, header);
        let pointer = here.at.expect("choice points are made at one vertex");
        self.store_state(env, pointer, state);
        self.b.def_var(keeper.top, new_top);
    }

    /// Goes on from the choice point that was just taken off.
    pub(super) fn resume(
        &mut self,
        keeper: &mut Keeper,
        resume: Resume,
    ) -> Result<(), Unsupported> {
        let entry = self.b.use_var(keeper.top);
        let header = self.choice_header();
        let state = self.b.ins().iadd_imm_s(entry, header);
        let slots = keeper.slots.clone();
        self.load_slots(&slots, state);
        let (node, arc) = match resume {
            Resume::Arcs { node, from } if from > 0 => return self.keeper_node(keeper, node, from),
            Resume::Arcs { node, .. } => (node, None),
            Resume::Vertices { node, arc } => (node, Some(arc)),
        };
        // The remaining vertices, one of which is tried next.
        let words = self.words();
        let set = Set((0..words).map(|w| Word::Value(self.load_word(entry, 1 + w))).collect());
        let env = self.env_of(&slots);
        let mut place = self.many(set);
        self.one_vertex(keeper, &mut place, resume, &env, false);
        match arc {
            None => self.keeper_continue(keeper, node, &place, &env),
            Some(arc) => self.keeper_modifier(keeper, (node, arc), place, &env, keeper.stuck),
        }
    }
}
