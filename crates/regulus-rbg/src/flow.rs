//! What can be the case at every state of the automaton, whatever is played: on which vertices the
//! pointer can be, and which pieces can stand under it. An over-approximation by a fixpoint.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::arithmetic::Interval;
use crate::automaton::{Automaton, Edge, State};
use crate::board::{Board, Vertex};
use crate::declarations::{Label, PieceSet};
use crate::game::Game;
use crate::limits::{MAX_ANALYSIS_WORK, MAX_FACT_WORDS};
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
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
    pub(crate) fn filter(&mut self, other: &VertexSet, keep: bool) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= if keep { *b } else { !*b };
        }
    }

    /// The vertices to which an edge of this label leads from the set.
    pub(crate) fn image(&self, board: &Board, label: Label) -> VertexSet {
        let mut image = VertexSet::empty(board);
        for vertex in self.iter() {
            let next = board.next(vertex, label);
            if next.is_some() {
                image.insert(next);
            }
        }
        image
    }

    /// The vertices from which an edge of this label leads into the set.
    pub(crate) fn preimage(&self, board: &Board, label: Label) -> VertexSet {
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

/// How much of an analysis is left to be done; see [`MAX_ANALYSIS_WORK`].
#[derive(Debug)]
pub(crate) struct Work {
    left: usize,
}

impl Default for Work {
    fn default() -> Self {
        Work::new(MAX_ANALYSIS_WORK)
    }
}

impl Work {
    /// Work of this size.
    pub(crate) fn new(left: usize) -> Self {
        Work { left }
    }

    /// Counts some vertices; `None` when it has been too much.
    pub(crate) fn spend(&mut self, vertices: usize) -> Option<()> {
        self.left = self.left.saturating_sub(vertices);
        (self.left > 0).then_some(())
    }
}

/// The vertices from which shift-only rules can be walked so as to end in `targets`; `None` if that
/// takes too much work.
fn sources(rule: &Rule, board: &Board, targets: &VertexSet, work: &mut Work) -> Option<VertexSet> {
    work.spend(targets.words.len())?;
    Some(match &rule.kind {
        RuleKind::Shift(label) => {
            work.spend(board.len())?;
            targets.preimage(board, *label)
        }
        RuleKind::Concatenation(parts) => parts
            .iter()
            .rev()
            .try_fold(targets.clone(), |targets, part| sources(part, board, &targets, work))?,
        RuleKind::Sum(alternatives) => {
            let mut all = VertexSet::empty(board);
            for alternative in alternatives {
                all.unite(&sources(alternative, board, targets, work)?);
            }
            all
        }
        RuleKind::Star(body) => {
            let mut all = targets.clone();
            while all.unite(&sources(body, board, &all, work)?) {}
            all
        }
        _ => targets.clone(),
    })
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
    /// What holds everywhere if the analysis was given up: nothing is excluded.
    anything: Option<Fact>,
}

impl Flow {
    /// Computes the facts of a game's automaton. If that is too much work, everything is taken to be
    /// possible everywhere.
    pub fn of(game: &Game, automaton: &Automaton<'_>) -> Flow {
        match Flow::facts(game, automaton) {
            Some(facts) => Flow { facts, anything: None },
            None => {
                let vertices = VertexSet::full(&game.board);
                let anything = Fact { vertices, pieces: game.declarations.all_pieces() };
                Flow { facts: Vec::new(), anything: Some(anything) }
            }
        }
    }

    fn facts(game: &Game, automaton: &Automaton<'_>) -> Option<Vec<Option<Fact>>> {
        let board = &game.board;
        if automaton.len().saturating_mul(board.len() / 64 + 1) > MAX_FACT_WORDS {
            return None;
        }
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
                conditions.work.spend(cost(edge, &fact))?;
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
        Some(facts)
    }

    /// True if the analysis was given up, so that the facts say nothing.
    pub fn gave_up(&self) -> bool {
        self.anything.is_some()
    }

    /// The fact of a state; `None` if no walk gets there.
    pub fn at(&self, state: State) -> Option<&Fact> {
        self.anything.as_ref().or_else(|| self.facts[state.index()].as_ref())
    }
}

/// How many vertices following an edge takes, copying sets of them included.
pub(crate) fn cost(edge: &Edge<'_>, fact: &Fact) -> usize {
    let shift = edge.action.is_some_and(|a| matches!(a.kind, RuleKind::Shift(_)));
    8 + fact.vertices.words.len() + if shift { fact.vertices.len() } else { 0 }
}

/// What is known of tests, by their address.
#[derive(Default)]
pub(crate) struct Conditions {
    /// Where shift-only conditions hold; nothing for others, and for those that are too much work.
    holds: FxHashMap<*const Rule, Option<VertexSet>>,
    /// Whether comparisons can hold at all.
    comparisons: FxHashMap<*const Rule, bool>,
    /// What may still be done, also by those who use this.
    pub(crate) work: Work,
}

impl Conditions {
    /// Where a condition holds, if it is shift-only.
    pub(crate) fn holds(&mut self, body: &Rule, board: &Board) -> Option<&VertexSet> {
        let work = &mut self.work;
        self.holds
            .entry(std::ptr::from_ref(body))
            .or_insert_with(|| {
                let all = VertexSet::full(board);
                if body.is_shift_only() { sources(body, board, &all, work) } else { None }
            })
            .as_ref()
    }
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
            let can_hold =
                conditions.comparisons.entry(std::ptr::from_ref(action)).or_insert_with(|| {
                    let interval = |side| Interval::of(side, &game.declarations, board.len()).ok();
                    interval(&sides.0)
                        .zip(interval(&sides.1))
                        .is_some_and(|(left, right)| comparison.can_hold(left, right))
                });
            if !*can_hold {
                return None;
            }
        }
        RuleKind::Condition { negated, body } => {
            if let Some(holds) = conditions.holds(body, board) {
                after.vertices.filter(holds, !negated);
            }
        }
        _ => {}
    }
    (!after.vertices.is_empty() && !after.pieces.is_empty()).then_some(after)
}
