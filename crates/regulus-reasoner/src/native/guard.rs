//! Which alternatives exclude each other: what a way through the rules tests before it does
//! anything (pass P12).

use regulus_rbg::arithmetic::{Arithmetic, Comparison, Operator};
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::analysis::Analysis;
use super::segments::Arc;

/// The tests a way must pass at the vertex where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard<'s> {
    on: Option<PieceSet>,
    conditions: Vec<(&'s Rule, bool)>,
    /// Comparisons of an expression with a number.
    comparisons: Vec<(Arithmetic, Comparison, i64)>,
    /// The node at which the way joins others or parts, if it does nothing but test before.
    only_tests_until: Option<u32>,
}

impl<'s> Guard<'s> {
    /// The guard of the way that begins with an arc.
    pub(crate) fn of(analysis: &'s Analysis, arc: &'s Arc, to: u32) -> Guard<'s> {
        let (game, segments) = (&analysis.game, &analysis.segments);
        let mut guard = Guard::default();
        let (mut arc, mut to) = (arc, to);
        for _ in 0..64 {
            match arc {
                Arc::Empty => {}
                Arc::Pure(rules) => {
                    if !guard.add_rules(rules) {
                        return guard;
                    }
                }
                Arc::Assign(variable, value, _) => {
                    // It succeeds only within the bounds.
                    let bound = i64::from(game.declarations.bound(*variable));
                    guard.add_comparison(value, Comparison::LessEqual, bound);
                    guard.add_comparison(value, Comparison::GreaterEqual, 0);
                    return guard;
                }
                _ => return guard,
            }
            match segments.nodes[to as usize].as_slice() {
                [(next, behind)] if analysis.incoming[to as usize] < 2 => {
                    (arc, to) = (next, *behind)
                }
                // Where ways part or join, only what was tested so far is sure.
                _ => {
                    guard.only_tests_until = Some(to);
                    return guard;
                }
            }
        }
        guard
    }

    /// Adds the leading tests; false when something else follows.
    fn add_rules(&mut self, rules: &'s [Rule]) -> bool {
        for rule in rules {
            match &rule.kind {
                RuleKind::On(pieces) => {
                    self.on = Some(self.on.map_or(*pieces, |on| on.intersection(*pieces)));
                }
                RuleKind::Condition { negated, body } => self.conditions.push((body, *negated)),
                RuleKind::Comparison(comparison, sides) => match &sides.1 {
                    Arithmetic::Constant(c) => self.add_comparison(&sides.0, *comparison, *c),
                    _ => {
                        let zero = Arithmetic::Operation(
                            Operator::Subtract,
                            vec![sides.0.clone(), sides.1.clone()],
                        );
                        self.comparisons.push((zero, *comparison, 0));
                    }
                },
                RuleKind::Sum(alternatives) => {
                    // A choice of tests on the same vertex: any of the pieces.
                    let mut union = PieceSet::EMPTY;
                    for alternative in alternatives {
                        match &alternative.kind {
                            RuleKind::On(pieces) => union = union.union(*pieces),
                            _ => return false,
                        }
                    }
                    self.on = Some(self.on.map_or(union, |on| on.intersection(union)));
                }
                RuleKind::Concatenation(parts) => {
                    if !self.add_rules(parts) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// `x + 1 <= 9` is `x <= 8`.
    fn add_comparison(&mut self, expression: &Arithmetic, comparison: Comparison, number: i64) {
        if let Arithmetic::Operation(operator, operands) = expression
            && let [rest, Arithmetic::Constant(c)] = operands.as_slice()
        {
            match operator {
                Operator::Add => return self.add_comparison(rest, comparison, number - c),
                Operator::Subtract => return self.add_comparison(rest, comparison, number + c),
                _ => {}
            }
        }
        self.comparisons.push((expression.clone(), comparison, number));
    }

    /// True if no vertex and no state passes both.
    pub(crate) fn excludes(&self, other: &Guard<'_>) -> bool {
        let pieces =
            matches!((self.on, other.on), (Some(a), Some(b)) if a.intersection(b).is_empty());
        let conditions = self
            .conditions
            .iter()
            .any(|(body, negated)| other.conditions.iter().any(|(b, n)| n != negated && b == body));
        pieces || conditions || self.comparisons_exclude(other)
    }

    fn comparisons_exclude(&self, other: &Guard<'_>) -> bool {
        let all = || self.comparisons.iter().chain(&other.comparisons);
        self.comparisons.iter().any(|(expression, _, _)| {
            let tests: Vec<(Comparison, i64)> =
                all().filter(|(e, _, _)| e == expression).map(|(_, c, n)| (*c, *n)).collect();
            // A number that passes all tests can be found next to one of the numbers compared with.
            let candidates = tests.iter().flat_map(|(_, n)| [n - 1, *n, n + 1]);
            !candidates.into_iter().any(|x| tests.iter().all(|(c, n)| c.holds(x, *n)))
        })
    }
}

/// True if at most one of two ways from a node can be gone, whatever the state; or if both only test
/// and then come together, so that it does not matter which one is taken.
pub(crate) fn are_exclusive(analysis: &Analysis, node: u32, i: usize, j: usize) -> bool {
    let guard = |i: usize| {
        let (arc, to) = &analysis.segments.nodes[node as usize][i];
        Guard::of(analysis, arc, *to)
    };
    let (a, b) = (guard(i), guard(j));
    a.excludes(&b) || (a.only_tests_until.is_some() && a.only_tests_until == b.only_tests_until)
}
