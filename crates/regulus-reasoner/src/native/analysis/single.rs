//! Rules that keep to one vertex.

use regulus_rbg::rule::{Rule, RuleKind};

use super::Analysis;
use super::relation::is_static;

/// True if rules without modifiers lead from one vertex to one vertex at most.
pub(crate) fn keeps_single(analysis: &Analysis, rules: &[Rule]) -> bool {
    let mut i = 0;
    while i < rules.len() {
        let run = rules[i..].iter().take_while(|r| is_static(r)).count();
        if run > 0 {
            if analysis.relation(&rules[i..i + run]).widest > 1 {
                return false;
            }
            i += run;
            continue;
        }
        let keeps = match &rules[i].kind {
            RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => true,
            RuleKind::Concatenation(parts) => keeps_single(analysis, parts),
            RuleKind::Sum(alternatives) => alternatives.iter().all(only_tests),
            _ => false,
        };
        if !keeps {
            return false;
        }
        i += 1;
    }
    true
}

pub(crate) fn only_tests(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().all(only_tests),
        _ => false,
    }
}
