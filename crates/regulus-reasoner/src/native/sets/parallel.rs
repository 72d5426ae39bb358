//! Walking from many vertices at once (pass P4): every path through a segment is a distance, so that
//! where a walk ends tells where it began. Also: for which vertices a condition can hold at all.

use std::collections::BTreeSet;

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::Piece;
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::FxHashMap;

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::Set;
use crate::native::analysis::bits::Bits;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::draw::continuation::Continuation;
use crate::native::emit::Emitter;

/// Most sets of targets that one segment is split into.
const MAX_PATHS: usize = 12;

/// Instructions that telling vertices apart may take.
const MAX_FILTER: usize = 500;

/// The ends of walks that are `distance` away from where they began.
#[derive(Clone)]
pub(crate) struct Path {
    pub(crate) distance: i32,
    pub(crate) place: PointerSet,
}

/// A piece that a walk has put before a condition is asked.
#[derive(Clone, Copy)]
pub(crate) struct Put {
    pub(crate) piece: Piece,
    /// True if it stands where the condition is asked from.
    pub(crate) here: bool,
}

/// What is asked of a condition.
#[derive(Clone, Copy)]
struct Filter<'f> {
    /// The vertices from which it is asked.
    candidates: &'f Set,
    env: &'f Env,
    /// What the walk has put before.
    puts: &'f [Put],
}

fn counts(arithmetic: &Arithmetic) -> bool {
    let mut found = false;
    arithmetic.visit(&mut |part| found |= matches!(part, Arithmetic::Count(_)));
    found
}

impl Emitter<'_, '_> {
    /// True if walking on in parallel tells more than drawing blindly from what is behind a modifier.
    pub(crate) fn is_parallel(&self, rest: &Continuation) -> bool {
        let trivial = rest.stops.iter().all(|s| s.node == rest.node);
        if !trivial {
            let ends: Vec<NodeId> = rest.stops.iter().map(|stop| stop.node).collect();
            return self.parallel_distances(rest.node, &ends).is_some();
        }
        rest.stops.iter().flat_map(|s| &s.ways).any(|way| {
            let (transition, _) = &self.analysis.segments[way.transition];
            let reads_board =
                matches!(transition, Transition::Assign(_, value, _) if counts(value));
            !reads_board && way.rest.as_ref().is_some_and(|rest| self.is_parallel(rest))
        })
    }

    /// The distances between the start of a segment and each of its ends, if there are few.
    pub(crate) fn parallel_distances(
        &self,
        start: NodeId,
        ends: &[NodeId],
    ) -> Option<Vec<BTreeSet<i32>>> {
        let analysis = self.analysis;
        let order = analysis.segments.topological(start)?;
        let mut reached: FxHashMap<NodeId, BTreeSet<i32>> = FxHashMap::default();
        reached.insert(start, [0].into());
        for node in &order {
            let Some(here) = reached.get(node).cloned() else { continue };
            for (transition, to) in &analysis.segments[*node] {
                let there = match transition {
                    Transition::Empty => here.clone(),
                    Transition::Pure(rules) => self.distances(rules, &here)?,
                    Transition::Check { .. } => return None,
                    _ => continue,
                };
                reached.entry(*to).or_default().extend(there);
            }
        }
        let distances: Vec<BTreeSet<i32>> =
            ends.iter().map(|end| reached.get(end).cloned().unwrap_or_default()).collect();
        let paths: usize = distances.iter().map(BTreeSet::len).sum();
        (paths <= MAX_PATHS).then_some(distances)
    }

