//! Walks that come back to where they began with nothing changed.
//!
//! The search follows walks and remembers only what the walk itself tested and changed. It finds one
//! when some board makes it repeatable for certain; conditions that depend on the board, and values
//! that are not known, end the search along that walk. So it never takes a loop that the position
//! bounds for one that can go on.
//!
//! The keeper is followed through his own switches. What he does is only worth a warning, so what
//! is not known is taken to be as on the board that the game begins with.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::condition;
use crate::arithmetic::{Arithmetic, Comparison, Interval};
use crate::automaton::{Automaton, Edge};
use crate::board::Vertex;
use crate::declarations::{PieceSet, Variable};
use crate::flow::{Conditions, Work};
use crate::game::Game;
use crate::rule::RuleKind;

/// Steps after which the search gives up.
const MAX_STEPS: usize = 4_000;

/// Words that all walks together may copy. The search on capture chains copies most; keepers do less.
const MAX_COPIED: usize = 20_000_000;
const MAX_COPIED_BY_KEEPER: usize = 4_000_000;

/// Longest walk around a loop that is looked at.
const MAX_WALK: usize = 200;

/// Whose walks are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walker {
    /// Anybody's, until the next switch.
    Mover,
    /// The keeper's, until he hands over to a player.
    Keeper,
}

impl Walker {
    fn may_pass(self, edge: &Edge<'_>) -> bool {
        match edge.action.map(|a| &a.kind) {
            Some(RuleKind::Switch(player, _)) => self == Walker::Keeper && player.0 == 0,
            _ => true,
        }
    }
}

/// What a walk knows of a vertex it has tested or changed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cell {
    vertex: Vertex,
    /// What may have stood there at the beginning.
    before: PieceSet,
    /// What it put there last.
    now: Option<PieceSet>,
}

/// What a walk knows.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Knowledge {
    cells: Vec<Cell>,
    /// Variables the walk has set, sorted.
    values: Vec<(Variable, i64)>,
    /// Comparisons that involve values from before the walk, as indices of edges, with the values
    /// known at that moment.
    open: Vec<(usize, Vec<(Variable, i64)>)>,
}

impl Knowledge {
    /// True if the walk has not changed anything, whatever it tested.
    fn has_changed_nothing(&self) -> bool {
        self.values.is_empty() && self.cells.iter().all(|c| c.now.is_none())
    }

    /// How many words a copy takes, roughly.
    fn weight(&self) -> usize {
        let open: usize = self.open.iter().map(|(_, values)| 8 + 2 * values.len()).sum();
        8 + 10 * self.cells.len() + 2 * self.values.len() + open
    }
}

/// The search for walks that repeat.
pub(super) struct Search<'s, 'r> {
    game: &'s Game,
    automaton: &'s Automaton<'r>,
    walker: Walker,
    /// The strongly connected component of every state.
    component: Vec<u32>,
    /// What the offs of each component put on the board.
    puts: Vec<PieceSet>,
    /// For moves, which are only taken for endless if that is sure.
    conditions: Conditions,
    /// For the keeper.
    keeper_conditions: condition::Conditions<'s>,
    steps: usize,
    copied: Work,
}

impl<'s, 'r> Search<'s, 'r> {
    pub(super) fn new(game: &'s Game, automaton: &'s Automaton<'r>, walker: Walker) -> Self {
        let component = automaton.components(|e| walker.may_pass(e));
        Search {
            game,
            automaton,
            walker,
            puts: pieces_put(automaton, &component),
            component,
            conditions: Conditions::default(),
            keeper_conditions: condition::Conditions::new(game),
            steps: 0,
            copied: Work::new(match walker {
                Walker::Mover => MAX_COPIED,
                Walker::Keeper => MAX_COPIED_BY_KEEPER,
            }),
        }
    }

    /// True when the search has given up.
    pub(super) fn is_over(&mut self) -> bool {
        self.steps > MAX_STEPS || self.copied.spend(0).is_none()
    }

