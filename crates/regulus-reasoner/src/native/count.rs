//! Code that counts moves, and that finds a move by its number (pass P9). Both walk the loops of the
//! listing code; where everything behind a choice is sure to go on in one way, the choices are counted
//! by population count.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, StackSlot, Value};
use cranelift_frontend::{Switch, Variable as Slot};
use cranelift_module::{FuncId, Linkage, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::{Emitter, Unsupported, words_signature};
use super::environment::Env;
use super::place::Where;
use super::segments::{Arc, Segments};
use crate::error::MAX_NATIVE_STEPS;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// How many moves there are.
    Count,
    /// The move of the number in the second word of the context; the answer is how many steps it has.
    Nth,
}

/// What the functions of a question share.
pub(super) struct Counter<'l> {
    pub(super) question: Question,
    /// Its first word is the address of the steps.
    pub(super) context: Value,
    /// `too_long(context, 0)` records that a walk is too long.
    pub(super) too_long: FuncRef,
    /// The nodes that have a function of their own.
    pub(super) shared: &'l FxHashSet<u32>,
    pub(super) ids: &'l mut FxHashMap<u32, FuncId>,
    pub(super) references: FxHashMap<u32, FuncRef>,
    pub(super) pending: &'l mut Vec<u32>,
    /// Where a state is handed to such a function.
    pub(super) outgoing: StackSlot,
    /// Ends the function with the answer in `answer`.
    pub(super) stop: Block,
    pub(super) answer: Slot,
    /// The nodes whose code is being made, outermost first.
    pub(super) inside: Vec<u32>,
}

/// The modifiers on the only way from a node to a switch, if that way cannot fail.
fn sure_way(segments: &Segments, mut node: u32) -> Option<Vec<&Arc>> {
    let mut way = Vec::new();
    for _ in 0..64 {
        match segments.nodes[node as usize].as_slice() {
            [(arc @ Arc::Switch(..), _)] => {
                way.push(arc);
                return Some(way);
            }
            [(arc @ Arc::Off(..), to)] => {
                way.push(arc);
                node = *to;
            }
            [(Arc::Empty, to)] => node = *to,
            _ => return None,
        }
    }
    None
}

