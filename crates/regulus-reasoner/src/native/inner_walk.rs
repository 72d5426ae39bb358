//! Walks inside conditions that have modifiers: whether one leads to the end of the condition.
//! Loops through modifiers become functions that call themselves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, Value};
use cranelift_module::{FuncId, Linkage, Module};

use super::emit::{Emitter, Unsupported, words_signature};
use super::enumeration::leads_back;
use super::environment::Env;
use super::place::Where;
use crate::error::MAX_NATIVE_STEPS;

/// A node inside a condition and the node at which the condition ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InnerWalk {
    node: u32,
    end: u32,
}

/// Parameters of the function of such a walk: the state and how many of them are running.
pub(crate) const PARAMETERS: usize = 2;

impl Emitter<'_, '_> {
    /// Jumps to `found` if a walk from a place of one position to the node `end` exists; falls through
    /// otherwise.
    pub(super) fn exists(
        &mut self,
        node: u32,
        end: u32,
        from: &Where,
        env: &Env,
        found: Block,
    ) -> Result<(), Unsupported> {
        let depth = self.constant(0);
        self.exists_at_depth(InnerWalk { node, end }, from, env, found, depth)
    }

    fn exists_at_depth(
        &mut self,
        walk: InnerWalk,
        from: &Where,
        env: &Env,
        found: Block,
        depth: Value,
    ) -> Result<(), Unsupported> {
        if !leads_back(&self.analysis.segments, walk.node) {
            return self.exists_here(walk, from, env, found, depth);
        }
        let function = self.inner_walk(walk);
        let function = self.module.declare_func_in_func(function, self.b.func);
        let bytes = (self.analysis.layout.len() * 8) as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(slot);
        let state = self.b.ins().stack_addr(I64, slot, 0);
        let pointer = from.at.expect("a walk is at one vertex behind a modifier");
        self.store_state(env, pointer, state);
        let call = self.b.ins().call(function, &[state, depth]);
        let result = self.b.inst_results(call)[0];
        let next = self.b.create_block();
        self.b.ins().brif(result, found, &[], next, &[]);
        self.b.switch_to_block(next);
        Ok(())
    }

    /// The function of a walk, which is made later.
    fn inner_walk(&mut self, walk: InnerWalk) -> FuncId {
        let walks = &mut self.conditions.walks;
        if let Some((_, id)) = walks.iter().find(|(known, _)| *known == walk) {
            return *id;
        }
        let signature = words_signature(self.module, PARAMETERS);
        let name = format!("walk_{}_{}", walk.node, walk.end);
        let declared = self.module.declare_function(&name, Linkage::Local, &signature);
        let id = declared.expect("names of walks are unique");
        self.conditions.walks.push((walk, id));
        id
    }

    /// The body of the function of a walk: `walk(state, depth) -> found`.
    pub(crate) fn walk_function(
        &mut self,
        walk: InnerWalk,
        state: Value,
        depth: Value,
    ) -> Result<(), Unsupported> {
        let (go, yes, no) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        // Endless walks find nothing.
        let limit = MAX_NATIVE_STEPS as i64;
        let deep = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, depth, limit);
        self.b.ins().brif(deep, no, &[], go, &[]);
        self.b.switch_to_block(go);
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let (here, env) = self.walk_in(&slots);
        let deeper = self.b.ins().iadd_imm_s(depth, 1);
        self.exists_here(walk, &here, &env, yes, deeper)?;
        self.b.ins().jump(no, &[]);
        for (block, answer) in [(yes, 1), (no, 0)] {
            self.b.switch_to_block(block);
            let answer = self.constant(answer);
            self.b.ins().return_(&[answer]);
        }
        Ok(())
    }

    fn exists_here(
        &mut self,
        walk: InnerWalk,
        from: &Where,
        env: &Env,
        found: Block,
        depth: Value,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        for (node, place) in self.segment(walk.node, from, env)? {
            if node == walk.end {
                let set = self.clean(&place);
                let hit = set.is_nonempty(&mut self.b).value(&mut self.b);
                let next = self.b.create_block();
                self.b.ins().brif(hit, found, &[], next, &[]);
                self.b.switch_to_block(next);
            }
            for (arc, to) in &self.analysis.segments.nodes[node as usize] {
                if arc.is_inner() {
                    continue;
                }
                let behind = InnerWalk { node: self.analysis.segments.canonical(*to), ..walk };
                self.for_each_taken(&place, arc, env, |this, here, env| {
                    this.exists_at_depth(behind, here, env, found, depth)
                })?;
            }
        }
        Ok(())
    }
}
