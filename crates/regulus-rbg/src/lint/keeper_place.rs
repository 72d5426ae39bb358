//! Where the keeper can be: the states of the automaton that he can come to, on which vertices his pointer
//! can be there, and which values variables can have. What the facts of [`crate::flow`] say about the
//! beginnings of his moves is followed with more care: conditions that hold nowhere, or everywhere,
//! and comparisons are taken into account.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::condition::Conditions;
use super::value_set::ValueSets;
use crate::automaton::{Automaton, Edge, State};
use crate::declarations::Player;
use crate::flow::{Flow, VertexSet, Work, cost};
use crate::game::Game;
use crate::rule::RuleKind;

/// Vertices that may be looked at.
const MAX_WORK: usize = 20_000_000;

/// What can be the case at a state while the keeper moves.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) vertices: VertexSet,
    pub(super) values: ValueSets,
}

/// The states that the keeper can come to; `None` if finding them is too much work.
pub(super) fn places(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    conditions: &mut Conditions<'_>,
) -> Option<BTreeMap<State, Place>> {
    let mut work = Work::new(MAX_WORK);
    let mut places: BTreeMap<State, Place> = BTreeMap::new();
    let all_values = ValueSets::all(game);
    let begins = automaton.edges().iter().filter(|e| is_keepers_switch(e)).map(|e| e.to);
    for state in begins.chain([automaton.start]) {
        if let Some(fact) = flow.at(state) {
            work.spend(all_values.len() + game.board.len() / 64)?;
            let (vertices, values) = (fact.vertices.clone(), all_values.clone());
            places.insert(state, Place { vertices, values });
        }
    }
    let mut stack: Vec<State> = places.keys().rev().copied().collect();
    let mut is_waiting = vec![false; automaton.len()];
    while let Some(state) = stack.pop() {
        is_waiting[state.index()] = false;
        let (Some(fact), Some(here)) = (flow.at(state), places.get(&state).cloned()) else {
            continue;
        };
        for edge in automaton.from(state).filter(|e| !e.is_switch()) {
            work.spend(cost(edge, fact) + all_values.len())?;
            let Some(limit) = flow.at(edge.to) else { continue };
            let Some(mut there) = behind(game, edge, &here, conditions) else { continue };
            there.vertices.filter(&limit.vertices, true);
            if there.vertices.is_empty() {
                continue;
            }
            let has_changed = match places.entry(edge.to) {
                Entry::Vacant(entry) => {
                    entry.insert(there);
                    true
                }
                Entry::Occupied(mut entry) => {
                    let known = entry.get_mut();
                    known.vertices.unite(&there.vertices) | known.values.unite(&there.values)
                }
            };
            if has_changed && !std::mem::replace(&mut is_waiting[edge.to.index()], true) {
                stack.push(edge.to);
            }
        }
    }
    Some(places)
}

fn is_keepers_switch(edge: &Edge<'_>) -> bool {
    matches!(edge.action.map(|a| &a.kind), Some(RuleKind::Switch(Player::KEEPER, _)))
}

/// What can be the case behind an edge; `None` if it cannot be passed.
fn behind(
    game: &Game,
    edge: &Edge<'_>,
    here: &Place,
    conditions: &mut Conditions<'_>,
) -> Option<Place> {
    let mut there = here.clone();
    let Some(action) = edge.action else { return Some(there) };
    match &action.kind {
        RuleKind::Shift(label) => there.vertices = here.vertices.image(&game.board, *label),
        RuleKind::Condition { negated, body } => {
            conditions.keep_possible(body, *negated, &mut there.vertices);
        }
        _ => there.values = there.values.behind(game, action)?,
    }
    Some(there)
}
