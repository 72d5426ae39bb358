//! What can be the case at every state of the automaton, whatever is played: on which vertices the
//! pointer can be, and which pieces can stand under it. An over-approximation by a fixpoint.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::arithmetic::Interval;
use crate::automaton::{Automaton, Edge, State};
use crate::board::{Board, Vertex};
use crate::declarations::{Label, PieceSet};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// A set of vertices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VertexSet {
    words: Vec<u64>,
}

impl VertexSet {
    /// No vertex of a board.
    pub fn empty(board: &Board) -> Self {
        VertexSet { words: vec![0; board.len() / 64 + 1] }
    }

    /// All vertices of a board.
    pub fn full(board: &Board) -> Self {
        let mut set = VertexSet::empty(board);
        board.vertices().for_each(|v| set.insert(v));
        set
    }

    /// Adds a vertex.
    pub fn insert(&mut self, vertex: Vertex) {
        self.words[usize::from(vertex.0) / 64] |= 1 << (vertex.0 % 64);
    }

    /// True if the vertex is in the set.
    pub fn contains(&self, vertex: Vertex) -> bool {
        self.words[usize::from(vertex.0) / 64] >> (vertex.0 % 64) & 1 == 1
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// The vertices, in order.
    pub fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            std::iter::successors((*word != 0).then_some(*word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| Vertex((i * 64) as u16 + w.trailing_zeros() as u16))
        })
    }

    /// Adds all of another set; true if that changed anything.
    pub fn unite(&mut self, other: &VertexSet) -> bool {
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    /// Keeps (or, `keep` being false, drops) the vertices of another set.
    fn filter(&mut self, other: &VertexSet, keep: bool) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= if keep { *b } else { !*b };
        }
    }

    fn image(&self, board: &Board, label: Label) -> VertexSet {
        let mut image = VertexSet::empty(board);
        for vertex in self.iter() {
            let next = board.next(vertex, label);
            if next.is_some() {
                image.insert(next);
            }
        }
        image
    }

    fn preimage(&self, board: &Board, label: Label) -> VertexSet {
        let mut preimage = VertexSet::empty(board);
        for vertex in board.vertices() {
            let next = board.next(vertex, label);
            if next.is_some() && self.contains(next) {
                preimage.insert(vertex);
            }
        }
        preimage
    }
}

/// The vertices from which shift-only rules can be walked so as to end in `targets`.
pub fn sources(rule: &Rule, board: &Board, targets: &VertexSet) -> VertexSet {
    match &rule.kind {
        RuleKind::Shift(label) => targets.preimage(board, *label),
        RuleKind::Concatenation(parts) => {
            parts.iter().rev().fold(targets.clone(), |targets, part| sources(part, board, &targets))
        }
        RuleKind::Sum(alternatives) => {
            let mut all = VertexSet::empty(board);
            for alternative in alternatives {
                all.unite(&sources(alternative, board, targets));
            }
            all
        }
        RuleKind::Star(body) => {
            let mut all = targets.clone();
            while all.unite(&sources(body, board, &all)) {}
            all
        }
        _ => targets.clone(),
    }
}

/// What can be the case at a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Where the pointer can be; none if the state cannot be reached.
    pub vertices: VertexSet,
    /// What can stand under it.
    pub pieces: PieceSet,
}

/// The facts of all states.
#[derive(Debug)]
pub struct Flow {
    facts: Vec<Option<Fact>>,
}

impl Flow {
    /// Computes the facts of a game's automaton.
    pub fn of(game: &Game, automaton: &Automaton<'_>) -> Flow {
        let board = &game.board;
        let mut facts: Vec<Option<Fact>> = vec![None; automaton.len()];
        let mut start = VertexSet::empty(board);
        start.insert(Vertex(1));
        let pieces = [board.piece(Vertex(1))].into_iter().collect();
        facts[automaton.start.index()] = Some(Fact { vertices: start, pieces });
        let mut conditions = Conditions::default();
        let mut queue = BinaryHeap::from([Reverse(automaton.start)]);
        let mut queued = vec![false; automaton.len()];
        // Smallest state first: what comes earlier in the rules is settled before what follows.
        while let Some(Reverse(state)) = queue.pop() {
            queued[state.index()] = false;
            let Some(fact) = facts[state.index()].clone() else { continue };
            for edge in automaton.from(state) {
                let Some(after) = step(game, edge, &fact, &mut conditions) else { continue };
                let changed = match &mut facts[edge.to.index()] {
                    Some(known) => {
                        let pieces = known.pieces.union(after.pieces);
                        let changed = pieces != known.pieces;
                        known.pieces = pieces;
                        known.vertices.unite(&after.vertices) || changed
                    }
                    unknown => {
                        *unknown = Some(after);
                        true
                    }
                };
                if changed && !std::mem::replace(&mut queued[edge.to.index()], true) {
                    queue.push(Reverse(edge.to));
                }
            }
        }
        Flow { facts }
    }

    /// The fact of a state; `None` if no walk gets there.
    pub fn at(&self, state: State) -> Option<&Fact> {
        self.facts[state.index()].as_ref()
    }
}

/// Where shift-only conditions hold, by the address of their body.
#[derive(Default)]
pub(crate) struct Conditions {
    holds: rustc_hash::FxHashMap<*const Rule, VertexSet>,
}

/// The fact behind an edge; `None` if it cannot be passed.
pub(crate) fn step(
    game: &Game,
    edge: &Edge<'_>,
    fact: &Fact,
    conditions: &mut Conditions,
) -> Option<Fact> {
    let board = &game.board;
    let Some(action) = edge.action else { return Some(fact.clone()) };
    let mut after = fact.clone();
    match &action.kind {
        RuleKind::Shift(label) => {
            after.vertices = fact.vertices.image(board, *label);
            after.pieces = game.declarations.all_pieces();
        }
        RuleKind::On(pieces) => after.pieces = fact.pieces.intersection(*pieces),
        RuleKind::Off(piece, _) => after.pieces = [*piece].into_iter().collect(),
        RuleKind::Comparison(comparison, sides) => {
            let interval = |side| Interval::of(side, &game.declarations, board.len()).ok();
            let (left, right) = (interval(&sides.0)?, interval(&sides.1)?);
            if !comparison.can_hold(left, right) {
                return None;
            }
        }
        RuleKind::Condition { negated, body } if body.is_shift_only() => {
            let holds = conditions
                .holds
                .entry(std::ptr::from_ref(&**body))
                .or_insert_with(|| sources(body, board, &VertexSet::full(board)));
            after.vertices.filter(holds, !negated);
        }
        _ => {}
    }
    (!after.vertices.is_empty() && !after.pieces.is_empty()).then_some(after)
}
