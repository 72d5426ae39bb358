//! Loops without modifiers: short ones unrolled, others as floods (passes P5 and P11).

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
use cranelift_frontend::Variable as Slot;
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::line::parts_of;
use super::pointer_set::PointerSet;
use super::set::{Set, Word};
use crate::native::analysis::relation::is_static;
use crate::native::emit::Emitter;

impl Emitter<'_, '_> {
    pub(crate) fn forward_star(
        &mut self,
        body: &Rule,
        place: &PointerSet,
        env: &Env,
    ) -> PointerSet {
        let parts = parts_of(body);
        let under = self.everything();
        let start = self.clean(place);
        let everywhere = |set: Set| PointerSet {
            set,
            at: None,
            under,
            certain: place.certain,
            dirty: false,
            few: false,
        };
        if let Some(line) = self.line(parts) {
            return everywhere(match place.at {
                Some(at) => self.ray(&line, at, &start, env),
                None => self.fill(&line, &start, env, true),
            });
        }
        let step = |this: &mut Self, front: Set| {
            let place = PointerSet { certain: false, ..everywhere(front) };
            let next = this.forward(parts, &place, env);
            this.clean(&next)
        };
        everywhere(self.repeated(parts, start, step))
    }

    /// What a loop leads to from a set of vertices, forward or backward.
    pub(crate) fn repeated(
        &mut self,
        parts: &[Rule],
        start: Set,
        mut step: impl FnMut(&mut Self, Set) -> Set,
    ) -> Set {
        let Some(steps) = self.chain_length(parts) else { return self.closure(start, step) };
        let (mut all, mut front) = (start.clone(), start);
        for _ in 0..steps {
            front = step(self, front);
            all = all.or(&front, &mut self.b);
        }
        all
    }

    /// How often a loop body can be repeated at most, if it moves along one-way lines only and tests
    /// what it meets: short lines are better unrolled.
    pub(crate) fn chain_length(&self, parts: &[Rule]) -> Option<usize> {
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
    pub(crate) fn closure(
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
