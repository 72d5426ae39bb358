//! Walks between switches as far as they are known without a position: what they test, and what they
//! have changed at their end.
//!
//! A walk is followed as long as everything on it is either sure or a question about the state in which
//! it began. Where that is not known any more (a condition on a board that the walk has changed, say)
//! it is given up. So every walk that is found is possible in exactly the states that pass its tests.

use rustc_hash::FxHashSet;

use super::condition::Conditions;
use crate::arithmetic::{Arithmetic, Comparison, Interval, Operator};
use crate::automaton::{Automaton, State};
use crate::board::Vertex;
use crate::declarations::{Piece, PieceSet, Player, Variable};
use crate::flow::{Flow, Work};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// Steps of one search.
const MAX_STEPS: usize = 300;

/// Ends that one search finds.
const MAX_ENDS: usize = 6;

/// Longest walk that is looked at.
const MAX_LENGTH: usize = 100;

/// A vertex that a walk has tested or changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Cell {
    pub(super) vertex: Vertex,
    /// What may have stood there at the beginning.
    pub(super) before: PieceSet,
    /// True if a test says so; otherwise nothing else can be there.
    pub(super) is_tested: bool,
    /// What was put there last.
    pub(super) now: Option<Piece>,
}

/// The value that a walk has given to a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'r> {
    Known(i64),
    /// In terms of the values at the beginning.
    Expression(&'r Arithmetic),
}

/// A test of the state at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test<'r> {
    Condition {
        negated: bool,
        body: &'r Rule,
        vertex: Vertex,
    },
    Comparison(Comparison, &'r (Arithmetic, Arithmetic)),
    /// An assignment succeeds.
    InBounds(Variable, &'r Arithmetic),
}

/// Where a walk ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Behind a switch.
    Switch(Player, State),
    /// Behind a switch to the keeper, who cannot go on.
    Over,
}

/// A walk so far.
#[derive(Clone, Debug)]
pub(super) struct Walk<'r> {
    state: State,
    pub(super) vertex: Vertex,
    /// Sorted by vertex.
    pub(super) cells: Vec<Cell>,
    /// Sorted by variable.
    pub(super) values: Vec<(Variable, Value<'r>)>,
    pub(super) tests: Vec<Test<'r>>,
    /// The first action, as an edge.
    pub(super) first: Option<usize>,
    /// The first modifier, and where it was passed.
    pub(super) first_modifier: Option<(usize, Vertex)>,
    length: usize,
}

impl<'r> Walk<'r> {
    /// A walk that has not begun.
    pub(super) fn at(state: State, vertex: Vertex) -> Self {
        Walk {
            state,
            vertex,
            cells: Vec::new(),
            values: Vec::new(),
            tests: Vec::new(),
            first: None,
            first_modifier: None,
            length: 0,
        }
    }

    /// What is known about a vertex.
    pub(super) fn cell(&self, vertex: Vertex) -> Option<&Cell> {
        self.cells.binary_search_by_key(&vertex, |c| c.vertex).ok().map(|i| &self.cells[i])
    }

    /// The value that it has given to a variable.
    pub(super) fn value(&self, variable: Variable) -> Option<Value<'r>> {
        let found = self.values.binary_search_by_key(&variable, |(v, _)| *v).ok();
        found.map(|i| self.values[i].1)
    }

    /// True if it is possible in every state.
    pub(super) fn is_free(&self) -> bool {
        self.tests.is_empty() && self.cells.iter().all(|c| !c.is_tested)
    }

    fn has_changed_board(&self) -> bool {
        self.cells.iter().any(|c| c.now.is_some())
    }

    fn cell_mut(&mut self, vertex: Vertex, can_be: PieceSet) -> &mut Cell {
        let i = self.cells.binary_search_by_key(&vertex, |c| c.vertex).unwrap_or_else(|i| {
            let cell = Cell { vertex, before: can_be, is_tested: false, now: None };
            self.cells.insert(i, cell);
            i
        });
        &mut self.cells[i]
    }

    /// What tells walks apart that are at the same place.
    fn knowledge(&self) -> Knowledge {
        let values = self.values.iter().map(|(variable, value)| match value {
            Value::Known(value) => (*variable, *value, 0),
            Value::Expression(e) => (*variable, 0, std::ptr::from_ref(*e) as usize),
        });
        let tests = self.tests.iter().map(|test| match test {
            Test::Condition { body, vertex, .. } => {
                std::ptr::from_ref(*body) as usize ^ (usize::from(vertex.0) << 48)
            }
            Test::Comparison(_, sides) => std::ptr::from_ref(*sides) as usize,
            Test::InBounds(_, value) => std::ptr::from_ref(*value) as usize,
        });
        Knowledge {
            state: self.state,
            vertex: self.vertex,
            cells: self.cells.clone(),
            values: values.collect(),
            tests: tests.collect(),
        }
    }
}

