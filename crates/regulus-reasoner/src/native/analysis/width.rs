//! How many vertices a segment can lead to at most: by the board alone, or by what stands on it
//! (pass P10).

use cranelift_codegen::ir::InstBuilder;
use regulus_rbg::declarations::{Piece, PieceSet};
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::relation::is_static;
use super::segments::{NodeId, Transition};
use crate::native::draw::continuation::Amount;
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::set::{Set, Word};

/// Instructions that counting the vertices behind a jump to anywhere may take.
const MAX_COUNTING: usize = 500;

/// A part of a segment.
pub(crate) struct Section<'s> {
    /// The nodes of the segment, each before those it leads to.
    pub(crate) order: &'s [NodeId],
    pub(crate) start: NodeId,
    pub(crate) end: NodeId,
    /// The only path from the start to the end, if there is only one.
    pub(crate) path: Option<&'s [NodeId]>,
}

impl Emitter<'_, '_> {
    /// How many vertices a segment can lead to at most, and whether there are surely (nearly) as many.
    pub(crate) fn width_of(
        &mut self,
        section: &Section<'_>,
        env: &Env,
        changes: &[(PieceSet, Piece)],
    ) -> (Amount, bool) {
        let path = section.path;
        if section.start == section.end {
            return (Amount::Const(1), true);
        }
        let rules = path.and_then(|path| self.rules_on(path)).unwrap_or_default();
        if let Some(found) = self.counted_width(&rules, env, changes) {
            return found;
        }
        let (least, most) = self.static_width(section);
        let tests_nothing =
            path.is_some() && rules.iter().all(|r| r.iter().all(|r| !tests_behind_moves(r)));
        (Amount::Const(most), most == 1 || (least == most && tests_nothing))
    }

    /// For rules that begin by jumping to anywhere: how many vertices they find on the board as it is
    /// when the move begins, with what the move has changed since.
    fn counted_width(
        &mut self,
        rules: &[&[Rule]],
        env: &Env,
        changes: &[(PieceSet, Piece)],
    ) -> Option<(Amount, bool)> {
        let first = rules.iter().position(|r| !r.is_empty())?;
        let rules = &rules[first..];
        // Tests of where the walk stands come before the jump: they do not change its width.
        let skip = rules[0].iter().take_while(|r| !moves(r)).count();
        let guarded = &rules[0][skip..];
        let run = guarded.iter().take_while(|r| is_static(r)).count();
        if run == 0 {
            return None;
        }
        let relation = self.analysis.relation(&guarded[..run]);
        let constant = relation.constant.clone()?;
        let mut later = vec![&guarded[run..]];
        later.extend(&rules[1..]);
        let all_later = || later.iter().flat_map(|r| r.iter());
        let full = Set::constant(&constant);
        if all_later().all(|r| is_independent(r, changes))
            && later.iter().map(|r| self.cost(r)).sum::<usize>() <= MAX_COUNTING
        {
            let mut place = self.many(full);
            for rules in later {
                place = self.forward(rules, &place, env);
            }
            let set = self.clean(&place);
            if set.0.iter().all(|w| matches!(w, Word::Const(_))) {
                return Some((Amount::Const(constant.len() as u64), true));
            }
            return Some((Amount::Value(set.count(&mut self.b)), true));
        }
        if all_later().any(moves) {
            return None;
        }
        let RuleKind::On(pieces) = &all_later().next()?.kind else { return None };
        let class = self.class(env, *pieces).and(&full, &mut self.b);
        let count = class.count(&mut self.b);
        let everywhere = constant == self.analysis.full;
        let mut exact = everywhere;
        let mut more = 0;
        for (under, piece) in changes {
            let inside = under.intersection(*pieces) == *under;
            let outside = under.intersection(*pieces).is_empty();
            exact &= inside || outside;
            match pieces.contains(*piece) {
                true if !inside => more += 1,
                false if inside && everywhere => more -= 1,
                _ => {}
            }
        }
        let count = if more == 0 { count } else { self.b.ins().iadd_imm_s(count, more) };
        // A walk that cannot be: nothing is left to count.
        let zero = self.constant(0);
        let count = self.b.ins().smax(count, zero);
        Some((Amount::Value(count), exact && all_later().count() == 1))
    }

    /// The fewest and the most vertices that a segment leads to if all its tests hold.
    fn static_width(&self, section: &Section<'_>) -> (u64, u64) {
        let analysis = self.analysis;
        let words = self.words();
        let (mut least, mut most) = (u64::MAX, 1);
        for p in analysis.full.iter() {
            let mut reached: FxHashMap<NodeId, Bits> = FxHashMap::default();
            let mut at = Bits::empty(words);
            at.insert(p);
            reached.insert(section.start, at);
            for node in section.order {
                let Some(here) = reached.get(node).cloned() else { continue };
                for (transition, to) in &analysis.segments[*node] {
                    let there = match transition {
                        Transition::Pure(rules) => analysis.relaxed(rules).image(&here, words),
                        transition if transition.is_inner() => here.clone(),
                        _ => continue,
                    };
                    reached.entry(*to).or_insert_with(|| Bits::empty(words)).unite(&there);
                }
            }
            let count = reached.get(&section.end).map_or(0, Bits::len) as u64;
            (least, most) = (least.min(count), most.max(count));
        }
        (least, most)
    }
}

/// True if a rule can lead to another vertex.
pub(crate) fn moves(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::Shift(_) => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().any(moves),
        RuleKind::Star(body) => moves(body),
        _ => false,
    }
}

/// True if a rule both moves and tests the state.
fn tests_behind_moves(rule: &Rule) -> bool {
    !is_static(rule) && (matches!(rule.kind, RuleKind::On(_)) || moves(rule))
}

/// True if what a rule tests is not touched by putting these pieces.
fn is_independent(rule: &Rule, changes: &[(PieceSet, Piece)]) -> bool {
    match &rule.kind {
        RuleKind::Shift(_) => true,
        RuleKind::On(pieces) => changes
            .iter()
            .all(|(under, put)| !pieces.contains(*put) && pieces.intersection(*under).is_empty()),
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
            parts.iter().all(|p| is_independent(p, changes))
        }
        RuleKind::Star(body) | RuleKind::Condition { body, .. } => is_independent(body, changes),
        _ => false,
    }
}
