//! Walks inside conditions that have modifiers: whether one leads to the end of the condition.
//! Loops through modifiers become functions that call themselves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, Value};
use cranelift_module::{FuncId, Linkage, Module};

use super::environment::Env;
use super::pointer_set::PointerSet;
use crate::error::MAX_WALK_MODIFIERS;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::analysis::walk_length::Counted;
use crate::native::emit::{Emitter, GAVE_UP, MAX_NESTED, words_signature};

/// A node inside a condition and the node at which the condition ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InnerWalk {
    node: NodeId,
    end: NodeId,
}

/// Parameters of the function of such a walk: the state, the context, and how many modifiers were passed.
const PARAMETERS: usize = 3;

/// A walk that is looked for, and how far it has come.
#[derive(Clone, Copy)]
struct Sought {
    walk: InnerWalk,
    /// Where code goes on if there is one.
    found: Block,
    /// How many modifiers it has passed.
    modifiers: Value,
    /// How many of them in this function.
    here: usize,
    /// True if it is looked for in a function in any case.
    apart: bool,
}

impl Emitter<'_, '_> {
    /// Jumps to `found` if a walk from a place of one position to the node `end` exists; falls through
    /// otherwise.
    pub(crate) fn exists(
        &mut self,
        node: NodeId,
        end: NodeId,
        from: &PointerSet,
        env: &Env,
        found: Block,
    ) -> Result<(), Unsupported> {
        let walk = InnerWalk { node, end };
        // What is remembered is asked in many places, and seldom answered.
        let apart = self.is_remembered(node, end);
        let sought = Sought { walk, found, modifiers: self.constant(0), here: 0, apart };
        if !self.analysis.leads_to_overrun(node) {
            return self.exists_behind(sought, from, env);
        }
        // Another condition may be in the middle of being asked.
        let before = self.load_word(self.context, GAVE_UP);
        let no = self.constant(0);
        self.store_word(self.context, GAVE_UP, no);
        let (found_here, next) = (self.b.create_block(), self.b.create_block());
        self.exists_behind(Sought { found: found_here, ..sought }, from, env)?;
        // A walk that was given up might have come to the end.
        let gave_up = self.load_word(self.context, GAVE_UP);
        self.fail_if(gave_up);
        self.store_word(self.context, GAVE_UP, before);
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(found_here);
        self.store_word(self.context, GAVE_UP, before);
        self.b.ins().jump(found, &[]);
        self.b.switch_to_block(next);
        Ok(())
    }

    fn exists_behind(
        &mut self,
        sought: Sought,
        from: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let goes_back = self.analysis.leads_back(sought.walk.node);
        if !sought.apart && !goes_back && sought.here < MAX_NESTED {
            return self.exists_here(sought, from, env);
        }
        let function = self.inner_walk(sought.walk);
        let function = self.module.declare_func_in_func(function, self.b.func);
        let bytes = (self.analysis.layout.len() * 8) as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(slot);
        let state = self.b.ins().stack_addr(I64, slot, 0);
        let pointer = from.at.expect("a walk is at one vertex behind a modifier");
        self.store_state(env, pointer, state);
        let call = self.b.ins().call(function, &[state, self.context, sought.modifiers]);
        let result = self.b.inst_results(call)[0];
        let gave_up = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, result, 0);
        self.fail_if(gave_up);
        let next = self.b.create_block();
        self.b.ins().brif(result, sought.found, &[], next, &[]);
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

    /// The body of the function of a walk: `walk(state, context, modifiers) -> found`.
    pub(crate) fn walk_function(
        &mut self,
        walk: InnerWalk,
        state: Value,
        modifiers: Value,
    ) -> Result<(), Unsupported> {
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        self.count_work();
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let (here, env) = self.walk_in(&slots);
        let sought = Sought { walk, found: yes, modifiers, here: 0, apart: false };
        self.exists_here(sought, &here, &env)?;
        self.b.ins().jump(no, &[]);
        for (block, answer) in [(yes, 1), (no, 0)] {
            self.b.switch_to_block(block);
            let answer = self.constant(answer);
            self.b.ins().return_(&[answer]);
        }
        Ok(())
    }

    /// Goes on only if there may be one more modifier; notes it if not. [`Emitter::rejoin`] brings both ways
    /// together.
    fn give_up_at_limit(&mut self, modifiers: Value) -> Block {
        let limit = MAX_WALK_MODIFIERS as i64;
        let full = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, modifiers, limit);
        let (give_up, go, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(full, give_up, &[], go, &[]);
        self.b.switch_to_block(give_up);
        let yes = self.constant(1);
        self.store_word(self.context, GAVE_UP, yes);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(go);
        after
    }

    /// The vertices of a place without those behind which a walk surely ends.
    fn worth_taking(
        &mut self,
        place: &PointerSet,
        transition: &Transition,
        behind: InnerWalk,
        env: &Env,
    ) -> PointerSet {
        let Transition::Off(piece, _) = transition else { return place.clone() };
        if place.at.is_some() || place.set.is_empty_constant() {
            return place.clone();
        }
        let there = self.lying(place.clone(), *piece);
        let put = |distance: i32| (distance == 0).then_some(*piece);
        let live = self.parallel_start((behind.node, Some(behind.end)), &there, env, &put);
        let set = self.clean(place).and(&live, &mut self.b);
        PointerSet { set, certain: false, dirty: false, ..place.clone() }
    }

    fn exists_here(
        &mut self,
        sought: Sought,
        from: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let Sought { walk, found, .. } = sought;
        let reached = self.segment(walk.node, from, env)?;
        // Walks with more modifiers may be many.
        for (_, place) in reached.iter().filter(|(node, _)| *node == walk.end) {
            let set = self.clean(place);
            let hit = set.is_nonempty(&mut self.b).value(&mut self.b);
            let next = self.b.create_block();
            self.b.ins().brif(hit, found, &[], next, &[]);
            self.b.switch_to_block(next);
        }
        for (node, place) in reached {
            for (transition, to) in &self.analysis.segments[node] {
                if transition.is_inner() {
                    continue;
                }
                let behind = InnerWalk { node: self.analysis.segments.canonical(*to), ..walk };
                let counts = matches!(transition, Transition::Off(..) | Transition::Assign(..))
                    && self.analysis.may_overrun(node, Counted::Modifiers);
                let place = self.worth_taking(&place, transition, behind, env);
                self.for_each_taken(&place, transition, env, |this, here, env| {
                    let after = counts.then(|| this.give_up_at_limit(sought.modifiers));
                    let modifiers = this.b.ins().iadd_imm_s(sought.modifiers, 1);
                    let here_now = sought.here + 1;
                    let sought =
                        Sought { walk: behind, found, modifiers, here: here_now, apart: false };
                    let made = this.exists_behind(sought, here, env);
                    this.rejoin(after);
                    made
                })?;
            }
        }
        Ok(())
    }
}
