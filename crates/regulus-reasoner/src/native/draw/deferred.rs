//! Deferred checks: a condition with modifiers is asked of the vertex that was drawn, not of all that could be drawn.
//!
//! The set is kept unfiltered; a vertex at which the condition fails is taken out of it, and the draw begins anew. Every
//! vertex that is left is drawn as often as any other, so that moves stay equally likely, and none is asked twice.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::rule::Rule;

use super::continuation::{Continuation, Stop};
use super::entries::Entry;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::analysis::single::only_tests;
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Set, Word};

/// A condition with modifiers, as its transition has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Check {
    negated: bool,
    start: NodeId,
    end: NodeId,
}

/// The end of the only path to a stop: from here on the walk stays where it is, and asks.
pub(crate) struct Deferral<'a> {
    /// Where the path begins.
    pub(crate) from: NodeId,
    pub(crate) checks: Vec<Check>,
    /// The tests between the checks.
    tests: Vec<&'a [Rule]>,
}

/// Vertices that checks take out of a set while a move is drawn.
pub(crate) struct Shrinking {
    slots: Vec<Slot>,
    /// Where moves are counted again.
    recount: Block,
}

impl<'a> Emitter<'a, '_> {
    /// What can be asked late before a stop.
    pub(crate) fn deferral(&self, rest: &Continuation, stop: &Stop) -> Option<Deferral<'a>> {
        let analysis = self.analysis;
        let order = analysis.segments.topological(rest.node)?;
        let mut deferral = Deferral { from: stop.node, checks: Vec::new(), tests: Vec::new() };
        let mut asked = (stop.node, 0);
        while deferral.from != rest.node {
            let goal = deferral.from;
            let mut entering = order.iter().flat_map(|node| {
                let transitions = analysis.segments[*node].iter();
                transitions.filter(|(t, to)| *to == goal && t.is_inner()).map(|(t, _)| (*node, t))
            });
            let (Some((node, transition)), None) = (entering.next(), entering.next()) else {
                break;
            };
            match transition {
                Transition::Empty => {}
                Transition::Check { negated, start, end } => {
                    deferral.checks.push(Check { negated: *negated, start: *start, end: *end });
                }
                Transition::Pure(rules) if rules.iter().all(only_tests) => {
                    deferral.tests.push(rules)
                }
                _ => break,
            }
            deferral.from = node;
            if matches!(transition, Transition::Check { .. }) {
                asked = (node, deferral.tests.len());
            }
        }
        // Tests before the first check belong to what comes before.
        (deferral.from, _) = asked;
        deferral.tests.truncate(asked.1);
        deferral.checks.reverse();
        deferral.tests.reverse();
        (!deferral.checks.is_empty()).then_some(deferral)
    }

    /// Where the walk may be at a stop if all checks hold.
    pub(crate) fn before_checks(
        &mut self,
        deferral: &Deferral<'a>,
        place: &PointerSet,
        env: &Env,
    ) -> PointerSet {
        let place = deferral
            .tests
            .iter()
            .fold(place.clone(), |place, rules| self.forward(rules, &place, env));
        PointerSet { certain: false, ..place }
    }

    /// Keeps the places at which all checks hold.
    pub(crate) fn check_all(
        &mut self,
        checks: &[Check],
        place: PointerSet,
        env: &Env,
    ) -> Result<PointerSet, Unsupported> {
        checks.iter().try_fold(place, |place, check| {
            self.check(check.negated, check.start, check.end, &place, env)
        })
    }

    /// Makes sets that checks can take vertices out of; counting begins where this ends.
    pub(crate) fn make_shrinking(&mut self, entries: &mut [Entry]) {
        if entries.iter().all(|entry| entry.checks.is_empty()) {
            return;
        }
        let recount = self.b.create_block();
        for entry in entries.iter_mut().filter(|entry| !entry.checks.is_empty()) {
            let mut slots = Vec::new();
            for word in &entry.set.0 {
                let (slot, value) = (self.b.declare_var(I64), word.value(&mut self.b));
                self.b.def_var(slot, value);
                slots.push(slot);
            }
            entry.shrinking = Some(Shrinking { slots, recount });
        }
        self.b.ins().jump(recount, &[]);
        self.b.switch_to_block(recount);
        for entry in entries {
            if let Some(shrinking) = &entry.shrinking {
                let words = shrinking.slots.iter().map(|slot| Word::Value(self.b.use_var(*slot)));
                entry.set = Set(words.collect());
            }
        }
    }

    /// Goes on only if all checks hold at the vertex that was drawn; else it is drawn no more.
    pub(crate) fn require_checks(
        &mut self,
        entry: &Entry,
        at: Value,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let Some(Shrinking { slots, recount }) = &entry.shrinking else { return Ok(()) };
        let failed = self.b.create_block();
        for check in &entry.checks {
            let (found, missing) = (self.b.create_block(), self.b.create_block());
            self.exists(check.start, check.end, here, env, found)?;
            self.b.ins().jump(missing, &[]);
            let (holds, fails) = if check.negated { (missing, found) } else { (found, missing) };
            self.b.switch_to_block(fails);
            self.b.ins().jump(failed, &[]);
            self.b.switch_to_block(holds);
        }
        let on = self.b.create_block();
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(failed);
        let bit = self.one(at);
        for (slot, bit) in slots.iter().zip(&bit.0) {
            let (old, bit) = (self.b.use_var(*slot), bit.value(&mut self.b));
            let less = self.b.ins().band_not(old, bit);
            self.b.def_var(*slot, less);
        }
        self.b.ins().jump(*recount, &[]);
        self.b.switch_to_block(on);
        Ok(())
    }
}
