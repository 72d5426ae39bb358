//! Keepers with more than one outcome: two ways on from the same state, both possible, that leave
//! something different behind when a player is to move or the game is over.
//!
//! Looked at are the places where the rules part while the keeper moves. From each, at a few
//! vertices, [walks](super::keeper_walk) are followed along every alternative. Two of them are reported if
//! the tests of one imply those of the other, or both are possible on the board that the game begins
//! with, and if there is a difference that nothing the keeper does later can undo.

use rustc_hash::{FxHashMap, FxHashSet};

use super::afterwards::Afterwards;
use super::condition::Conditions;
use super::keeper_place;
use super::keeper_walk::{End, Test, Walk, Walks};
use super::value_set::ValueSets;
use super::values::{Values, is_implied};
use crate::automaton::{Automaton, State};
use crate::board::{Board, Vertex};
use crate::code::Code;
use crate::declarations::{Piece, Player, Variable};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::flow::{Flow, VertexSet, Work};
use crate::game::Game;
use crate::rule::Rule;

/// What may be copied, compared and visited before the search is given up.
const MAX_WORK: usize = 4_000_000;

pub(super) fn check(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    diagnostics: &mut Diagnostics,
) {
    let mut search = Search {
        walks: Walks {
            game,
            automaton,
            flow,
            conditions: Conditions::new(game),
            work: Work::new(MAX_WORK),
        },
        alternatives: automaton.alternatives.iter().map(|a| (a.entry, a.rule)).collect(),
        afterwards: Afterwards::new(game, automaton, flow),
    };
    let conditions = &mut search.walks.conditions;
    let Some(places) = keeper_place::places(game, automaton, flow, conditions) else { return };
    // What follows a choice in the same move is not worth a second message.
    let mut is_behind_choice = vec![false; automaton.len()];
    for (state, place) in places {
        let edges: Vec<usize> = automaton.from_indexed(state).map(|(i, _)| i).collect();
        if edges.len() < 2 || is_behind_choice[state.index()] {
            continue;
        }
        for vertex in samples(game, &place.vertices) {
            if search.walks.work.spend(place.vertices.len()).is_none() {
                return;
            }
            if let Some((first, second, difference)) = search.choice(&edges, vertex, &place.values)
            {
                diagnostics.push(two_outcomes(first, second, &difference));
                mark_stretch(automaton, state, &mut is_behind_choice);
                break;
            }
        }
    }
}

/// Marks what can be reached from a state without a switch.
fn mark_stretch(automaton: &Automaton<'_>, state: State, is_marked: &mut [bool]) {
    let mut stack = vec![state];
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut is_marked[state.index()], true) {
            stack.extend(automaton.from(state).filter(|e| !e.is_switch()).map(|e| e.to));
        }
    }
}

fn two_outcomes(first: &Rule, second: &Rule, difference: &str) -> Diagnostic {
    Diagnostic::new(Code::KeeperHasChoice, second.place)
        .message(format!("the keeper can go on in two ways, and {difference}"))
        .label("this is possible at the same time")
        .other(first.place, "this is taken, because it comes first")
        .help("test something that only one of the two passes")
}

/// A few vertices: one in the middle with as many neighbours as possible, the first and the last.
fn samples(game: &Game, vertices: &VertexSet) -> Vec<Vertex> {
    let board = &game.board;
    let all: Vec<Vertex> = vertices.iter().collect();
    let neighbours = |v: Vertex| {
        let labels = (0..board.label_count()).map(|l| crate::declarations::Label(l as u8));
        labels.filter(|l| board.next(v, *l).is_some()).count()
    };
    let middle = all.len() / 2;
    let central = all
        .iter()
        .enumerate()
        .max_by_key(|(i, v)| (neighbours(**v), std::cmp::Reverse(i.abs_diff(middle))))
        .map(|(_, v)| *v);
    let mut samples: Vec<Vertex> =
        central.into_iter().chain(all.first().copied()).chain(all.last().copied()).collect();
    let mut seen = FxHashSet::default();
    samples.retain(|v| seen.insert(*v));
    samples
}

struct Search<'s, 'r> {
    walks: Walks<'s, 'r>,
    /// The alternatives of sums, by the states where they begin.
    alternatives: FxHashMap<State, &'r Rule>,
    afterwards: Afterwards<'s, 'r>,
}

