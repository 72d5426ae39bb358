//! Which alternatives exclude each other: what a way through the rules tests before it does
//! anything (pass P12).

use regulus_rbg::arithmetic::{Arithmetic, Comparison, Operator};
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::Analysis;
use super::implication::implies;
use super::segments::{NodeId, Transition};
use super::single::only_tests;

/// The tests a way must pass at the vertex where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard<'s> {
    on: Option<PieceSet>,
    conditions: Vec<(&'s Rule, bool)>,
    /// Comparisons of an expression with a number.
    comparisons: Vec<(Arithmetic, Comparison, i64)>,
    /// The node at which the way joins others or parts, if it does nothing but test before.
    only_tests_until: Option<NodeId>,
}

/// Most alternatives of tests that are told apart.
const MAX_ALTERNATIVES: usize = 16;

impl<'s> Guard<'s> {
    /// The guards of the way that begins with a transition: every walk passes the tests of one of them. They
    /// end where ways part or join, unless it is asked what follows there (`far`).
    pub(crate) fn of(
        analysis: &'s Analysis,
        transition: &'s Transition,
        to: NodeId,
        far: bool,
    ) -> Vec<Guard<'s>> {
        let mut guards = vec![Guard::default()];
        Self::extend(analysis, &mut guards, (transition, to), far, 64);
        guards
    }

    /// Adds the tests of a transition and of what follows.
    fn extend(
        analysis: &'s Analysis,
        guards: &mut Vec<Guard<'s>>,
        (transition, to): (&'s Transition, NodeId),
        far: bool,
        fuel: usize,
    ) {
        match transition {
            Transition::Empty => {}
            Transition::Pure(rules) => {
                if !Self::add_rules(guards, rules) {
                    return;
                }
            }
            Transition::Assign(variable, value, _) => {
                // It succeeds only within the bounds.
                let bound = i64::from(analysis.game.declarations.bound(*variable));
                for guard in guards {
                    guard.add_comparison(value, Comparison::LessEqual, bound);
                    guard.add_comparison(value, Comparison::GreaterEqual, 0);
                }
                return;
            }
            _ => return,
        }
        let Some(fuel) = fuel.checked_sub(1) else { return };
        let transitions = &analysis.segments[to];
        if transitions.len() != 1 || analysis.incoming[to] > 1 {
            for guard in guards.iter_mut().filter(|g| g.only_tests_until.is_none()) {
                guard.only_tests_until = Some(to);
            }
            if !far {
                return;
            }
        }
        if transitions.len() * guards.len() > MAX_ALTERNATIVES {
            return;
        }
        let before = std::mem::take(guards);
        for (next, behind) in transitions {
            let mut alternative = before.clone();
            Self::extend(
                analysis,
                &mut alternative,
                (next, *behind),
                far,
                fuel / transitions.len(),
            );
            guards.extend(alternative);
        }
    }

    /// Adds the leading tests; false when something else follows.
    fn add_rules(guards: &mut Vec<Guard<'s>>, rules: &'s [Rule]) -> bool {
        for rule in rules {
            match &rule.kind {
                RuleKind::On(pieces) => {
                    for guard in guards.iter_mut() {
                        guard.on = Some(guard.on.map_or(*pieces, |on| on.intersection(*pieces)));
                    }
                }
                RuleKind::Condition { negated, body } => {
                    guards.iter_mut().for_each(|g| g.conditions.push((body, *negated)));
                }
                RuleKind::Comparison(comparison, sides) => {
                    guards.iter_mut().for_each(|g| g.add_sides(*comparison, sides));
                }
                RuleKind::Sum(alternatives) => {
                    // A choice of tests on the same vertex: any of them.
                    if !alternatives.iter().all(only_tests)
                        || alternatives.len() * guards.len() > MAX_ALTERNATIVES
                    {
                        return false;
                    }
                    let before = std::mem::take(guards);
                    for alternative in alternatives {
                        let mut some = before.clone();
                        Self::add_rules(&mut some, std::slice::from_ref(alternative));
                        guards.extend(some);
                    }
                }
                RuleKind::Concatenation(parts) => {
                    if !Self::add_rules(guards, parts) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    fn add_sides(&mut self, comparison: Comparison, sides: &(Arithmetic, Arithmetic)) {
        match &sides.1 {
            Arithmetic::Constant(c) => self.add_comparison(&sides.0, comparison, *c),
            _ => {
                let both = vec![sides.0.clone(), sides.1.clone()];
                let difference = Arithmetic::Operation(Operator::Subtract, both);
                self.comparisons.push((difference, comparison, 0));
            }
        }
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

/// True if a way cannot begin at a vertex with one of these pieces.
pub(crate) fn avoids(
    analysis: &Analysis,
    (transition, to): (&Transition, NodeId),
    pieces: PieceSet,
) -> bool {
    let guards = Guard::of(analysis, transition, to, false);
    guards.iter().all(|g| g.on.is_some_and(|on| on.intersection(pieces).is_empty()))
}

/// The ways from a node, to be compared with each other.
struct Ways<'s> {
    analysis: &'s Analysis,
    node: NodeId,
}

impl<'s> Ways<'s> {
    fn guards(&self, i: usize, far: bool) -> Vec<Guard<'s>> {
        let (transition, to) = &self.analysis.segments[self.node][i];
        Guard::of(self.analysis, transition, *to, far)
    }

    /// True if a way only comes to its end (or is taken at all) where none of the guards holds.
    fn denies(&self, i: usize, guards: &[Guard<'_>], taken: bool) -> bool {
        let (transition, to) = &self.analysis.segments[self.node][i];
        guards.iter().all(|guard| {
            let mut denied = guard.conditions.iter().filter(|(_, negated)| *negated);
            denied.any(|(body, _)| implies(self.analysis, (transition, *to), body, taken))
        })
    }
}

/// True if every guard of one way excludes every guard of another.
fn all_exclude(a: &[Guard<'_>], b: &[Guard<'_>]) -> bool {
    a.iter().all(|a| b.iter().all(|b| a.excludes(b)))
}

/// True if of two ways from a node, the first of which is tried first, at most one can be gone to its
/// end, whatever the state; or if both only test and then come together, so that it does not matter
/// which one is taken.
pub(crate) fn are_exclusive(analysis: &Analysis, node: NodeId, i: usize, j: usize) -> bool {
    let ways = Ways { analysis, node };
    // The first way is taken as soon as the tests at its beginning are passed.
    let (a, b) = (ways.guards(i, false), ways.guards(j, true));
    let join = |guards: &[Guard<'_>]| {
        let first = guards.first().and_then(|g| g.only_tests_until);
        first.filter(|_| guards.iter().all(|g| g.only_tests_until == first))
    };
    all_exclude(&a, &b)
        || (join(&a).is_some() && join(&a) == join(&b))
        || ways.denies(i, &b, true)
        || ways.denies(j, &a, false)
}

/// True if of two ways from a node only one can be begun from one vertex, whatever the state: where one passes its
/// tests up to the first modifier, or to where ways part or join, the other does not.
pub(crate) fn are_never_both_open(analysis: &Analysis, node: NodeId, i: usize, j: usize) -> bool {
    let ways = Ways { analysis, node };
    let (a, b) = (ways.guards(i, false), ways.guards(j, false));
    all_exclude(&a, &b) || ways.denies(i, &b, true) || ways.denies(j, &a, true)
}
