//! Segments: which modifiers can come next, and where; conditions that contain modifiers; loops over
//! sets.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable as Slot;

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::{Bool, Set, Word};
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::emit::Emitter;

impl Emitter<'_, '_> {
    /// Where the walk can be at every node of the segment that begins at `node`.
    pub(crate) fn segment(
        &mut self,
        node: NodeId,
        from: &PointerSet,
        env: &Env,
    ) -> Result<Vec<(NodeId, PointerSet)>, Unsupported> {
        let analysis = self.analysis;
        let order = analysis
            .segments
            .topological(node)
            .ok_or_else(|| Unsupported("a loop that may pass no modifier".to_owned()))?;
        let mut reached: Vec<(NodeId, PointerSet)> = Vec::with_capacity(order.len());
        let mut pending: rustc_hash::FxHashMap<NodeId, PointerSet> =
            rustc_hash::FxHashMap::default();
        pending.insert(node, from.clone());
        for node in order {
            let Some(place) = pending.remove(&node) else { continue };
            if place.set.is_empty_constant() {
                continue;
            }
            for (transition, to) in &analysis.segments[node] {
                let next = match transition {
                    Transition::Empty => place.clone(),
                    Transition::Pure(rules) => self.forward(rules, &place, env),
                    Transition::Check { negated, start, end } => {
                        self.check(*negated, *start, *end, &place, env)?
                    }
                    _ => continue,
                };
                let merged = match pending.remove(to) {
                    Some(other) => self.union(&other, &next),
                    None => next,
                };
                pending.insert(*to, merged);
            }
            reached.push((node, place));
        }
        Ok(reached)
    }

    /// The transitions that end the segment which begins at `node`, with where they can be taken.
    pub(crate) fn exits(
        &mut self,
        node: NodeId,
        from: &PointerSet,
        env: &Env,
    ) -> Result<Vec<(TransitionId, PointerSet)>, Unsupported> {
        let mut exits = Vec::new();
        for (node, place) in self.segment(node, from, env)? {
            for id in self.analysis.segments.leaving(node) {
                if !self.analysis.segments[id].0.is_inner() {
                    exits.push((id, place.clone()));
                }
            }
        }
        Ok(exits)
    }

