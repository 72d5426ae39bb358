//! How the levels of split moves hang together: which ones several semimoves lead to, which ones lie
//! in loops, and where nothing can go wrong any more.

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::levels::{LevelId, Levels};
use crate::id::IdVec;
use crate::native::Unsupported;
use crate::native::analysis::Analysis;
use crate::native::analysis::cycles::{components, on_cycles};
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::analysis::single::keeps_single;
use crate::native::sets::condition::{LARGE_CONDITION, size_of};

/// Rules from which on the way behind a semimove is not repeated for every semimove that leads there.
const SHORT: usize = 24;

/// What is known about the levels of a game.
pub(crate) struct LevelGraph {
    shared: FxHashSet<NodeId>,
    /// What stands under the pointer at a level behind offs only.
    under: FxHashMap<NodeId, PieceSet>,
    /// Split points that can be passed again without a modifier in between, numbered.
    looped_dots: FxHashMap<u32, usize>,
}

impl LevelGraph {
    pub(crate) fn new(analysis: &Analysis) -> Result<LevelGraph, Unsupported> {
        let segments = &analysis.segments;
        let levels = Levels::new(segments)?;
        let transition_of = |id: TransitionId| &segments[id].0;
        let levels = levels.levels;
        // The levels behind every level: all of them, and those behind split points only.
        let mut next: IdVec<LevelId, Vec<(LevelId, bool)>> = levels.filled(Vec::new());
        let mut incoming = levels.filled(0);
        let mut under = levels.filled(Some(PieceSet::EMPTY));
        for (from, level) in levels.enumerated() {
            for exit in &level.exits {
                let Some(to) = exit.to else { continue };
                let transition = transition_of(exit.from);
                next[from].push((to, matches!(transition, Transition::Dot(_))));
                incoming[to] += 1;
                under[to] = match (under[to], transition) {
                    (Some(known), Transition::Off(piece, _)) => {
                        Some(known.union([*piece].into_iter().collect()))
                    }
                    _ => None,
                };
            }
        }
        let looped = on_cycles(&levels_behind(&next, false));
        let dots = components(&levels_behind(&next, true)).of;
        let mut graph = LevelGraph {
            shared: FxHashSet::default(),
            under: FxHashMap::default(),
            looped_dots: FxHashMap::default(),
        };
        for (l, level) in levels.enumerated() {
            let node = level.node;
            let short = is_short(analysis, node);
            if looped[l] || (incoming[l] > 1 && !short) {
                graph.shared.insert(node);
            }
            if let Some(under) = under[l].filter(|u| !u.is_empty()) {
                graph.under.insert(node, under);
            }
            for exit in &level.exits {
                if let (Transition::Dot(number), Some(to)) = (transition_of(exit.from), exit.to)
                    && dots[to] == dots[l]
                {
                    let index = graph.looped_dots.len();
                    graph.looped_dots.entry(*number).or_insert(index);
                }
            }
        }
        Ok(graph)
    }

    /// True if a level has a block of its own.
    pub(crate) fn is_shared(&self, node: NodeId) -> bool {
        self.shared.contains(&node)
    }

    /// What can stand under the pointer when a level is entered, if that is known.
    pub(crate) fn under(&self, node: NodeId) -> Option<PieceSet> {
        self.under.get(&node).copied()
    }

    /// How many split points lie in loops without modifiers.
    pub(crate) fn looped_dots(&self) -> usize {
        self.looped_dots.len()
    }

    /// The number of such a split point.
    pub(crate) fn looped_dot(&self, transition: &Transition) -> Option<usize> {
        match transition {
            Transition::Dot(number) => self.looped_dots.get(number).copied(),
            _ => None,
        }
    }

    /// True if the walk surely reaches a switch when it takes a transition.
    pub(crate) fn surely_ends(&self, analysis: &Analysis, id: TransitionId) -> bool {
        let segments = &analysis.segments;
        let (mut transition, mut to) = (&segments[id].0, segments[id].1);
        for _ in 0..64 {
            match transition {
                Transition::Switch(..) => return true,
                Transition::Empty | Transition::Off(..) => {}
                Transition::Dot(_) if self.looped_dot(transition).is_none() => {}
                Transition::Assign(variable, value, _)
                    if analysis.always_fits(*variable, value) => {}
                _ => return false,
            }
            match &segments[to] {
                [(next, behind)] => (transition, to) = (next, *behind),
                _ => return false,
            }
        }
        false
    }
}

/// The levels behind every level, or those behind split points only.
fn levels_behind(
    next: &IdVec<LevelId, Vec<(LevelId, bool)>>,
    only_dots: bool,
) -> IdVec<LevelId, Vec<LevelId>> {
    let behind = |level: &Vec<(LevelId, bool)>| {
        level.iter().filter(|(_, dot)| *dot || !only_dots).map(|(to, _)| *to).collect()
    };
    next.iter().map(behind).collect()
}

/// True if only little code leads from a level to a switch, without any choice.
fn is_short(analysis: &Analysis, mut node: NodeId) -> bool {
    let mut left = SHORT;
    for _ in 0..64 {
        let [(transition, to)] = &analysis.segments[node] else {
            return false;
        };
        let cost = match transition {
            Transition::Switch(..) => return true,
            Transition::Pure(rules) if keeps_single(analysis, rules) => {
                rules.iter().map(size).sum()
            }
            Transition::Pure(_) | Transition::Check { .. } => return false,
            _ => 1,
        };
        let Some(rest) = left.checked_sub(cost) else { return false };
        (left, node) = (rest, *to);
    }
    false
}

/// Roughly how much code a rule is; large conditions are calls.
fn size(rule: &Rule) -> usize {
    match &rule.kind {
        RuleKind::Condition { body, .. } if size_of(body) > LARGE_CONDITION => 4,
        _ => size_of(rule),
    }
}
