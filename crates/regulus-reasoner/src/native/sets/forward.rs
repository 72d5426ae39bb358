//! Walking forward through rules without modifiers: from a place to a place (passes P4-P6).

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::{Bool, Set, Word};
use crate::native::analysis::relation::is_static;
use crate::native::analysis::single::only_tests;
use crate::native::emit::Emitter;

/// Instructions from which on a test is worth a branch around it.
pub(crate) const WORTH_A_BRANCH: usize = 60;

impl Emitter<'_, '_> {
    /// Walks forward through rules without modifiers.
    pub(crate) fn forward(&mut self, rules: &[Rule], from: &PointerSet, env: &Env) -> PointerSet {
        let mut place = from.clone();
        let mut i = 0;
        while i < rules.len() {
            if place.set.is_empty_constant() {
                return self.nowhere();
            }
            if !place.certain
                && self.cost(&rules[i..]) > WORTH_A_BRANCH
                && !self.is_shared(&rules[i..], &place, env)
            {
                return self.forward_if_anywhere(&rules[i..], &place, env);
            }
            if let Some((reached, used)) = self.forward_line(&rules[i..], &place, env) {
                place = reached;
                i += used;
                continue;
            }
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rules[i..i + run]);
                place = self.follow(&relation, &place);
                i += run;
            } else if let (RuleKind::Star(body), Some(next)) = (&rules[i].kind, rules.get(i + 1))
                && let Some(end) = self.end_of_run(body, next, &place, env)
            {
                place = end;
                i += 2;
            } else {
                place = self.forward_one(&rules[i], &place, env);
                i += 1;
            }
        }
        place
    }

    /// The same, skipped if there is no place to begin at: what follows is expensive.
    pub(crate) fn forward_if_anywhere(
        &mut self,
        rules: &[Rule],
        from: &PointerSet,
        env: &Env,
    ) -> PointerSet {
        let words = self.words();
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        let results: Vec<Value> =
            (0..words).map(|_| self.b.append_block_param(after, I64)).collect();
        let zero = self.constant(0);
        let nothing: Vec<BlockArg> = (0..words).map(|_| zero.into()).collect();
        let position = self.b.declare_var(I64);
        self.b.def_var(position, zero);
        let some = self.nonempty(from).value(&mut self.b);
        self.b.ins().brif(some, inside, &[], after, &nothing);
        self.b.switch_to_block(inside);
        let set = self.clean(from);
        let from = PointerSet { set, certain: true, dirty: false, ..from.clone() };
        let place = self.forward(rules, &from, env);
        let set = self.clean(&place);
        let found: Vec<BlockArg> =
            set.0.iter().map(|w| BlockArg::from(w.value(&mut self.b))).collect();
        if let Some(at) = place.at {
            self.b.def_var(position, at);
        }
        self.b.ins().jump(after, &found);
        self.b.switch_to_block(after);
        // Where nothing moved, it is still the same position.
        let at = place.at.map(|at| match from.at == Some(at) {
            true => at,
            false => self.b.use_var(position),
        });
        let set = Set(results.into_iter().map(Word::Value).collect());
        PointerSet { set, at, under: place.under, certain: false, dirty: false, few: place.few }
    }

    /// Roughly how many instructions rules take.
    pub(crate) fn cost(&self, rules: &[Rule]) -> usize {
        rules.iter().map(|rule| self.cost_of(rule)).sum::<usize>() * self.words()
    }

    pub(crate) fn cost_of(&self, rule: &Rule) -> usize {
        if is_static(rule) {
            return 2;
        }
        match &rule.kind {
            RuleKind::On(pieces) => pieces.len().min(4),
            RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
                parts.iter().map(|p| self.cost_of(p)).sum()
            }
            RuleKind::Star(body) => 8 * self.cost_of(body),
            RuleKind::Condition { body, .. } => 1 + self.cost_of(body),
            _ => 3,
        }
    }

    pub(crate) fn forward_one(&mut self, rule: &Rule, place: &PointerSet, env: &Env) -> PointerSet {
        match &rule.kind {
            RuleKind::On(pieces) => {
                let under = place.under.intersection(*pieces);
                if under.is_empty() {
                    return self.nowhere();
                }
                if under == place.under && !place.dirty {
                    return place.clone();
                }
                let class = self.class(env, *pieces);
                let set = place.set.and(&class, &mut self.b);
                PointerSet { set, under, certain: false, dirty: false, ..place.clone() }
            }
            RuleKind::Concatenation(parts) => self.forward(parts, place, env),
            RuleKind::Sum(alternatives)
                if place.at.is_some()
                    && alternatives.iter().all(only_tests)
                    && self.cost(alternatives) > WORTH_A_BRANCH =>
            {
                // Tests are asked one after the other, until one succeeds.
                let holds = self.can_walk(std::slice::from_ref(rule), place, env);
                let set = place.set.when(holds, &mut self.b);
                PointerSet { set, certain: false, ..place.clone() }
            }
            RuleKind::Sum(alternatives) => {
                let mut union: Option<PointerSet> = None;
                for alternative in alternatives {
                    let one = self.forward(std::slice::from_ref(alternative), place, env);
                    union = Some(match union {
                        None => one,
                        Some(all) => self.union(&all, &one),
                    });
                }
                union.unwrap_or_else(|| self.nowhere())
            }
            RuleKind::Star(body) => self.forward_star(body, place, env),
            RuleKind::Comparison(comparison, sides) => {
                let holds = self.compare(*comparison, sides, env);
                let set = place.set.when(holds, &mut self.b);
                let certain = place.certain && holds == Bool::Const(true);
                PointerSet { set, certain, ..place.clone() }
            }
            RuleKind::Condition { negated, body } => {
                let body = std::slice::from_ref(&**body);
                let set = if let Some(at) = place.at {
                    let mut holds = if let Some(holds) = self.ask_pattern(&body[0], place, env) {
                        holds
                    } else if self.has_function(&body[0], env) {
                        self.call_condition(&body[0], at, env)
                    } else {
                        self.can_walk(body, place, env)
                    };
                    if *negated {
                        holds = holds.not(&mut self.b);
                    }
                    place.set.when(holds, &mut self.b)
                } else {
                    let full = Set::constant(&self.analysis.full);
                    let holds = self.backward(body, &full, env);
                    let set = self.clean(place);
                    if *negated {
                        set.and_not(&holds, &mut self.b)
                    } else {
                        set.and(&holds, &mut self.b)
                    }
                };
                PointerSet {
                    set,
                    certain: false,
                    dirty: place.dirty && place.at.is_some(),
                    ..place.clone()
                }
            }
            _ => place.clone(),
        }
    }

    pub(crate) fn union(&mut self, a: &PointerSet, b: &PointerSet) -> PointerSet {
        if a.set.is_empty_constant() {
            return b.clone();
        }
        if b.set.is_empty_constant() {
            return a.clone();
        }
        PointerSet {
            set: a.set.or(&b.set, &mut self.b),
            at: a.at.filter(|at| b.at == Some(*at)),
            under: a.under.union(b.under),
            certain: a.certain || b.certain,
            dirty: a.dirty || b.dirty,
            few: a.few && b.few && a.at.is_some() && b.at.is_some(),
        }
    }
}
