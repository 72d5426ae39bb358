//! Walking the rest of a move that was drawn: one way within its bounds, exactly as the rules say, or
//! back to the draw (pass P10).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::continuation::{Amount, Branch, Continuation, Stop};
use super::entries::Next;
use super::playout::PlayoutEmitter;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Bool;

/// A move that is being drawn.
pub(crate) struct Draw<'d> {
    pub(crate) player: &'d mut PlayoutEmitter,
    /// Where it goes on if what was drawn is no move.
    pub(crate) reject: Block,
    /// Where it goes on if it is a move, but not taken by a guided playout.
    pub(crate) declined: Block,
}

impl Emitter<'_, '_> {
    /// Where the walk can be at some nodes of a segment; only what leads there is looked at.
    pub(crate) fn reach(
        &mut self,
        rest: &Continuation,
        wanted: &[NodeId],
        from: &PointerSet,
        env: &Env,
    ) -> Result<Vec<PointerSet>, Unsupported> {
        let analysis = self.analysis;
        let order = analysis
            .segments
            .topological(rest.node)
            .ok_or_else(|| Unsupported("a loop that may pass no modifier".to_owned()))?;
        let mut leads: FxHashSet<NodeId> = wanted.iter().copied().collect();
        for node in order.iter().rev() {
            let transitions = &analysis.segments[*node];
            if transitions
                .iter()
                .any(|(transition, to)| transition.is_inner() && leads.contains(to))
            {
                leads.insert(*node);
            }
        }
        let mut reached: FxHashMap<NodeId, PointerSet> = FxHashMap::default();
        reached.insert(rest.node, from.clone());
        for node in &order {
            let Some(place) = reached.get(node).cloned() else { continue };
            if place.set.is_empty_constant() {
                continue;
            }
            for (transition, to) in &analysis.segments[*node] {
                if !transition.is_inner() || !leads.contains(to) {
                    continue;
                }
                let next = match transition {
                    Transition::Pure(rules) => self.forward(rules, &place, env),
                    Transition::Check { negated, start, end } => {
                        self.check(*negated, *start, *end, &place, env)?
                    }
                    _ => place.clone(),
                };
                let merged = match reached.remove(to) {
                    Some(other) => self.union(&other, &next),
                    None => next,
                };
                reached.insert(*to, merged);
            }
        }
        let place = |node: &NodeId| reached.get(node).cloned().unwrap_or_else(|| self.nowhere());
        Ok(wanted.iter().map(place).collect())
    }

    pub(crate) fn go_on(
        &mut self,
        draw: &mut Draw<'_>,
        then: &Next,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        match then {
            Next::Take(ways, behind) => self.take_one(draw, ways, *behind, here, env),
            Next::Walk(rest, stop) => self.walk_to(draw, rest, *stop, here, env),
        }
    }

    /// Takes one of some modifiers and walks on; rejects the draw if there is no such way.
    fn take_one(
        &mut self,
        draw: &mut Draw<'_>,
        ways: &[Branch],
        bound: Amount,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let amounts: Vec<Amount> = ways.iter().map(Branch::bound).collect();
        self.one_of(draw, &amounts, bound, |this, draw, k| {
            let way = &ways[k];
            let analysis = this.analysis;
            let (transition, to) = &analysis.segments[way.transition];
            let mut env = env.clone();
            let mut here = here.clone();
            let at = here.at.expect("modifiers are made on one vertex");
            let is_last = way.rest.is_none();
            this.add_to_hash(draw.player, transition, (at, here.under), &env, is_last)?;
            let ok = this.modify(&mut env, &mut here, transition);
            this.require(ok, draw.reject);
            match (transition, &way.rest) {
                (Transition::Switch(p, _), _) => {
                    this.accept(draw);
                    this.commit(draw.player, p.0, *to, &here, &env)
                }
                (_, Some(rest)) => this.walk(draw, rest, &here, &env),
                (_, None) => {
                    for id in &way.asked {
                        let ok = this.fits(*id, &env);
                        this.require(ok, draw.reject);
                    }
                    this.accept(draw);
                    this.determined_rest(&mut draw.player.keeper, *to, &here, &env)
                }
            }
        })
    }

