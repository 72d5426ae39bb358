//! Code that lists moves: nested loops over the exits of segments. Modifiers edit values, so leaving
//! a loop undoes nothing.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, StackSlot, Value};
use cranelift_frontend::Switch;
use cranelift_module::{FuncId, Linkage, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::{Emitter, Unsupported, words_signature};
use super::environment::Env;
use super::place::Where;
use super::segments::{Arc, Segments};
use crate::error::MAX_NATIVE_STEPS;

/// What listing functions share.
pub(crate) struct Lister<'l> {
    /// The context that is handed to the helper for complete moves; its first word is the address of
    /// the steps.
    pub(crate) context: Value,
    /// `emit_move(context, steps) -> stop`
    pub(crate) emit_move: FuncRef,
    /// The nodes that have a function of their own.
    pub(crate) shared: &'l FxHashSet<u32>,
    /// The functions of nodes, in the module and in the function that is being made, and those whose
    /// code is still to be made.
    pub(crate) ids: &'l mut FxHashMap<u32, FuncId>,
    pub(crate) references: FxHashMap<u32, FuncRef>,
    pub(crate) pending: &'l mut Vec<u32>,
    /// Where a state is handed to such a function.
    pub(crate) outgoing: StackSlot,
    /// Ends the function: everything has been said, or there are too many moves.
    pub(crate) stop: Block,
    /// The nodes whose code is being made, outermost first.
    pub(crate) inside: Vec<u32>,
}

/// The nodes behind modifiers that get a function of their own: those that a loop comes back to, and
/// those that several modifiers lead to and that do more than hand over.
pub(crate) fn shared_nodes(segments: &Segments) -> FxHashSet<u32> {
    let mut incoming: FxHashMap<u32, usize> = FxHashMap::default();
    for (arc, to) in segments.nodes.iter().flatten() {
        if arc.modifier() > 0 && !matches!(arc, Arc::Switch(..)) {
            *incoming.entry(segments.canonical(*to)).or_default() += 1;
        }
    }
    let is_worth_it = |(node, n): &(u32, usize)| {
        let trivial = matches!(segments.nodes[*node as usize].as_slice(), [(Arc::Switch(..), _)]);
        (*n >= 2 && !trivial) || leads_back(segments, *node)
    };
    incoming.into_iter().filter(is_worth_it).map(|(node, _)| node).collect()
}

/// All nodes behind modifiers that do more than hand over: where the code would be too large otherwise.
pub(crate) fn all_nodes(segments: &Segments) -> FxHashSet<u32> {
    let behind = segments.nodes.iter().flatten().filter_map(|(arc, to)| match arc {
        Arc::Off(..) | Arc::Assign(..) => Some(segments.canonical(*to)),
        _ => None,
    });
    behind
        .filter(|n| !matches!(segments.nodes[*n as usize].as_slice(), [(Arc::Switch(..), _)]))
        .collect()
}

/// True if a walk can come back to a node without a switch.
pub(super) fn leads_back(segments: &Segments, node: u32) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![node];
    while let Some(at) = stack.pop() {
        for (arc, to) in &segments.nodes[at as usize] {
            if matches!(arc, Arc::Switch(..)) {
                continue;
            }
            let to = segments.canonical(*to);
            if to == node {
                return true;
            }
            if seen.insert(to) {
                stack.push(to);
            }
        }
    }
    false
}

