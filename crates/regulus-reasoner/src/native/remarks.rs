//! What code leaves to the interpreter or cannot do directly, and where in the rules that is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use regulus_rbg::Game;
use regulus_rbg::rule::{ModifierIndex, Rule, RuleKind};
use regulus_rbg::source::Span;

use crate::id::Key;
use crate::native::analysis::Analysis;
use crate::native::analysis::cycles::on_cycles;
use crate::native::analysis::segments::{NodeId, Segments, Transition};
use crate::native::{CompiledGame, Native, Operation, Remark};

/// Why a part has no code of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Left {
    /// A player's turn that is listed in random games, because there is no plan of it.
    Listed,
    /// A move of the keeper's that may go round without a modifier.
    GoesRound,
    /// A vertex that the keeper chooses in an order without a table.
    Unordered,
}

impl Left {
    fn message(self) -> &'static str {
        match self {
            Left::Listed => {
                "random games list the moves of this turn to choose one: they go through a loop, or in too many ways, \
                 for drawing one directly"
            }
            Left::GoesRound => {
                "the interpreter makes the keeper's moves that come here: they may go round without a modifier"
            }
            Left::Unordered => {
                "the interpreter makes the keeper's moves that come here: which of several vertices comes first depends \
                 on the position"
            }
        }
    }
}

/// What was noticed while code was made.
#[derive(Default)]
pub(crate) struct Notes {
    left: Mutex<BTreeSet<(Left, NodeId)>>,
    /// The node whose code is being made, for when that fails; the number behind it.
    at: AtomicUsize,
}

impl Notes {
    /// A part that has no code of its own begins at a node.
    pub(crate) fn leave(&self, left: Left, node: NodeId) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).insert((left, node));
    }

    /// The code of a node is made now.
    pub(crate) fn begin(&self, node: NodeId) {
        self.at.store(node.index() + 1, Ordering::Relaxed);
    }

    fn last(&self) -> Option<NodeId> {
        self.at.load(Ordering::Relaxed).checked_sub(1).map(NodeId::new)
    }
}

/// What of a game has no code of its own: operations that the interpreter does, and parts of the rules.
pub fn remarks(game: &Game) -> Vec<Remark> {
    let native = match Native::worthwhile(game) {
        Ok(native) => native,
        Err(why) => {
            let segments = Segments::new(&game.rules, game.modifier_count);
            let message = format!("the interpreter runs the game: {}", why.0);
            return vec![Remark { message, place: endless_loop(&segments) }];
        }
    };
    let mut remarks = operations(&native);
    let analysis = &native.plain;
    let left = analysis.notes.left.lock().unwrap_or_else(PoisonError::into_inner);
    for (left, node) in &*left {
        let place = place_of(analysis, *node);
        let remark = Remark { message: left.message().to_owned(), place };
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks
}

/// The operations without code, each with where its code became impossible.
fn operations(native: &CompiledGame) -> Vec<Remark> {
    let named = [
        (Operation::Keeper, "the keeper's moves"),
        (Operation::List, "lists of moves"),
        (Operation::Playout, "random games"),
    ];
    let mut remarks = Vec::new();
    for (operation, name) in named {
        if let Err(why) = native.prepare(operation) {
            let message = format!("the interpreter makes {name}: {}", why.0);
            let node = native.plain.notes.last();
            remarks.push(Remark { message, place: node.and_then(|n| place_of(&native.plain, n)) });
        }
    }
    remarks
}

/// Where in the rules a node is: the switch that leads to it, or else what comes next.
fn place_of(analysis: &Analysis, node: NodeId) -> Option<Span> {
    let segments = &analysis.segments;
    let node = segments.canonical(node);
    let rules = &analysis.game.rules;
    let transitions = segments.nodes.iter().flatten();
    let switches = transitions.filter_map(|(transition, to)| match transition {
        Transition::Switch(_, modifier) if segments.canonical(*to) == node => Some(*modifier),
        _ => None,
    });
    if let Some(switch) = switches.min_by_key(|modifier| modifier.0) {
        return place_of_modifier(rules, switch);
    }
    let mut seen = segments.nodes.filled(false);
    let mut pending = std::collections::VecDeque::from([node]);
    while let Some(node) = pending.pop_front() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        for (transition, to) in &segments[node] {
            let place = match transition {
                Transition::Pure(rules) => rules.first().map(|rule| rule.place.span),
                _ => place_of_modifier(rules, transition.modifier()),
            };
            if place.is_some() {
                return place;
            }
            pending.push_back(*to);
        }
    }
    None
}

fn place_of_modifier(rule: &Rule, modifier: ModifierIndex) -> Option<Span> {
    let is_it = match &rule.kind {
        RuleKind::Off(_, index)
        | RuleKind::Assignment(_, _, index)
        | RuleKind::Switch(_, index) => *index == modifier && modifier != ModifierIndex::NONE,
        _ => false,
    };
    match is_it {
        true => Some(rule.place.span),
        false => rule.children().iter().find_map(|child| place_of_modifier(child, modifier)),
    }
}

/// The first loop of the rules that may go round without a modifier.
fn endless_loop(segments: &Segments) -> Option<Span> {
    let endless = on_cycles(&segments.targets(Transition::is_inner));
    segments.loops.iter().find(|(head, _)| endless[*head]).map(|(_, span)| *span)
}
