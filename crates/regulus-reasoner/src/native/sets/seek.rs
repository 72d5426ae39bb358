//! Asking whether rules can be walked at all: alternatives one after the other, floods that end as
//! soon as the answer is known (passes P6 and P11).

use cranelift_codegen::ir::types::I8;
use cranelift_codegen::ir::{Block, InstBuilder};
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::forward::WORTH_A_BRANCH;
use super::line::parts_of;
use super::pointer_set::PointerSet;
use super::set::{Bool, Set};
use crate::native::analysis::relation::is_static;
use crate::native::emit::Emitter;

/// Words of a set from which on it is worth a branch to find out that it is empty.
pub(crate) const MANY_WORDS: usize = 3;

impl Emitter<'_, '_> {
    /// Whether rules without modifiers can be walked from a place.
    pub(crate) fn can_walk(&mut self, rules: &[Rule], from: &PointerSet, env: &Env) -> Bool {
        if from.set.is_empty_constant() {
            return Bool::Const(false);
        }
        if let Some(holds) = self.can_walk_anywhere(rules, from, env) {
            return holds;
        }
        if self.cost(rules) <= WORTH_A_BRANCH {
            let reached = self.forward(rules, from, env);
            return self.nonempty(&reached);
        }
        let (yes, after) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(after, I8);
        self.seek(rules, from, env, yes);
        let no = self.b.ins().iconst(I8, 0);
        self.b.ins().jump(after, &[no.into()]);
        self.b.switch_to_block(yes);
        let yes = self.b.ins().iconst(I8, 1);
        self.b.ins().jump(after, &[yes.into()]);
        self.b.switch_to_block(after);
        Bool::Value(result)
    }

    /// The same for rules that begin with a move to anywhere: all vertices at once. The sets are
    /// likely to be needed for the moves, too, and then they are the same values.
    fn can_walk_anywhere(&mut self, rules: &[Rule], from: &PointerSet, env: &Env) -> Option<Bool> {
        let [body] = rules else { return None };
        if !self.is_shared_set(body, env) {
            return None;
        }
        let rules = parts_of(body);
        let run = rules.iter().take_while(|r| is_static(r)).count();
        let constant = self.analysis.relation(&rules[..run]).constant.clone()?;
        let constant = Set::constant(&constant);
        let full = Set::constant(&self.analysis.full);
        let reached = self.nonempty(from);
        let hit = |this: &mut Self, rules: &[Rule], into: &Set| {
            let good = this.backward(rules, into, env);
            good.and(&constant, &mut this.b).is_nonempty(&mut this.b)
        };
        let (Some(Rule { kind: RuleKind::Sum(alternatives), .. }), true) =
            (rules.last(), self.cost(rules) > 2 * WORTH_A_BRANCH)
        else {
            let found = hit(self, &rules[run..], &full);
            return Some(found.and(reached, &mut self.b));
        };
        // Of many alternatives often the first few say yes.
        let after = self.b.create_block();
        let result = self.b.append_block_param(after, I8);
        let mut chunk = Set::empty(self.words());
        let mut cost = 0;
        for (i, alternative) in alternatives.iter().enumerate() {
            let alternative = std::slice::from_ref(alternative);
            let one = self.backward(alternative, &full, env);
            chunk = chunk.or(&one, &mut self.b);
            cost += self.cost(alternative);
            if cost <= 2 * WORTH_A_BRANCH && i + 1 < alternatives.len() {
                continue;
            }
            let found = hit(self, &rules[run..rules.len() - 1], &chunk).value(&mut self.b);
            let next = self.b.create_block();
            self.b.ins().brif(found, after, &[found.into()], next, &[]);
            self.b.switch_to_block(next);
            (chunk, cost) = (Set::empty(self.words()), 0);
        }
        let no = self.b.ins().iconst(I8, 0);
        self.b.ins().jump(after, &[no.into()]);
        self.b.switch_to_block(after);
        Some(Bool::Value(result).and(reached, &mut self.b))
    }

    /// True if what follows is made of sets of all vertices before anything is changed: it is likely to
    /// be needed in several places, which see the same values as long as no branch is around them.
    pub(crate) fn is_shared(&self, rules: &[Rule], place: &PointerSet, env: &Env) -> bool {
        place.at.is_none()
            && self.words() < MANY_WORDS
            && env.is_as_before()
            && !rules.iter().any(|rule| self.has_flood(rule))
    }

    /// True if a condition begins with a move to anywhere, and is asked before anything is changed.
    pub(crate) fn is_shared_set(&self, body: &Rule, env: &Env) -> bool {
        let rules = parts_of(body);
        let run = rules.iter().take_while(|r| is_static(r)).count();
        run > 0
            && self.words() < MANY_WORDS
            && env.is_as_before()
            && !self.has_flood(body)
            && self.analysis.relation(&rules[..run]).constant.is_some()
    }

