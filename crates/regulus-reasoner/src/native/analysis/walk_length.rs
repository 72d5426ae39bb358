//! How many modifiers a walk can have passed at most when it comes to a node. Where that is more than a
//! walk may have, or not known, code counts and checks; elsewhere it need not (`room.rs`).

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::cycles::{ComponentId, Components, components};
use super::segments::{NodeId, Segments, Transition};
use crate::id::IdVec;

/// What counts on a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// Offs and assignments.
    Modifiers,
    /// These and split points.
    Semimoves,
}

impl Counted {
    fn has(self, transition: &Transition) -> bool {
        match transition {
            Transition::Off(..) | Transition::Assign(..) => true,
            Transition::Dot(_) => self == Counted::Semimoves,
            _ => false,
        }
    }
}

/// For every node, the most that a walk can have passed since its switch, or since its condition began;
/// `None` if there is no such number.
pub(crate) fn longest(
    segments: &Segments,
    counted: Counted,
    vertices: usize,
) -> IdVec<NodeId, Option<usize>> {
    let inside = |transition: &Transition| !matches!(transition, Transition::Switch(..));
    let Components { of: component, members } = components(&segments.targets(inside));
    // How much longer a walk gets inside every component.
    let grows: IdVec<ComponentId, Option<usize>> = members
        .enumerated()
        .map(|(own, members)| {
            let counts = |(transition, to): &(Transition, NodeId)| {
                counted.has(transition) && component[*to] == own
            };
            if members.iter().any(|node| segments[*node].iter().any(counts)) {
                growth(segments, members, counted, vertices)
            } else {
                Some(0)
            }
        })
        .collect();
    // Components are numbered backwards: what leads to one has a higher number.
    let mut before: IdVec<ComponentId, Option<usize>> = members.filled(Some(0));
    for own in members.ids().rev() {
        let here = before[own].zip(grows[own]).map(|(before, more)| before + more);
        let leaving = members[own].iter().flat_map(|node| &segments[*node]);
        for (transition, to) in leaving.filter(|(transition, _)| inside(transition)) {
            let there = component[*to];
            if there != own {
                let after = here.map(|n| n + usize::from(counted.has(transition)));
                before[there] = before[there].zip(after).map(|(known, after)| known.max(after));
            }
        }
    }
    let at = |own: &ComponentId| before[*own].zip(grows[*own]).map(|(before, more)| before + more);
    component.iter().map(at).collect()
}

/// The most that a walk can pass inside a component with loops: known if every round takes one of some
/// pieces off the board, and no round puts one of them.
fn growth(
    segments: &Segments,
    members: &[NodeId],
    counted: Counted,
    vertices: usize,
) -> Option<usize> {
    let index = |node: NodeId| members.binary_search(&node).ok();
    let mut put = PieceSet::EMPTY;
    // What is tested just before a member is entered; nothing if it can be entered without.
    let mut tested: Vec<Option<PieceSet>> = vec![Some(PieceSet::EMPTY); members.len()];
    for transitions in &segments.nodes {
        for (transition, to) in transitions {
            if let Some(i) = index(*to) {
                tested[i] = tested[i].zip(test_at_end(transition)).map(|(a, b)| a.union(b));
            }
        }
    }
    for node in members {
        for (transition, to) in &segments[*node] {
            if let (Transition::Off(piece, _), Some(_)) = (transition, index(*to)) {
                put.insert(*piece);
            }
        }
    }
    let takes = |i: usize, transition: &Transition| {
        let tested = tested[i].filter(|pieces| !pieces.is_empty());
        matches!(transition, Transition::Off(..))
            && tested.is_some_and(|p| p.intersection(put).is_empty())
    };
    // Without these nothing goes round, or else the number of rounds is not known.
    let mut next: IdVec<usize, Vec<usize>> = IdVec::of(Vec::new(), members.len());
    let mut weights: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for (i, node) in members.iter().enumerate() {
        for (transition, to) in &segments[*node] {
            if let Some(to) = index(*to)
                && !takes(i, transition)
                && !matches!(transition, Transition::Switch(..))
            {
                next[i].push(to);
                weights[i].push(usize::from(counted.has(transition)));
            }
        }
    }
    let Components { of: component, members } = components(&next);
    let mut longest = members.filled(0usize);
    for own in members.ids().rev() {
        for i in &members[own] {
            for (to, weight) in next[*i].iter().zip(&weights[*i]) {
                let there = component[*to];
                if there != own {
                    longest[there] = longest[there].max(longest[own] + weight);
                } else if *weight > 0 {
                    return None;
                }
            }
        }
    }
    let between = longest.into_iter().max().unwrap_or(0);
    Some((vertices + 1) * (between + 1))
}

/// The pieces of the test that a transition ends with, if it does. Other tests may stand behind it.
fn test_at_end(transition: &Transition) -> Option<PieceSet> {
    let Transition::Pure(rules) = transition else { return None };
    let stays =
        |rule: &&Rule| matches!(rule.kind, RuleKind::Condition { .. } | RuleKind::Comparison(..));
    match rules.iter().rev().find(|rule| !stays(rule)) {
        Some(Rule { kind: RuleKind::On(pieces), .. }) => Some(*pieces),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    /// The longest walk of a player's move or condition anywhere, on a board of three vertices.
    fn longest_of(rules: &str) -> Option<usize> {
        let text = format!(
            "#players = a(1), b(1) #pieces = x, y, z #variables = v(9) \
             #board = rectangle(up, down, left, right, [x, y, z]) #rules = {rules}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        let segments = Segments::new(&game.rules, game.modifier_count);
        let longest = longest(&segments, Counted::Modifiers, game.board.len());
        longest.into_iter().collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max())
    }

    #[test]
    fn straight_walks() {
        assert_eq!(longest_of("->a [x] right [y] ->b [x] ->> {}"), Some(2));
        assert_eq!(longest_of("->a ([x] + [y] [z] [x]) [x] ->b [x] ->> {}"), Some(4));
        assert_eq!(longest_of("->a {? [x] [y] [z]} [x] ->b [x] ->> {}"), Some(3));
        assert_eq!(longest_of("(->a [x])* ->> {}"), Some(1));
    }

    #[test]
    fn loops() {
        assert_eq!(longest_of("->a (right [x])* ->b [x] ->> {}"), None);
        assert_eq!(longest_of("->a ({$ v < 5} [$ v = v + 1])* ->b [x] ->> {}"), None);
        // Every round takes one of three pieces off the board; two modifiers a round.
        assert_eq!(longest_of("->a (right {y, z} [x])* ->b [x] ->> {}"), Some(4));
        assert_eq!(longest_of("->a (right {y, z} [x] [$ v = 1])* ->b [x] ->> {}"), Some(8));
        assert_eq!(
            longest_of("->a (right {y, z} {? left} {$ v > 0} [x])* ->b [x] ->> {}"),
            Some(4)
        );
        // This one puts them back.
        assert_eq!(longest_of("->a (right {y, z} [x] left [y])* ->b [x] ->> {}"), None);
        assert_eq!(longest_of("->a ({y} [x] + right [z])* ->b [x] ->> {}"), None);
        // Round without a modifier.
        assert_eq!(longest_of("->a ({x} + right {y} [x])* ->b [x] ->> {}"), Some(4));
    }
}
