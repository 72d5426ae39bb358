//! Whether the keeper can always complete a move that he has begun.

use regulus_rbg::arithmetic::{Arithmetic, Comparison, Interval};
use regulus_rbg::declarations::PieceSet;
use rustc_hash::FxHashMap;

use super::keeper::{KeeperPuts, Place, divides};
use crate::program::{Action, ConditionId, Edge, Program, ProgramNodeId};

/// Places that are looked at before a move is taken to get stuck sometimes.
const MAX_PLACES: usize = 500;

impl KeeperPuts<'_> {
    /// True if from a place some walk comes to a switch, whatever the state. False may mean that nobody knows.
    pub(super) fn is_total(&self, at: Place) -> bool {
        self.ends(at, &mut MAX_PLACES.clone())
    }

    fn ends(&self, at: Place, fuel: &mut usize) -> bool {
        let Some(rest) = fuel.checked_sub(1) else { return false };
        *fuel = rest;
        let mut first = Vec::new();
        self.first_edges(at.0, &mut first);
        // The tests from which all ways on come to an end.
        let mut tests: Vec<&Edge> = Vec::new();
        for edge in first {
            let to = match &edge.action {
                Action::Switch(_) => return true,
                Action::Shift(label) => self.next(at.1, *label),
                Action::Assign(variable, value) if !self.always_fits(*variable, value) => continue,
                _ => at.1,
            };
            if to == 0 || !self.ends((edge.target, to), fuel) {
                continue;
            }
            match edge.action {
                Action::On(_) | Action::Check { .. } | Action::Compare(..) => tests.push(edge),
                _ => return true,
            }
        }
        self.is_passed(&tests)
    }

    /// True if one of some tests at the same vertex is passed, whatever the state.
    fn is_passed(&self, tests: &[&Edge]) -> bool {
        let pieces = tests.iter().filter_map(|edge| match &edge.action {
            Action::On(pieces) => Some(*pieces),
            _ => None,
        });
        let allowed = pieces.fold(PieceSet::EMPTY, PieceSet::union);
        let opposite =
            |(i, a): (usize, &&Edge)| tests[..i].iter().any(|b| are_opposite(self.program, a, b));
        allowed == self.program.game.declarations.all_pieces()
            || tests.iter().enumerate().any(opposite)
            || tests.iter().any(|edge| self.numbers_pass(edge, tests))
    }

    /// True if every number that the expression of a comparison can be passes one of some comparisons with constants.
    fn numbers_pass(&self, edge: &Edge, tests: &[&Edge]) -> bool {
        let Some((expression, ..)) = with_constant(edge) else { return false };
        let game = &self.program.game;
        let interval = Interval::of(expression, &game.declarations, game.board.len());
        let Ok(Interval { low, high }) = interval else { return false };
        let of_it: Vec<(Comparison, i64)> = tests
            .iter()
            .filter_map(|test| with_constant(test))
            .filter(|(other, ..)| *other == expression)
            .map(|(_, comparison, number)| (comparison, number))
            .collect();
        // A number that passes none can be found next to one of the numbers compared with.
        let mut candidates = of_it.iter().flat_map(|(_, n)| [n - 1, *n, n + 1]);
        let passes = |x: i64| of_it.iter().any(|(comparison, n)| comparison.holds(x, *n));
        !divides(expression)
            && candidates.all(|x| !(low..=high).contains(&i128::from(x)) || passes(x))
    }

    /// The edges with which walks from a node begin, empty ones left out.
    fn first_edges<'s>(&'s self, node: ProgramNodeId, edges: &mut Vec<&'s Edge>) {
        let (mut pending, mut seen) = (vec![node], vec![node]);
        while let Some(node) = pending.pop() {
            for edge in self.program.edges_of(node) {
                if !matches!(edge.action, Action::Empty | Action::Dot) {
                    edges.push(edge);
                } else if !seen.contains(&edge.target) {
                    seen.push(edge.target);
                    pending.push(edge.target);
                }
            }
        }
    }
}

/// An expression that is compared with a number.
fn with_constant(edge: &Edge) -> Option<(&Arithmetic, Comparison, i64)> {
    match &edge.action {
        Action::Compare(comparison, sides) => match &**sides {
            (expression, Arithmetic::Constant(number)) => Some((expression, *comparison, *number)),
            _ => None,
        },
        _ => None,
    }
}

/// True if always exactly one of two tests is passed.
fn are_opposite(program: &Program, a: &Edge, b: &Edge) -> bool {
    match (&a.action, &b.action) {
        (Action::Check { negated, condition }, Action::Check { negated: n, condition: c }) => {
            negated != n && Alike::default().conditions(program, *condition, *c)
        }
        (Action::Compare(comparison, sides), Action::Compare(c, s)) => {
            *comparison == c.negated() && sides == s && !divides(&s.0) && !divides(&s.1)
        }
        _ => false,
    }
}

/// Two automata that do the same, state by state.
#[derive(Default)]
struct Alike {
    partner: FxHashMap<ProgramNodeId, ProgramNodeId>,
}

impl Alike {
    fn conditions(&mut self, program: &Program, a: ConditionId, b: ConditionId) -> bool {
        let (a, b) = (program.conditions[a], program.conditions[b]);
        self.nodes(program, a.start, b.start) && self.partner.get(&a.end) == Some(&b.end)
    }

    fn nodes(&mut self, program: &Program, a: ProgramNodeId, b: ProgramNodeId) -> bool {
        if let Some(partner) = self.partner.get(&a) {
            return *partner == b;
        }
        self.partner.insert(a, b);
        let (these, those) = (program.edges_of(a), program.edges_of(b));
        these.len() == those.len()
            && these.iter().zip(those).all(|(this, that)| {
                let same = match (&this.action, &that.action) {
                    (
                        Action::Check { negated, condition },
                        Action::Check { negated: n, condition: c },
                    ) => negated == n && self.conditions(program, *condition, *c),
                    (one, other) => one == other,
                };
                same && self.nodes(program, this.target, that.target)
            })
    }
}