    /// Jumps to `yes` if rules can be walked from a place; goes on here otherwise.
    fn seek(&mut self, rules: &[Rule], from: &PointerSet, env: &Env, yes: Block) {
        let no = self.b.create_block();
        let mut place = from.clone();
        let mut i = 0;
        while i < rules.len() {
            if place.set.is_empty_constant() {
                break;
            }
            let rest = &rules[i..];
            if !place.certain && self.cost(rest) > WORTH_A_BRANCH {
                self.go_on_if_anywhere(&mut place, no);
            }
            let run = rest.iter().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rest[..run]);
                place = self.follow(&relation, &place);
                i += run;
                continue;
            }
            match &rest[0].kind {
                RuleKind::Concatenation(parts) if rest.len() == 1 => {
                    self.seek(parts, &place, env, yes);
                    self.b.ins().jump(no, &[]);
                    self.b.switch_to_block(no);
                    return;
                }
                RuleKind::Sum(alternatives) if rest.len() == 1 => {
                    for alternative in alternatives {
                        self.seek(std::slice::from_ref(alternative), &place, env, yes);
                    }
                    self.b.ins().jump(no, &[]);
                    self.b.switch_to_block(no);
                    return;
                }
                RuleKind::Star(body) if self.is_flood(body) && rest.len() > 1 => {
                    self.require_pieces(&rest[1..], env, no);
                    self.seek_by_flood(body, &rest[1..], &place, env, yes);
                    self.b.ins().jump(no, &[]);
                    self.b.switch_to_block(no);
                    return;
                }
                RuleKind::Condition { .. }
                    if place.at.is_none() && place.few && self.has_flood(&rest[0]) =>
                {
                    // A flood from each of a few vertices ends sooner than one from everywhere.
                    let under = place.under;
                    let set = self.clean(&place);
                    self.for_each(&set, |this, at| {
                        let here = this.at(at);
                        this.seek(rest, &PointerSet { under, ..here }, env, yes);
                    });
                    self.b.ins().jump(no, &[]);
                    self.b.switch_to_block(no);
                    return;
                }
                RuleKind::Star(body) if rest.len() > 1 => {
                    if let Some(end) = self.end_of_run(body, &rest[1], &place, env) {
                        place = end;
                        i += 2;
                        continue;
                    }
                }
                _ => {}
            }
            place = self.forward_one(&rest[0], &place, env);
            i += 1;
        }
        let some = self.nonempty(&place).value(&mut self.b);
        self.b.ins().brif(some, yes, &[], no, &[]);
        self.b.switch_to_block(no);
    }

    fn go_on_if_anywhere(&mut self, place: &mut PointerSet, no: Block) {
        let set = self.clean(place);
        let some = set.is_nonempty(&mut self.b).value(&mut self.b);
        let go = self.b.create_block();
        self.b.ins().brif(some, go, &[], no, &[]);
        self.b.switch_to_block(go);
        (place.set, place.certain, place.dirty) = (set, true, false);
    }

    /// Goes on only if pieces that rules ask for are on the board at all: most floods that find nothing
    /// would otherwise go on for long.
    fn require_pieces(&mut self, rules: &[Rule], env: &Env, no: Block) {
        for rule in rules {
            match &rule.kind {
                RuleKind::On(pieces) => {
                    let some = self.class(env, *pieces).is_nonempty(&mut self.b);
                    let go = self.b.create_block();
                    let some = some.value(&mut self.b);
                    self.b.ins().brif(some, go, &[], no, &[]);
                    self.b.switch_to_block(go);
                }
                RuleKind::Concatenation(parts) => self.require_pieces(parts, env, no),
                _ => {}
            }
        }
    }

    /// Jumps to `yes` as soon as what a loop has reached leads on.
    fn seek_by_flood(
        &mut self,
        body: &Rule,
        rest: &[Rule],
        from: &PointerSet,
        env: &Env,
        yes: Block,
    ) {
        let parts = parts_of(body);
        let start = self.clean(from);
        self.closure(start, |this, front| {
            let place = PointerSet { certain: true, ..this.many(front) };
            this.seek(rest, &place, env, yes);
            let next = this.forward(parts, &place, env);
            this.clean(&next)
        });
    }

    /// True if a loop spreads and is not just a walk along lines.
    fn is_flood(&self, body: &Rule) -> bool {
        let parts = parts_of(body);
        !is_static(body) && self.line(parts).is_none() && self.chain_length(parts).is_none()
    }

    pub(crate) fn has_flood(&self, rule: &Rule) -> bool {
        let mut found = false;
        rule.visit(&mut |part| {
            found |= matches!(&part.kind, RuleKind::Star(body) if self.is_flood(body));
        });
        found
    }
}
