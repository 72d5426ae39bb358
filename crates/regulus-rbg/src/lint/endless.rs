//! Loops inside a move that can come back to the same vertex with the same board and variables
//! after passing a modifier: they give infinitely many moves.
//!
//! The search follows walks through the loop and remembers only what the walk itself tested and
//! changed. It reports a loop when some board makes it repeatable for certain; conditions that
//! depend on the board, and values that are not known, end the search along that walk. So it never
//! reports a loop that the position bounds.

use rustc_hash::FxHashSet;

use crate::arithmetic::{Arithmetic, Comparison};
use crate::automaton::Automaton;
use crate::board::Vertex;
use crate::code::Code;
use crate::declarations::{PieceSet, Variable};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::flow::{Conditions, Flow, Work};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// Steps after which the search gives up.
const MAX_STEPS: usize = 4_000;

/// Words that all walks together may copy. The search on capture chains copies most.
const MAX_COPIED: usize = 20_000_000;

/// Longest walk around a loop that is looked at.
const MAX_WALK: usize = 200;

pub(super) fn check(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    diagnostics: &mut Diagnostics,
) {
    let component = automaton.components(|e| !e.is_switch());
    let puts = pieces_put(automaton, &component);
    let mut steps = 0;
    let mut conditions = Conditions::default();
    let mut copied = Work::new(MAX_COPIED);
    let mut reported = FxHashSet::default();
    for (index, edge) in automaton.edges().iter().enumerate() {
        let inside = component[edge.from.index()];
        let is_loop =
            edge.is_modifier() && !edge.is_switch() && component[edge.to.index()] == inside;
        let (Some(action), true) = (edge.action, is_loop) else { continue };
        let Some(fact) = flow.at(edge.from) else { continue };
        if reported.contains(&inside) {
            continue;
        }
        let mut search = Search {
            game,
            automaton,
            component: &component,
            inside,
            puts: puts[inside as usize],
            steps: &mut steps,
            conditions: &mut conditions,
            copied: &mut copied,
        };
        for vertex in fact.vertices.iter() {
            if search.is_over() {
                return;
            }
            if search.repeats(index, vertex) {
                reported.insert(inside);
                diagnostics.push(endless(action));
                break;
            }
        }
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

fn endless(action: &Rule) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::EndlessLoop, action.place)
        .message("this can be repeated for ever with nothing changed")
        .label("a loop passes here without a switch");
    match action.kind {
        RuleKind::Off(..) => {
            diagnostic.help("test what stands there first, so that it happens once: `({e} [x])*`")
        }
        _ => diagnostic
            .help("a repeated assignment needs something that runs out, such as a counter"),
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
    /// How many words a copy takes, roughly.
    fn weight(&self) -> usize {
        let open: usize = self.open.iter().map(|(_, values)| 8 + 2 * values.len()).sum();
        8 + 10 * self.cells.len() + 2 * self.values.len() + open
    }
}

struct Search<'s, 'r> {
    game: &'s Game,
    automaton: &'s Automaton<'r>,
    component: &'s [u32],
    inside: u32,
    /// What the offs of the loop put on the board.
    puts: PieceSet,
    steps: &'s mut usize,
    conditions: &'s mut Conditions,
    copied: &'s mut Work,
}

impl Search<'_, '_> {
    /// True when the search has given up.
    fn is_over(&mut self) -> bool {
        *self.steps > MAX_STEPS || self.copied.spend(0).is_none()
    }

    /// True if a walk that begins with the edge `first` at `vertex` comes back there with nothing changed.
    fn repeats(&mut self, first: usize, vertex: Vertex) -> bool {
        let automaton = self.automaton;
        let Some((at, known)) = self.pass(first, vertex, &Knowledge::default()) else {
            return false;
        };
        let first = &automaton.edges()[first];
        let mut seen = FxHashSet::default();
        let mut stack = vec![(first.to, at, known, 0usize)];
        while let Some((state, at, known, length)) = stack.pop() {
            *self.steps += 1;
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
                if edge.is_switch() || self.component[edge.to.index()] != self.inside {
                    continue;
                }
                if let Some((next, knowledge)) = self.pass(index, at, &known) {
                    stack.push((edge.to, next, knowledge, length + 1));
                }
            }
        }
        false
    }

    /// Follows an edge; `None` if it fails or if that cannot be decided.
    fn pass(&mut self, edge: usize, at: Vertex, known: &Knowledge) -> Option<(Vertex, Knowledge)> {
        self.copied.spend(known.weight())?;
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
                if cell.before.intersection(self.puts).is_empty() {
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
                let holds = self.conditions.holds(body, &self.game.board)?;
                if holds.contains(at) == *negated {
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
        let same_board = known
            .cells
            .iter()
            .all(|c| c.now.is_none_or(|now| !now.intersection(c.before).is_empty()));
        same_board
            && known.open.iter().all(|(edge, values)| {
                match self.automaton.edges()[*edge].action.map(|a| &a.kind) {
                    Some(RuleKind::Comparison(comparison, sides)) => {
                        self.copied.spend(sides.0.size() + sides.1.size()).is_some()
                            && compare(*comparison, sides, values, Some(&known.values))
                                == Some(true)
                    }
                    _ => false,
                }
            })
    }
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