/// A walk as others see it that come to the same place. Expressions and tests are told apart by their
/// addresses.
#[derive(PartialEq, Eq, Hash)]
struct Knowledge {
    state: State,
    vertex: Vertex,
    cells: Vec<Cell>,
    values: Vec<(Variable, i64, usize)>,
    tests: Vec<usize>,
}

/// What an expression is to a walk.
enum Known<'r> {
    Value(i64),
    /// It is about the state at the beginning.
    Question(&'r Arithmetic),
}

/// Follows walks.
pub(super) struct Walks<'s, 'r> {
    pub(super) game: &'s Game,
    pub(super) automaton: &'s Automaton<'r>,
    pub(super) flow: &'s Flow,
    pub(super) conditions: Conditions<'s>,
    /// What all walks together may copy and compare.
    pub(super) work: Work,
}

impl<'r> Walks<'_, 'r> {
    /// The ends of walks that begin with an edge; those that come first in the rules come first. The
    /// keeper's walks are also followed through his own switches.
    pub(super) fn ends(&mut self, first: usize, vertex: Vertex) -> Vec<(Walk<'r>, End)> {
        let automaton = self.automaton;
        let mut ends = Vec::new();
        let mut seen = FxHashSet::default();
        let mut steps = 0;
        let from = automaton.edges()[first].from;
        let mut walk = Walk::at(from, vertex);
        if let Some(fact) = self.flow.at(from) {
            walk.cell_mut(vertex, fact.pieces);
        }
        // Walks with the edges that are still to be tried, the next one last.
        let mut stack = vec![(walk, vec![first])];
        while let Some((walk, edges)) = stack.last_mut() {
            let Some(index) = edges.pop() else {
                stack.pop();
                continue;
            };
            steps += 1;
            if steps > MAX_STEPS || ends.len() >= MAX_ENDS {
                break;
            }
            let edge = &automaton.edges()[index];
            let walk = walk.clone();
            let Some(mut after) = self.pass(walk, index) else { continue };
            after.state = edge.to;
            if let Some(RuleKind::Switch(player, _)) = edge.action.map(|a| &a.kind) {
                let is_over = *player == Player::KEEPER && !self.may_move(edge.to, after.vertex);
                let end = if is_over { End::Over } else { End::Switch(*player, edge.to) };
                ends.push((after.clone(), end));
                if *player != Player::KEEPER || is_over {
                    continue;
                }
            }
            if after.length >= MAX_LENGTH || !seen.insert(after.knowledge()) {
                continue;
            }
            let mut next: Vec<usize> = automaton.from_indexed(edge.to).map(|(i, _)| i).collect();
            if self.work.spend(next.len()).is_none() {
                break;
            }
            next.reverse();
            stack.push((after, next));
        }
        ends
    }

    /// True unless it is sure that no walk from here reaches a switch.
    fn may_move(&mut self, state: State, vertex: Vertex) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(state, vertex)];
        while let Some((state, vertex)) = stack.pop() {
            if !seen.insert((state, vertex)) {
                continue;
            }
            if seen.len() > MAX_STEPS {
                return true;
            }
            for edge in self.automaton.from(state) {
                if edge.is_switch() {
                    return true;
                }
                stack.extend(self.may_pass(edge.action, vertex).map(|v| (edge.to, v)));
            }
        }
        false
    }

    /// The vertex behind an action, unless it is sure that it cannot be done on any board.
    pub(super) fn may_pass(&mut self, action: Option<&Rule>, vertex: Vertex) -> Option<Vertex> {
        match action.map(|a| &a.kind) {
            Some(RuleKind::Shift(label)) => {
                Some(self.game.board.next(vertex, *label)).filter(|v| v.is_some())
            }
            Some(RuleKind::On(pieces)) => (!pieces.is_empty()).then_some(vertex),
            Some(RuleKind::Condition { negated, body }) => {
                let holds = self.conditions.always(body, vertex);
                (holds != Some(*negated)).then_some(vertex)
            }
            _ => Some(vertex),
        }
    }

    /// Follows an edge; `None` if it fails or is not known.
    fn pass(&mut self, mut walk: Walk<'r>, index: usize) -> Option<Walk<'r>> {
        self.work.spend(8 + 8 * walk.cells.len() + 4 * walk.tests.len())?;
        let edge = &self.automaton.edges()[index];
        walk.length += 1;
        let Some(action) = edge.action else { return Some(walk) };
        walk.first.get_or_insert(index);
        if edge.is_modifier() {
            walk.first_modifier.get_or_insert((index, walk.vertex));
        }
        let can_be = self.flow.at(edge.from)?.pieces;
        match &action.kind {
            RuleKind::Shift(label) => {
                walk.vertex = self.game.board.next(walk.vertex, *label);
                return walk.vertex.is_some().then_some(walk);
            }
            RuleKind::On(pieces) => {
                let cell = walk.cell_mut(walk.vertex, can_be);
                match cell.now {
                    Some(now) => return pieces.contains(now).then_some(walk),
                    None => {
                        let left = cell.before.intersection(*pieces);
                        cell.is_tested |= left != cell.before;
                        cell.before = left;
                        return (!left.is_empty()).then_some(walk);
                    }
                }
            }
            RuleKind::Off(piece, _) => walk.cell_mut(walk.vertex, can_be).now = Some(*piece),
            RuleKind::Assignment(variable, value, _) => {
                let bound = i128::from(self.game.declarations.bound(*variable));
                let value = match self.known(&walk, value)? {
                    Known::Value(value) => {
                        if !(0..=bound).contains(&i128::from(value)) {
                            return None;
                        }
                        Value::Known(value)
                    }
                    Known::Question(value) => {
                        let interval = self.interval(value)?;
                        if interval.high < 0 || interval.low > bound {
                            return None;
                        }
                        if interval.low < 0 || interval.high > bound || may_divide_by_zero(value) {
                            walk.tests.push(Test::InBounds(*variable, value));
                        }
                        Value::Expression(value)
                    }
                };
                match walk.values.binary_search_by_key(variable, |(v, _)| *v) {
                    Ok(i) => walk.values[i].1 = value,
                    Err(i) => walk.values.insert(i, (*variable, value)),
                }
            }
            RuleKind::Comparison(comparison, sides) => {
                let known = (self.known(&walk, &sides.0)?, self.known(&walk, &sides.1)?);
                if let (Known::Value(left), Known::Value(right)) = known {
                    return comparison.holds(left, right).then_some(walk);
                }
                // A side with a value that the walk has set is no question about the beginning.
                let is_constant = |side: &Arithmetic| matches!(side, Arithmetic::Constant(_));
                let is_question = |known: &Known<'_>, side| {
                    matches!(known, Known::Question(_)) || is_constant(side)
                };
                if !is_question(&known.0, &sides.0) || !is_question(&known.1, &sides.1) {
                    return None;
                }
                let (left, right) = (self.interval(&sides.0)?, self.interval(&sides.1)?);
                if !comparison.can_hold(left, right) {
                    return None;
                }
                let may_fail = comparison.negated().can_hold(left, right)
                    || may_divide_by_zero(&sides.0)
                    || may_divide_by_zero(&sides.1);
                if may_fail {
                    walk.tests.push(Test::Comparison(*comparison, sides));
                }
            }
            RuleKind::Condition { negated, body } => {
                if let Some(holds) = self.conditions.always(body, walk.vertex) {
                    return (holds != *negated).then_some(walk);
                }
                if walk.has_changed_board() || !walk.values.is_empty() {
                    return None;
                }
                let vertex = walk.vertex;
                self.work.spend(body.size() * walk.tests.len())?;
                let opposite = Test::Condition { negated: !negated, body, vertex };
                if walk.tests.contains(&opposite) {
                    return None;
                }
                walk.tests.push(Test::Condition { negated: *negated, body, vertex });
            }
            RuleKind::Switch(..) | RuleKind::Dot => {}
            RuleKind::Concatenation(_) | RuleKind::Sum(_) | RuleKind::Star(_) => return None,
        }
        Some(walk)
    }

    fn interval(&self, value: &Arithmetic) -> Option<Interval> {
        Interval::of(value, &self.game.declarations, self.game.board.len()).ok()
    }

    /// What an expression is to a walk; `None` if that is not known, or something is divided by zero.
    fn known(&mut self, walk: &Walk<'_>, value: &'r Arithmetic) -> Option<Known<'r>> {
        self.work.spend(value.size())?;
        let (mut is_set, mut is_old) = (true, true);
        value.visit(&mut |part| match part {
            Arithmetic::Variable(v) => match walk.value(*v) {
                Some(Value::Known(_)) => is_old = false,
                Some(Value::Expression(_)) => (is_set, is_old) = (false, false),
                None => is_set = false,
            },
            Arithmetic::Count(_) => {
                is_set = false;
                is_old &= !walk.has_changed_board();
            }
            _ => {}
        });
        if is_set {
            let variable = |v| match walk.value(v) {
                Some(Value::Known(value)) => value,
                _ => 0,
            };
            return value.evaluate(&variable, &|_| 0).map(Known::Value);
        }
        is_old.then_some(Known::Question(value))
    }
}

fn may_divide_by_zero(value: &Arithmetic) -> bool {
    let mut may = false;
    value.visit(&mut |part| {
        if let Arithmetic::Operation(Operator::Divide, operands) = part {
            let is_safe = |d: &Arithmetic| matches!(d, Arithmetic::Constant(c) if *c != 0);
            may |= !operands.iter().skip(1).all(is_safe);
        }
    });
    may
}
