//! What stands at the pointer where a walk of the keeper's comes to a node: behind a modifier that puts a
//! piece it is that piece, however the walk has come there.

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::RuleKind;

use super::Analysis;
use super::segments::{NodeId, Transition};
use super::single::only_tests;
use crate::id::IdVec;

/// What can stand at the pointer at every node. Where code can be entered from outside, it is anything.
pub(crate) fn standing(analysis: &Analysis) -> IdVec<NodeId, PieceSet> {
    let segments = &analysis.segments;
    let all = analysis.game.declarations.all_pieces();
    let mut standing = segments.nodes.filled(PieceSet::EMPTY);
    standing[segments.canonical(segments.start)] = all;
    let mut changed = true;
    while changed {
        changed = false;
        for (node, transitions) in segments.nodes.enumerated() {
            for (transition, to) in transitions {
                let before = standing[segments.canonical(node)];
                let behind = match transition {
                    Transition::Empty | Transition::Assign(..) => before,
                    Transition::Pure(rules) if rules.iter().all(only_tests) => {
                        let tests = rules.iter().filter_map(|rule| match &rule.kind {
                            RuleKind::On(pieces) => Some(*pieces),
                            _ => None,
                        });
                        tests.fold(before, PieceSet::intersection)
                    }
                    Transition::Off(piece, _) => [*piece].into_iter().collect(),
                    Transition::Check { start, .. } => {
                        standing[segments.canonical(*start)] = all;
                        before
                    }
                    _ => all,
                };
                let known = &mut standing[segments.canonical(*to)];
                let union = known.union(behind);
                changed |= union != *known;
                *known = union;
            }
        }
    }
    standing
}
