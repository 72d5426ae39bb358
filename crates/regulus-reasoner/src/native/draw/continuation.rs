//! What can follow in a move: a plan of the segments behind a node, and an upper bound of the number
//! of ways through them (passes P9 and P10).
//!
//! A bound may be too large: what is drawn beyond what is really there is rejected, and the whole
//! draw repeated, which keeps the distribution uniform.

use std::rc::Rc;

use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_rbg::declarations::{Piece, PieceSet};
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::native::analysis::bits::Bits;
use crate::native::analysis::guard::are_never_both_open;
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::analysis::single::keeps_single;
use crate::native::analysis::width::Section;
use crate::native::emit::Emitter;
use crate::native::keeper::stretch::{Determined, Stretches};
use crate::native::sets::environment::Env;

/// A number that is known when code is made, or when it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Amount {
    Const(u64),
    Value(Value),
}

/// The ways on from a node at one vertex, to a switch.
pub(crate) struct Continuation {
    pub(crate) node: NodeId,
    pub(crate) stops: Vec<Stop>,
    /// At least as many ways as there can be.
    pub(crate) bound: Amount,
    /// What the bound is at most, whatever the state.
    most: f64,
    /// True if there is at most one way.
    pub(crate) single: bool,
    /// How many ways the rules have.
    pub(crate) paths: usize,
    /// True if at most one of the stops can be reached from one vertex: then it is found, not drawn.
    pub(crate) exclusive: bool,
    /// True if the bound may be much too large.
    pub(crate) wasteful: bool,
    /// True if it would be, were the vertices not told apart by what can be done from them.
    pub(crate) uneven: bool,
    /// True if chains are behind it, which the bound leaves out: they are walked. One without stops begins a chain.
    pub(crate) chains: bool,
}

impl Continuation {
    /// What is behind a modifier from where loops lead on.
    fn of_chain(node: NodeId) -> Rc<Continuation> {
        Rc::new(Continuation {
            node,
            stops: Vec::new(),
            bound: Amount::Const(0),
            most: 0.0,
            single: false,
            paths: 0,
            exclusive: false,
            wasteful: false,
            uneven: false,
            chains: true,
        })
    }
}

/// Where a segment ends: a node from which only modifiers lead on.
pub(crate) struct Stop {
    pub(crate) node: NodeId,
    /// At least as many vertices as it can be reached at.
    pub(crate) width: Amount,
    /// The rules of the only path to it, if there is only one.
    pub(crate) path: Option<Vec<NodeId>>,
    pub(crate) ways: Vec<Branch>,
    /// The bounds of the ways together.
    pub(crate) behind: Amount,
    pub(crate) weight: Amount,
}

/// A modifier, and what is behind it; nothing is behind a switch, and nothing is planned where only one way is open.
#[derive(Clone)]
pub(crate) struct Branch {
    pub(crate) transition: TransitionId,
    pub(crate) rest: Option<Rc<Continuation>>,
    /// Assignments behind it that may fail, where nothing is planned.
    pub(crate) asked: Vec<TransitionId>,
}

impl Branch {
    pub(crate) fn bound(&self) -> Amount {
        self.rest.as_ref().map_or(Amount::Const(1), |rest| rest.bound)
    }

    fn paths(&self) -> usize {
        self.rest.as_ref().map_or(1, |rest| rest.paths)
    }

    pub(crate) fn is_single(&self) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.single)
    }

    fn has_chains(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| rest.chains)
    }
}

/// What planning keeps in mind.
struct Planning {
    /// The nodes that are being planned, against loops through modifiers.
    inside: Vec<NodeId>,
    /// The pieces that were put so far, and what may have stood there.
    changes: Vec<(PieceSet, Piece)>,
    fuel: u32,
    stretches: Rc<Stretches>,
    /// What is known of nodes from which only one way is open.
    determined: FxHashMap<NodeId, Option<Determined>>,
}

/// Ways that can be counted without running out of bits.
const MAX_WAYS: f64 = (1u64 << 48) as f64;

/// Stops of a segment that are compared with each other.
const MAX_EXCLUSIVE: usize = 16;

/// Nodes that a plan may have.
const FUEL: u32 = 600;

