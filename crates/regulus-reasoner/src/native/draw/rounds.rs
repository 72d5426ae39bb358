//! Loops through modifiers that the board ends after few rounds: where a plan follows them round by round.

use rustc_hash::FxHashMap;

use crate::native::analysis::bits::Bits;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;

/// Modifiers on a loop that are planned one after the other.
const MAX_ROUNDS: usize = 12;

impl Emitter<'_, '_> {
    /// True if a loop from a node behind a modifier has one way to go on, and ends for want of vertices after few
    /// rounds, whatever stands on the board.
    pub(crate) fn has_few_rounds(&self, node: NodeId, places: &Bits) -> bool {
        let segments = &self.analysis.segments;
        let (mut node, mut places) = (node, places.clone());
        for _ in 0..MAX_ROUNDS {
            let Some(order) = segments.topological(node) else { return false };
            let exits = order.iter().flat_map(|node| segments.leaving(*node));
            let mut on = exits.filter(|id| {
                let (transition, to) = &segments[*id];
                let goes_on = matches!(transition, Transition::Off(..) | Transition::Assign(..));
                goes_on && self.analysis.leads_back(segments.canonical(*to))
            });
            let (Some(id), None) = (on.next(), on.next()) else { return false };
            match self.places_behind(&order, node, &places).remove(&id.node) {
                Some(there) if !there.is_empty() => {
                    (node, places) = (segments.canonical(segments[id].1), there);
                }
                _ => return true,
            }
        }
        false
    }

    /// Where walks from some vertices can be at every node of a segment if all tests hold.
    pub(crate) fn places_behind(
        &self,
        order: &[NodeId],
        start: NodeId,
        from: &Bits,
    ) -> FxHashMap<NodeId, Bits> {
        let analysis = self.analysis;
        let words = self.words();
        let mut reached: FxHashMap<NodeId, Bits> = FxHashMap::default();
        reached.insert(start, from.clone());
        for node in order {
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
        reached
    }
}
