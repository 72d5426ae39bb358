//! How many modifiers a walk can have passed at most when it comes to a node. Where that is more than a
//! walk may have, or not known, code counts and checks; elsewhere it need not (`room.rs`).

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::cycles::components;
use super::segments::{Segments, Transition};

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
) -> Vec<Option<usize>> {
    let inside = |transition: &Transition| !matches!(transition, Transition::Switch(..));
    let next = segments.targets(inside);
    let component = components(&next);
    let count = component.iter().max().map_or(0, |last| *last as usize + 1);
    // How much longer a walk gets inside every component.
    let mut grows: Vec<Option<usize>> = vec![Some(0); count];
    let mut cyclic = vec![false; count];
    for (node, transitions) in segments.nodes.iter().enumerate() {
        let own = component[node];
        let is_own = |to: &u32| component[*to as usize] == own;
        cyclic[own as usize] |= transitions.iter().any(|(a, to)| counted.has(a) && is_own(to));
    }
    for own in (0..count).filter(|own| cyclic[*own]) {
        let members: Vec<u32> = (0..segments.nodes.len() as u32)
            .filter(|n| component[*n as usize] == own as u32)
            .collect();
        grows[own] = growth(segments, &members, counted, vertices);
    }
    // Components are numbered backwards: what leads to one has a higher number.
    let mut at_component: Vec<Option<usize>> = vec![Some(0); count];
    let mut order: Vec<u32> = (0..segments.nodes.len() as u32).collect();
    order.sort_unstable_by_key(|node| std::cmp::Reverse(component[*node as usize]));
    for node in order {
        let own = component[node as usize] as usize;
        let here = at_component[own].zip(grows[own]).map(|(before, more)| before + more);
        for (transition, to) in
            segments.nodes[node as usize].iter().filter(|(transition, _)| inside(transition))
        {
            let there = component[*to as usize] as usize;
            if there != own {
                let after = here.map(|n| n + usize::from(counted.has(transition)));
                at_component[there] =
                    at_component[there].zip(after).map(|(known, after)| known.max(after));
            }
        }
    }
    let at = |own: &u32| {
        let own = *own as usize;
        at_component[own].zip(grows[own]).map(|(before, more)| before + more)
    };
    component.iter().map(at).collect()
}

/// The most that a walk can pass inside a component with loops: known if every round takes one of some
/// pieces off the board, and no round puts one of them.
fn growth(
    segments: &Segments,
    members: &[u32],
    counted: Counted,
    vertices: usize,
) -> Option<usize> {
    let index = |node: u32| members.binary_search(&node).ok();
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
        for (transition, to) in &segments.nodes[*node as usize] {
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
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
    let mut weights: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for (i, node) in members.iter().enumerate() {
        for (transition, to) in &segments.nodes[*node as usize] {
            if let Some(to) = index(*to)
                && !takes(i, transition)
                && !matches!(transition, Transition::Switch(..))
            {
                next[i].push(to as u32);
                weights[i].push(usize::from(counted.has(transition)));
            }
        }
    }
    let component = components(&next);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_unstable_by_key(|i| std::cmp::Reverse(component[*i]));
    let mut longest = vec![0usize; component.len()];
    for i in order {
        let own = component[i] as usize;
        for (to, weight) in next[i].iter().zip(&weights[i]) {
            let there = component[*to as usize] as usize;
            if there != own {
                longest[there] = longest[there].max(longest[own] + weight);
            } else if *weight > 0 {
                return None;
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
