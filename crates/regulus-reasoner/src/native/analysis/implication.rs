//! Ways that can only be walked to their end where a condition holds: then they and the negated
//! condition exclude each other (pass P12).
//!
//! The walk along the way is compared, step by step, with a walk through the body of the condition on
//! the board as it was before. Modifiers on the way are left out of the comparison; it stays true
//! as long as no vertex is tested again after it was changed, which is sure if the edges followed have
//! no circle.

use regulus_rbg::Vertex;
use regulus_rbg::declarations::Label;
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::FxHashSet;

use super::Analysis;
use super::relation::is_static;
use super::segments::{NodeId, Transition};
use crate::id::IdVec;

/// States of a comparison that are looked at before giving up.
const MAX_STATES: usize = 2000;

/// What a step of a walk does.
#[derive(Clone, Copy)]
enum Step<'s> {
    Nothing,
    /// A shift, a test of the piece, a comparison or a condition.
    Action(&'s Rule),
    ChangesBoard,
    ChangesVariable,
    HandsOver,
}

/// The steps of rules as a graph.
#[derive(Default)]
struct Graph<'s> {
    steps: Vec<Vec<(Step<'s>, usize)>>,
    /// Only up to the first modifier, or to where ways part or join.
    only_beginning: bool,
}

impl<'s> Graph<'s> {
    fn state(&mut self) -> usize {
        self.steps.push(Vec::new());
        self.steps.len() - 1
    }

    fn step(&mut self, from: usize, step: Step<'s>) -> usize {
        let to = self.state();
        self.steps[from].push((step, to));
        to
    }

    fn add(&mut self, rule: &'s Rule, from: usize) -> usize {
        match &rule.kind {
            RuleKind::Concatenation(parts) => {
                parts.iter().fold(from, |at, part| self.add(part, at))
            }
            RuleKind::Sum(alternatives) => {
                let to = self.state();
                for alternative in alternatives {
                    let end = self.add(alternative, from);
                    self.steps[end].push((Step::Nothing, to));
                }
                to
            }
            RuleKind::Star(body) => {
                let head = self.step(from, Step::Nothing);
                let end = self.add(body, head);
                self.steps[end].push((Step::Nothing, head));
                self.step(head, Step::Nothing)
            }
            RuleKind::Off(..) => self.step(from, Step::ChangesBoard),
            RuleKind::Assignment(..) => self.step(from, Step::ChangesVariable),
            RuleKind::Switch(..) => self.step(from, Step::HandsOver),
            RuleKind::Dot => self.step(from, Step::Nothing),
            _ => self.step(from, Step::Action(rule)),
        }
    }

    /// Everything that leads on from a node of the segments until a switch.
    fn add_node(
        &mut self,
        analysis: &'s Analysis,
        states: &mut IdVec<NodeId, Option<usize>>,
        node: NodeId,
    ) -> usize {
        if let Some(known) = states[node] {
            return known;
        }
        let state = self.state();
        states[node] = Some(state);
        let parts = analysis.segments[node].len() != 1;
        if self.only_beginning && (parts || analysis.incoming[node] > 1) {
            self.step(state, Step::HandsOver);
            return state;
        }
        for (transition, to) in &analysis.segments[node] {
            self.add_arc(analysis, states, state, transition, *to);
        }
        state
    }

    fn add_arc(
        &mut self,
        analysis: &'s Analysis,
        states: &mut IdVec<NodeId, Option<usize>>,
        from: usize,
        transition: &'s Transition,
        to: NodeId,
    ) {
        if self.steps.len() > MAX_STATES {
            return;
        }
        let end = match transition {
            Transition::Pure(rules) => rules.iter().fold(from, |at, rule| self.add(rule, at)),
            Transition::Off(..) if !self.only_beginning => self.step(from, Step::ChangesBoard),
            Transition::Assign(..) if !self.only_beginning => {
                self.step(from, Step::ChangesVariable)
            }
            Transition::Off(..) | Transition::Assign(..) | Transition::Switch(..) => {
                self.step(from, Step::HandsOver);
                return;
            }
            // A further test makes the way only harder to walk.
            Transition::Empty | Transition::Check { .. } | Transition::Dot(_) => from,
        };
        let target = self.add_node(analysis, states, to);
        self.steps[end].push((Step::Nothing, target));
    }

