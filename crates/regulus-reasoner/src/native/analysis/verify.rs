//! Checks of what the passes made: run in debug builds and tests after each of them. A pass that breaks
//! one of these would make wrong code.

use regulus_rbg::declarations::Label;
use regulus_rbg::{Board, Vertex};
use rustc_hash::FxHashSet;

use super::embedding::Embedding;
use super::relation::Relation;
use super::segments::{NodeId, Segments, Transition};
use crate::id::IdVec;

/// Every vertex has its own position, and every edge moves by the distance of its label.
pub(crate) fn embedding(embedding: &Embedding, board: &Board) {
    for v in board.vertices() {
        let at = embedding.position(v);
        assert_eq!(embedding.vertex(at), v, "position {at} belongs to one vertex");
        for (label, delta) in embedding.delta.iter().enumerate() {
            let (next, Some(delta)) = (board.next(v, Label(label as u8)), delta) else { continue };
            let there = at as i64 + i64::from(*delta);
            let landed = usize::try_from(there).map_or(Vertex(0), |there| embedding.vertex(there));
            if next.is_some() {
                assert_eq!(landed, next, "label {label} from position {at}");
            } else if embedding.padded {
                assert!(!landed.is_some(), "label {label} leaves the board at position {at}");
            }
        }
    }
}

/// Every transition leads to a node, every modifier stands once, and everything leads to a switch or to the end
/// of a condition.
pub(crate) fn segments(segments: &Segments) {
    let is_node = |node: &NodeId| segments.nodes.get(*node).is_some();
    let mut modifiers = FxHashSet::default();
    let mut ends = FxHashSet::default();
    for (transition, to) in segments.nodes.iter().flatten() {
        assert!(is_node(to), "transition to {to}");
        if let Transition::Check { start, end, .. } = transition {
            assert!(is_node(start) && is_node(end), "condition {start} to {end}");
            ends.insert(*end);
        }
        if transition.modifier() > 0 {
            assert!(
                modifiers.insert(transition.modifier()),
                "modifier {} twice",
                transition.modifier()
            );
            assert_eq!(segments.modifier(transition.modifier() as i32), Some(transition));
        }
    }
    // Conditions that nothing asks any more are left as they are.
    let mut stack = vec![segments.start];
    let mut seen = FxHashSet::default();
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        for (transition, to) in &segments[node] {
            let goes_on = !segments[*to].is_empty() || ends.contains(to);
            assert!(matches!(transition, Transition::Switch(..)) || goes_on, "dead end at {to}");
            stack.push(*to);
            if let Transition::Check { start, .. } = transition {
                stack.push(*start);
            }
        }
    }
}

/// The groups of a relation say the same as its rows, and each is injective.
pub(crate) fn relation(relation: &Relation) {
    let pairs: usize = relation.rows.iter().map(|row| row.len()).sum();
    let mut in_groups = 0;
    for group in &relation.groups {
        assert_eq!(group.sources.len(), group.targets.len(), "distance {}", group.delta);
        for from in group.sources.iter() {
            let to = (from as i64 + i64::from(group.delta)) as usize;
            assert!(relation.rows[from].contains(to) && group.targets.contains(to));
        }
        in_groups += group.sources.len();
    }
    assert_eq!(pairs, in_groups, "every pair is in one group");
}

/// A walk gets longer by one with everything that counts (`room.rs` relies on this).
pub(crate) fn walk_lengths(
    segments: &Segments,
    modifiers: &IdVec<NodeId, Option<usize>>,
    semimoves: &IdVec<NodeId, Option<usize>>,
    loops: &IdVec<NodeId, bool>,
) {
    for (node, transitions) in segments.nodes.enumerated() {
        for (transition, to) in transitions {
            let (is_modifier, is_dot) = match transition {
                Transition::Off(..) | Transition::Assign(..) => (true, false),
                Transition::Dot(_) => (false, true),
                Transition::Switch(..) => continue,
                _ => (false, false),
            };
            for (longest, counts) in [(modifiers, is_modifier), (semimoves, is_modifier || is_dot)]
            {
                let (here, there) = (longest[node], longest[*to]);
                let Some(there) = there else { continue };
                let here = here.expect("behind what has no bound there is none");
                // Inside a loop that takes pieces off the board the bound holds for all rounds together.
                let inside = here == there && loops[node] && loops[*to];
                assert!(there >= here + usize::from(counts) || inside, "{node} to {to}");
            }
        }
    }
}