impl Emitter<'_, '_> {
    /// The body of `question(state, context)`: dispatches on the position of the player to move.
    pub(super) fn count_function(
        &mut self,
        state: Value,
        counter: &mut Counter<'_>,
    ) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let zero = self.constant(0);
        self.b.def_var(counter.answer, zero);
        let position = self.load_word(state, layout.node());
        let mut switch = Switch::new();
        let entries = self.player_entries(&mut switch);
        switch.emit(&mut self.b, position, counter.stop);
        for (node, block) in entries {
            self.b.switch_to_block(block);
            let env = self.env_of(&slots);
            let pointer = self.b.use_var(slots.pointer);
            let here = self.at(pointer);
            let zero = self.constant(0);
            self.count_from(counter, node, &here, &env, zero)?;
            self.b.ins().jump(counter.stop, &[]);
        }
        Ok(())
    }

    /// The body of `question_at(state, context, steps)` for a node with its own function.
    pub(super) fn count_node_function(
        &mut self,
        node: u32,
        state: Value,
        steps: Value,
        counter: &mut Counter<'_>,
    ) -> Result<(), Unsupported> {
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let zero = self.constant(0);
        self.b.def_var(counter.answer, zero);
        let env = self.env_of(&slots);
        let pointer = self.b.use_var(slots.pointer);
        let here = self.at(pointer);
        let (go, too_long) = (self.b.create_block(), self.b.create_block());
        let limit = MAX_NATIVE_STEPS as i64;
        let over = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, steps, limit);
        self.b.ins().brif(over, too_long, &[], go, &[]);
        self.b.switch_to_block(too_long);
        self.b.ins().call(counter.too_long, &[counter.context, zero]);
        self.b.ins().jump(counter.stop, &[]);
        self.b.switch_to_block(go);
        self.count_from(counter, node, &here, &env, steps)?;
        self.b.ins().jump(counter.stop, &[]);
        Ok(())
    }

    fn count_from(
        &mut self,
        counter: &mut Counter<'_>,
        node: u32,
        here: &Where,
        env: &Env,
        steps: Value,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let analysis = self.analysis;
        counter.inside.push(node);
        for (node, i, place) in self.exits(node, here, env)? {
            let (arc, to) = &analysis.segments.nodes[node as usize][i];
            let sure = match arc {
                Arc::Switch(..) => Some(Vec::new()),
                Arc::Off(..) => sure_way(&analysis.segments, *to),
                _ => None,
            };
            match sure {
                Some(way) => self.count_sure(counter, arc, &way, &place, steps),
                None => self.for_each_taken(&place, arc, env, |this, here, env| {
                    this.store_question_step(counter, steps, arc, here);
                    let steps = this.b.ins().iadd_imm_s(steps, 1);
                    this.count_after(counter, *to, here, env, steps)
                })?,
            }
        }
        counter.inside.pop();
        Ok(())
    }

    fn store_question_step(
        &mut self,
        counter: &Counter<'_>,
        steps: Value,
        arc: &Arc,
        here: &Where,
    ) {
        if counter.question == Question::Nth {
            let at = here.at.expect("a modifier acts on one vertex");
            self.store_step(counter.context, steps, arc.modifier(), at);
        }
    }

    /// Choices behind which there is one way each.
    fn count_sure(
        &mut self,
        counter: &Counter<'_>,
        arc: &Arc,
        way: &[&Arc],
        place: &Where,
        steps: Value,
    ) {
        let set = self.clean(place);
        if set.is_empty_constant() {
            return;
        }
        let count = set.count(&mut self.b);
        if counter.question == Question::Count {
            let total = self.b.use_var(counter.answer);
            let total = self.b.ins().iadd(total, count);
            self.b.def_var(counter.answer, total);
            return;
        }
        let rest = self.load_word(counter.context, 1);
        let (here, skip, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, rest, count);
        self.b.ins().brif(mine, here, &[], skip, &[]);
        self.b.switch_to_block(skip);
        let less = self.b.ins().isub(rest, count);
        self.store_word(counter.context, 1, less);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(here);
        let left = self.b.declare_var(I64);
        self.b.def_var(left, rest);
        self.for_each(&set, |this, at| {
            let (found, next) = (this.b.create_block(), this.b.create_block());
            let now = this.b.use_var(left);
            let less = this.b.ins().iadd_imm_s(now, -1);
            this.b.def_var(left, less);
            this.b.ins().brif(now, next, &[], found, &[]);
            this.b.switch_to_block(found);
            let mut steps = steps;
            for arc in std::iter::once(&arc).chain(way) {
                this.store_step(counter.context, steps, arc.modifier(), at);
                steps = this.b.ins().iadd_imm_s(steps, 1);
            }
            this.b.def_var(counter.answer, steps);
            this.b.ins().jump(counter.stop, &[]);
            this.b.switch_to_block(next);
        });
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    fn count_after(
        &mut self,
        counter: &mut Counter<'_>,
        to: u32,
        here: &Where,
        env: &Env,
        steps: Value,
    ) -> Result<(), Unsupported> {
        let to = self.analysis.segments.canonical(to);
        if !counter.inside.contains(&to) && !counter.shared.contains(&to) {
            return self.count_from(counter, to, here, env, steps);
        }
        let function = self.count_function_of(counter, to);
        let state = self.b.ins().stack_addr(I64, counter.outgoing, 0);
        let pointer = here.at.expect("a modifier acts on one vertex");
        self.store_state(env, pointer, state);
        let call = self.b.ins().call(function, &[state, counter.context, steps]);
        let answer = self.b.inst_results(call)[0];
        if counter.question == Question::Count {
            let total = self.b.use_var(counter.answer);
            let total = self.b.ins().iadd(total, answer);
            self.b.def_var(counter.answer, total);
        } else {
            self.b.def_var(counter.answer, answer);
            let go = self.b.create_block();
            self.b.ins().brif(answer, counter.stop, &[], go, &[]);
            self.b.switch_to_block(go);
        }
        Ok(())
    }

    fn count_function_of(&mut self, counter: &mut Counter<'_>, node: u32) -> FuncRef {
        if let Some(known) = counter.references.get(&node) {
            return *known;
        }
        let id = *counter.ids.entry(node).or_insert_with(|| {
            counter.pending.push(node);
            let signature = words_signature(self.module, 3);
            self.module
                .declare_function(&format!("question_{node}"), Linkage::Local, &signature)
                .expect("names of nodes are unique")
        });
        let reference = self.module.declare_func_in_func(id, self.b.func);
        counter.references.insert(node, reference);
        reference
    }
}