impl<'r> Search<'_, 'r> {
    /// Two ways on that the keeper can choose between at a vertex, and what differs.
    fn choice(
        &mut self,
        edges: &[usize],
        vertex: Vertex,
        given: &ValueSets,
    ) -> Option<(&'r Rule, &'r Rule, String)> {
        let mut before: Vec<(usize, (Walk<'r>, End))> = Vec::new();
        for edge in edges {
            self.walks.work.spend(1)?;
            let ends = self.walks.ends(*edge, vertex);
            for ((earlier, a), b) in before.iter().flat_map(|a| ends.iter().map(move |b| (a, b))) {
                self.walks.work.spend(8 + a.0.cells.len() + b.0.cells.len())?;
                if a.0.first == b.0.first || !self.are_possible_together(&a.0, &b.0) {
                    continue;
                }
                let Some(difference) = self.difference(a, b, given) else { continue };
                if !self.is_consistent(&a.0) || !self.is_consistent(&b.0) {
                    continue;
                }
                let ways = (self.beginning(*earlier, &a.0)?, self.beginning(*edge, &b.0)?);
                return Some((ways.0, ways.1, difference));
            }
            before.extend(ends.into_iter().map(|end| (*edge, end)));
        }
        None
    }

    /// What to show of a walk that begins with an edge: the alternative of a sum, or its first action.
    fn beginning(&self, edge: usize, walk: &Walk<'r>) -> Option<&'r Rule> {
        let edges = self.walks.automaton.edges();
        let alternative = self.alternatives.get(&edges[edge].to).copied();
        alternative.or_else(|| edges[walk.first?].action)
    }

    /// True if both walks are possible in some state.
    fn are_possible_together(&mut self, a: &Walk<'_>, b: &Walk<'_>) -> bool {
        self.implies(a, b) || self.implies(b, a) || self.are_possible_at_first(a, b)
    }

    /// False if conditions of a walk contradict the pieces that it finds.
    fn is_consistent(&mut self, walk: &Walk<'_>) -> bool {
        walk.tests.iter().all(|test| match test {
            Test::Condition { negated, body, vertex } => {
                self.walks.conditions.can_hold(body, *negated, *vertex, walk)
            }
            _ => true,
        })
    }

    /// True if one walk is possible wherever the other is.
    fn implies(&mut self, a: &Walk<'_>, b: &Walk<'_>) -> bool {
        let cells = b.cells.iter().filter(|c| c.is_tested).all(|c| {
            a.cell(c.vertex)
                .is_some_and(|known| known.before.intersection(c.before) == known.before)
        });
        let game = self.walks.game;
        cells && b.tests.iter().all(|test| self.is_among(test, a) || is_implied(game, test, a))
    }

    fn is_among(&mut self, test: &Test<'_>, walk: &Walk<'_>) -> bool {
        let size = match test {
            Test::Condition { body, .. } => body.size(),
            Test::Comparison(_, sides) => sides.0.size() + sides.1.size(),
            Test::InBounds(_, value) => value.size(),
        };
        self.walks.work.spend(size * walk.tests.len()).is_some() && walk.tests.contains(test)
    }

    /// True if both are possible on the board that the game begins with, whatever the variables are.
    fn are_possible_at_first(&mut self, a: &Walk<'_>, b: &Walk<'_>) -> bool {
        let board = &self.walks.game.board;
        if !finds_pieces_at_first(a, board) || !finds_pieces_at_first(b, board) {
            return false;
        }
        self.passes_conditions_at_first(a)
            && self.passes_conditions_at_first(b)
            && values_tested(a).all(|test| self.is_among(test, b))
            && values_tested(b).all(|test| self.is_among(test, a))
    }

    fn passes_conditions_at_first(&mut self, walk: &Walk<'_>) -> bool {
        walk.tests.iter().all(|test| match test {
            Test::Condition { negated, body, vertex } => {
                self.walks.conditions.at_first(body, *vertex) == Some(!negated)
            }
            _ => true,
        })
    }

    /// What differs behind two walks that are possible in the same state, in words.
    fn difference(
        &mut self,
        a: &(Walk<'r>, End),
        b: &(Walk<'r>, End),
        given: &ValueSets,
    ) -> Option<String> {
        let values = Values::of(self.walks.game, given, [&a.0, &b.0])?;
        if let Some(words) = self.different_values(&values, a, b) {
            return Some(words);
        }
        if a.1 == End::Over && b.1 == End::Over {
            return None;
        }
        if self.has_different_board(a, b) {
            return Some("they leave different boards".to_owned());
        }
        // The rest is only of interest where the keeper has come to his end.
        let name = |player| self.walks.game.declarations.player_name(player).to_owned();
        match (a.1, b.1) {
            (End::Switch(Player::KEEPER, _), _) | (_, End::Switch(Player::KEEPER, _)) => None,
            (End::Switch(p, _), End::Switch(q, _)) if p != q => {
                Some(format!("either `{}` or `{}` moves next", name(p), name(q)))
            }
            (End::Switch(_, p), End::Switch(_, q)) => self.different_moves(p, &a.0, q, &b.0),
            _ => Some("the game may be over or go on".to_owned()),
        }
    }

    /// A variable that has different values, and keeps them until they are read.
    fn different_values(
        &mut self,
        values: &Values,
        a: &(Walk<'r>, End),
        b: &(Walk<'r>, End),
    ) -> Option<String> {
        let variables: FxHashSet<Variable> =
            a.0.values.iter().chain(&b.0.values).map(|(v, _)| *v).collect();
        let mut variables: Vec<Variable> = variables.into_iter().collect();
        variables.sort();
        variables.into_iter().find_map(|variable| {
            let (one, other) = (values.after(&a.0, variable)?, values.after(&b.0, variable)?);
            let matters =
                [a.1, b.1].into_iter().all(|end| self.afterwards.keeps_value(end, variable));
            let name = self.walks.game.declarations.variable_name(variable);
            (one != other && matters).then(|| format!("`{name}` differs afterwards"))
        })
    }

    /// True if some vertex has different pieces, and keeps them while the keeper moves.
    fn has_different_board(&mut self, a: &(Walk<'r>, End), b: &(Walk<'r>, End)) -> bool {
        let changed = a.0.cells.iter().chain(&b.0.cells).filter(|c| c.now.is_some());
        let vertices: Vec<Vertex> = changed.map(|c| c.vertex).collect();
        vertices.into_iter().any(|vertex| {
            let before = self.piece_before(&a.0, &b.0, vertex);
            let after = |w: &Walk<'_>| w.cell(vertex).and_then(|c| c.now).unwrap_or(before);
            after(&a.0) != after(&b.0)
                && [a.1, b.1].into_iter().all(|end| self.afterwards.keeps_piece(end, vertex))
        })
    }

    /// A piece that can stand on a vertex when both walks begin: that of the first board if it can.
    fn piece_before(&self, a: &Walk<'_>, b: &Walk<'_>, vertex: Vertex) -> Piece {
        let first = self.walks.game.board.piece(vertex);
        let cells = [a, b].into_iter().filter_map(|w| w.cell(vertex)).map(|c| c.before);
        match cells.reduce(|x, y| x.intersection(y)) {
            Some(can_be) if !can_be.contains(first) => can_be.iter().next().unwrap_or(first),
            _ => first,
        }
    }

    /// Words if a player has a move behind one walk that he does not have behind the other.
    fn different_moves(
        &mut self,
        p: State,
        a: &Walk<'r>,
        q: State,
        b: &Walk<'r>,
    ) -> Option<String> {
        if p == q && a.vertex == b.vertex {
            return None;
        }
        let differs = self.has_move_of_its_own((p, a), (q, b.vertex))
            || self.has_move_of_its_own((q, b), (p, a.vertex));
        differs.then(|| "the next player has different moves".to_owned())
    }

    /// True if a move is possible behind a walk, on the board that the game begins with but for what
    /// the walk changed, and its first modifier cannot be the first one from another place.
    fn has_move_of_its_own(
        &mut self,
        (state, keeper): (State, &Walk<'r>),
        other: (State, Vertex),
    ) -> bool {
        let Some(others) = self.first_modifiers(other) else { return false };
        let board = &self.walks.game.board;
        let edges: Vec<usize> = self.walks.automaton.from_indexed(state).map(|(i, _)| i).collect();
        edges.into_iter().any(|edge| {
            let ends = self.walks.ends(edge, keeper.vertex);
            ends.into_iter().any(|(walk, _)| {
                let is_new = walk.first_modifier.is_some_and(|first| !others.contains(&first));
                let is_apart = walk.is_free() || keeper.cells.iter().all(|c| c.now.is_none());
                is_new
                    && is_apart
                    && values_tested(&walk).next().is_none()
                    && finds_pieces_at_first(&walk, board)
                    && self.passes_conditions_at_first(&walk)
            })
        })
    }

    /// All modifiers, and where, that can be the first one; `None` if that is too much work.
    fn first_modifiers(
        &mut self,
        (state, vertex): (State, Vertex),
    ) -> Option<FxHashSet<(usize, Vertex)>> {
        let automaton = self.walks.automaton;
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(state, vertex)];
        while let Some((state, vertex)) = stack.pop() {
            self.walks.work.spend(4)?;
            if !seen.insert((state, vertex)) {
                continue;
            }
            for (index, edge) in automaton.from_indexed(state) {
                if edge.is_modifier() {
                    found.insert((index, vertex));
                } else if let Some(next) = self.walks.may_pass(edge.action, vertex) {
                    stack.push((edge.to, next));
                }
            }
        }
        Some(found)
    }
}

/// True if a walk finds what it tests for on the board that the game begins with.
fn finds_pieces_at_first(walk: &Walk<'_>, board: &Board) -> bool {
    walk.cells.iter().all(|c| !c.is_tested || c.before.contains(board.piece(c.vertex)))
}

/// The tests of a walk that are about variables.
fn values_tested<'w, 'r>(walk: &'w Walk<'r>) -> impl Iterator<Item = &'w Test<'r>> {
    walk.tests.iter().filter(|test| !matches!(test, Test::Condition { .. }))
}
