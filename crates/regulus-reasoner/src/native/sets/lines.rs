//! Lines from one vertex as arithmetic on sets: what lies before the first vertex that stops a walk
//! (pass P5).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::{Bool, Set, Word};
use crate::native::analysis::relation::{Relation, is_static};
use crate::native::emit::Emitter;

/// The body of a loop that steps and then tests.
fn step_and_test(rule: &Rule) -> Option<(&[Rule], PieceSet)> {
    let RuleKind::Star(body) = &rule.kind else { return None };
    let RuleKind::Concatenation(parts) = &body.kind else { return None };
    let (last, line) = parts.split_last()?;
    match &last.kind {
        RuleKind::On(pieces) if !line.is_empty() && line.iter().all(is_static) => {
            Some((line, *pieces))
        }
        _ => None,
    }
}

impl Emitter<'_, '_> {
    /// Walks along `f {S} (f {S})*` or `(f {S})* f` from one vertex; gives how many rules that were.
    pub(crate) fn forward_line(
        &mut self,
        rules: &[Rule],
        from: &PointerSet,
        env: &Env,
    ) -> Option<(PointerSet, usize)> {
        let at = from.at?;
        let run = rules.iter().take_while(|r| is_static(r)).count();
        let (line, pieces, inclusive, used) = if run == 0 {
            let (line, pieces) = step_and_test(rules.first()?)?;
            let after = rules[1..].get(..line.len())?;
            if !after.iter().all(is_static) {
                return None;
            }
            let (a, b) = (self.analysis.relation(line), self.analysis.relation(after));
            (a == b).then_some((a, pieces, true, 1 + line.len()))?
        } else {
            let RuleKind::On(pieces) = &rules.get(run)?.kind else { return None };
            let (line, again) = step_and_test(rules.get(run + 1)?)?;
            let (a, b) = (self.analysis.relation(line), self.analysis.relation(&rules[..run]));
            (a == b && again == *pieces).then_some((a, *pieces, false, run + 2))?
        };
        let [group] = line.groups.as_slice() else { return None };
        line.longest_chain?;
        let ray = self.whole_line(&line, at);
        let class = self.class(env, pieces);
        let stops = ray.and_not(&class, &mut self.b);
        let mut set = self.up_to(&ray, &stops, group.delta > 0, inclusive);
        if !from.certain {
            let there = self.nonempty(from);
            set = set.when(there, &mut self.b);
        }
        let under = if inclusive { self.everything() } else { pieces };
        let few = false;
        Some((PointerSet { set, at: None, under, certain: false, dirty: false, few }, used))
    }

    /// All vertices on the line from a position, from a table.
    pub(crate) fn whole_line(&mut self, relation: &Relation, at: Value) -> Set {
        // Where the pointer cannot be, any row will do: the result is masked.
        let last = self.constant(self.analysis.embedding.len() as i64 - 1);
        let safe = self.b.ins().umin(at, last);
        let words = self.words();
        self.row(relation.ray_table(words), safe)
    }

    /// The part of a line before the first of some stops; with the stop if `inclusive`.
    pub(crate) fn up_to(&mut self, line: &Set, stops: &Set, forward: bool, inclusive: bool) -> Set {
        let words = line.0.len();
        let mut result = vec![Word::Const(0); words];
        // Whether the words that the line passes before have no stop.
        let mut open = Bool::Const(true);
        let order: Vec<usize> =
            if forward { (0..words).collect() } else { (0..words).rev().collect() };
        for (i, w) in order.into_iter().enumerate() {
            let stop = stops.0[w].value(&mut self.b);
            let all = line.0[w].value(&mut self.b);
            let before = if forward {
                let less = self.b.ins().iadd_imm_s(stop, -1);
                let mask = if inclusive {
                    self.b.ins().bxor(stop, less)
                } else {
                    self.b.ins().band_not(less, stop)
                };
                self.b.ins().band(all, mask)
            } else if inclusive {
                // Bit 0 does no harm as a stop: nothing is behind it.
                let some = self.b.ins().bor_imm_s(stop, 1);
                let zeros = self.b.ins().clz(some);
                let highest = self.b.ins().bxor_imm_s(zeros, 63);
                let ones = self.constant(-1);
                let mask = self.b.ins().ishl(ones, highest);
                self.b.ins().band(all, mask)
            } else {
                let zeros = self.b.ins().clz(stop);
                let highest = self.b.ins().bxor_imm_s(zeros, 63);
                let ones = self.constant(-2);
                let mask = self.b.ins().ishl(ones, highest);
                let part = self.b.ins().band(all, mask);
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, stop, 0);
                self.b.ins().select(some, part, all)
            };
            let open_before = open;
            let part = Set(vec![Word::Value(before)]).when(open_before, &mut self.b);
            result[w] = part.0[0];
            if i + 1 < words {
                let none = Bool::Value(self.b.ins().icmp_imm_s(IntCC::Equal, stop, 0));
                open = open.and(none, &mut self.b);
            }
        }
        Set(result)
    }
}
