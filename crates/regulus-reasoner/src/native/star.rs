//! Loops without modifiers: lines from tables, unrolled lines, floods (passes P5 and P11).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::rule::{Rule, RuleKind};

use super::emit::Emitter;
use super::environment::Env;
use super::place::Where;
use super::relation::is_static;
use super::set::{Set, Word};

impl Emitter<'_, '_> {
    pub(super) fn forward_star(&mut self, body: &Rule, place: &Where, env: &Env) -> Where {
        let parts = match &body.kind {
            RuleKind::Concatenation(parts) => parts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let under = self.everything();
        let start = self.clean(place);
        if let Some(at) = place.at
            && let Some(set) = self.ray(parts, at, &start, env)
        {
            return Where { set, at: None, under, certain: place.certain, dirty: false };
        }
        if let Some(steps) = self.chain_length(parts) {
            let (mut all, mut front) = (start.clone(), start);
            for _ in 0..steps {
                let place = Where { set: front, at: None, under, certain: false, dirty: false };
                let next = self.forward(parts, &place, env);
                front = self.clean(&next);
                all = all.or(&front, &mut self.b);
            }
            return Where { set: all, at: None, under, certain: place.certain, dirty: false };
        }
        let set = self.closure(start, |this, front| {
            let place = Where { set: front, at: None, under, certain: false, dirty: false };
            let next = this.forward(parts, &place, env);
            this.clean(&next)
        });
        Where { set, at: None, under, certain: place.certain, dirty: false }
    }

    /// A loop along a line from one vertex: everything up to the first vertex that stops it, found in
    /// a table (pass P5). The body is `f {S}` or `{S} f`.
    pub(super) fn ray(&mut self, parts: &[Rule], at: Value, start: &Set, env: &Env) -> Option<Set> {
        let (line, pieces, test_first) = match parts {
            [.., last] if parts[..parts.len() - 1].iter().all(is_static) => match &last.kind {
                RuleKind::On(pieces) => (&parts[..parts.len() - 1], *pieces, false),
                _ => return None,
            },
            [first, rest @ ..] if rest.iter().all(is_static) => match &first.kind {
                RuleKind::On(pieces) => (rest, *pieces, true),
                _ => return None,
            },
            _ => return None,
        };
        if line.is_empty() {
            return None;
        }
        let relation = self.analysis.relation(line);
        let [group] = relation.groups.as_slice() else { return None };
        relation.longest_chain?;
        let forward = group.delta > 0;
        let ray = self.whole_line(&relation, at);
        let class = self.class(env, pieces);
        let stops = ray.and_not(&class, &mut self.b);
        // What must be tested to be entered ends before the stop, what is tested to go on at it.
        let mut reached = self.up_to(&ray, &stops, forward, test_first);
        let can_start = if test_first { start.and(&class, &mut self.b) } else { start.clone() };
        let some = can_start.is_nonempty(&mut self.b);
        reached = reached.when(some, &mut self.b);
        Some(reached.or(start, &mut self.b))
    }

    /// The lowest position of a set, or the number of all positions if it is empty.
    pub(super) fn lowest_or_end(&mut self, set: &Set) -> Value {
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let mut at = self.constant(words.len() as i64 * 64);
        for (i, word) in words.iter().enumerate().rev() {
            let low = self.b.ins().ctz(*word);
            let here = self.b.ins().iadd_imm_s(low, i as i64 * 64);
            if i + 1 == words.len() {
                // Counting zeros of an empty word gives 64, which is what is wanted in the last one.
                at = here;
            } else {
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, *word, 0);
                at = self.b.ins().select(some, here, at);
            }
        }
        at
    }

    /// How often a loop body can be repeated at most, if it moves along one-way lines only and tests
    /// what it meets: short lines are better unrolled.
    pub(super) fn chain_length(&self, parts: &[Rule]) -> Option<usize> {
        let mut statics: Vec<&[Rule]> = Vec::new();
        for run in parts.chunk_by(|a, b| is_static(a) == is_static(b)) {
            if is_static(&run[0]) {
                statics.push(run);
            } else if !run.iter().all(|r| matches!(r.kind, RuleKind::On(_))) {
                return None;
            }
        }
        match statics.as_slice() {
            [run] => {
                let relation = self.analysis.relation(run);
                let single = relation.groups.len() == 1;
                relation.longest_chain.filter(|n| single && *n <= 20)
            }
            _ => None,
        }
    }

    /// The smallest set that contains `start` and what `step` gives for its parts.
    pub(super) fn closure(
        &mut self,
        start: Set,
        mut step: impl FnMut(&mut Self, Set) -> Set,
    ) -> Set {
        let words = self.words();
        let all: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        let front: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        for (i, word) in start.0.iter().enumerate() {
            let value = word.value(&mut self.b);
            self.b.def_var(all[i], value);
            self.b.def_var(front[i], value);
        }
        let (head, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let current = Set(front.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        let next = step(self, current);
        let known = Set(all.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        let new = next.and_not(&known, &mut self.b);
        let grown = known.or(&new, &mut self.b);
        for i in 0..words {
            let (g, n) = (grown.0[i].value(&mut self.b), new.0[i].value(&mut self.b));
            self.b.def_var(all[i], g);
            self.b.def_var(front[i], n);
        }
        let more = new.is_nonempty(&mut self.b).value(&mut self.b);
        self.b.ins().brif(more, head, &[], done, &[]);
        self.b.switch_to_block(done);
        Set(all.iter().map(|s| Word::Value(self.b.use_var(*s))).collect())
    }
}
