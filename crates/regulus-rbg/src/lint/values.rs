//! What tests of variables say about their values.

use super::keeper_walk::{Test, Value, Walk};
use super::value_set::{ValueSets, kept};
use crate::arithmetic::{Arithmetic, Comparison, Interval, Operator};
use crate::declarations::{Piece, Variable};
use crate::game::Game;

/// True if a test passes wherever all tests of a walk do, by what they say about one variable.
pub(super) fn is_implied(game: &Game, test: &Test<'_>, walk: &Walk<'_>) -> bool {
    let Some((variable, wanted)) = range(game, test) else { return false };
    let ranges = walk.tests.iter().filter_map(|t| range(game, t));
    let bound = i128::from(game.declarations.bound(variable));
    let all = Interval { low: 0, high: bound };
    let left = ranges.filter(|(v, _)| *v == variable).fold(all, |left, (_, range)| Interval {
        low: left.low.max(range.low),
        high: left.high.min(range.high),
    });
    left.low <= left.high && wanted.low <= left.low && left.high <= wanted.high
}

/// The values of a variable that pass a test, if it is about one variable and they are a range.
fn range(game: &Game, test: &Test<'_>) -> Option<(Variable, Interval)> {
    const FAR: i128 = i64::MAX as i128;
    let (value, range) = match test {
        Test::Condition { .. } => return None,
        Test::InBounds(variable, value) => {
            let high = i128::from(game.declarations.bound(*variable));
            (*value, Interval { low: 0, high })
        }
        Test::Comparison(comparison, sides) => {
            let Arithmetic::Constant(number) = sides.1 else { return None };
            let number = i128::from(number);
            let range = match comparison {
                Comparison::Equal => Interval { low: number, high: number },
                Comparison::NotEqual => return None,
                Comparison::Less => Interval { low: -FAR, high: number - 1 },
                Comparison::LessEqual => Interval { low: -FAR, high: number },
                Comparison::Greater => Interval { low: number + 1, high: FAR },
                Comparison::GreaterEqual => Interval { low: number, high: FAR },
            };
            (&sides.0, range)
        }
    };
    let (variable, more) = variable_and_number(value)?;
    let more = i128::from(more);
    Some((variable, Interval { low: range.low - more, high: range.high - more }))
}

/// A variable and what is added to it, if that is all an expression is.
pub(super) fn variable_and_number(value: &Arithmetic) -> Option<(Variable, i64)> {
    match value {
        Arithmetic::Variable(variable) => Some((*variable, 0)),
        Arithmetic::Operation(operator, operands) => {
            let [Arithmetic::Variable(variable), Arithmetic::Constant(number)] =
                operands.as_slice()
            else {
                return None;
            };
            match operator {
                Operator::Add => Some((*variable, *number)),
                Operator::Subtract => Some((*variable, -*number)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// False if a test about one variable does not pass with this value.
fn can_be(game: &Game, test: &Test<'_>, variable: Variable, value: i64) -> bool {
    if let Test::Comparison(Comparison::NotEqual, sides) = test
        && let Some((v, more)) = variable_and_number(&sides.0)
        && let Arithmetic::Constant(number) = sides.1
    {
        return v != variable || value + more != number;
    }
    range(game, test).is_none_or(|(v, range)| {
        v != variable || (range.low..=range.high).contains(&i128::from(value))
    })
}

/// Values of variables with which walks are possible.
pub(super) struct Values {
    values: Vec<i64>,
    counts: Vec<i64>,
}

impl Values {
    /// Values that pass the tests of both walks, if some are found among those that suggest themselves.
    /// Where the walks begin, variables have only values that are given.
    pub(super) fn of(game: &Game, given: &ValueSets, walks: [&Walk<'_>; 2]) -> Option<Values> {
        let declarations = &game.declarations;
        let counts = (0..declarations.pieces().len()).map(|p| {
            let piece = Piece(p as u8);
            game.board.vertices().filter(|v| game.board.piece(*v) == piece).count() as i64
        });
        let counts: Vec<i64> = counts.collect();
        let tests: Vec<&Test<'_>> = walks.into_iter().flat_map(|w| &w.tests).collect();
        let possible: Vec<Option<u64>> = (0..declarations.variables().len())
            .map(|i| {
                let variable = Variable(i as u16);
                let given = given.of(game, variable)?;
                Some(kept(given, |value| tests.iter().all(|t| can_be(game, t, variable, value))))
            })
            .collect();
        [0, 1].into_iter().find_map(|start| {
            let mut found = Values {
                values: vec![start; declarations.variables().len()],
                counts: counts.clone(),
            };
            for test in &tests {
                found.suit(game, test);
            }
            for (value, possible) in found.values.iter_mut().zip(&possible) {
                match possible {
                    Some(0) => return None,
                    Some(set) if start == 0 => *value = i64::from(set.trailing_zeros()),
                    Some(set) => *value = i64::from(63 - set.leading_zeros()),
                    None => {}
                }
            }
            let within = |(i, value): (usize, &i64)| {
                (0..=i64::from(declarations.bound(Variable(i as u16)))).contains(value)
            };
            let fits = found.values.iter().enumerate().all(within)
                && tests.iter().all(|test| found.pass(game, test));
            fits.then_some(found)
        })
    }

    /// Makes a test of a variable pass.
    fn suit(&mut self, game: &Game, test: &Test<'_>) {
        if let Some((variable, range)) = range(game, test) {
            let value = &mut self.values[usize::from(variable.0)];
            let nearest = i128::from(*value).max(range.low).min(range.high);
            *value = i64::try_from(nearest).unwrap_or(*value);
        } else if let Test::Comparison(Comparison::NotEqual, sides) = test
            && let (Arithmetic::Variable(variable), Arithmetic::Constant(number)) = sides
            && self.values[usize::from(variable.0)] == *number
        {
            self.values[usize::from(variable.0)] += 1;
        }
    }

    /// True if a test passes, as far as it is about values.
    fn pass(&self, game: &Game, test: &Test<'_>) -> bool {
        match test {
            Test::Condition { .. } => true,
            Test::Comparison(comparison, sides) => self
                .evaluate(&sides.0)
                .zip(self.evaluate(&sides.1))
                .is_some_and(|(left, right)| comparison.holds(left, right)),
            Test::InBounds(variable, value) => self.evaluate(value).is_some_and(|value| {
                (0..=i64::from(game.declarations.bound(*variable))).contains(&value)
            }),
        }
    }

    /// The value of a variable behind a walk; `None` if something is divided by zero.
    pub(super) fn after(&self, walk: &Walk<'_>, variable: Variable) -> Option<i64> {
        match walk.value(variable) {
            Some(Value::Known(value)) => Some(value),
            Some(Value::Expression(value)) => self.evaluate(value),
            None => Some(self.values[usize::from(variable.0)]),
        }
    }

    fn evaluate(&self, value: &Arithmetic) -> Option<i64> {
        value.evaluate(&|v| self.values[usize::from(v.0)], &|p| self.counts[usize::from(p.0)])
    }
}