    /// The part of the rules that an edge leads round in, if it does.
    pub(super) fn round(&self, edge: &Edge<'_>) -> Option<u32> {
        let inside = self.component[edge.from.index()];
        let leads_round = self.walker.may_pass(edge) && self.component[edge.to.index()] == inside;
        leads_round.then_some(inside)
    }

    /// True if a walk that begins with the edge `first` at `vertex` comes back there with nothing changed.
    pub(super) fn repeats(&mut self, first: usize, vertex: Vertex) -> bool {
        let automaton = self.automaton;
        let Some((at, known)) = self.pass(first, vertex, &Knowledge::default()) else {
            return false;
        };
        let first = &automaton.edges()[first];
        let inside = self.component[first.from.index()];
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([(first.to, at, known, 0usize)]);
        // Rounds of the keeper are short if there are any.
        while let Some((state, at, known, length)) = match self.walker {
            Walker::Mover => queue.pop_back(),
            Walker::Keeper => queue.pop_front(),
        } {
            self.steps += 1;
            if self.is_over() {
                return false;
            }
            if state == first.from && at == vertex && self.is_unchanged(&known) {
                return true;
            }
            if length >= MAX_WALK || !seen.insert((state, at, known.clone())) {
                continue;
            }
            for (index, edge) in automaton.from_indexed(state) {
                if self.round(edge) != Some(inside) {
                    continue;
                }
                if let Some((next, knowledge)) = self.pass(index, at, &known) {
                    queue.push_back((edge.to, next, knowledge, length + 1));
                }
            }
        }
        false
    }

    /// Follows an edge; `None` if it fails or if that cannot be decided.
    fn pass(&mut self, edge: usize, at: Vertex, known: &Knowledge) -> Option<(Vertex, Knowledge)> {
        self.copied.spend(known.weight())?;
        let from = self.automaton.edges()[edge].from;
        let Some(action) = self.automaton.edges()[edge].action else {
            return Some((at, known.clone()));
        };
        let mut after = known.clone();
        match &action.kind {
            RuleKind::Shift(label) => {
                let next = self.game.board.next(at, *label);
                return next.is_some().then_some((next, after));
            }
            RuleKind::On(pieces) => {
                let cell = self.cell(&mut after, at);
                match &mut cell.now {
                    Some(now) => *now = now.intersection(*pieces),
                    None => cell.before = cell.before.intersection(*pieces),
                }
                if cell.now.unwrap_or(cell.before).is_empty() {
                    return None;
                }
            }
            RuleKind::Off(piece, _) => {
                let cell = self.cell(&mut after, at);
                cell.now = Some([*piece].into_iter().collect());
                // What stood here never comes back: a capture chain, for example.
                let puts = self.puts[self.component[from.index()] as usize];
                if cell.before.intersection(puts).is_empty() {
                    return None;
                }
            }
            RuleKind::Assignment(variable, value, _) => {
                self.copied.spend(value.size())?;
                let value = evaluate(value, &known.values, None)?;
                if value < 0 || value > i64::from(self.game.declarations.bound(*variable)) {
                    return None;
                }
                match after.values.binary_search_by_key(variable, |(v, _)| *v) {
                    Ok(i) => after.values[i].1 = value,
                    Err(i) => after.values.insert(i, (*variable, value)),
                }
            }
            RuleKind::Comparison(comparison, sides) => {
                self.copied.spend(sides.0.size() + sides.1.size())?;
                match compare(*comparison, sides, &known.values, None) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => after.open.push((edge, known.values.clone())),
                }
            }
            RuleKind::Condition { negated, body } => {
                let holds = match self.walker {
                    Walker::Mover => self.conditions.holds(body, &self.game.board)?.contains(at),
                    Walker::Keeper => match self.keeper_conditions.always(body, at) {
                        Some(holds) => holds,
                        None if known.has_changed_nothing() => {
                            self.keeper_conditions.at_first(body, at)?
                        }
                        None => return None,
                    },
                };
                if holds == *negated {
                    return None;
                }
            }
            _ => {}
        }
        Some((at, after))
    }

    fn cell<'k>(&self, known: &'k mut Knowledge, vertex: Vertex) -> &'k mut Cell {
        let i = match known.cells.binary_search_by_key(&vertex, |c| c.vertex) {
            Ok(i) => i,
            Err(i) => {
                let before = self.game.declarations.all_pieces();
                known.cells.insert(i, Cell { vertex, before, now: None });
                i
            }
        };
        &mut known.cells[i]
    }

    /// True if the walk would have done the same on what it left behind.
    fn is_unchanged(&mut self, known: &Knowledge) -> bool {
        let board = &self.game.board;
        let same_board = known.cells.iter().all(|c| match c.now {
            Some(now) => !now.intersection(c.before).is_empty(),
            None => self.walker == Walker::Mover || c.before.contains(board.piece(c.vertex)),
        });
        same_board && known.open.iter().all(|(edge, values)| self.holds_again(known, *edge, values))
    }

    /// True if a comparison holds in the next round, too.
    fn holds_again(&mut self, known: &Knowledge, edge: usize, values: &[(Variable, i64)]) -> bool {
        let Some(RuleKind::Comparison(comparison, sides)) =
            self.automaton.edges()[edge].action.map(|a| &a.kind)
        else {
            return false;
        };
        if self.copied.spend(sides.0.size() + sides.1.size()).is_none() {
            return false;
        }
        match compare(*comparison, sides, values, Some(&known.values)) {
            Some(holds) => holds,
            // One comparison of things that nobody changes: either it never holds, or it always does.
            None => {
                self.walker == Walker::Keeper
                    && known.has_changed_nothing()
                    && known.open.iter().all(|(other, _)| *other == edge)
                    && self.can_hold(*comparison, sides)
            }
        }
    }

    fn can_hold(&self, comparison: Comparison, sides: &(Arithmetic, Arithmetic)) -> bool {
        let interval =
            |side| Interval::of(side, &self.game.declarations, self.game.board.len()).ok();
        let sides = interval(&sides.0).zip(interval(&sides.1));
        sides.is_some_and(|(left, right)| comparison.can_hold(left, right))
    }
}

