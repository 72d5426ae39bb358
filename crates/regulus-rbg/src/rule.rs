//! The rules as a typed tree: macros expanded, `^` unrolled, nested sums and concatenations
//! flattened, modifiers numbered.

use std::hash::{Hash, Hasher};

use crate::arithmetic::{Arithmetic, Comparison};
use crate::declarations::{Label, Piece, PieceSet, Player, Variable};
use crate::provenance::Place;

/// The number of a modifier (off, assignment or switch) outside conditions: 1, 2, 3, ... from left
/// to right. Inside conditions modifiers have no number; they carry [`ModifierIndex::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct ModifierIndex(pub u32);

impl ModifierIndex {
    /// A modifier inside a condition.
    pub const NONE: ModifierIndex = ModifierIndex(0);
}

/// A part of the rules with the place it came from.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// Where it was written.
    pub place: Place,
}

/// Equality of rules ignores where they were written.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

/// What a part of the rules is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuleKind {
    /// One after the other; at least two, none of them a concatenation.
    Concatenation(Vec<Rule>),
    /// One of them; none of them a sum. Only `[]` has no alternative.
    Sum(Vec<Rule>),
    /// Zero or more times.
    Star(Box<Rule>),
    /// Follow an edge.
    Shift(Label),
    /// The piece under the pointer is one of these.
    On(PieceSet),
    /// Put a piece under the pointer.
    Off(Piece, ModifierIndex),
    /// Set a variable.
    Assignment(Variable, Arithmetic, ModifierIndex),
    /// Compare two numbers.
    Comparison(Comparison, Box<(Arithmetic, Arithmetic)>),
    /// A walk through the body exists (or, negated, does not).
    Condition {
        /// `{! }` instead of `{? }`.
        negated: bool,
        /// What is walked.
        body: Box<Rule>,
    },
    /// Hand over to a player or the keeper.
    Switch(Player, ModifierIndex),
    /// A split point.
    Dot,
}

impl Rule {
    /// A part at a place.
    pub fn new(kind: RuleKind, place: Place) -> Rule {
        Rule { kind, place }
    }

    /// One after the other; flattens nested ones.
    pub fn concatenation(parts: Vec<Rule>, place: Place) -> Rule {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                RuleKind::Concatenation(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        match <[Rule; 1]>::try_from(flat) {
            Ok([only]) => only,
            Err(flat) => Rule::new(RuleKind::Concatenation(flat), place),
        }
    }

    /// One of several; flattens nested ones.
    pub fn sum(alternatives: Vec<Rule>, place: Place) -> Rule {
        let mut flat = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            match alternative.kind {
                // `[]` stays as an alternative that never succeeds.
                RuleKind::Sum(inner) if !inner.is_empty() => flat.extend(inner),
                _ => flat.push(alternative),
            }
        }
        match <[Rule; 1]>::try_from(flat) {
            Ok([only]) => only,
            Err(flat) => Rule::new(RuleKind::Sum(flat), place),
        }
    }

    /// The direct parts.
    pub fn children(&self) -> &[Rule] {
        match &self.kind {
            RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts,
            RuleKind::Star(body) | RuleKind::Condition { body, .. } => std::slice::from_ref(body),
            _ => &[],
        }
    }

    /// How many actions and operators there are.
    pub fn size(&self) -> usize {
        1 + self.children().iter().map(Rule::size).sum::<usize>()
    }

    /// How much there is to copy: actions, operators and the parts of arithmetic.
    pub fn weight(&self) -> usize {
        let own = match &self.kind {
            RuleKind::Assignment(_, value, _) => 1 + value.size(),
            RuleKind::Comparison(_, sides) => 1 + sides.0.size() + sides.1.size(),
            _ => 1,
        };
        own + self.children().iter().map(Rule::weight).sum::<usize>()
    }

    /// True for a single off, assignment or switch.
    pub fn is_modifier(&self) -> bool {
        matches!(self.kind, RuleKind::Off(..) | RuleKind::Assignment(..) | RuleKind::Switch(..))
    }

    /// True if there are only shifts and dots, and sums, concatenations and stars of these.
    pub fn is_shift_only(&self) -> bool {
        match &self.kind {
            RuleKind::Shift(_) | RuleKind::Dot => true,
            RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
                parts.iter().all(Rule::is_shift_only)
            }
            RuleKind::Star(body) => body.is_shift_only(),
            _ => false,
        }
    }

    /// Calls `f` for this part and everything in it, conditions included, from left to right.
    pub fn visit<'r>(&'r self, f: &mut impl FnMut(&'r Rule)) {
        f(self);
        self.children().iter().for_each(|c| c.visit(f));
    }

    /// Numbers the modifiers outside conditions from left to right, beginning after `last`; returns
    /// the last number given.
    pub fn number_modifiers(&mut self, last: u32) -> u32 {
        match &mut self.kind {
            RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
                parts.iter_mut().fold(last, |last, part| part.number_modifiers(last))
            }
            RuleKind::Star(body) => body.number_modifiers(last),
            RuleKind::Off(_, index)
            | RuleKind::Assignment(_, _, index)
            | RuleKind::Switch(_, index) => {
                *index = ModifierIndex(last + 1);
                last + 1
            }
            RuleKind::Shift(_)
            | RuleKind::On(_)
            | RuleKind::Comparison(..)
            | RuleKind::Condition { .. }
            | RuleKind::Dot => last,
        }
    }
}
