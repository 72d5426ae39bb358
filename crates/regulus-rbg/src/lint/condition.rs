//! Whether conditions hold at a vertex, without a position: on every board, on none, or on the board
//! that the game begins with, which is the one board that is sure to occur.

use rustc_hash::FxHashMap;

use super::keeper_walk::Walk;
use crate::arithmetic::Interval;
use crate::board::{Board, Vertex};
use crate::declarations::PieceSet;
use crate::flow::{VertexSet, Work};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// Vertices that may be looked at. Conditions are small; those that nest loops in loops are not worth it.
const MAX_WORK: usize = 10_000_000;

/// What is taken for granted about boards and variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    /// Tests pass if some board lets them: no condition holds anywhere else.
    Most,
    /// Tests pass if every board lets them: conditions hold there for sure.
    Least,
    /// The board is the one at the beginning; variables are unknown.
    First,
}

impl View {
    /// The view in which what does not hold does hold.
    fn opposite(self) -> View {
        match self {
            View::Most => View::Least,
            View::Least => View::Most,
            View::First => View::First,
        }
    }
}

/// Finds out where conditions hold.
pub(super) struct Conditions<'g> {
    game: &'g Game,
    /// By the address of their bodies; nothing where it is not known.
    known: FxHashMap<(*const Rule, View), Option<VertexSet>>,
    work: Work,
}

impl<'g> Conditions<'g> {
    pub(super) fn new(game: &'g Game) -> Self {
        Conditions { game, known: FxHashMap::default(), work: Work::new(MAX_WORK) }
    }

    /// Whether `{? body}` holds at a vertex whatever the state is; `None` if that depends on it.
    pub(super) fn always(&mut self, body: &Rule, vertex: Vertex) -> Option<bool> {
        if !self.holds(body, vertex, View::Most)? {
            return Some(false);
        }
        self.holds(body, vertex, View::Least)?.then_some(true)
    }

    /// Whether `{? body}` holds at a vertex of the board that the game begins with; `None` if variables
    /// or modifiers have a part in it.
    pub(super) fn at_first(&mut self, body: &Rule, vertex: Vertex) -> Option<bool> {
        self.holds(body, vertex, View::First)
    }

    /// Keeps the vertices at which `{? body}`, or `{! body}`, can hold.
    pub(super) fn keep_possible(&mut self, body: &Rule, negated: bool, vertices: &mut VertexSet) {
        let view = if negated { View::Least } else { View::Most };
        if let Some(holds) = self.set(body, view) {
            vertices.filter(holds, !negated);
        }
    }

    /// False if `{? body}`, or `{! body}`, cannot hold where a walk begins that finds certain pieces.
    pub(super) fn can_hold(
        &mut self,
        body: &Rule,
        negated: bool,
        at: Vertex,
        walk: &Walk<'_>,
    ) -> bool {
        let view = if negated { View::Least } else { View::Most };
        let all = VertexSet::full(&self.game.board);
        // Nothing is known, so it can.
        let Some(sources) = self.sources(body, &all, view, Some(walk)) else { return true };
        sources.contains(at) != negated
    }

    fn holds(&mut self, body: &Rule, vertex: Vertex, view: View) -> Option<bool> {
        self.set(body, view).map(|set| set.contains(vertex))
    }

    /// The vertices at which `{? body}` holds.
    fn set(&mut self, body: &Rule, view: View) -> Option<&VertexSet> {
        let key = (std::ptr::from_ref(body), view);
        if !self.known.contains_key(&key) {
            let all = VertexSet::full(&self.game.board);
            let set = self.sources(body, &all, view, None);
            self.known.insert(key, set);
        }
        self.known.get(&key)?.as_ref()
    }

    /// The vertices from which rules can be walked so as to end in `targets`; `None` if that is not
    /// known. What a walk has found on the board is taken into account if it is given.
    fn sources(
        &mut self,
        rule: &Rule,
        targets: &VertexSet,
        view: View,
        walk: Option<&Walk<'_>>,
    ) -> Option<VertexSet> {
        let game = self.game;
        let board = &game.board;
        self.work.spend(8 + board.len() / 8)?;
        Some(match &rule.kind {
            RuleKind::Shift(label) => {
                self.work.spend(board.len())?;
                targets.preimage(board, *label)
            }
            RuleKind::On(pieces) => {
                self.work.spend(board.len())?;
                let mut kept = VertexSet::empty(board);
                let can_be = |v: Vertex| {
                    let found = walk.and_then(|w| w.cell(v)).map(|c| c.before);
                    found.unwrap_or(game.declarations.all_pieces())
                };
                targets
                    .iter()
                    .filter(|v| passes(*pieces, can_be(*v), *v, board, view))
                    .for_each(|v| kept.insert(v));
                kept
            }
            RuleKind::Concatenation(parts) => {
                parts.iter().rev().try_fold(targets.clone(), |targets, part| {
                    self.sources(part, &targets, view, walk)
                })?
            }
            RuleKind::Sum(alternatives) => {
                let mut all = VertexSet::empty(board);
                for alternative in alternatives {
                    all.unite(&self.sources(alternative, targets, view, walk)?);
                }
                all
            }
            RuleKind::Star(body) => {
                let mut all = targets.clone();
                while all.unite(&self.sources(body, &all, view, walk)?) {}
                all
            }
            RuleKind::Condition { negated, body } => {
                let view = if *negated { view.opposite() } else { view };
                let holds = self.sources(body, &VertexSet::full(board), view, walk)?;
                let mut kept = targets.clone();
                kept.filter(&holds, !negated);
                kept
            }
            RuleKind::Dot => targets.clone(),
            // What stood there is not known any more.
            RuleKind::Off(..) if walk.is_some() || view == View::First => return None,
            RuleKind::Off(..) => targets.clone(),
            RuleKind::Comparison(comparison, sides) => {
                let interval = |side| Interval::of(side, &game.declarations, board.len()).ok();
                let can_hold = interval(&sides.0)
                    .zip(interval(&sides.1))
                    .is_some_and(|(left, right)| comparison.can_hold(left, right));
                match view {
                    View::Most if can_hold => targets.clone(),
                    View::First if can_hold => return None,
                    _ => VertexSet::empty(board),
                }
            }
            RuleKind::Assignment(..) => match view {
                View::Most => targets.clone(),
                View::Least => VertexSet::empty(board),
                View::First => return None,
            },
            RuleKind::Switch(..) => return None,
        })
    }
}

/// True if a test for pieces passes at a vertex where some of `can_be` stands.
fn passes(pieces: PieceSet, can_be: PieceSet, vertex: Vertex, board: &Board, view: View) -> bool {
    match view {
        View::Most => !pieces.intersection(can_be).is_empty(),
        View::Least => can_be.intersection(pieces) == can_be,
        View::First => pieces.contains(board.piece(vertex)),
    }
}