impl<'a> Emitter<'a, '_> {
    /// Everything that can follow from a node; `None` if there is no end to it.
    pub(crate) fn plan(
        &mut self,
        node: NodeId,
        env: &Env,
        stretches: &Rc<Stretches>,
    ) -> Option<Rc<Continuation>> {
        let mut planning = Planning {
            inside: Vec::new(),
            changes: Vec::new(),
            fuel: FUEL,
            stretches: stretches.clone(),
            determined: FxHashMap::default(),
        };
        let under = self.everything();
        let anywhere = self.analysis.full.clone();
        self.plan_node(node, under, &anywhere, env, &mut planning)
    }

    /// What is behind an off or an assignment that leads to a node.
    fn plan_behind(
        &mut self,
        to: NodeId,
        under: PieceSet,
        places: &Bits,
        env: &Env,
        planning: &mut Planning,
    ) -> Option<Rc<Continuation>> {
        let to = self.analysis.segments.canonical(to);
        if self.analysis.leads_back(to) && !self.analysis.has_few_rounds(to, places) {
            return Some(Continuation::of_chain(to));
        }
        self.plan_node(to, under, places, env, planning)
    }

    fn plan_node(
        &mut self,
        node: NodeId,
        under: PieceSet,
        places: &Bits,
        env: &Env,
        planning: &mut Planning,
    ) -> Option<Rc<Continuation>> {
        let analysis = self.analysis;
        let node = analysis.segments.canonical(node);
        planning.fuel = planning.fuel.checked_sub(1)?;
        let round = planning.inside.contains(&node);
        let order = analysis.segments.topological(node)?;
        planning.inside.push(node);
        let unders = self.unders(node, &order, under);
        let mut stops = Vec::new();
        let mut wasteful = false;
        let mut mosts: Vec<f64> = Vec::new();
        // Only loops ask where a walk can be, and finding out takes time.
        let reached = match analysis.has_loops() {
            true => analysis.places_behind(&order, node, places),
            false => FxHashMap::default(),
        };
        for (at, transitions) in self.stops_of(&order) {
            let places = reached.get(&at).unwrap_or(places);
            if round && places.is_empty() {
                continue;
            }
            let under = unders.get(&at).copied().unwrap_or_else(|| self.everything());
            let mut ways = Vec::new();
            let (mut behind, mut most_behind) = (Amount::Const(0), 0.0);
            for id in transitions {
                let (transition, to) = &analysis.segments[id];
                let determined = match transition {
                    Transition::Off(..) | Transition::Assign(..) => {
                        planning.stretches.determined(analysis, *to, &mut planning.determined)
                    }
                    _ => None,
                };
                let rest = match transition {
                    Transition::Switch(..) => None,
                    _ if determined.is_some() => None,
                    Transition::Off(piece, _) => {
                        planning.changes.push((under, *piece));
                        let put = [*piece].into_iter().collect();
                        let rest = self.plan_behind(*to, put, places, env, planning)?;
                        planning.changes.pop();
                        Some(rest)
                    }
                    Transition::Assign(..) => {
                        Some(self.plan_behind(*to, under, places, env, planning)?)
                    }
                    _ => return None,
                };
                if rest.as_ref().is_some_and(|rest| rest.stops.is_empty() && !rest.chains) {
                    // The board ends here.
                    continue;
                }
                wasteful |= rest.as_ref().is_some_and(|r| r.wasteful || r.uneven);
                most_behind += rest.as_ref().map_or(1.0, |r| r.most);
                let asked = determined.map_or(Vec::new(), |determined| determined.asked);
                let way = Branch { transition: id, rest, asked };
                behind = self.sum(behind, way.bound());
                ways.push(way);
            }
            if ways.is_empty() {
                continue;
            }
            let path = self.only_path(&order, node, at);
            let section = Section { order: &order, start: node, end: at, path: path.as_deref() };
            let (width, tight) = self.width_of(&section, env, &planning.changes);
            let weight = self.product(width, behind);
            let widest = match width {
                Amount::Const(c) => c as f64,
                Amount::Value(_) => (self.analysis.full.len() + planning.changes.len()) as f64,
            };
            mosts.push(most_behind * widest);
            wasteful |= !tight;
            stops.push(Stop { node: at, width, path, ways, behind, weight });
        }
        planning.inside.pop();
        let exclusive = self.are_stops_exclusive(&stops);
        let mut bound = Amount::Const(0);
        for stop in &stops {
            bound = match exclusive {
                true => self.larger(bound, stop.weight),
                false => self.sum(bound, stop.weight),
            };
        }
        let most = match exclusive {
            true => mosts.into_iter().fold(0.0, f64::max),
            false => mosts.into_iter().sum(),
        };
        if most > MAX_WAYS {
            return None;
        }
        let single = match stops.as_slice() {
            [stop] => stop.width == Amount::Const(1) && stop.ways.len() == 1,
            _ => false,
        } && stops[0].ways[0].is_single();
        let paths = stops.iter().flat_map(|stop| &stop.ways).map(Branch::paths).sum();
        let chains = stops.iter().flat_map(|stop| &stop.ways).any(Branch::has_chains);
        // A rare alternative with many ways is drawn too often unless it is known where it is open.
        let is_heavy = |s: &&Stop| matches!(s.weight, Amount::Value(_));
        let mut uneven = stops.len() > 1 && stops.iter().any(|s| is_heavy(&s));
        if uneven && !stops.iter().filter(is_heavy).all(|s| self.guard_of(s).is_some()) {
            (uneven, wasteful) = (false, true);
        }
        Some(Rc::new(Continuation {
            node,
            stops,
            bound,
            most,
            single,
            paths,
            exclusive,
            wasteful,
            uneven,
            chains,
        }))
    }

    /// True if at most one of some stops can be reached from one vertex, whatever the state: where the paths to two of
    /// them part the walk is still on one vertex, and the ways from there exclude each other.
    fn are_stops_exclusive(&self, stops: &[Stop]) -> bool {
        let paths: Option<Vec<&[NodeId]>> = stops.iter().map(|stop| stop.path.as_deref()).collect();
        let Some(paths) = paths.filter(|paths| (2..=MAX_EXCLUSIVE).contains(&paths.len())) else {
            return false;
        };
        let pairs =
            paths.iter().enumerate().flat_map(|(i, a)| paths[..i].iter().map(move |b| (*a, *b)));
        pairs.into_iter().all(|(a, b)| self.do_paths_exclude(a, b))
    }

    fn do_paths_exclude(&self, a: &[NodeId], b: &[NodeId]) -> bool {
        let analysis = self.analysis;
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        if common == 0 || common == a.len() || common == b.len() {
            return false;
        }
        let stays_one = |rules: Vec<&[Rule]>| rules.iter().all(|run| keeps_single(analysis, run));
        let parting = a[common - 1];
        let way_to = |next: NodeId| {
            let mut ways = analysis.segments[parting].iter().enumerate();
            ways.find(|(_, (t, to))| *to == next && t.is_inner()).map(|(i, _)| i)
        };
        match (way_to(a[common]), way_to(b[common])) {
            (Some(i), Some(j)) => {
                self.rules_on(&a[..common]).is_some_and(stays_one)
                    && are_never_both_open(analysis, parting, i, j)
            }
            _ => false,
        }
    }

    fn larger(&mut self, a: Amount, b: Amount) -> Amount {
        match (a, b) {
            (Amount::Const(a), Amount::Const(b)) => Amount::Const(a.max(b)),
            (Amount::Const(0), b) => b,
            (a, Amount::Const(0)) => a,
            (a, b) => {
                let (a, b) = (self.amount(a), self.amount(b));
                Amount::Value(self.b.ins().umax(a, b))
            }
        }
    }

    /// The ends of a segment, with the modifiers that can be taken there.
    fn stops_of(&self, order: &[NodeId]) -> Vec<(NodeId, Vec<TransitionId>)> {
        let mut covered = FxHashSet::default();
        let mut stops = Vec::new();
        for node in order {
            if covered.contains(node) {
                continue;
            }
            let mut transitions = Vec::new();
            if self.is_fan(*node, 0) {
                self.fan(*node, &mut transitions, &mut covered);
            } else {
                let segments = &self.analysis.segments;
                let is_exit = |id: &TransitionId| !segments[*id].0.is_inner();
                transitions.extend(segments.leaving(*node).filter(is_exit));
            }
            if !transitions.is_empty() {
                stops.push((*node, transitions));
            }
        }
        stops
    }

    /// True if only modifiers lead on from a node, and nothing else leads to them.
    fn is_fan(&self, node: NodeId, depth: usize) -> bool {
        let inner = |transition: &Transition, to: NodeId| {
            !transition.is_inner()
                || (*transition == Transition::Empty
                    && self.analysis.incoming[to] == 1
                    && self.is_fan(to, depth + 1))
        };
        depth < 16 && self.analysis.segments[node].iter().all(|(a, t)| inner(a, *t))
    }

    fn fan(
        &self,
        node: NodeId,
        transitions: &mut Vec<TransitionId>,
        covered: &mut FxHashSet<NodeId>,
    ) {
        covered.insert(node);
        for id in self.analysis.segments.leaving(node) {
            match &self.analysis.segments[id] {
                (Transition::Empty, to) => self.fan(*to, transitions, covered),
                _ => transitions.push(id),
            }
        }
    }

    /// What can stand where the walk is, at every node of a segment.
    fn unders(
        &self,
        start: NodeId,
        order: &[NodeId],
        under: PieceSet,
    ) -> FxHashMap<NodeId, PieceSet> {
        let mut unders: FxHashMap<NodeId, PieceSet> = FxHashMap::default();
        unders.insert(start, under);
        for node in order {
            let Some(here) = unders.get(node).copied() else { continue };
            for (transition, to) in &self.analysis.segments[*node] {
                let there = match transition {
                    Transition::Pure(rules) => self.under_after(rules, here),
                    transition if transition.is_inner() => here,
                    _ => continue,
                };
                let old = unders.get(to).copied().unwrap_or(PieceSet::EMPTY);
                unders.insert(*to, old.union(there));
            }
        }
        unders
    }

    fn under_after(&self, rules: &[Rule], under: PieceSet) -> PieceSet {
        rules.iter().fold(under, |under, rule| match &rule.kind {
            RuleKind::On(pieces) => under.intersection(*pieces),
            RuleKind::Concatenation(parts) => self.under_after(parts, under),
            RuleKind::Sum(alternatives) => {
                let all =
                    alternatives.iter().map(|a| self.under_after(std::slice::from_ref(a), under));
                all.fold(PieceSet::EMPTY, PieceSet::union)
            }
            RuleKind::Shift(_) | RuleKind::Star(_) => self.everything(),
            _ => under,
        })
    }

    /// The nodes from the start of a segment to one of its nodes, if there is only one path.
    fn only_path(&self, order: &[NodeId], start: NodeId, end: NodeId) -> Option<Vec<NodeId>> {
        let mut path = vec![end];
        let mut at = end;
        while at != start {
            let goal = at;
            let mut before = order.iter().flat_map(|n| {
                let transitions = self.analysis.segments[*n].iter();
                transitions
                    .filter(|(transition, to)| *to == goal && transition.is_inner())
                    .map(|_| *n)
            });
            at = before.next()?;
            if before.next().is_some() {
                return None;
            }
            path.push(at);
        }
        path.reverse();
        Some(path)
    }

    /// The rules on a path; `None` if it also asks conditions with modifiers.
    pub(crate) fn rules_on(&self, path: &[NodeId]) -> Option<Vec<&'a [Rule]>> {
        let analysis = self.analysis;
        let mut rules: Vec<&'a [Rule]> = Vec::new();
        for pair in path.windows(2) {
            let transitions = &analysis.segments[pair[0]];
            match &transitions
                .iter()
                .find(|(transition, to)| *to == pair[1] && transition.is_inner())?
                .0
            {
                Transition::Empty => {}
                Transition::Pure(more) => rules.push(more),
                _ => return None,
            }
        }
        Some(rules)
    }

    /// The condition that the only path to a stop begins with.
    pub(crate) fn guard_of(&self, stop: &Stop) -> Option<&'a Rule> {
        let rules = self.rules_on(stop.path.as_deref()?)?;
        match &rules.iter().find_map(|r| r.first())?.kind {
            RuleKind::Condition { negated: false, body } => Some(body),
            _ => None,
        }
    }

    pub(crate) fn amount(&mut self, amount: Amount) -> Value {
        match amount {
            Amount::Const(c) => self.constant(c as i64),
            Amount::Value(v) => v,
        }
    }

    fn sum(&mut self, a: Amount, b: Amount) -> Amount {
        match (a, b) {
            (Amount::Const(a), Amount::Const(b)) => Amount::Const(a.saturating_add(b)),
            (Amount::Const(0), b) => b,
            (a, Amount::Const(0)) => a,
            (a, b) => {
                let (a, b) = (self.amount(a), self.amount(b));
                Amount::Value(self.b.ins().iadd(a, b))
            }
        }
    }

    fn product(&mut self, a: Amount, b: Amount) -> Amount {
        match (a, b) {
            (Amount::Const(a), Amount::Const(b)) => Amount::Const(a.saturating_mul(b)),
            (Amount::Const(0), _) | (_, Amount::Const(0)) => Amount::Const(0),
            (a, b) => self.times(a, b),
        }
    }

    fn times(&mut self, a: Amount, b: Amount) -> Amount {
        match (a, b) {
            (Amount::Const(1), x) | (x, Amount::Const(1)) => x,
            (a, b) => {
                let (a, b) = (self.amount(a), self.amount(b));
                Amount::Value(self.b.ins().imul(a, b))
            }
        }
    }
}
