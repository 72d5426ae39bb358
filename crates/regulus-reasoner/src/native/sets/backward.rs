//! Walking backward: the set of all vertices from which rules without modifiers can be walked
//! (pass P6).

use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::line::parts_of;
use super::set::Set;
use crate::native::analysis::bits::Bits;
use crate::native::analysis::relation::{Relation, is_static};
use crate::native::emit::Emitter;

impl Emitter<'_, '_> {
    /// The vertices from which rules without modifiers lead into `to`.
    pub(crate) fn backward(&mut self, rules: &[Rule], to: &Set, env: &Env) -> Set {
        let mut set = to.clone();
        let mut end = rules.len();
        while end > 0 {
            if let Some(before) = self.back_over_static(&rules[..end], &set) {
                (end, set) = before;
            } else {
                set = self.backward_one(&rules[end - 1], &set, env);
                end -= 1;
            }
        }
        set
    }

    /// If rules end with some that only follow edges: how many come before those, and the vertices there from which
    /// the set can be reached.
    pub(crate) fn back_over_static(&mut self, rules: &[Rule], to: &Set) -> Option<(usize, Set)> {
        let run = rules.iter().rev().take_while(|r| is_static(r)).count();
        let before = rules.len() - run;
        (run > 0).then(|| (before, self.lead_to(&self.analysis.relation(&rules[before..]), to)))
    }

    pub(crate) fn lead_to(&mut self, relation: &Relation, to: &Set) -> Set {
        let full = self.analysis.full.clone();
        if let Some(constant) = &relation.constant {
            let hit = to.and(&Set::constant(constant), &mut self.b).is_nonempty(&mut self.b);
            return Set::constant(&full).when(hit, &mut self.b);
        }
        let is_full = *to == Set::constant(&full);
        if is_full {
            let domain: Bits = relation.domain(self.words());
            return Set::constant(&domain);
        }
        let mut union = Set::empty(self.words());
        for group in &relation.groups {
            let back = to.shift(-group.delta, &mut self.b);
            let back = back.and(&Set::constant(&group.sources), &mut self.b);
            union = union.or(&back, &mut self.b);
        }
        union
    }

    pub(crate) fn backward_one(&mut self, rule: &Rule, to: &Set, env: &Env) -> Set {
        match &rule.kind {
            RuleKind::On(pieces) => {
                let class = self.class(env, *pieces);
                to.and(&class, &mut self.b)
            }
            RuleKind::Concatenation(parts) => self.backward(parts, to, env),
            RuleKind::Sum(alternatives) => {
                let mut union = Set::empty(self.words());
                for alternative in alternatives {
                    let one = self.backward(std::slice::from_ref(alternative), to, env);
                    union = union.or(&one, &mut self.b);
                }
                union
            }
            RuleKind::Star(body) => {
                let parts = parts_of(body);
                match self.line(parts) {
                    Some(line) => self.fill(&line, to, env, false),
                    None => self.repeated(parts, to.clone(), |this, front| {
                        this.backward(parts, &front, env)
                    }),
                }
            }
            RuleKind::Comparison(comparison, sides) => {
                let holds = self.compare(*comparison, sides, env);
                to.when(holds, &mut self.b)
            }
            RuleKind::Condition { negated, body } => {
                let full = Set::constant(&self.analysis.full);
                let holds = self.backward(std::slice::from_ref(&**body), &full, env);
                if *negated { to.and_not(&holds, &mut self.b) } else { to.and(&holds, &mut self.b) }
            }
            _ => to.clone(),
        }
    }
}
