//! Between which moves it does not matter where the pointer stands: positions that differ in nothing else go on
//! alike. A turn that begins with a walk to any square, as most do, leads to the same squares from everywhere.

use super::analysis::Analysis;
use super::relation::is_static;
use super::segments::{Arc, Position};

/// For every position of the walk, whether the pointer is free. Only what is certain counts.
pub(super) fn free(analysis: &Analysis, positions: &[Position]) -> Vec<bool> {
    let leaves_anywhere = |position: &Position| {
        position.hands_over && position.node.is_some_and(|node| forgets(analysis, node))
    };
    positions.iter().map(leaves_anywhere).collect()
}

/// True if every way on from a node comes to the same squares whatever the square.
fn forgets(analysis: &Analysis, node: u32) -> bool {
    let segments = &analysis.segments;
    let arcs = &segments.nodes[segments.canonical(node) as usize];
    arcs.iter().all(|(arc, _)| {
        let Arc::Pure(rules) = arc else { return false };
        let run = rules.iter().take_while(|rule| is_static(rule)).count();
        // The longest prefix may depend on the square where a shorter one does not.
        (1..=run).any(|len| analysis.relation(&rules[..len]).constant.is_some())
    })
}
