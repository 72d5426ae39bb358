//! Split strategies: where a move is cut into semimoves, derived from the rules alone (THESIS 3.2,
//! AAAI22 "split strategies").
//!
//! All strategies cut at every modifier (*Mod*). *Plus* adds a split point in front of every
//! alternative that is a decision of its own; *Shift* adds one between two consecutive choices of
//! vertex, such as row and column. Split points written by hand (`.`) are kept.
//!
//! The insertion follows the first generation of the original tools to the letter, since published
//! results depend on it: it looks at the syntax tree only, never inside conditions.

use std::fmt;
use std::str::FromStr;

use crate::rule::{Rule, RuleKind};

/// How moves are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Strategy {
    /// At every modifier, and at dots written by hand.
    Mod,
    /// Mod, and in front of alternatives.
    ModPlus,
    /// Mod, and between consecutive vertex choices.
    ModShift,
    /// Mod with both.
    ModPlusShift,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 4] =
        [Strategy::Mod, Strategy::ModPlus, Strategy::ModShift, Strategy::ModPlusShift];

    /// The name used in the papers and in agent files.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Mod => "Mod",
            Strategy::ModPlus => "ModPlus",
            Strategy::ModShift => "ModShift",
            Strategy::ModPlusShift => "ModPlusShift",
        }
    }

    fn has_plus(self) -> bool {
        matches!(self, Strategy::ModPlus | Strategy::ModPlusShift)
    }

    fn has_shift(self) -> bool {
        matches!(self, Strategy::ModShift | Strategy::ModPlusShift)
    }

    /// The rules with the split points of this strategy. Modifier numbers stay as they are.
    pub fn apply(self, rules: &Rule) -> Rule {
        let mut rules = rules.clone();
        if self.has_plus() {
            rules = plus(rules);
        }
        if self.has_shift() {
            rules = shift(rules);
        }
        rules
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Strategy::ALL.into_iter().find(|s| s.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            format!(
                "unknown split strategy `{text}`: expected mod, modplus, modshift or modplusshift"
            )
        })
    }
}

/// How many split points the rules have.
pub fn count_dots(rules: &Rule) -> usize {
    let mut dots = 0;
    rules.visit(&mut |r| dots += usize::from(r.kind == RuleKind::Dot));
    dots
}

/// The rules without split points, for everything that does not split moves.
pub fn without_dots(rules: &Rule) -> Rule {
    retain_dots(rules, &mut |_| false)
}

/// The rules with those split points only that `keep` keeps. They are numbered from left to right,
/// from 0; in conditions, where they have neither meaning nor number, none is kept.
pub fn retain_dots(rules: &Rule, keep: &mut dyn FnMut(u32) -> bool) -> Rule {
    let mut number = 0;
    retain(rules, &mut || {
        number += 1;
        keep(number - 1)
    })
}

fn retain(rule: &Rule, keep: &mut dyn FnMut() -> bool) -> Rule {
    match &rule.kind {
        RuleKind::Dot if keep() => rule.clone(),
        // A split point that stands alone leaves an action that does nothing.
        RuleKind::Dot => Rule::new(RuleKind::Concatenation(Vec::new()), rule.place),
        RuleKind::Concatenation(parts) => {
            Rule::concatenation(parts.iter().map(|p| retain(p, keep)).collect(), rule.place)
        }
        RuleKind::Sum(parts) => {
            let parts = parts.iter().map(|p| retain(p, keep)).collect();
            Rule::new(RuleKind::Sum(parts), rule.place)
        }
        RuleKind::Star(body) => Rule::new(RuleKind::Star(Box::new(retain(body, keep))), rule.place),
        RuleKind::Condition { negated, body } => {
            let body = Box::new(retain(body, &mut || false));
            Rule::new(RuleKind::Condition { negated: *negated, body }, rule.place)
        }
        _ => rule.clone(),
    }
}

fn dot(at: &Rule) -> Rule {
    Rule::new(RuleKind::Dot, at.place)
}

/// A dot in front of each alternative of a sum that is not shift-only, unless the alternative is a
/// single modifier (which is a split point itself).
fn plus(rule: Rule) -> Rule {
    let place = rule.place;
    match rule.kind {
        RuleKind::Sum(alternatives) => {
            let shift_only = alternatives.iter().all(Rule::is_shift_only);
            let decides = alternatives.len() >= 2 && !shift_only;
            let alternatives = alternatives
                .into_iter()
                .map(|alternative| {
                    let needs_dot = decides && !alternative.is_modifier();
                    let alternative = plus(alternative);
                    if needs_dot {
                        let place = alternative.place;
                        Rule::concatenation(vec![dot(&alternative), alternative], place)
                    } else {
                        alternative
                    }
                })
                .collect();
            Rule::new(RuleKind::Sum(alternatives), place)
        }
        RuleKind::Concatenation(parts) => {
            Rule::concatenation(parts.into_iter().map(plus).collect(), place)
        }
        RuleKind::Star(body) => Rule::new(RuleKind::Star(Box::new(plus(*body))), place),
        kind => Rule::new(kind, place),
    }
}

/// A dot behind a sum of shifts when another choice of shifts follows it in the same concatenation;
/// and behind a sum that is the whole body of a shift-only star or a branch of a shift-only sum.
fn shift(rule: Rule) -> Rule {
    let place = rule.place;
    match rule.kind {
        RuleKind::Concatenation(parts) => {
            let shift_only: Vec<bool> = parts.iter().map(Rule::is_shift_only).collect();
            let mut with_dots = Vec::with_capacity(parts.len());
            for (i, part) in parts.into_iter().enumerate() {
                let is_sum = matches!(part.kind, RuleKind::Sum(_));
                let next_too = shift_only.get(i + 1).copied().unwrap_or(false);
                let part = shift(part);
                let needs_dot = is_sum && shift_only[i] && next_too;
                let behind = needs_dot.then(|| dot(&part));
                with_dots.push(part);
                with_dots.extend(behind);
            }
            Rule::concatenation(with_dots, place)
        }
        RuleKind::Sum(alternatives) => {
            // A sum inside a sum would have been flattened, so only its parts are of interest.
            Rule::new(RuleKind::Sum(alternatives.into_iter().map(shift).collect()), place)
        }
        RuleKind::Star(body) => {
            let whole_body_is_choice =
                matches!(body.kind, RuleKind::Sum(_)) && body.is_shift_only();
            let body = shift(*body);
            let body = if whole_body_is_choice {
                let behind = dot(&body);
                let place = body.place;
                Rule::concatenation(vec![body, behind], place)
            } else {
                body
            };
            Rule::new(RuleKind::Star(Box::new(body)), place)
        }
        kind => Rule::new(kind, place),
    }
}
