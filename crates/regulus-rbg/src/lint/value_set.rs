//! Which values variables can have, for those with few values.

use super::values::variable_and_number;
use crate::arithmetic::Arithmetic;
use crate::declarations::Variable;
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// The largest bound of a variable whose values are told apart: one bit each.
const LARGEST: u32 = 63;

/// A set of values for every variable. Those with larger bounds can have any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValueSets {
    sets: Vec<u64>,
}

impl ValueSets {
    /// All values that the bounds allow.
    pub(super) fn all(game: &Game) -> Self {
        let variables = 0..game.declarations.variables().len();
        ValueSets { sets: variables.map(|i| all_values(game, Variable(i as u16))).collect() }
    }

    /// How much there is to copy.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The values of a variable, if they are told apart.
    pub(super) fn of(&self, game: &Game, variable: Variable) -> Option<u64> {
        is_small(game, variable).then(|| self.sets[usize::from(variable.0)])
    }

    /// Adds the values of another; true if that changed anything.
    pub(super) fn unite(&mut self, other: &ValueSets) -> bool {
        let mut has_changed = false;
        for (set, more) in self.sets.iter_mut().zip(&other.sets) {
            has_changed |= more & !*set != 0;
            *set |= more;
        }
        has_changed
    }

    /// The values behind an action; `None` if it cannot succeed.
    pub(super) fn behind(mut self, game: &Game, action: &Rule) -> Option<Self> {
        match &action.kind {
            RuleKind::Comparison(comparison, sides) => {
                let tested = variable_and_number(&sides.0).filter(|(v, _)| is_small(game, *v));
                if let (Some((variable, more)), Arithmetic::Constant(number)) = (tested, &sides.1) {
                    let set = &mut self.sets[usize::from(variable.0)];
                    *set = kept(*set, |value| comparison.holds(value + more, *number));
                    return (*set != 0).then_some(self);
                }
            }
            RuleKind::Assignment(variable, value, _) => {
                let assigned = match value {
                    Arithmetic::Constant(number) => moved(1, *number),
                    _ => match variable_and_number(value).filter(|(v, _)| is_small(game, *v)) {
                        Some((source, more)) => moved(self.sets[usize::from(source.0)], more),
                        None => u64::MAX,
                    },
                };
                let set = assigned & all_values(game, *variable);
                self.sets[usize::from(variable.0)] = set;
                if is_small(game, *variable) && set == 0 {
                    return None;
                }
            }
            _ => {}
        }
        Some(self)
    }
}

fn is_small(game: &Game, variable: Variable) -> bool {
    game.declarations.bound(variable) <= LARGEST
}

fn all_values(game: &Game, variable: Variable) -> u64 {
    let bound = game.declarations.bound(variable);
    u64::MAX >> (LARGEST - bound.min(LARGEST))
}

/// The values of a set that pass a test.
pub(super) fn kept(set: u64, passes: impl Fn(i64) -> bool) -> u64 {
    let values = (0..64).filter(|value| set >> value & 1 == 1 && passes(*value));
    values.fold(0, |kept, value| kept | 1 << value)
}

/// The values of a set with a number added to each, as far as they are in range.
fn moved(set: u64, by: i64) -> u64 {
    match u32::try_from(by.unsigned_abs()) {
        Ok(by_size) if by_size < 64 && by >= 0 => set << by_size,
        Ok(by_size) if by_size < 64 => set >> by_size,
        _ => 0,
    }
}
