//! What becomes of what the keeper leaves behind: whether a piece or a value stays as it is until it is a
//! player's turn, and whether it matters then.

use rustc_hash::{FxHashMap, FxHashSet};

use super::keeper_walk::End;
use crate::arithmetic::Arithmetic;
use crate::automaton::{Automaton, State};
use crate::board::Vertex;
use crate::declarations::{Player, Variable};
use crate::flow::{Flow, VertexSet, Work};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// Edges that may be looked at.
const MAX_WORK: usize = 2_000_000;

/// What the keeper can still do from a state until he hands over to a player.
struct Later {
    /// Where he can put pieces.
    offs: VertexSet,
    assigned: FxHashSet<Variable>,
    /// True if he may hand over to a player; otherwise only scores are of interest.
    goes_on: bool,
}

/// Answers such questions about one game.
pub(super) struct Afterwards<'s, 'r> {
    game: &'s Game,
    automaton: &'s Automaton<'r>,
    flow: &'s Flow,
    /// Nothing where finding out is too much work.
    later: FxHashMap<State, Option<Later>>,
    work: Work,
}

impl<'s, 'r> Afterwards<'s, 'r> {
    pub(super) fn new(game: &'s Game, automaton: &'s Automaton<'r>, flow: &'s Flow) -> Self {
        let work = Work::new(MAX_WORK);
        Afterwards { game, automaton, flow, later: FxHashMap::default(), work }
    }

    /// True if the value of a variable behind a walk stays there, and matters.
    pub(super) fn keeps_value(&mut self, end: End, variable: Variable) -> bool {
        let is_score = usize::from(variable.0) < self.game.declarations.players().len();
        match end {
            End::Over => is_score,
            End::Switch(Player::KEEPER, state) => {
                let Some(later) = self.later(state) else { return false };
                let (stays, goes_on) = (!later.assigned.contains(&variable), later.goes_on);
                stays && (is_score || (goes_on && self.is_read(state, variable)))
            }
            End::Switch(_, state) => is_score || self.is_read(state, variable),
        }
    }

    /// True if a variable may be read from here on before it is set.
    fn is_read(&mut self, state: State, variable: Variable) -> bool {
        let automaton = self.automaton;
        let mut seen = vec![false; automaton.len()];
        let mut stack = vec![state];
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut seen[state.index()], true) {
                continue;
            }
            for edge in automaton.from(state) {
                let size = edge.action.map_or(1, Rule::weight);
                if self.work.spend(size).is_none() {
                    return false;
                }
                if edge.action.is_some_and(|a| reads(a, variable)) {
                    return true;
                }
                let sets = matches!(
                    edge.action.map(|a| &a.kind),
                    Some(RuleKind::Assignment(v, ..)) if *v == variable
                );
                if !sets {
                    stack.push(edge.to);
                }
            }
        }
        false
    }

    /// True if the piece on a vertex behind a walk stays there, and matters.
    pub(super) fn keeps_piece(&mut self, end: End, vertex: Vertex) -> bool {
        match end {
            End::Over => false,
            End::Switch(Player::KEEPER, state) => {
                self.later(state).is_some_and(|l| l.goes_on && !l.offs.contains(vertex))
            }
            End::Switch(..) => true,
        }
    }

    /// What the keeper can still do from a state.
    fn later(&mut self, state: State) -> Option<&Later> {
        if !self.later.contains_key(&state) {
            let later = self.find_later(state);
            self.later.insert(state, later);
        }
        self.later.get(&state)?.as_ref()
    }

    fn find_later(&mut self, state: State) -> Option<Later> {
        let automaton = self.automaton;
        let board = &self.game.board;
        let mut later =
            Later { offs: VertexSet::empty(board), assigned: FxHashSet::default(), goes_on: false };
        let mut seen = vec![false; automaton.len()];
        let mut stack = vec![state];
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut seen[state.index()], true) {
                continue;
            }
            let Some(fact) = self.flow.at(state) else { continue };
            for edge in automaton.from(state) {
                self.work.spend(1 + board.len() / 64)?;
                match edge.action.map(|a| &a.kind) {
                    Some(RuleKind::Off(..)) => {
                        later.offs.unite(&fact.vertices);
                    }
                    Some(RuleKind::Assignment(variable, ..)) => {
                        later.assigned.insert(*variable);
                    }
                    Some(RuleKind::Switch(player, _)) if *player != Player::KEEPER => {
                        later.goes_on = true;
                        continue;
                    }
                    _ => {}
                }
                stack.push(edge.to);
            }
        }
        Some(later)
    }
}

/// True if an action reads a variable.
fn reads(action: &Rule, variable: Variable) -> bool {
    let mut found = false;
    let mut look = |value: &Arithmetic| {
        value.visit(&mut |part| found |= *part == Arithmetic::Variable(variable));
    };
    action.visit(&mut |rule| match &rule.kind {
        RuleKind::Assignment(_, value, _) => look(value),
        RuleKind::Comparison(_, sides) => {
            look(&sides.0);
            look(&sides.1);
        }
        _ => {}
    });
    found
}
