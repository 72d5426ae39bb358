//! Integer expressions over variables, scores and piece counts.
//!
//! Values are 64-bit integers. With the declared bounds no expression of a checked game can leave
//! their range ([`Interval::of`] decides that), so evaluation needs no overflow rule; a division by
//! zero makes the action that contains it fail.

use crate::declarations::{Declarations, Piece, Variable};

/// An operator; each is applied from left to right to all its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounding towards zero.
    Divide,
}

impl Operator {
    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }

    /// Applies it; `None` for a division by zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Operator::Add => Some(a.wrapping_add(b)),
            Operator::Subtract => Some(a.wrapping_sub(b)),
            Operator::Multiply => Some(a.wrapping_mul(b)),
            Operator::Divide => a.checked_div(b),
        }
    }
}

/// An integer expression.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Arithmetic {
    /// A number.
    Constant(i64),
    /// The value of a variable, or a player's score.
    Variable(Variable),
    /// How many of these pieces are on the board.
    Count(Piece),
    /// At least two operands, combined from left to right.
    Operation(Operator, Vec<Arithmetic>),
}

impl Arithmetic {
    /// The value, given those of variables and the piece counts; `None` if something is divided by
    /// zero.
    pub fn evaluate(
        &self,
        variable: &impl Fn(Variable) -> i64,
        count: &impl Fn(Piece) -> i64,
    ) -> Option<i64> {
        match self {
            Arithmetic::Constant(value) => Some(*value),
            Arithmetic::Variable(v) => Some(variable(*v)),
            Arithmetic::Count(p) => Some(count(*p)),
            Arithmetic::Operation(operator, operands) => {
                let mut operands = operands.iter();
                let first = operands.next()?.evaluate(variable, count)?;
                operands.try_fold(first, |a, b| operator.apply(a, b.evaluate(variable, count)?))
            }
        }
    }

    /// How many operators and operands there are.
    pub fn size(&self) -> usize {
        match self {
            Arithmetic::Operation(_, operands) => {
                1 + operands.iter().map(Arithmetic::size).sum::<usize>()
            }
            _ => 1,
        }
    }

    /// Calls `f` for the expression and all its parts.
    pub fn visit(&self, f: &mut impl FnMut(&Arithmetic)) {
        f(self);
        if let Arithmetic::Operation(_, operands) = self {
            operands.iter().for_each(|o| o.visit(f));
        }
    }
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }

    /// True if it holds.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        }
    }

    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterEqual,
            Comparison::LessEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessEqual,
            Comparison::GreaterEqual => Comparison::Less,
        }
    }

    /// True if it can hold for some values of the two intervals.
    pub fn can_hold(self, a: Interval, b: Interval) -> bool {
        match self {
            Comparison::Equal => a.low <= b.high && b.low <= a.high,
            Comparison::NotEqual => !(a.low == a.high && b.low == b.high && a.low == b.low),
            Comparison::Less => a.low < b.high,
            Comparison::LessEqual => a.low <= b.high,
            Comparison::Greater => a.high > b.low,
            Comparison::GreaterEqual => a.high >= b.low,
        }
    }
}

/// All values from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The smallest value.
    pub low: i128,
    /// The largest value.
    pub high: i128,
}

/// Why an expression has no interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoInterval {
    /// A divisor is always zero.
    DivisionByZero,
    /// A value may not fit in 64 bits.
    Overflow,
}

impl Interval {
    const LIMIT: i128 = 1 << 62;

    /// The values an expression can take when every variable is within its bounds and the board has
    /// `vertices` vertices.
    pub fn of(
        expression: &Arithmetic,
        declarations: &Declarations,
        vertices: usize,
    ) -> Result<Interval, NoInterval> {
        match expression {
            Arithmetic::Constant(value) => {
                Ok(Interval { low: i128::from(*value), high: i128::from(*value) })
            }
            Arithmetic::Variable(v) => {
                Ok(Interval { low: 0, high: i128::from(declarations.bound(*v)) })
            }
            Arithmetic::Count(_) => Ok(Interval { low: 0, high: vertices as i128 }),
            Arithmetic::Operation(operator, operands) => {
                let mut intervals =
                    operands.iter().map(|o| Interval::of(o, declarations, vertices));
                let first = intervals.next().unwrap_or(Err(NoInterval::Overflow))?;
                intervals.try_fold(first, |a, b| a.combine(*operator, b?))
            }
        }
    }

    pub(crate) fn combine(
        self,
        operator: Operator,
        other: Interval,
    ) -> Result<Interval, NoInterval> {
        let (low, high) = match operator {
            Operator::Add => (self.low + other.low, self.high + other.high),
            Operator::Subtract => (self.low - other.high, self.high - other.low),
            Operator::Multiply => {
                let corners = [
                    self.low * other.low,
                    self.low * other.high,
                    self.high * other.low,
                    self.high * other.high,
                ];
                (
                    corners[0].min(corners[1]).min(corners[2]).min(corners[3]),
                    corners[0].max(corners[1]).max(corners[2]).max(corners[3]),
                )
            }
            Operator::Divide => {
                if other.low == 0 && other.high == 0 {
                    return Err(NoInterval::DivisionByZero);
                }
                // Dividing by a whole number other than zero never makes a number larger.
                let most = self.low.abs().max(self.high.abs());
                if self.low >= 0 && other.low >= 0 { (0, self.high) } else { (-most, most) }
            }
        };
        if low < -Self::LIMIT || high > Self::LIMIT {
            return Err(NoInterval::Overflow);
        }
        Ok(Interval { low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_go_from_left_to_right() {
        // The reference folds constants from 0, which turns 5-3 into -8.
        let numbers = |list: &[i64]| list.iter().map(|n| Arithmetic::Constant(*n)).collect();
        let value =
            |op, list: &[i64]| Arithmetic::Operation(op, numbers(list)).evaluate(&|_| 0, &|_| 0);
        assert_eq!(value(Operator::Subtract, &[5, 3]), Some(2));
        assert_eq!(value(Operator::Divide, &[7, 2, 2]), Some(1));
        assert_eq!(value(Operator::Multiply, &[6, 2]), Some(12));
        assert_eq!(value(Operator::Divide, &[7, 0]), None);
        assert_eq!(value(Operator::Divide, &[-7, 2]), Some(-3));
    }

    #[test]
    fn comparisons_of_intervals() {
        let at = |n| Interval { low: n, high: n };
        assert!(!Comparison::Equal.can_hold(at(1), at(2)));
        assert!(!Comparison::NotEqual.can_hold(at(1), at(1)));
        assert!(Comparison::Less.can_hold(Interval { low: 0, high: 9 }, at(1)));
        assert!(!Comparison::Greater.can_hold(Interval { low: 0, high: 9 }, at(9)));
    }
}