impl Emitter<'_, '_> {
    /// The body of `list(state, context)`: dispatches on the position of the player to move.
    pub(crate) fn list_function(
        &mut self,
        state: Value,
        lister: &mut Lister<'_>,
    ) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let position = self.load_word(state, layout.node());
        let mut switch = Switch::new();
        let entries = self.player_entries(&mut switch);
        switch.emit(&mut self.b, position, lister.stop);
        for (node, block) in entries {
            self.b.switch_to_block(block);
            let env = self.env_of(&slots);
            let pointer = self.b.use_var(slots.pointer);
            let here = self.at(pointer);
            let zero = self.constant(0);
            self.list_from(lister, node, &here, &env, zero)?;
            self.b.ins().jump(lister.stop, &[]);
        }
        Ok(())
    }

    /// A block for every node at which a player's move begins, entered by the number of the switch.
    pub(super) fn player_entries(&mut self, switch: &mut Switch) -> Vec<(u32, Block)> {
        let mut entries: Vec<(u32, Block)> = Vec::new();
        for (arc, to) in self.analysis.segments.nodes.iter().flatten() {
            if let Arc::Switch(player, number) = arc
                && player.0 != 0
            {
                let node = self.analysis.segments.canonical(*to);
                let block = match entries.iter().find(|(n, _)| *n == node) {
                    Some((_, block)) => *block,
                    None => {
                        let block = self.b.create_block();
                        entries.push((node, block));
                        block
                    }
                };
                switch.set_entry(u128::from(*number), block);
            }
        }
        entries
    }

    /// The body of `list_at(state, context, steps)` for a node with its own function.
    pub(crate) fn list_node_function(
        &mut self,
        node: u32,
        state: Value,
        steps: Value,
        lister: &mut Lister<'_>,
    ) -> Result<(), Unsupported> {
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let env = self.env_of(&slots);
        let pointer = self.b.use_var(slots.pointer);
        let here = self.at(pointer);
        let go = self.b.create_block();
        let limit = MAX_NATIVE_STEPS as i64;
        let too_long = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, steps, limit);
        let too_long_block = self.b.create_block();
        self.b.ins().brif(too_long, too_long_block, &[], go, &[]);
        self.b.switch_to_block(too_long_block);
        // The helper recognises the number and records the error.
        let marker = self.constant(-1);
        self.b.ins().call(lister.emit_move, &[lister.context, marker]);
        self.b.ins().jump(lister.stop, &[]);
        self.b.switch_to_block(go);
        self.list_from(lister, node, &here, &env, steps)?;
        self.b.ins().jump(lister.stop, &[]);
        Ok(())
    }

    /// Lists what can be done from a node at one position.
    fn list_from(
        &mut self,
        lister: &mut Lister<'_>,
        node: u32,
        here: &Where,
        env: &Env,
        steps: Value,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        lister.inside.push(node);
        for (node, i, place) in self.exits(node, here, env)? {
            let (arc, to) = &self.analysis.segments.nodes[node as usize][i];
            self.for_each_taken(&place, arc, env, |this, here, env| {
                let at = here.at.expect("a modifier acts on one vertex");
                this.store_step(lister.context, steps, arc.modifier(), at);
                let steps = this.b.ins().iadd_imm_s(steps, 1);
                this.list_after(lister, arc, *to, here, env, steps)
            })?;
        }
        lister.inside.pop();
        Ok(())
    }

    fn list_after(
        &mut self,
        lister: &mut Lister<'_>,
        arc: &Arc,
        to: u32,
        here: &Where,
        env: &Env,
        steps: Value,
    ) -> Result<(), Unsupported> {
        let to = self.analysis.segments.canonical(to);
        let stop = if matches!(arc, Arc::Switch(..)) {
            let call = self.b.ins().call(lister.emit_move, &[lister.context, steps]);
            self.b.inst_results(call)[0]
        } else if lister.inside.contains(&to) || lister.shared.contains(&to) {
            let function = self.list_function_of(lister, to);
            let state = self.b.ins().stack_addr(I64, lister.outgoing, 0);
            let pointer = here.at.expect("a modifier acts on one vertex");
            self.store_state(env, pointer, state);
            let call = self.b.ins().call(function, &[state, lister.context, steps]);
            self.b.inst_results(call)[0]
        } else {
            return self.list_from(lister, to, here, env, steps);
        };
        let go = self.b.create_block();
        self.b.ins().brif(stop, lister.stop, &[], go, &[]);
        self.b.switch_to_block(go);
        Ok(())
    }

    fn list_function_of(&mut self, lister: &mut Lister<'_>, node: u32) -> FuncRef {
        if let Some(known) = lister.references.get(&node) {
            return *known;
        }
        let id = *lister.ids.entry(node).or_insert_with(|| {
            lister.pending.push(node);
            let signature = words_signature(self.module, 3);
            self.module
                .declare_function(&format!("list_{node}"), Linkage::Local, &signature)
                .expect("names of nodes are unique")
        });
        let reference = self.module.declare_func_in_func(id, self.b.func);
        lister.references.insert(node, reference);
        reference
    }

    /// Writes a step: the modifier in the low half, the position in the high half.
    pub(crate) fn store_step(&mut self, context: Value, steps: Value, modifier: u32, at: Value) {
        let buffer = self.load_word(context, 0);
        let offset = self.b.ins().ishl_imm_s(steps, 3);
        let address = self.b.ins().iadd(buffer, offset);
        let high = self.b.ins().ishl_imm_s(at, 32);
        let step = self.b.ins().bor_imm_s(high, i64::from(modifier));
        self.b.ins().store(MemFlagsData::trusted(), step, address, 0);
    }
}