    fn distances(&self, rules: &[Rule], from: &BTreeSet<i32>) -> Option<BTreeSet<i32>> {
        let mut all = from.clone();
        let mut i = 0;
        while i < rules.len() {
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rules[i..i + run]);
                if relation.constant.is_some() || relation.groups.len() > MAX_PATHS {
                    return None;
                }
                let steps = || relation.groups.iter().map(|g| g.delta);
                all = all.iter().flat_map(|d| steps().map(move |s| d + s)).collect();
                i += run;
                continue;
            }
            let rule = &rules[i];
            i += 1;
            all = match &rule.kind {
                RuleKind::On(_) => all,
                RuleKind::Comparison(_, sides) if !counts(&sides.0) && !counts(&sides.1) => all,
                RuleKind::Concatenation(parts) => self.distances(parts, &all)?,
                RuleKind::Sum(alternatives) => {
                    let mut union = BTreeSet::new();
                    for alternative in alternatives {
                        union.extend(self.distances(std::slice::from_ref(alternative), &all)?);
                    }
                    union
                }
                _ => return None,
            };
        }
        Some(all)
    }

    /// Walks through a segment from all vertices of a place at once, to each of its ends. `put` says what
    /// the walk has put at a distance from where it is now.
    pub(crate) fn parallel_segment(
        &mut self,
        start: NodeId,
        ends: &[NodeId],
        from: &PointerSet,
        env: &Env,
        put: &dyn Fn(i32) -> Option<Piece>,
    ) -> Vec<Vec<Path>> {
        let analysis = self.analysis;
        let order = analysis.segments.topological(start).unwrap_or_default();
        let mut reached: FxHashMap<NodeId, Vec<Path>> = FxHashMap::default();
        reached.insert(start, vec![Path { distance: 0, place: from.clone() }]);
        for node in &order {
            let Some(here) = reached.get(node).cloned() else { continue };
            for (transition, to) in &analysis.segments[*node] {
                let there = match transition {
                    Transition::Empty => here.clone(),
                    Transition::Pure(rules) => self.parallel_rules(rules, here.clone(), env, put),
                    _ => continue,
                };
                let old = reached.remove(to).unwrap_or_default();
                let merged = self.merge_paths(old, there);
                reached.insert(*to, merged);
            }
        }
        ends.iter().map(|end| reached.get(end).cloned().unwrap_or_default()).collect()
    }

    /// The vertices of a place from which the rules behind a node may lead to a modifier, or to the end: all those from which
    /// they do, and perhaps more.
    pub(crate) fn parallel_start(
        &mut self,
        (start, end): (NodeId, Option<NodeId>),
        from: &PointerSet,
        env: &Env,
        put: &dyn Fn(i32) -> Option<Piece>,
    ) -> Set {
        let analysis = self.analysis;
        let Some(order) = analysis.segments.topological(start) else { return self.clean(from) };
        let mut reached: FxHashMap<NodeId, Vec<Path>> = FxHashMap::default();
        reached.insert(start, vec![Path { distance: 0, place: from.clone() }]);
        // Where more is not looked at.
        let mut ends: Vec<Path> = Vec::new();
        for node in &order {
            let Some(here) = reached.remove(node) else { continue };
            let transitions = &analysis.segments[*node];
            let stops = transitions.iter().any(|(transition, _)| !transition.is_inner());
            if stops || Some(*node) == end || here.len() > MAX_PATHS {
                ends = self.merge_paths(ends, here);
                continue;
            }
            for (transition, to) in transitions {
                let Transition::Pure(rules) = transition else {
                    let old = reached.remove(to).unwrap_or_default();
                    let merged = self.merge_paths(old, here.clone());
                    reached.insert(*to, merged);
                    continue;
                };
                let known = |length: &usize| self.distances(&rules[..*length], &[0].into());
                let length = (0..=rules.len()).rev().find(|n| known(n).is_some()).unwrap_or(0);
                let there = self.parallel_rules(&rules[..length], here.clone(), env, put);
                if length < rules.len() {
                    ends = self.merge_paths(ends, there);
                } else {
                    let old = reached.remove(to).unwrap_or_default();
                    let merged = self.merge_paths(old, there);
                    reached.insert(*to, merged);
                }
            }
        }
        let mut live = Set::empty(self.words());
        for path in ends {
            let set = self.clean(&path.place).shift(-path.distance, &mut self.b);
            live = live.or(&set, &mut self.b);
        }
        live
    }

    /// Paths of the same distance become one.
    fn merge_paths(&mut self, mut all: Vec<Path>, more: Vec<Path>) -> Vec<Path> {
        for path in more {
            if path.place.set.is_empty_constant() {
                continue;
            }
            match all.iter_mut().find(|p| p.distance == path.distance) {
                Some(same) => same.place = self.union(&same.place, &path.place),
                None => all.push(path),
            }
        }
        all
    }

    fn parallel_rules(
        &mut self,
        rules: &[Rule],
        from: Vec<Path>,
        env: &Env,
        put: &dyn Fn(i32) -> Option<Piece>,
    ) -> Vec<Path> {
        let mut paths = from;
        let mut i = 0;
        while i < rules.len() {
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            let mut next = Vec::new();
            if run > 0 {
                let relation = self.analysis.relation(&rules[i..i + run]);
                i += run;
                for path in &paths {
                    for group in &relation.groups {
                        let mut place = match group.delta {
                            0 => {
                                let set = self.clean(&path.place);
                                let set = set.and(&Set::constant(&group.sources), &mut self.b);
                                PointerSet {
                                    set,
                                    dirty: false,
                                    certain: false,
                                    ..path.place.clone()
                                }
                            }
                            _ => self.follow_group(group, &path.place),
                        };
                        let distance = path.distance + group.delta;
                        if let Some(piece) = put(distance) {
                            // The walk is back where it put a piece: that is what stands there.
                            place = self.lying(place, piece);
                        }
                        next = self.merge_paths(next, vec![Path { distance, place }]);
                    }
                }
            } else {
                let rule = &rules[i];
                i += 1;
                match &rule.kind {
                    RuleKind::Concatenation(parts) => {
                        next = self.parallel_rules(parts, paths, env, put)
                    }
                    RuleKind::Sum(alternatives) => {
                        for alternative in alternatives {
                            let one = std::slice::from_ref(alternative);
                            let more = self.parallel_rules(one, paths.clone(), env, put);
                            next = self.merge_paths(next, more);
                        }
                    }
                    _ => {
                        for path in paths {
                            let place = self.forward_one(rule, &path.place, env);
                            next = self.merge_paths(next, vec![Path { place, ..path }]);
                        }
                    }
                }
            }
            paths = next;
        }
        paths
    }

    /// The vertices of a set at which a condition can hold after some pieces were put: all those where
    /// it does, and perhaps more. `None` if that cannot be told.
    pub(crate) fn can_hold(
        &mut self,
        condition: &Rule,
        candidates: &Set,
        env: &Env,
        puts: &[Put],
    ) -> Option<Set> {
        let rules = std::slice::from_ref(condition);
        if self.cost(rules) > MAX_FILTER {
            return None;
        }
        let full = self.analysis.full.clone();
        let mut rows = vec![Bits::empty(self.words()); self.analysis.embedding.len()];
        full.iter().for_each(|p| rows[p].insert(p));
        let all = Set::constant(&full);
        let holds = self.can_lead(rules, &all, &rows, Filter { candidates, env, puts })?;
        Some(candidates.and(&holds, &mut self.b))
    }

    /// The vertices from which rules may lead into `to`; `rows` is how far the walk has come before.
    fn can_lead(
        &mut self,
        rules: &[Rule],
        to: &Set,
        rows: &[Bits],
        filter: Filter<'_>,
    ) -> Option<Set> {
        let words = self.words();
        let Some((first, rest)) = rules.split_first() else { return Some(to.clone()) };
        let relaxed = self.analysis.relaxed(std::slice::from_ref(first));
        let behind: Vec<Bits> = rows.iter().map(|row| relaxed.image(row, words)).collect();
        let to = self.can_lead(rest, to, &behind, filter)?;
        if is_static(first) {
            let relation = self.analysis.relation(std::slice::from_ref(first));
            return Some(self.lead_to(&relation, &to));
        }
        match &first.kind {
            RuleKind::On(pieces) => {
                let mut class = self.class(filter.env, *pieces);
                for put in filter.puts.iter().filter(|put| pieces.contains(put.piece)) {
                    let comes_back = rows.iter().enumerate().any(|(p, row)| row.contains(p));
                    if put.here && !comes_back {
                        continue;
                    }
                    let full = Set::constant(&self.analysis.full);
                    let more = if put.here { filter.candidates.clone() } else { full };
                    class = class.or(&more, &mut self.b);
                }
                Some(to.and(&class, &mut self.b))
            }
            RuleKind::Concatenation(parts) => self.can_lead(parts, &to, rows, filter),
            RuleKind::Sum(alternatives) => {
                let mut union = Set::empty(words);
                for alternative in alternatives {
                    let one = std::slice::from_ref(alternative);
                    let set = self.can_lead(one, &to, rows, filter)?;
                    union = union.or(&set, &mut self.b);
                }
                Some(union)
            }
            RuleKind::Condition { negated: false, body } => {
                let full = Set::constant(&self.analysis.full);
                let body = std::slice::from_ref(&**body);
                let holds = self.can_lead(body, &full, rows, filter)?;
                Some(to.and(&holds, &mut self.b))
            }
            RuleKind::Comparison(..) => Some(to),
            _ => None,
        }
    }
}
