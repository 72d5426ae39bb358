//! Ways behind a choice: how many there are, and whether each keeps to one vertex at a time
//! (passes P4, P9 and P10).

use regulus_rbg::rule::{Rule, RuleKind};

use super::analysis::Analysis;
use super::relation::{Group, is_static};
use super::segments::Arc;

/// True if rules without modifiers lead from one vertex to one vertex at most.
pub(super) fn keeps_single(analysis: &Analysis, rules: &[Rule]) -> bool {
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

pub(super) fn only_tests(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().all(only_tests),
        _ => false,
    }
}

/// One of several ways through rules without modifiers: steps of one distance each, and tests.
pub(super) type Path<'r> = Vec<PathItem<'r>>;

#[derive(Clone)]
pub(super) enum PathItem<'r> {
    Move(Group),
    /// To a position, wherever the walk was.
    Jump(usize),
    Test(&'r Rule),
}

/// Most paths and ways that are drawn from without knowing which are open.
const MAX_WAYS: u64 = 16;

/// Most ways when choices that follow each other are drawn before they are counted.
const MAX_CHAIN: u64 = 4096;

/// What may follow a choice that is counted by population count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// One vertex at a time.
    No,
    /// Also a few paths to different vertices.
    Paths,
    /// Also sets of vertices, as long as there is only one way to go on: one of as many vertices as
    /// there can be at most is drawn, and the draw fails if there are not so many (prefix acceptance).
    Chain,
}

/// The ways through rules without modifiers, if there are few, each from one vertex to one vertex, and
/// no two of them can lead to the same vertex.
pub(super) fn paths<'r>(analysis: &Analysis, rules: &'r [Rule]) -> Option<Vec<Path<'r>>> {
    let paths = expand(analysis, rules)?;
    // Where a path ends: a position, or a distance from where it began.
    let mut ends: Vec<(bool, i32)> = paths
        .iter()
        .map(|path| {
            path.iter().fold((false, 0), |(jumped, at), item| match item {
                PathItem::Move(group) => (jumped, at + group.delta),
                PathItem::Jump(to) => (true, *to as i32),
                PathItem::Test(_) => (jumped, at),
            })
        })
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let comparable = ends.iter().all(|(jumped, _)| *jumped == ends[0].0);
    (comparable && ends.len() == paths.len()).then_some(paths)
}

pub(super) fn expand<'r>(analysis: &Analysis, rules: &'r [Rule]) -> Option<Vec<Path<'r>>> {
    let mut all: Vec<Path<'r>> = vec![Vec::new()];
    let mut i = 0;
    while i < rules.len() {
        let run = rules[i..].iter().take_while(|r| is_static(r)).count();
        let options: Vec<Path<'r>> = if run > 0 {
            let relation = analysis.relation(&rules[i..i + run]);
            i += run;
            match &relation.constant {
                Some(constant) if constant.len() as u64 <= MAX_WAYS => {
                    constant.iter().map(|p| vec![PathItem::Jump(p)]).collect()
                }
                None if relation.groups.len() as u64 <= MAX_WAYS => {
                    relation.groups.iter().map(|g| vec![PathItem::Move(g.clone())]).collect()
                }
                _ => return None,
            }
        } else {
            let rule = &rules[i];
            i += 1;
            match &rule.kind {
                RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => {
                    vec![vec![PathItem::Test(rule)]]
                }
                RuleKind::Concatenation(parts) => expand(analysis, parts)?,
                RuleKind::Sum(alternatives) => {
                    let mut options = Vec::new();
                    for alternative in alternatives {
                        options.extend(expand(analysis, std::slice::from_ref(alternative))?);
                    }
                    options
                }
                _ => return None,
            }
        };
        if (all.len() * options.len()) as u64 > MAX_WAYS {
            return None;
        }
        all = all
            .iter()
            .flat_map(|path| {
                options.iter().map(move |more| path.iter().chain(more).cloned().collect())
            })
            .collect();
    }
    Some(all)
}

/// How many ways there are from a node at one vertex to a switch, if every one of them keeps to one
/// vertex at a time and no two of them can be the same move.
pub(super) fn tail_ways(
    analysis: &Analysis,
    node: u32,
    spread: Spread,
    fuel: &mut u32,
) -> Option<u64> {
    *fuel = fuel.checked_sub(1)?;
    let arcs = &analysis.segments.nodes[node as usize];
    if spread == Spread::Chain && arcs.len() > 1 {
        return None;
    }
    let mut ways = 0;
    for (arc, to) in arcs {
        ways += match arc {
            Arc::Empty | Arc::Off(..) | Arc::Assign(..) | Arc::Check { .. } => {
                tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Pure(rules) if keeps_single(analysis, rules) => {
                tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Pure(rules) if spread != Spread::No => {
                let width = match paths(analysis, rules) {
                    Some(paths) => paths.len(),
                    None if spread == Spread::Chain => analysis.width(rules),
                    None => return None,
                };
                width as u64 * tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Switch(..) => 1,
            Arc::Pure(_) | Arc::Dot(_) => return None,
        };
    }
    (ways <= if spread == Spread::Chain { MAX_CHAIN } else { MAX_WAYS }).then_some(ways)
}

/// The ways from a node of a tail that has been counted.
pub(super) fn ways_behind(analysis: &Analysis, node: u32) -> u64 {
    [Spread::No, Spread::Paths, Spread::Chain]
        .into_iter()
        .find_map(|spread| tail_ways(analysis, node, spread, &mut 60))
        .unwrap_or(1)
}

/// True if two ways through the segment that begins at a node come together again.
pub(super) fn has_joins(analysis: &Analysis, node: u32) -> bool {
    let Some(order) = analysis.segments.topological(node) else { return true };
    let mut seen = rustc_hash::FxHashSet::default();
    for node in order {
        for (arc, to) in &analysis.segments.nodes[node as usize] {
            if arc.is_inner() && !seen.insert(*to) {
                return true;
            }
        }
    }
    false
}
