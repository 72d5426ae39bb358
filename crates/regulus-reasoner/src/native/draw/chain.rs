//! Chains: moves that may go round a loop through modifiers, such as captures that go on (passes P7 and P9).
//!
//! Nothing bounds how many ways there are behind such a modifier but walking them. Code walks all of them, in values, and
//! keeps one: the k-th that comes to its end takes the place of the one before it with a probability of one in k, so that in
//! the end each is kept as often as any other. A turn chooses between this one, which stands for all of them, and
//! the moves that were counted as sets. Where there is one way in all, no random number is needed.
//!
//! A loop that the board ends after few rounds, and that has one way to go on, is no chain: its rounds are planned one
//! after the other (`continuation.rs`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value};
use cranelift_module::{FuncId, Linkage, Module};

use super::collect::{Taking, Walk};
use super::continuation::Branch;
use super::entries::{Entries, Position};
use super::playout::{PLAYOUT_KEPT, PLAYOUT_RANDOM, PLAYOUT_WAYS, PlayoutEmitter};
use crate::error::MAX_WALK_MODIFIERS;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, PositionId, Transition};
use crate::native::analysis::walk_length::Counted;
use crate::native::emit::{Emitter, MAX_NESTED, words_signature};
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// Parameters of the function that walks on from a node: the state, the context, and how many modifiers were passed.
const PARAMETERS: usize = 3;

/// What walking chains in one function needs.
#[derive(Clone, Copy)]
pub(crate) struct Chains {
    /// Where a state is handed to a function.
    outgoing: StackSlot,
    /// Where code goes on if a function gives up.
    gave_up: Block,
}

/// How far a chain has come.
#[derive(Clone, Copy)]
struct Progress {
    /// Modifiers it has passed.
    modifiers: Value,
    /// How many of them in this function.
    here: usize,
}

impl Emitter<'_, '_> {
    fn new_chains(&mut self, gave_up: Block) -> Chains {
        let bytes = (self.analysis.layout.len() * 8) as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        Chains { outgoing: self.b.create_sized_stack_slot(slot), gave_up }
    }

    /// Prepares a turn in which chains are walked; jumps to `slow` where they are given up.
    pub(crate) fn begin_chains(&mut self, player: &PlayoutEmitter, slow: Block) -> Chains {
        let (go, gave_up) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(go, &[]);
        self.b.set_cold_block(gave_up);
        self.b.switch_to_block(gave_up);
        let zero = self.constant(0);
        self.b.ins().jump(slow, &[zero.into()]);
        self.b.switch_to_block(go);
        self.allow_work();
        let random = self.b.use_var(player.random);
        self.store_word(self.context, PLAYOUT_RANDOM, random);
        let zero = self.constant(0);
        self.store_word(self.context, PLAYOUT_WAYS, zero);
        self.store_word(self.context, PLAYOUT_KEPT, player.state);
        self.new_chains(gave_up)
    }

    /// How many ways were walked, one of which was kept.
    pub(crate) fn end_chains(&mut self, player: &PlayoutEmitter) -> Value {
        let random = self.load_word(self.context, PLAYOUT_RANDOM);
        self.b.def_var(player.random, random);
        self.load_word(self.context, PLAYOUT_WAYS)
    }

    /// Walks all ways behind a modifier at the vertices of a place.
    pub(crate) fn enter_chain(
        &mut self,
        entries: &Entries,
        taking: Taking<'_>,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let chains = entries.chains.expect("a plan with chains prepares them");
        let Taking { way, transition, place, .. } = taking;
        let (_, to) = &self.analysis.segments[way.transition];
        let set = match place.at {
            None if !walk.looped => self.may_go_on(way, place, walk),
            _ => self.clean(place),
        };
        let from = PointerSet { set, dirty: false, certain: false, ..place.clone() };
        let checks = self.analysis.leads_to_overrun(self.analysis.segments.canonical(*to));
        let mut result = Ok(());
        self.for_each_place(&from, |this, at| {
            let mut env = if walk.looped { walk.now.clone() } else { walk.before.clone() };
            for step in walk.steps.iter().filter(|step| matches!(step.at, Position::Behind(_))) {
                let (mut here, transition) = this.again(step, at, &[]);
                // Whether it succeeds was asked before.
                this.modify(&mut env, &mut here, transition);
            }
            let mut here = this.at(at);
            here.under = place.under;
            let ok = this.modify(&mut env, &mut here, transition);
            let failed = this.guard(ok);
            let passed = if checks { walk.passed + 1 } else { 0 };
            let progress = Progress { modifiers: this.constant(passed), here: 0 };
            result = this.chain_behind(chains, *to, &here, &env, progress);
            this.rejoin(failed);
        });
        result
    }

    /// The vertices of a place at which a modifier can be taken in parallel, without those from which nothing surely
    /// goes on.
    pub(crate) fn may_go_on(&mut self, way: &Branch, place: &PointerSet, walk: &Walk<'_>) -> Set {
        let (transition, to) = &self.analysis.segments[way.transition];
        if matches!(transition, Transition::Switch(..)) {
            return self.clean(place);
        }
        let mut puts = self.puts(walk.steps);
        let mut there = place.clone();
        let mut env = walk.now.clone();
        match transition {
            Transition::Off(piece, _) => {
                puts.push((0, *piece));
                there = self.lying(there, *piece);
            }
            _ => {
                let ok = self.modify(&mut env, &mut there, transition);
                there.set = there.set.when(ok, &mut self.b);
            }
        }
        let put = |distance: i32| {
            let back = puts.iter().rev().find(|(behind, _)| behind + distance == 0);
            back.map(|(_, piece)| *piece)
        };
        let live = self.parallel_start((*to, None), &there, &env, &put);
        let set = self.clean(place);
        set.and(&live, &mut self.b)
    }

