//! Alternatives of the keeper that test and change something at one vertex and come together again:
//! all of them are computed and one is selected, without a branch that would be hard to predict
//! (pass P12).

use std::rc::Rc;

use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_rbg::declarations::{Piece, PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};

use super::stretch::{Stretches, may_fail};
use crate::native::analysis::Analysis;
use crate::native::analysis::guard::are_exclusive;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;
use crate::native::sets::environment::{Env, Held};
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Bool, Set};

/// Most modifiers that are computed although only some of them are taken.
const MAX_MODIFIERS: usize = 20;

/// Most words of a set; with more, selecting takes longer than a wrong guess.
const MAX_WORDS: usize = 2;

/// Alternatives that come together at a node. Exactly one of them is open.
pub(crate) struct Selection<'s> {
    alternatives: Vec<Vec<Item<'s>>>,
    pub(crate) join: NodeId,
}

enum Item<'s> {
    Test(&'s [Rule]),
    Modify(&'s Transition),
    Inner(Selection<'s>),
}

impl<'s> Selection<'s> {
    /// The selection that begins at a node, if it is one.
    pub(crate) fn at(analysis: &'s Analysis, stretches: &Stretches, node: NodeId) -> Option<Self> {
        let mut left = MAX_MODIFIERS;
        if analysis.words() > MAX_WORDS {
            return None;
        }
        Self::find(analysis, stretches, node, &mut left)
    }

    fn find(
        analysis: &'s Analysis,
        stretches: &Stretches,
        node: NodeId,
        left: &mut usize,
    ) -> Option<Self> {
        let transitions = &analysis.segments[node];
        if transitions.len() < 2 {
            return None;
        }
        let mut alternatives = Vec::new();
        let mut join = None;
        for (transition, to) in transitions {
            let mut items = Vec::new();
            let end = Self::follow(analysis, stretches, (transition, *to), &mut items, left)?;
            if *join.get_or_insert(end) != end {
                return None;
            }
            alternatives.push(items);
        }
        let exclusive = (0..transitions.len())
            .all(|i| (i + 1..transitions.len()).all(|j| are_exclusive(analysis, node, i, j)));
        let join = join.filter(|_| exclusive && stretches.goes_on(analysis, node))?;
        Some(Selection { alternatives, join })
    }

    /// Follows one alternative until it comes together with others.
    fn follow(
        analysis: &'s Analysis,
        stretches: &Stretches,
        (mut transition, mut to): (&'s Transition, NodeId),
        items: &mut Vec<Item<'s>>,
        left: &mut usize,
    ) -> Option<NodeId> {
        loop {
            match transition {
                Transition::Empty => {}
                Transition::Pure(rules) if rules.iter().all(is_cheap_test) => {
                    items.push(Item::Test(rules))
                }
                Transition::Off(..) | Transition::Assign(..) if !may_fail(analysis, transition) => {
                    *left = left.checked_sub(1)?;
                    items.push(Item::Modify(transition));
                }
                _ => return None,
            }
            if analysis.incoming[to] > 1 {
                return Some(to);
            }
            while analysis.segments[to].len() > 1 {
                let inner = Self::find(analysis, stretches, to, left)?;
                to = inner.join;
                items.push(Item::Inner(inner));
            }
            let (next, behind) = analysis.segments[to].first()?;
            (transition, to) = (next, *behind);
        }
    }
}

fn is_cheap_test(rule: &Rule) -> bool {
    matches!(rule.kind, RuleKind::On(_) | RuleKind::Comparison(..))
}

impl Emitter<'_, '_> {
    /// What a selection makes of the state at a place of one position.
    pub(crate) fn select_one(
        &mut self,
        selection: &Selection<'_>,
        here: &PointerSet,
        env: &Env,
    ) -> (Env, PointerSet) {
        let mut outcomes: Vec<(Bool, Env)> = Vec::new();
        let mut under: Option<PieceSet> = None;
        for items in &selection.alternatives {
            let (mut env, mut place) = (env.clone(), here.clone());
            let mut open = Bool::Const(true);
            for item in items {
                match item {
                    Item::Test(rules) => {
                        let passed = self.forward(rules, &place, &env);
                        let passes = self.nonempty(&passed);
                        open = open.and(passes, &mut self.b);
                        place.under = passed.under;
                    }
                    Item::Modify(transition) => {
                        self.modify(&mut env, &mut place, transition);
                    }
                    Item::Inner(inner) => (env, place) = self.select_one(inner, &place, &env),
                }
            }
            if open != Bool::Const(false) {
                under = Some(under.map_or(place.under, |under| under.union(place.under)));
                outcomes.push((open, env));
            }
        }
        let under = under.unwrap_or(here.under);
        (self.select_env(env, &outcomes), PointerSet { under, ..here.clone() })
    }

    /// What the alternative makes of an environment that is open: exactly one is. Only what an alternative changes is
    /// selected, so a choice among many variables costs as much as the changes of all alternatives together.
    fn select_env(&mut self, before: &Env, outcomes: &[(Bool, Env)]) -> Env {
        let mut env = before.clone();
        for p in 0..env.sets.len() {
            let same = |held: &Held<Set>| match (&before.sets[p], held) {
                (Held::Now(a), Held::Now(b)) => a == b,
                (Held::Slots(a), Held::Slots(b)) => Rc::ptr_eq(a, b),
                _ => false,
            };
            let changes = || outcomes.iter().filter(|(_, env)| !same(&env.sets[p]));
            let piece = Piece(p as u8);
            let mut chosen = (changes().count() < outcomes.len()).then(|| self.set(before, piece));
            for (open, outcome) in changes() {
                let set = self.set(outcome, piece);
                chosen = Some(match (chosen, open) {
                    (Some(other), Bool::Value(open)) => self.select_set(*open, &set, &other),
                    _ => set,
                });
            }
            if let Some(chosen) = chosen.filter(|_| changes().next().is_some()) {
                env.sets[p] = Held::Now(chosen);
            }
        }
        for v in 0..env.variables.len() {
            let same = |held: &Held<Value>| match (&before.variables[v], held) {
                (Held::Now(a), Held::Now(b)) => a == b,
                (Held::Slots(a), Held::Slots(b)) => Rc::ptr_eq(a, b),
                _ => false,
            };
            let changes = || outcomes.iter().filter(|(_, env)| !same(&env.variables[v]));
            let variable = Variable(v as u16);
            let mut chosen =
                (changes().count() < outcomes.len()).then(|| self.variable(before, variable));
            for (open, outcome) in changes() {
                let value = self.variable(outcome, variable);
                chosen = Some(match (chosen, open) {
                    (Some(other), Bool::Value(open)) => self.b.ins().select(*open, value, other),
                    _ => value,
                });
            }
            if let Some(chosen) = chosen.filter(|_| changes().next().is_some()) {
                env.variables[v] = Held::Now(chosen);
            }
        }
        env
    }
}