    /// Walks from a node at one vertex to a switch.
    fn walk(
        &mut self,
        draw: &mut Draw<'_>,
        rest: &Continuation,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let amounts: Vec<Amount> = rest.stops.iter().map(|s| s.weight).collect();
        if !rest.exclusive {
            return self.one_of(draw, &amounts, rest.bound, |this, draw, k| {
                this.walk_to(draw, rest, k, here, env)
            });
        }
        // A way among those of the largest stop: none if the one that is open has fewer.
        let even = amounts.iter().all(|amount| *amount == rest.bound);
        let bound = self.amount(rest.bound);
        let number = (!even).then(|| self.below(draw.player, bound));
        for (k, amount) in amounts.iter().enumerate() {
            let place = self.reach(rest, &[rest.stops[k].node], here, env)?.remove(0);
            if place.set.is_empty_constant() {
                continue;
            }
            let closed = self.b.create_block();
            let open = self.nonempty(&place);
            self.require(open, closed);
            if let Some(number) = number {
                let amount = self.amount(*amount);
                let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, number, amount);
                self.require(Bool::Value(exists), draw.reject);
            }
            self.take_at(draw, &rest.stops[k], &place, env)?;
            self.b.switch_to_block(closed);
        }
        self.b.ins().jump(draw.reject, &[]);
        Ok(())
    }

    /// Walks to one of the vertices of a stop, and on.
    fn walk_to(
        &mut self,
        draw: &mut Draw<'_>,
        rest: &Continuation,
        k: usize,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let stop = &rest.stops[k];
        let place = self.reach(rest, &[stop.node], here, env)?.remove(0);
        self.take_at(draw, stop, &place, env)
    }

    /// Takes a modifier of a stop at one of the vertices of a place, and walks on.
    fn take_at(
        &mut self,
        draw: &mut Draw<'_>,
        stop: &Stop,
        place: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        if place.set.is_empty_constant() {
            self.b.ins().jump(draw.reject, &[]);
            return Ok(());
        }
        let at = match (place.at, stop.width) {
            (Some(at), Amount::Const(1)) => {
                let there = self.nonempty(place);
                self.require(there, draw.reject);
                at
            }
            (_, width) => {
                let set = self.clean(place);
                let (index, most) = match width {
                    Amount::Const(1) => (self.constant(0), 1),
                    Amount::Const(c) => {
                        let bound = self.amount(width);
                        (self.below(draw.player, bound), c)
                    }
                    Amount::Value(bound) => (self.below(draw.player, bound), u64::MAX),
                };
                let exists = if most == 1 {
                    set.is_nonempty(&mut self.b)
                } else {
                    let count = set.count(&mut self.b);
                    Bool::Value(self.b.ins().icmp(IntCC::UnsignedLessThan, index, count))
                };
                self.require(exists, draw.reject);
                self.nth_of(draw.player, &set, index, most)
            }
        };
        let mut there = self.at(at);
        there.under = place.under;
        self.take_one(draw, &stop.ways, stop.behind, &there, env)
    }

    /// Goes one of several ways, each as often as its weight says.
    fn one_of(
        &mut self,
        draw: &mut Draw<'_>,
        amounts: &[Amount],
        bound: Amount,
        mut body: impl FnMut(&mut Self, &mut Draw<'_>, usize) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        if amounts.len() == 1 {
            return body(self, draw, 0);
        }
        let bound = self.amount(bound);
        let mut r = self.below(draw.player, bound);
        for (k, amount) in amounts.iter().enumerate() {
            if k + 1 == amounts.len() {
                return body(self, draw, k);
            }
            let (mine, next) = (self.b.create_block(), self.b.create_block());
            let amount = self.amount(*amount);
            let here = self.b.ins().icmp(IntCC::UnsignedLessThan, r, amount);
            self.b.ins().brif(here, mine, &[], next, &[]);
            self.b.switch_to_block(mine);
            body(self, draw, k)?;
            self.b.switch_to_block(next);
            r = self.b.ins().isub(r, amount);
        }
        Ok(())
    }

    /// Ends a move: the edited values become the state, and the next to move goes on.
    pub(crate) fn commit(
        &mut self,
        player: &mut PlayoutEmitter,
        to_move: u8,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let pointer = here.at.expect("a switch happens on one vertex");
        if to_move == 0 {
            return self.keeper_enter(&mut player.keeper, node, here, env);
        }
        let slots = player.keeper.slots.clone();
        self.fill_slots(&slots, env, pointer);
        let block = player.keeper.player_block(self, node);
        self.b.ins().jump(block, &[]);
        Ok(())
    }
}