    /// The body of the function of a node: `chain(state, context, modifiers)` walks all ways on; the answer is 0 unless
    /// it gives up.
    pub(crate) fn chain_function(
        &mut self,
        node: NodeId,
        state: Value,
        modifiers: Value,
    ) -> Result<(), Unsupported> {
        self.count_work();
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let (here, env) = self.walk_in(&slots);
        let chains = self.new_chains(self.failed);
        self.chain_from(chains, node, &here, &env, Progress { modifiers, here: 0 })?;
        let done = self.constant(0);
        self.b.ins().return_(&[done]);
        Ok(())
    }

    /// Walks on behind a modifier that was taken at one vertex.
    fn chain_behind(
        &mut self,
        chains: Chains,
        to: NodeId,
        here: &PointerSet,
        env: &Env,
        progress: Progress,
    ) -> Result<(), Unsupported> {
        let (node, here) = self.only_way(to, here, env);
        if here.set.is_empty_constant() {
            return Ok(());
        }
        let there = self.nonempty(&here);
        let nowhere = self.guard(there);
        let here = PointerSet { certain: true, ..here };
        if self.analysis.leads_back(node) || progress.here >= MAX_NESTED {
            self.chain_call(chains, node, &here, env, progress);
        } else {
            self.chain_from(chains, node, &here, env, progress)?;
        }
        self.rejoin(nowhere);
        Ok(())
    }

    /// Follows the rules as long as there is only one way on, which leads to one vertex.
    fn only_way(&mut self, node: NodeId, here: &PointerSet, env: &Env) -> (NodeId, PointerSet) {
        let analysis = self.analysis;
        let (mut node, mut here) = (analysis.segments.canonical(node), here.clone());
        while let [(Transition::Pure(rules), to)] = &analysis.segments[node] {
            let next = self.forward(rules, &here, env);
            if next.at.is_none() && !next.set.is_empty_constant() {
                break;
            }
            (node, here) = (analysis.segments.canonical(*to), next);
            if here.set.is_empty_constant() {
                break;
            }
        }
        (node, here)
    }

    fn chain_call(
        &mut self,
        chains: Chains,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
        progress: Progress,
    ) {
        let function = self.chain_function_of(node);
        let function = self.module.declare_func_in_func(function, self.b.func);
        let state = self.b.ins().stack_addr(I64, chains.outgoing, 0);
        let pointer = here.at.expect("a chain is at one vertex behind a modifier");
        self.store_state(env, pointer, state);
        let call = self.b.ins().call(function, &[state, self.context, progress.modifiers]);
        let answer = self.b.inst_results(call)[0];
        let go = self.b.create_block();
        self.b.ins().brif(answer, chains.gave_up, &[], go, &[]);
        self.b.switch_to_block(go);
    }

    /// The function of a node, which is made later.
    fn chain_function_of(&mut self, node: NodeId) -> FuncId {
        let chains = &mut self.conditions.chains;
        if let Some((_, id)) = chains.iter().find(|(known, _)| *known == node) {
            return *id;
        }
        let signature = words_signature(self.module, PARAMETERS);
        let name = format!("chain_{node}");
        let declared = self.module.declare_function(&name, Linkage::Local, &signature);
        let id = declared.expect("names of chains are unique");
        self.conditions.chains.push((node, id));
        id
    }

    /// Walks all ways on from a node at one vertex.
    fn chain_from(
        &mut self,
        chains: Chains,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
        progress: Progress,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let analysis = self.analysis;
        for (id, place) in self.exits(node, here, env)? {
            let (transition, to) = &analysis.segments[id];
            if let Transition::Switch(..) = transition {
                self.for_each_place(&place, |this, at| this.keep_way(transition, at, env));
                continue;
            }
            let counts = analysis.may_overrun(id.node, Counted::Modifiers);
            self.for_each_taken(&place, transition, env, |this, here, env| {
                let mut progress = Progress { here: progress.here + 1, ..progress };
                if counts {
                    let limit = MAX_WALK_MODIFIERS as i64;
                    let code = IntCC::UnsignedGreaterThanOrEqual;
                    let full = this.b.ins().icmp_imm_s(code, progress.modifiers, limit);
                    let go = this.b.create_block();
                    this.b.ins().brif(full, chains.gave_up, &[], go, &[]);
                    this.b.switch_to_block(go);
                }
                progress.modifiers = this.b.ins().iadd_imm_s(progress.modifiers, 1);
                this.chain_behind(chains, *to, here, env, progress)
            })?;
        }
        Ok(())
    }

    /// Counts a way that has come to its end, and keeps it if chance says so.
    fn keep_way(&mut self, switch: &Transition, at: Value, env: &Env) {
        let Transition::Switch(to_move, modifier) = switch else { return };
        let before = self.load_word(self.context, PLAYOUT_WAYS);
        let ways = self.b.ins().iadd_imm_s(before, 1);
        self.store_word(self.context, PLAYOUT_WAYS, ways);
        let (draw, keep, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(before, draw, &[], keep, &[]);
        self.b.switch_to_block(draw);
        let random = self.load_word(self.context, PLAYOUT_RANDOM);
        let (random, number) = self.random_below(random, ways);
        self.store_word(self.context, PLAYOUT_RANDOM, random);
        self.b.ins().brif(number, after, &[], keep, &[]);
        self.b.switch_to_block(keep);
        let kept = self.load_word(self.context, PLAYOUT_KEPT);
        self.store_state(env, at, kept);
        let layout = self.analysis.layout;
        let position = self.constant(PositionId::of(*modifier).word() as i64);
        self.store_word(kept, layout.node(), position);
        let to_move = self.constant(i64::from(to_move.0));
        self.store_word(kept, layout.player(), to_move);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }
}
