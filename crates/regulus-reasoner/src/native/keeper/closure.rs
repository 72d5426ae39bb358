//! Loops of the keeper that take many vertices one after the other, in an order that nobody can tell, are done with sets:
//! closures in rounds (`confluence.rs`), floods as a whole (`flood.rs`).

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::Value;

use super::confluence::is_closure;
use super::flood::Flood;
use super::stretch::Chain;
use super::vertex::Way;
use super::{Branch, Keeper};
use crate::native::Unsupported;
use crate::native::analysis::segments::{Transition, TransitionId};
use crate::native::emit::Emitter;
use crate::native::sets::environment::{Env, Held};
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// What a flood has made of a state.
pub(super) struct Flooded {
    flood: Flood,
    env: Env,
    place: PointerSet,
    /// How many modifiers that were.
    taken: Set,
}

impl Emitter<'_, '_> {
    /// Lets the pointer be at all vertices that a closure can take now, if the modifier is that of one: each of them can
    /// still be taken after the others. The position is that of one of them. `start` is where the way to the modifier
    /// begins.
    pub(crate) fn takes_closure(
        &mut self,
        keeper: &Keeper,
        start: TransitionId,
        modifier: TransitionId,
        place: &mut PointerSet,
    ) -> bool {
        let is_off = matches!(self.analysis.segments[modifier].0, Transition::Off(..));
        if !is_off || place.at.is_some() || !is_closure(self.analysis, start, &keeper.remembered) {
            return false;
        }
        let set = self.clean(place);
        let count = set.count(&mut self.b);
        let more = self.b.ins().iadd_imm_s(count, -1);
        // One move or modifier is counted on the way back to the beginning.
        if self.closure_makes_moves(start, modifier) {
            let moves = self.b.use_var(keeper.moves);
            let moves = self.b.ins().iadd(moves, more);
            self.b.def_var(keeper.moves, moves);
        } else {
            self.count_made(keeper, modifier.node, more);
        }
        let lowest = self.lowest(&set);
        *place = PointerSet { set, at: Some(lowest), dirty: false, ..place.clone() };
        true
    }

    /// True if every round of a closure is a move of the keeper's.
    fn closure_makes_moves(&self, start: TransitionId, modifier: TransitionId) -> bool {
        let segments = &self.analysis.segments;
        let (begin, mut at) = (segments.canonical(start.node), segments[modifier].1);
        while segments.canonical(at) != begin {
            match segments[at].first() {
                Some((Transition::Switch(..), _)) | None => return true,
                Some((_, to)) => at = *to,
            }
        }
        false
    }

    /// Floods a region, or all of them, if the modifier is the first of a flood. Where code cannot tell whether it
    /// matters in which order that is done, the interpreter makes the move.
    pub(super) fn take_flood(
        &mut self,
        keeper: &mut Keeper,
        way: Way<'_>,
        modifier: TransitionId,
        place: &PointerSet,
    ) -> Option<Flooded> {
        let analysis = self.analysis;
        let flood = keeper.stretches.flood(modifier)?.clone();
        // Of several vertices each must be one that the flood replaces.
        let several = place.at.is_none();
        if several && place.under.intersection(flood.old) != place.under {
            return None;
        }
        let remembered = &keeper.remembered;
        let all = several
            && Flood::fills_all(analysis, way.start)
            && flood.forgotten_anywhere(analysis, remembered);
        let shows = !all && flood.forgotten_at(analysis, remembered).is_none();
        let mut place = place.clone();
        // Where the order is known the first vertex is; otherwise any vertex will do if all are in one region.
        let is_ordered = Chain::of(analysis, way.start).ordered(analysis).is_some()
            && !keeper.stretches.is_vague(way.start.node);
        if several && !all && is_ordered {
            self.one_vertex(keeper, way, &mut place, false);
        }
        let candidates = self.clean(&place);
        let any_of_region = place.at.is_none() && !all;
        let first = place.at.unwrap_or_else(|| self.lowest(&candidates));
        let start = if any_of_region { self.one(first) } else { candidates.clone() };
        let region = self.class(way.env, flood.region());
        let flooded = self.closure(start.clone(), |this, front| {
            let next = this.many(front);
            let next = this.follow(&flood.step, &next);
            let next = this.clean(&next);
            next.and(&region, &mut this.b)
        });
        let old = self.class(way.env, flood.old);
        let taken = flooded.and(&old, &mut self.b).or(&start, &mut self.b);
        // Which region is flooded must not depend on the vertex; and where it shows at which vertex a flood ends, it must
        // take one only.
        let reached = if shows { &start } else { &flooded };
        if any_of_region || shows {
            let all = taken.or(&candidates, &mut self.b);
            let rest = all.and_not(reached, &mut self.b);
            self.ask_if_any(keeper, &rest);
        }
        let mut env = way.env.clone();
        for piece in flood.old.union(place.under).iter().filter(|piece| *piece != flood.new) {
            let set = self.set(&env, piece).and_not(&taken, &mut self.b);
            env.sets[usize::from(piece.0)] = Held::Now(set);
        }
        let set = self.set(&env, flood.new).or(&taken, &mut self.b);
        env.sets[usize::from(flood.new.0)] = Held::Now(set);
        let place = self.at(first);
        let place = PointerSet { under: [flood.new].into_iter().collect(), ..place };
        Some(Flooded { flood, env, place, taken })
    }

    /// Goes on behind a flood.
    pub(super) fn leave_flood(
        &mut self,
        keeper: &mut Keeper,
        flooded: Flooded,
    ) -> Result<(), Unsupported> {
        let Flooded { flood, env, place, taken } = flooded;
        if self.analysis.leads_to_overrun(flood.node) {
            let count = taken.count(&mut self.b);
            self.count_made(keeper, flood.node, count);
        }
        let (round, _) = flood.round(self.analysis).expect("a flood has rounds");
        let refuted = [round.iter().collect()];
        let none = self.b.create_block();
        let way = Branch { transition: flood.exit(), refuted: &refuted, choice: None };
        self.keeper_way(keeper, way, &place, &env, none)?;
        self.b.switch_to_block(none);
        self.b.ins().jump(keeper.stuck, &[]);
        Ok(())
    }

    /// Leaves the move to the interpreter if a set is not empty.
    fn ask_if_any(&mut self, keeper: &Keeper, set: &Set) {
        let any: Value = set.is_nonempty(&mut self.b).value(&mut self.b);
        let go = self.b.create_block();
        self.b.ins().brif(any, keeper.ask, &[], go, &[]);
        self.b.switch_to_block(go);
    }
}
