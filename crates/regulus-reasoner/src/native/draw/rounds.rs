//! Loops through modifiers that the board ends after few rounds: where a plan follows them round by round.

use rustc_hash::FxHashMap;

use crate::native::analysis::Analysis;
use crate::native::analysis::bits::Bits;
use crate::native::analysis::segments::{NodeId, Transition};

/// Modifiers on a loop that are planned one after the other.
const MAX_ROUNDS: usize = 12;

impl Analysis {
    /// True if a loop from a node behind a modifier has one way to go on, and ends for want of vertices after few
    /// rounds, whatever stands on the board.
    pub(crate) fn has_few_rounds(&self, node: NodeId, places: &Bits) -> bool {
        let segments = &self.segments;
        let (mut node, mut places) = (node, places.clone());
        for _ in 0..MAX_ROUNDS {
            let Some(order) = segments.topological(node) else { return false };
            let exits = order.iter().flat_map(|node| segments.leaving(*node));
            let mut on = exits.filter(|id| {
                let (transition, to) = &segments[*id];
                let goes_on = matches!(transition, Transition::Off(..) | Transition::Assign(..));
                goes_on && self.leads_back(segments.canonical(*to))
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
        let words = self.words();
        let mut reached: FxHashMap<NodeId, Bits> = FxHashMap::default();
        reached.insert(start, from.clone());
        for node in order {
            let Some(here) = reached.get(node).cloned() else { continue };
            for (transition, to) in &self.segments[*node] {
                let there = match transition {
                    Transition::Pure(rules) => self.relaxed(rules).image(&here, words),
                    transition if transition.is_inner() => here.clone(),
                    _ => continue,
                };
                reached.entry(*to).or_insert_with(|| Bits::empty(words)).unite(&there);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    /// For every node behind a modifier that a walk can come back to: whether it does so a few times at most.
    fn few_rounds(turn: &str) -> Vec<bool> {
        let text = format!(
            "#players = a(1), b(1) #pieces = e, x, y #variables = n(9) \
             #board = rectangle(up, down, left, right, [x, y, e, y, e][e, e, x, y, e]) \
             #any = ((up* + down*)(left* + right*)) #rules = ->a {turn} ->> {{}}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        let analysis = Analysis::new(&game);
        let segments = &analysis.segments;
        let behind = segments.nodes.iter().flatten().filter_map(|(transition, to)| {
            let goes_on = matches!(transition, Transition::Off(..) | Transition::Assign(..));
            let to = segments.canonical(*to);
            (goes_on && analysis.leads_back(to)).then_some(to)
        });
        behind.map(|node| analysis.has_few_rounds(node, &analysis.full)).collect()
    }

    #[test]
    fn lines_end() {
        assert_eq!(few_rounds("any {x} [e] right {y} [e] right {e}"), []);
        assert_eq!(few_rounds("any {x} [e] (right {y} [e] right {e})* [x]"), [true, true]);
        assert_eq!(
            few_rounds("any {x} [e] (right {y} [e] right {e} [x])* [x]"),
            [true, true, true]
        );
    }

    #[test]
    fn others_may_not() {
        // Back and forth.
        assert_eq!(few_rounds("any {x} [e] ((left + right) {y} [e])* [x]"), [false, false]);
        // Two ways to go on.
        let two = "any {x} [e] (right {y} [e] right {e} + up {y} [e] up {e})* [x]";
        assert_eq!(few_rounds(two), [false, false, false]);
        // On the spot.
        assert_eq!(few_rounds("any {x} ({$ n < 5} [$ n = n + 1])* [y]"), [false]);
    }
}
