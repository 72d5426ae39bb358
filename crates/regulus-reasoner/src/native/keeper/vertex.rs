//! Which of several vertices the keeper takes (pass P12): any one where nobody can tell (`confluence.rs`), else the first
//! to which the interpreter would come (`order.rs`) among those from which there is a way on.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::Keeper;
use super::choice::Resume;
use super::confluence::{forgets_pointer, is_closure};
use super::stretch::Chain;
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::emit::Emitter;
use crate::native::remarks::Left;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// Nodes that are looked at behind a node, and ways from each of them, to see from which vertices there is a way on.
const MAX_AHEAD: usize = 3;
const MAX_WAYS_AHEAD: usize = 8;

/// A way that the keeper goes: how it begins, from where, and with what state.
#[derive(Clone, Copy)]
pub(super) struct Way<'w> {
    pub(super) start: TransitionId,
    pub(super) here: &'w PointerSet,
    pub(super) env: &'w Env,
}

impl Emitter<'_, '_> {
    /// True if it does not matter at which vertex a transition is taken. `start` is where the way to it begins.
    pub(crate) fn any_vertex_will_do(
        &self,
        keeper: &Keeper,
        start: TransitionId,
        transition: TransitionId,
    ) -> bool {
        let (analysis, remembered) = (self.analysis, &keeper.remembered);
        match &analysis.segments[transition] {
            (Transition::Switch(player, number), to) => {
                !remembered.contains(number)
                    && forgets_pointer(analysis, *to, player.0 != 0, remembered)
            }
            (Transition::Off(..), _) => is_closure(analysis, start, remembered),
            _ => false,
        }
    }

    /// Makes sure that the keeper is on one vertex: any one of several if that does no harm, or else the one that he
    /// tries first.
    pub(super) fn one_vertex(
        &mut self,
        keeper: &mut Keeper,
        way: Way<'_>,
        place: &mut PointerSet,
        any_will_do: bool,
    ) {
        if place.at.is_some() {
            return;
        }
        let mut set = self.clean(place);
        let under = place.under;
        let taken = if any_will_do {
            self.lowest(&set)
        } else {
            let go = self.b.create_block();
            self.b.append_block_param(go, I64);
            self.go_if_one(&set, go);
            let chain = Chain::of(self.analysis, way.start);
            if let Some(end) = chain.end_node() {
                // Only those from which there is a way on.
                let open = self.open_at(end, way.env, MAX_AHEAD);
                set = set.and(&open, &mut self.b);
                let some = self.b.create_block();
                let any = set.is_nonempty(&mut self.b).value(&mut self.b);
                self.b.ins().brif(any, some, &[], keeper.stuck, &[]);
                self.b.switch_to_block(some);
                self.go_if_one(&set, go);
            }
            if keeper.stretches.is_vague(way.start.node) {
                self.b.ins().jump(keeper.ask, &[]);
            } else if let Some(first) = self.first_of_several(keeper, way, &set) {
                self.b.ins().jump(go, &[first.into()]);
            }
            self.b.switch_to_block(go);
            self.b.block_params(go)[0]
        };
        *place = self.at(taken);
        place.under = under;
    }

    /// Jumps with the vertex of a set that is not empty if it has only one.
    fn go_if_one(&mut self, set: &Set, go: Block) {
        let lowest = self.lowest(set);
        let one = self.at(lowest);
        let rest = set.and_not(&one.set, &mut self.b);
        let more = rest.is_nonempty(&mut self.b).value(&mut self.b);
        let several = self.b.create_block();
        self.b.ins().brif(more, several, &[], go, &[lowest.into()]);
        self.b.switch_to_block(several);
    }

    /// The vertices from which the tests of some way on succeed, and maybe some more.
    fn open_at(&mut self, node: NodeId, env: &Env, ahead: usize) -> Set {
        let analysis = self.analysis;
        let full = Set::constant(&analysis.full);
        let node = analysis.segments.canonical(node);
        let ways = analysis.segments.leaving(node);
        if ahead == 0 || analysis.segments[node].len() > MAX_WAYS_AHEAD || analysis.inner_loop(node)
        {
            return full;
        }
        let mut open = Set::empty(self.words());
        for way in ways {
            let chain = Chain::of(analysis, way);
            let (rules, end) = chain.unchecked();
            let end = match end {
                Some(end) => self.open_at(end, env, ahead - 1),
                None => full.clone(),
            };
            let from = self.backward(&rules, &end, env);
            open = open.or(&from, &mut self.b);
        }
        open
    }

    /// The vertex of several that the keeper tries first. If his move does not come to its end from there, the
    /// interpreter makes it; at once if there is no table of the order.
    fn first_of_several(
        &mut self,
        keeper: &mut Keeper,
        Way { start, here, env }: Way<'_>,
        set: &Set,
    ) -> Option<Value> {
        let (node, chain) = (start.node, Chain::of(self.analysis, start));
        let settles = keeper.stretches.settles(self.analysis, &chain);
        if !settles && keeper.stretches.begins_at(node) {
            // The state in memory may be older.
            let pointer = here.at.expect("the keeper's pointer is on one vertex");
            self.store_move_begun(keeper, node, pointer, env);
            self.keeper_move_begun(keeper);
        }
        let Some((stages, rules)) = chain.ordered(self.analysis) else {
            self.analysis.notes.leave(Left::Unordered, node);
            self.b.ins().jump(keeper.ask, &[]);
            return None;
        };
        if !settles {
            self.leave_choice(keeper, Resume::Ask, env, here);
        }
        Some(self.first_in_order((&stages, &rules), (here, env), set, keeper.ask))
    }

    /// The lowest position of a set that is not empty.
    pub(super) fn lowest(&mut self, set: &Set) -> Value {
        let mut words = set.0.iter().enumerate().rev();
        let (last, word) = words.next().expect("sets have words");
        let value = word.value(&mut self.b);
        let low = self.b.ins().ctz(value);
        let mut at = self.b.ins().iadd_imm_s(low, last as i64 * 64);
        for (i, word) in words {
            let value = word.value(&mut self.b);
            let low = self.b.ins().ctz(value);
            let here = self.b.ins().iadd_imm_s(low, i as i64 * 64);
            let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
            at = self.b.ins().select(some, here, at);
        }
        at
    }
}
