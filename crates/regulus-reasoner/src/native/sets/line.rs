//! Loops along lines: from one vertex by tables, for all vertices by doubling steps (pass P5).

use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::{Set, Word};
use crate::native::analysis::relation::{Group, Relation, is_static};
use crate::native::emit::Emitter;

/// The body of a loop along lines: `f {S}`, or `{S} f` if the test comes first.
pub(crate) struct Line {
    relation: Arc<Relation>,
    pub(crate) pieces: PieceSet,
    pub(crate) test_first: bool,
}

impl Line {
    fn group(&self) -> &Group {
        &self.relation.groups[0]
    }

    fn goes_up(&self) -> bool {
        self.group().delta > 0
    }
}

/// The parts of a loop body.
pub(crate) fn parts_of(body: &Rule) -> &[Rule] {
    match &body.kind {
        RuleKind::Concatenation(parts) => parts,
        _ => std::slice::from_ref(body),
    }
}

impl Emitter<'_, '_> {
    /// Recognises the body of a loop along lines of one distance, without circles.
    pub(crate) fn line(&self, parts: &[Rule]) -> Option<Line> {
        let (steps, pieces, test_first) = match parts {
            [steps @ .., Rule { kind: RuleKind::On(pieces), .. }] => (steps, *pieces, false),
            [Rule { kind: RuleKind::On(pieces), .. }, steps @ ..] => (steps, *pieces, true),
            _ => return None,
        };
        if steps.is_empty() || !steps.iter().all(is_static) {
            return None;
        }
        self.line_along(steps, pieces, test_first)
    }

    /// A line along steps of one distance, if they have no circles.
    pub(crate) fn line_along(
        &self,
        steps: &[Rule],
        pieces: PieceSet,
        test_first: bool,
    ) -> Option<Line> {
        let relation = self.analysis.relation(steps);
        relation.longest_chain?;
        (relation.groups.len() == 1).then_some(Line { relation, pieces, test_first })
    }

    /// A row of a table of sets.
    pub(crate) fn row(&mut self, table: &[u64], index: Value) -> Set {
        let table = self.constant(table.as_ptr() as i64);
        let words = self.words();
        let offset = self.b.ins().imul_imm_s(index, (words * 8) as i64);
        let address = self.b.ins().iadd(table, offset);
        Set((0..words).map(|w| Word::Value(self.load_word(address, w))).collect())
    }

    /// What lies ahead of a position on its line. Where the pointer cannot be, any row will do: the
    /// result is masked.
    fn line_ahead(&mut self, line: &Line, at: Value) -> Set {
        let relation = line.relation.clone();
        self.whole_line(&relation, at)
    }

    /// The first position of a set on a line; one more if the line goes down.
    fn first_stop(&mut self, line: &Line, stops: &Set) -> Value {
        if line.goes_up() { self.lowest_or_end(stops) } else { self.highest_plus_one(stops) }
    }

    /// A loop along a line from one vertex: everything up to the first vertex that stops it.
    pub(crate) fn ray(&mut self, line: &Line, at: Value, start: &Set, env: &Env) -> Set {
        let ahead = self.line_ahead(line, at);
        let class = self.class(env, line.pieces);
        let stops = ahead.and_not(&class, &mut self.b);
        // If the test comes after the step, the stop itself is not entered.
        let reached = self.up_to(&ahead, &stops, line.goes_up(), line.test_first);
        let can_start =
            if line.test_first { start.and(&class, &mut self.b) } else { start.clone() };
        let some = can_start.is_nonempty(&mut self.b);
        reached.when(some, &mut self.b).or(start, &mut self.b)
    }

