//! Everything about a game that code is made from: numbering of vertices, segments, relations, and
//! the layout of states.

use std::cell::RefCell;
use std::rc::Rc;

use regulus_rbg::Game;
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::split::{count_dots, retain_dots};
use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::embedding::Embedding;
use super::relation::{Relation, is_static};
use super::segments::Segments;

/// Where things are in a state, in 64-bit words: the set of every piece, the variables, and where the
/// walk stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) words_per_set: usize,
    pub(crate) pieces: usize,
    pub(crate) variables: usize,
}

impl Layout {
    pub(crate) fn set(&self, piece: usize, word: usize) -> usize {
        piece * self.words_per_set + word
    }

    pub(crate) fn variable(&self, variable: usize) -> usize {
        self.pieces * self.words_per_set + variable
    }

    /// The node of the segments at which the walk stands.
    pub(crate) fn node(&self) -> usize {
        self.variable(self.variables)
    }

    /// The position of the pointer.
    pub(crate) fn pointer(&self) -> usize {
        self.node() + 1
    }

    /// Who is to move.
    pub(crate) fn player(&self) -> usize {
        self.node() + 2
    }

    /// How many words a state has.
    pub(crate) fn len(&self) -> usize {
        self.node() + 3
    }
}

/// What is known about a game when code is made.
pub(crate) struct Analysis {
    pub(crate) game: Game,
    pub(crate) embedding: Embedding,
    pub(crate) full: Bits,
    pub(crate) segments: Segments,
    /// How many arcs lead to every node of the segments.
    pub(crate) incoming: Vec<u32>,
    pub(crate) layout: Layout,
    relations: RefCell<FxHashMap<(*const Rule, usize), Rc<Relation>>>,
    widths: RefCell<FxHashMap<(*const Rule, usize), usize>>,
    relaxed: RefCell<FxHashMap<(*const Rule, usize), Rc<Relation>>>,
}

impl Analysis {
    pub(crate) fn new(game: &Game) -> Analysis {
        let embedding = Embedding::new(&game.board);
        let full = embedding.full();
        let segments = Segments::new(&game.rules, game.modifier_count);
        let layout = Layout {
            words_per_set: embedding.words,
            pieces: game.declarations.pieces().len(),
            variables: game.declarations.variables().len(),
        };
        let incoming = segments.incoming();
        Analysis {
            game: game.clone(),
            embedding,
            full,
            segments,
            incoming,
            layout,
            relations: RefCell::default(),
            widths: RefCell::default(),
            relaxed: RefCell::default(),
        }
    }

    /// For split moves: the rules with those split points that players can pass, if there are any. The
    /// keeper's moves are not split, and he is better off without.
    pub(crate) fn with_dots(game: &Game) -> Option<Analysis> {
        if count_dots(&game.rules) == 0 {
            return None;
        }
        let dots = Segments::new(&game.rules, game.modifier_count).players_dots();
        let rules = retain_dots(&game.rules, &mut |number| dots.contains(&number));
        (!dots.is_empty()).then(|| Analysis::new(&Game { rules, ..game.clone() }))
    }

    pub(crate) fn words(&self) -> usize {
        self.embedding.words
    }

    /// The relation of static rules that stand somewhere in the segments.
    pub(crate) fn relation(&self, rules: &[Rule]) -> Rc<Relation> {
        let key = (rules.as_ptr(), rules.len());
        if let Some(known) = self.relations.borrow().get(&key) {
            return known.clone();
        }
        let relation = Rc::new(Relation::of(rules, &self.game.board, &self.embedding));
        self.relations.borrow_mut().insert(key, relation.clone());
        relation
    }

    /// The most vertices that rules without modifiers can lead to from one vertex, whatever the state.
    pub(crate) fn width(&self, rules: &[Rule]) -> usize {
        let key = (rules.as_ptr(), rules.len());
        if let Some(known) = self.widths.borrow().get(&key) {
            return *known;
        }
        let width = self.relaxed_relation(rules).widest;
        self.widths.borrow_mut().insert(key, width);
        width
    }

    /// The relation of rules without modifiers if none of their tests ever fails.
    pub(crate) fn relaxed_relation(&self, rules: &[Rule]) -> Rc<Relation> {
        let key = (rules.as_ptr(), rules.len());
        if let Some(known) = self.relaxed.borrow().get(&key) {
            return known.clone();
        }
        let relaxed: Vec<Rule> = rules.iter().filter_map(relaxed).collect();
        let relation = Rc::new(Relation::of(&relaxed, &self.game.board, &self.embedding));
        self.relaxed.borrow_mut().insert(key, relation.clone());
        relation
    }
}

/// A rule without its tests of the state; nothing if nothing is left.
fn relaxed(rule: &Rule) -> Option<Rule> {
    if is_static(rule) {
        return Some(rule.clone());
    }
    let kind = match &rule.kind {
        RuleKind::Concatenation(parts) => {
            RuleKind::Concatenation(parts.iter().filter_map(relaxed).collect())
        }
        RuleKind::Sum(alternatives) => {
            let stay = || Rule::new(RuleKind::Concatenation(Vec::new()), rule.place);
            RuleKind::Sum(alternatives.iter().map(|a| relaxed(a).unwrap_or_else(stay)).collect())
        }
        RuleKind::Star(body) => RuleKind::Star(Box::new(relaxed(body)?)),
        _ => return None,
    };
    Some(Rule::new(kind, rule.place))
}
