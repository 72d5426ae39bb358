//! Everything about a game that code is made from: numbering of vertices, segments, relations, and
//! the layout of states.

use std::sync::{Arc, Mutex, PoisonError};

use regulus_rbg::Game;
use regulus_rbg::arithmetic::{Arithmetic, Interval, Operator};
use regulus_rbg::declarations::Variable;
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::split::{count_dots, retain_dots};
use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::embedding::Embedding;
use super::emit::MAX_INSTRUCTIONS;
use super::relation::{Relation, is_static};
use super::segments::Segments;
use super::verify;

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
    /// How large a function may get.
    pub(crate) max_instructions: usize,
    /// By address and number of the rules, which never move.
    relations: Mutex<FxHashMap<(usize, usize), Arc<Relation>>>,
    /// The same by what the rules say: macros repeat them.
    same_relations: Mutex<FxHashMap<Vec<Rule>, Arc<Relation>>>,
    relaxations: Mutex<FxHashMap<(usize, usize), Arc<Relation>>>,
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
        if cfg!(debug_assertions) {
            verify::embedding(&embedding, &game.board);
            verify::segments(&segments);
        }
        Analysis {
            game: game.clone(),
            embedding,
            full,
            segments,
            incoming,
            layout,
            max_instructions: MAX_INSTRUCTIONS,
            relations: Mutex::default(),
            same_relations: Mutex::default(),
            relaxations: Mutex::default(),
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

    /// True if an assignment can never fail: its value always exists and is within the bounds
    /// (pass P19).
    pub(crate) fn always_fits(&self, variable: Variable, value: &Arithmetic) -> bool {
        let d = &self.game.declarations;
        let mut divides = false;
        value.visit(&mut |part| {
            divides |= matches!(part, Arithmetic::Operation(Operator::Divide, _));
        });
        let bound = i128::from(d.bound(variable));
        let interval = Interval::of(value, d, self.game.board.len());
        !divides && interval.is_ok_and(|i| i.low >= 0 && i.high <= bound)
    }

    /// The relation of static rules that stand somewhere in the segments.
    pub(crate) fn relation(&self, rules: &[Rule]) -> Arc<Relation> {
        let mut known = self.relations.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.entry((rules.as_ptr().addr(), rules.len()));
        let relation = || {
            let relation = Relation::of(rules, &self.game.board, &self.embedding);
            if cfg!(debug_assertions) {
                verify::relation(&relation);
            }
            Arc::new(relation)
        };
        let same = || {
            let mut same = self.same_relations.lock().unwrap_or_else(PoisonError::into_inner);
            same.entry(rules.to_vec()).or_insert_with(relation).clone()
        };
        entry.or_insert_with(same).clone()
    }

    /// The relation of rules without modifiers if all their tests of the state hold.
    pub(crate) fn relaxed(&self, rules: &[Rule]) -> Arc<Relation> {
        let mut known = self.relaxations.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.entry((rules.as_ptr().addr(), rules.len()));
        let relation = || {
            let relaxed: Vec<Rule> = rules.iter().filter_map(relaxed).collect();
            let mut same = self.same_relations.lock().unwrap_or_else(PoisonError::into_inner);
            let relation = || Arc::new(Relation::of(&relaxed, &self.game.board, &self.embedding));
            same.entry(relaxed.clone()).or_insert_with(relation).clone()
        };
        entry.or_insert_with(relation).clone()
    }
}

/// A rule without its tests of the state; nothing if nothing is left.
pub(super) fn relaxed(rule: &Rule) -> Option<Rule> {
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