    /// Keeps the places at which a condition with modifiers holds.
    pub(crate) fn check(
        &mut self,
        negated: bool,
        start: NodeId,
        end: NodeId,
        place: &PointerSet,
        env: &Env,
    ) -> Result<PointerSet, Unsupported> {
        if let Some(at) = place.at {
            let reached = self.nonempty(place);
            let (inside, after) = (self.b.create_block(), self.b.create_block());
            let result = self.b.append_block_param(after, I8);
            let reached = reached.value(&mut self.b);
            let no = self.b.ins().iconst(I8, 0);
            self.b.ins().brif(reached, inside, &[], after, &[no.into()]);
            self.b.switch_to_block(inside);
            let here = self.at(at);
            let here = PointerSet { under: place.under, ..here };
            let (found, missing) = (self.b.create_block(), self.b.create_block());
            self.exists_or_known((start, end), &here, env, (found, missing))?;
            self.b.switch_to_block(found);
            let yes = self.b.ins().iconst(I8, i64::from(!negated));
            self.b.ins().jump(after, &[yes.into()]);
            self.b.switch_to_block(missing);
            let no = self.b.ins().iconst(I8, i64::from(negated));
            self.b.ins().jump(after, &[no.into()]);
            self.b.switch_to_block(after);
            let set = place.set.when(Bool::Value(result), &mut self.b);
            return Ok(PointerSet { set, certain: false, ..place.clone() });
        }
        // For many places, one after the other.
        let words = self.words();
        let kept: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        let zero = self.constant(0);
        kept.iter().for_each(|s| self.b.def_var(*s, zero));
        let set = self.clean(place);
        let under = place.under;
        let mut failure = None;
        self.for_each(&set, |this, at| {
            let here = this.at(at);
            let here = PointerSet { under, ..here };
            let (found, missing) = (this.b.create_block(), this.b.create_block());
            let after = this.b.create_block();
            if let Err(e) = this.exists(start, end, &here, env, found) {
                failure = Some(e);
            }
            this.b.ins().jump(missing, &[]);
            let (keep, drop) = if negated { (missing, found) } else { (found, missing) };
            this.b.switch_to_block(keep);
            for (slot, word) in kept.iter().zip(&here.set.0) {
                let old = this.b.use_var(*slot);
                let word = word.value(&mut this.b);
                let new = this.b.ins().bor(old, word);
                this.b.def_var(*slot, new);
            }
            this.b.ins().jump(after, &[]);
            this.b.switch_to_block(drop);
            this.b.ins().jump(after, &[]);
            this.b.switch_to_block(after);
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let set = Set(kept.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        Ok(PointerSet { set, at: None, certain: false, dirty: false, under, few: false })
    }

    /// Jumps to one of two blocks: whether there is a walk, by what is remembered of it if anything is.
    fn exists_or_known(
        &mut self,
        (start, end): (NodeId, NodeId),
        here: &PointerSet,
        env: &Env,
        (found, missing): (Block, Block),
    ) -> Result<(), Unsupported> {
        let Some(remembered) = self.recall((start, end), env, (found, missing)) else {
            self.exists(start, end, here, env, found)?;
            self.b.ins().jump(missing, &[]);
            return Ok(());
        };
        let found_now = self.b.create_block();
        self.exists(start, end, here, env, found_now)?;
        self.remember(&remembered, false);
        self.b.ins().jump(missing, &[]);
        self.b.switch_to_block(found_now);
        self.remember(&remembered, true);
        self.b.ins().jump(found, &[]);
        Ok(())
    }

    /// Goes on only if a condition is true; jumps elsewhere if not.
    pub(crate) fn require(&mut self, condition: Bool, otherwise: Block) {
        if condition != Bool::Const(true) {
            let go = self.b.create_block();
            let condition = condition.value(&mut self.b);
            self.b.ins().brif(condition, go, &[], otherwise, &[]);
            self.b.switch_to_block(go);
        }
    }

    /// Goes on only if a condition is true; [`Emitter::rejoin`] brings both ways together.
    pub(crate) fn guard(&mut self, condition: Bool) -> Option<Block> {
        match condition {
            Bool::Const(true) => None,
            condition => {
                let (inside, after) = (self.b.create_block(), self.b.create_block());
                let c = condition.value(&mut self.b);
                self.b.ins().brif(c, inside, &[], after, &[]);
                self.b.switch_to_block(inside);
                Some(after)
            }
        }
    }

    pub(crate) fn rejoin(&mut self, after: Option<Block>) {
        if let Some(after) = after {
            self.b.ins().jump(after, &[]);
            self.b.switch_to_block(after);
        }
    }

    /// Takes a modifier at every position of a place, where it succeeds; `body` gets where the walk is
    /// then, and what it has made of the state.
    pub(crate) fn for_each_taken(
        &mut self,
        place: &PointerSet,
        transition: &Transition,
        env: &Env,
        mut body: impl FnMut(&mut Self, &PointerSet, &Env) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let mut result = Ok(());
        self.for_each_place(place, |this, at| {
            let mut env = env.clone();
            let mut here = this.at(at);
            here.under = place.under;
            let ok = this.modify(&mut env, &mut here, transition);
            let after = this.guard(ok);
            result = body(this, &here, &env);
            this.rejoin(after);
        });
        result
    }

    /// Runs code for every position of a place.
    pub(crate) fn for_each_place(
        &mut self,
        place: &PointerSet,
        mut body: impl FnMut(&mut Self, Value),
    ) {
        let set = self.clean(place);
        match place.at {
            Some(at) => {
                let some =
                    if place.certain { Bool::Const(true) } else { set.is_nonempty(&mut self.b) };
                if some == Bool::Const(false) {
                    return;
                }
                let after = self.guard(some);
                body(self, at);
                self.rejoin(after);
            }
            None => self.for_each(&set, body),
        }
    }

    /// Runs code for every position of a set, from the lowest.
    pub(crate) fn for_each(&mut self, set: &Set, mut body: impl FnMut(&mut Self, Value)) {
        let single = set.0.len() == 1;
        if single {
            let word = set.0[0];
            self.for_each_in_word(word, 0, &mut body);
            return;
        }
        // Several words share one copy of the body: a loop over the words around the loop over bits.
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let (outer, next_word, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(outer, I64);
        let zero = self.constant(0);
        self.b.ins().jump(outer, &[zero.into()]);
        self.b.switch_to_block(outer);
        let mut word = words[0];
        for (i, w) in words.iter().enumerate().skip(1) {
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, index, i as i64);
            word = self.b.ins().select(here, *w, word);
        }
        let base = self.b.ins().ishl_imm_s(index, 6);
        let (head, inside) = (self.b.create_block(), self.b.create_block());
        self.for_each_bit(word, [head, inside, next_word], &mut |this, low| {
            let at = this.b.ins().iadd(base, low);
            body(this, at);
        });
        let index = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, index, words.len() as i64);
        self.b.ins().brif(more, outer, &[index.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    pub(crate) fn for_each_in_word(
        &mut self,
        word: Word,
        base: i64,
        body: &mut dyn FnMut(&mut Self, Value),
    ) {
        if word == Word::Const(0) {
            return;
        }
        let value = word.value(&mut self.b);
        let (head, inside, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.for_each_bit(value, [head, inside, done], &mut |this, low| {
            let at = this.b.ins().iadd_imm_s(low, base);
            body(this, at);
        });
    }

    /// Runs code for the number of every bit of a word, from the lowest.
    fn for_each_bit(
        &mut self,
        word: Value,
        [head, inside, done]: [Block; 3],
        body: &mut dyn FnMut(&mut Self, Value),
    ) {
        let rest = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[word.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(rest, inside, &[], done, &[]);
        self.b.switch_to_block(inside);
        let low = self.b.ins().ctz(rest);
        body(self, low);
        let less = self.b.ins().iadd_imm_s(rest, -1);
        let rest = self.b.ins().band(rest, less);
        self.b.ins().jump(head, &[rest.into()]);
        self.b.switch_to_block(done);
    }
}