    /// A loop along a line and the test behind it, if the test ends the loop: the walk is at one vertex
    /// then. `({S} f)* {T}` ends at the first vertex without a piece of S, and `(f {S})* {! f {S}}` at the
    /// last one that the loop reaches.
    pub(crate) fn end_of_run(
        &mut self,
        body: &Rule,
        next: &Rule,
        place: &PointerSet,
        env: &Env,
    ) -> Option<PointerSet> {
        let at = place.at?;
        let line = self.line(parts_of(body))?;
        match &next.kind {
            RuleKind::On(pieces) if line.test_first => {
                if !line.pieces.intersection(*pieces).is_empty() {
                    return None;
                }
                let (_, stop) = self.run(&line, place, at, env);
                Some(self.forward_one(next, &stop, env))
            }
            RuleKind::Condition { negated: true, body: other } if !line.test_first => {
                if **other != *body {
                    return None;
                }
                let start = self.clean(place);
                let reached = self.ray(&line, at, &start, env);
                let end = match line.goes_up() {
                    true => {
                        let end = self.highest_plus_one(&reached);
                        self.b.ins().iadd_imm_s(end, -1)
                    }
                    false => self.lowest_or_end(&reached),
                };
                let reached = self.nonempty(place);
                let there = self.at(end);
                let set = there.set.when(reached, &mut self.b);
                Some(PointerSet { set, certain: place.certain, ..there })
            }
            _ => None,
        }
    }

    /// The longest run of vertices with certain pieces, from a vertex on, and the vertex behind it.
    pub(crate) fn run(
        &mut self,
        line: &Line,
        place: &PointerSet,
        at: Value,
        env: &Env,
    ) -> (Set, PointerSet) {
        let start = self.clean(place);
        let ahead = self.line_ahead(line, at);
        let reached = self.nonempty(place);
        let ahead = ahead.when(reached, &mut self.b).or(&start, &mut self.b);
        let class = self.class(env, line.pieces);
        let stops = ahead.and_not(&class, &mut self.b);
        let first = self.first_stop(line, &stops);
        let run = self.up_to(&ahead, &stops, line.goes_up(), false);
        let stop = match line.goes_up() {
            true => first,
            false => self.b.ins().iadd_imm_s(first, -1),
        };
        let stopped = stops.is_nonempty(&mut self.b);
        let there = self.at(stop);
        let set = there.set.when(stopped, &mut self.b);
        (run, PointerSet { set, certain: false, ..there })
    }

    /// A loop along lines from many vertices: with every step twice as far (pass P5).
    pub(crate) fn fill(&mut self, line: &Line, start: &Set, env: &Env, forward: bool) -> Set {
        let class = self.class(env, line.pieces);
        let group = line.group().clone();
        let delta = if forward { group.delta } else { -group.delta };
        let (from, to) = match forward {
            true => (&group.sources, &group.targets),
            false => (&group.targets, &group.sources),
        };
        // Positions that a step of the loop can lead to, forward or backward.
        let tested_at_end = line.test_first != forward;
        let mut open = match (tested_at_end, group.is_plain_shift) {
            (true, true) => class,
            (true, false) => class.and(&Set::constant(to), &mut self.b),
            (false, _) => {
                let sources = class.and(&Set::constant(from), &mut self.b);
                sources.shift(delta, &mut self.b)
            }
        };
        let longest = line.relation.longest_chain.unwrap_or(0);
        let (mut all, mut step) = (start.clone(), 1);
        while step <= longest {
            let far = delta * step as i32;
            let more = all.shift(far, &mut self.b).and(&open, &mut self.b);
            all = all.or(&more, &mut self.b);
            step *= 2;
            if step <= longest {
                let shifted = open.shift(far, &mut self.b);
                open = open.and(&shifted, &mut self.b);
            }
        }
        all
    }

    /// The lowest position of a set, or the number of all positions if it is empty.
    pub(crate) fn lowest_or_end(&mut self, set: &Set) -> Value {
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

    /// One more than the highest position of a set; 0 if it is empty.
    pub(crate) fn highest_plus_one(&mut self, set: &Set) -> Value {
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let mut at = self.constant(0);
        for (i, word) in words.iter().enumerate() {
            let zeros = self.b.ins().clz(*word);
            let end = self.constant((i as i64 + 1) * 64);
            let here = self.b.ins().isub(end, zeros);
            if i == 0 {
                at = here;
            } else {
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, *word, 0);
                at = self.b.ins().select(some, here, at);
            }
        }
        at
    }
}