    /// The states that doing nothing leads to.
    fn closed(&self, mut set: Vec<usize>) -> Vec<usize> {
        let mut next = 0;
        while next < set.len() {
            for (step, to) in &self.steps[set[next]] {
                if matches!(step, Step::Nothing) && !set.contains(to) {
                    set.push(*to);
                }
            }
            next += 1;
        }
        set.sort_unstable();
        set
    }
}

/// What the way has changed so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Changed {
    board: bool,
    variable: bool,
    /// Nothing was followed since the last change of the board.
    here: bool,
}

/// True if a transition leads to a switch only where the body of a condition could be walked at first; with
/// `only_beginning` if that is already sure at the first modifier, and where ways part or join.
pub(crate) fn implies(
    analysis: &Analysis,
    (transition, to): (&Transition, NodeId),
    body: &Rule,
    only_beginning: bool,
) -> bool {
    let mut wanted = Graph::default();
    let start = wanted.state();
    let end = wanted.add(body, start);
    let mut way = Graph { only_beginning, ..Graph::default() };
    let entry = way.state();
    let mut states = analysis.segments.nodes.filled(None);
    way.add_arc(analysis, &mut states, entry, transition, to);
    if way.steps.len() > MAX_STATES {
        return false;
    }
    let mut seen = FxHashSet::default();
    let mut followed: FxHashSet<Label> = FxHashSet::default();
    let mut stack = vec![(entry, wanted.closed(vec![start]), Changed::default())];
    while let Some((at, matched, changed)) = stack.pop() {
        if matched.contains(&end) || !seen.insert((at, matched.clone(), changed)) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return false;
        }
        for (step, to) in &way.steps[at] {
            let mut changed = changed;
            let next = match step {
                Step::Nothing => matched.clone(),
                Step::HandsOver => return false,
                Step::ChangesBoard => {
                    (changed.board, changed.here) = (true, true);
                    matched.clone()
                }
                Step::ChangesVariable => {
                    changed.variable = true;
                    matched.clone()
                }
                Step::Action(rule) => {
                    let is_shift = matches!(rule.kind, RuleKind::Shift(_));
                    if let RuleKind::Shift(label) = rule.kind {
                        if changed.board {
                            followed.insert(label);
                        }
                        changed.here = false;
                    }
                    let same_as_before = match &rule.kind {
                        RuleKind::On(_) => !changed.here,
                        _ => is_static(rule) || !(changed.board || changed.variable),
                    };
                    let mut next = if is_shift { Vec::new() } else { matched.clone() };
                    if same_as_before {
                        let steps = matched.iter().flat_map(|m| &wanted.steps[*m]);
                        let taken = steps.filter(|(step, _)| match step {
                            Step::Action(other) => is_enough_for(rule, other),
                            _ => false,
                        });
                        next.extend(taken.map(|(_, to)| *to));
                        next.sort_unstable();
                        next.dedup();
                    }
                    wanted.closed(next)
                }
            };
            if next.is_empty() {
                return false;
            }
            stack.push((*to, next, changed));
        }
    }
    followed.is_empty() || has_no_circle(analysis, &followed)
}

/// True if whoever can do one can do the other, and is at the same vertex then.
fn is_enough_for(rule: &Rule, other: &Rule) -> bool {
    match (&rule.kind, &other.kind) {
        (RuleKind::On(a), RuleKind::On(b)) => a.intersection(*b) == *a,
        _ => rule == other,
    }
}

/// True if following edges with these labels never leads back.
fn has_no_circle(analysis: &Analysis, labels: &FxHashSet<Label>) -> bool {
    let board = &analysis.game.board;
    let mut left: Vec<usize> = vec![0; board.len() + 1];
    let next = |v: Vertex| labels.iter().map(move |l| board.next(v, *l)).filter(|n| n.is_some());
    board.vertices().flat_map(next).for_each(|n| left[usize::from(n.0)] += 1);
    // Vertices that nothing leads to are taken away until none is left.
    let mut free: Vec<Vertex> = board.vertices().filter(|v| left[usize::from(v.0)] == 0).collect();
    let mut taken = 0;
    while let Some(v) = free.pop() {
        taken += 1;
        for n in next(v) {
            left[usize::from(n.0)] -= 1;
            if left[usize::from(n.0)] == 0 {
                free.push(n);
            }
        }
    }
    taken == board.len()
}
