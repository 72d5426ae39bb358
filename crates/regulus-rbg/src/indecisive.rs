//! Removing indecisive splits: those that end a semimove which is always the only choice (AAAI22,
//! "split strategies"). Kept apart from the strategies, so that both can be measured.
//!
//! A split point is indecisive if, wherever a semimove can begin from which it is reached, it is the
//! only split point that can be reached next, on a single vertex. The analysis works on the
//! automaton and the board and ignores the position, so it never joins what could be a decision.
//! An indecisive dot is deleted; an indecisive modifier is *joined*: the semimove goes on through it
//! to the next split point. Switches always end a semimove.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, State};
use crate::board::Vertex;
use crate::flow::{Conditions, Fact, Flow, VertexSet, Work, cost, step};
use crate::game::Game;
use crate::rule::{ModifierIndex, Rule, RuleKind};

/// How much more work it is to remember where a search has been than to follow an edge.
const SEARCHING: usize = 4;

/// Rules whose indecisive dots are gone, and the modifiers that do not end a semimove.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joined {
    /// The rules, without the indecisive dots.
    pub rules: Rule,
    /// The modifiers through which a semimove goes on.
    pub modifiers: BTreeSet<ModifierIndex>,
    /// How many dots were deleted.
    pub removed_dots: usize,
}

/// Finds and removes the indecisive splits of a game whose rules are `rules` (usually with the dots
/// of a split strategy).
pub fn remove(game: &Game, rules: &Rule) -> Joined {
    let automaton = Automaton::new(rules);
    let flow = Flow::of(game, &automaton);
    // What takes too much work is left as it is.
    let decisive = decisive_splits(game, &automaton, &flow)
        .unwrap_or_else(|| vec![true; automaton.edges().len()]);
    let in_turn = player_states(&automaton, &flow);
    let mut modifiers = BTreeSet::new();
    let mut dots: FxHashSet<*const Rule> = FxHashSet::default();
    for (i, edge) in automaton.edges().iter().enumerate() {
        let reachable = flow.at(edge.from).is_some() && in_turn[edge.from.index()];
        let (Some(action), true) = (edge.action, reachable && !decisive[i]) else { continue };
        match &action.kind {
            RuleKind::Dot => {
                dots.insert(std::ptr::from_ref(action));
            }
            RuleKind::Off(_, index) | RuleKind::Assignment(_, _, index) => {
                modifiers.insert(*index);
            }
            _ => {}
        }
    }
    Joined { rules: without(rules, &dots), modifiers, removed_dots: dots.len() }
}

/// The states of players' stretches: after a switch to a player, up to the next switch.
fn player_states(automaton: &Automaton<'_>, flow: &Flow) -> Vec<bool> {
    let mut inside = vec![false; automaton.len()];
    let mut stack: Vec<State> = automaton
        .edges()
        .iter()
        .filter(|e| matches!(e.action.map(|a| &a.kind), Some(RuleKind::Switch(p, _)) if p.0 != 0))
        .map(|e| e.to)
        .collect();
    while let Some(state) = stack.pop() {
        if flow.at(state).is_some() && !std::mem::replace(&mut inside[state.index()], true) {
            stack.extend(automaton.from(state).filter(|e| !e.is_switch()).map(|e| e.to));
        }
    }
    inside
}

/// For every edge: whether it is a split that can be one choice among several. `None` if finding that
/// out is too much work.
fn decisive_splits(game: &Game, automaton: &Automaton<'_>, flow: &Flow) -> Option<Vec<bool>> {
    if flow.gave_up() {
        return None;
    }
    let in_turn = player_states(automaton, flow);
    let mut decisive = vec![false; automaton.edges().len()];
    let mut conditions = Conditions::default();
    // Semimoves begin behind a switch to a player and behind every split inside a stretch.
    let begins: BTreeSet<State> = automaton
        .edges()
        .iter()
        .filter(|e| e.is_split() && in_turn[e.to.index()])
        .map(|e| e.to)
        .collect();
    for state in begins {
        let Some(fact) = flow.at(state) else { continue };
        for vertex in fact.vertices.iter() {
            if has_choice(game, automaton, state, vertex, fact, &mut conditions)? {
                mark_reachable(automaton, state, &mut decisive, &mut conditions.work)?;
                break;
            }
        }
    }
    Some(decisive)
}

/// True if two different splits (or one on two vertices) can be reached from here; `None` if that is
/// too much work.
fn has_choice(
    game: &Game,
    automaton: &Automaton<'_>,
    state: State,
    vertex: Vertex,
    fact: &Fact,
    conditions: &mut Conditions,
) -> Option<bool> {
    let mut vertices = VertexSet::empty(&game.board);
    vertices.insert(vertex);
    let mut found: Option<(*const Rule, Vertex)> = None;
    let mut seen = FxHashSet::default();
    let mut stack = vec![(state, Fact { vertices, pieces: fact.pieces })];
    while let Some((state, fact)) = stack.pop() {
        let Some(at) = fact.vertices.iter().next() else { continue };
        if !seen.insert((state, at, fact.pieces)) {
            continue;
        }
        for edge in automaton.from(state) {
            conditions.work.spend(SEARCHING * cost(edge, &fact))?;
            let Some(after) = step(game, edge, &fact, conditions) else { continue };
            match edge.action.filter(|_| edge.is_split()) {
                None => stack.push((edge.to, after)),
                Some(action) => {
                    let option = (std::ptr::from_ref(action), at);
                    if found.is_some_and(|other| other != option) {
                        return Some(true);
                    }
                    found = Some(option);
                }
            }
        }
    }
    Some(false)
}

/// Marks the splits that come next from a state, whatever the vertex.
fn mark_reachable(
    automaton: &Automaton<'_>,
    state: State,
    decisive: &mut [bool],
    work: &mut Work,
) -> Option<()> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![state];
    while let Some(state) = stack.pop() {
        if !seen.insert(state) {
            continue;
        }
        for (i, edge) in automaton.from_indexed(state) {
            work.spend(SEARCHING * 8)?;
            if edge.is_split() {
                decisive[i] = true;
            } else {
                stack.push(edge.to);
            }
        }
    }
    Some(())
}

/// The rules without some dots.
fn without(rule: &Rule, dots: &FxHashSet<*const Rule>) -> Rule {
    let keep = |part: &&Rule| !dots.contains(&std::ptr::from_ref::<Rule>(*part));
    let kind = match &rule.kind {
        RuleKind::Concatenation(parts) => {
            let parts = parts.iter().filter(keep).map(|p| without(p, dots)).collect();
            return Rule::concatenation(parts, rule.place);
        }
        // A dot that is a whole alternative or a whole body stands for "nothing" there, and stays.
        RuleKind::Sum(alternatives) => {
            RuleKind::Sum(alternatives.iter().map(|a| without(a, dots)).collect())
        }
        RuleKind::Star(body) => RuleKind::Star(Box::new(without(body, dots))),
        kind => kind.clone(),
    };
    Rule::new(kind, rule.place)
}