/// What the offs inside each component put on the board.
fn pieces_put(automaton: &Automaton<'_>, component: &[u32]) -> Vec<PieceSet> {
    let components = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut puts = vec![PieceSet::EMPTY; components];
    for edge in automaton.edges() {
        let inside = component[edge.from.index()];
        if let Some(RuleKind::Off(piece, _)) = edge.action.map(|a| &a.kind)
            && component[edge.to.index()] == inside
        {
            puts[inside as usize].insert(*piece);
        }
    }
    puts
}

/// The value of an expression from the values a walk has set, and those it will have left behind.
fn evaluate(
    expression: &Arithmetic,
    values: &[(Variable, i64)],
    left_behind: Option<&[(Variable, i64)]>,
) -> Option<i64> {
    let find = |list: &[(Variable, i64)], variable: Variable| {
        list.binary_search_by_key(&variable, |(v, _)| *v).ok().map(|i| list[i].1)
    };
    let value = |v: Variable| find(values, v).or_else(|| find(left_behind?, v));
    let mut known = true;
    expression.visit(&mut |part| match part {
        Arithmetic::Variable(v) => known &= value(*v).is_some(),
        Arithmetic::Count(_) => known = false,
        _ => {}
    });
    if !known {
        return None;
    }
    expression.evaluate(&|v| value(v).unwrap_or(0), &|_| 0)
}

fn compare(
    comparison: Comparison,
    sides: &(Arithmetic, Arithmetic),
    values: &[(Variable, i64)],
    left_behind: Option<&[(Variable, i64)]>,
) -> Option<bool> {
    let left = evaluate(&sides.0, values, left_behind)?;
    let right = evaluate(&sides.1, values, left_behind)?;
    Some(comparison.holds(left, right))
}
