//! What can happen between two switches of the keeper: where he can get stuck, and whether he has
//! changed anything by then (pass P12).

use regulus_rbg::arithmetic::{Arithmetic, Comparison, Interval, Operator};
use regulus_rbg::declarations::{PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::confluence::Remembered;
use super::flood::Flood;
use super::order::{Stage, stages};
use crate::id::IdVec;
use crate::native::analysis::bits::Bits;
use crate::native::analysis::cycles::on_cycles;
use crate::native::analysis::guard::are_exclusive;
use crate::native::analysis::relation::{Path, is_static};
use crate::native::analysis::segments::{NodeId, Segments, Transition, TransitionId};
use crate::native::analysis::single::{keeps_single, only_tests};
use crate::native::analysis::{Analysis, relaxed};
use crate::native::runtime::room;
use crate::native::sets::line::parts_of;

/// Work that finding out where the pointer can be may take.
const MAX_POSITION_WORK: u64 = 1 << 26;

/// Modifiers that are followed to the end of a move.
const MAX_COMPLETED: usize = 8;

/// Nodes that are followed to see whether the rest of a move is determined.
const MAX_DETERMINED: usize = 256;

/// Choices up to which a search without loops is short.
const SHORT_SEARCH: usize = 12;

/// What is known about the keeper's stretches.
pub(crate) struct Stretches {
    /// The positions the pointer can have at a node, whatever stands on the board.
    positions: IdVec<NodeId, Bits>,
    /// Nodes at which something may have changed since the last switch, or to which a walk may come that left a
    /// choice behind.
    changed: FxHashSet<NodeId>,
    /// Nodes behind switches from which the keeper may get stuck after a change.
    may_fail_late: FxHashMap<NodeId, bool>,
    /// Nodes behind switches from which a move may be left to the interpreter.
    may_ask: FxHashMap<NodeId, bool>,
    /// Nodes that the keeper can come back to without any move of a player's.
    repeats: IdVec<NodeId, bool>,
    /// Nodes at which moves of the keeper begin and nothing else leads to.
    begins: FxHashSet<NodeId>,
    /// How many nodes leave choice points behind.
    parting: usize,
    /// Loops that flood a region, by the modifier that they begin behind.
    floods: FxHashMap<TransitionId, Flood>,
    /// Nodes at which the pointer may stand anywhere in a region that was flooded.
    vague: FxHashSet<NodeId>,
}

/// The tests and moves from a transition to the next modifier, or to where ways part or join.
pub(crate) struct Chain<'s> {
    /// Rules and the node at which they begin.
    runs: Vec<(&'s [Rule], NodeId)>,
    /// Behind how many runs a condition with modifiers is on the way, if one is.
    checked: Option<usize>,
    end: End,
}

/// What can happen from a node behind a switch on.
struct Explored {
    /// The keeper may get stuck after he has changed something, or may have to come back to a choice.
    late: bool,
    /// A move may be left to the interpreter.
    asks: bool,
}

/// What is behind a node from which only one way is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Determined {
    /// How many ways the rules have.
    ways: usize,
    /// The assignments that may fail; the state before the first modifier tells.
    pub(crate) asked: Vec<TransitionId>,
}

#[derive(Clone, Copy)]
enum End {
    Modifier(TransitionId),
    Node(NodeId),
}

impl Stretches {
    pub(crate) fn new(analysis: &Analysis) -> Stretches {
        let mut stretches = Stretches {
            positions: positions(analysis),
            changed: FxHashSet::default(),
            may_fail_late: FxHashMap::default(),
            may_ask: FxHashMap::default(),
            repeats: on_cycles(&keepers_ways(analysis)),
            begins: FxHashSet::default(),
            parting: 0,
            floods: floods(analysis),
            vague: FxHashSet::default(),
        };
        // Where moves are seen there are fewer.
        let unseen = Remembered::where_moves_are_unseen();
        let forgotten = |flood: &Flood| flood.forgotten_at(analysis, &unseen).unwrap_or_default();
        let vague = stretches.floods.values().flat_map(forgotten);
        stretches.vague = vague.map(|node| analysis.segments.canonical(node)).collect();
        let segments = &analysis.segments;
        let mut entries = vec![segments.start];
        for (transition, to) in segments.nodes.iter().flatten() {
            if matches!(transition, Transition::Switch(player, _) if player.0 == 0) {
                entries.push(*to);
            }
        }
        let entered = entries.iter().map(|entry| segments.canonical(*entry));
        stretches.begins = entered.filter(|node| only_behind_switches(segments, *node)).collect();
        let parts = |node: &NodeId| {
            let transitions = segments[*node].len();
            let pairs = |i: usize| (i + 1..transitions).map(move |j| (i, j));
            (0..transitions).flat_map(pairs).any(|(i, j)| !are_exclusive(analysis, *node, i, j))
        };
        stretches.parting = segments.nodes.ids().filter(parts).count();
        // A node that one stretch comes to after a change has the same code for all of them, so what
        // can change is known before it is asked where that matters.
        for entry in &entries {
            stretches.explore(analysis, segments.canonical(*entry));
        }
        for entry in entries {
            let entry = segments.canonical(entry);
            let Explored { late, asks } = stretches.explore(analysis, entry);
            stretches.may_fail_late.insert(entry, late);
            stretches.may_ask.insert(entry, asks);
        }
        stretches
    }

    /// True if the keeper may have to go back to the state he had at this node behind a switch.
    pub(crate) fn may_fail_late(&self, node: NodeId) -> bool {
        self.may_fail_late.get(&node).copied().unwrap_or(true)
    }

    /// True if the keeper may leave a move from this node behind a switch to the interpreter.
    pub(crate) fn may_ask(&self, node: NodeId) -> bool {
        self.may_ask.get(&node).copied().unwrap_or(true)
    }

    /// True if the keeper can come back to a node without any move of a player's.
    pub(crate) fn repeats(&self, node: NodeId) -> bool {
        self.repeats[node]
    }

    /// True if a move of the keeper begins at a node whenever he is there.
    pub(crate) fn begins_at(&self, node: NodeId) -> bool {
        self.begins.contains(&node)
    }

    /// The loop behind a modifier that floods a region.
    pub(crate) fn flood(&self, modifier: TransitionId) -> Option<&Flood> {
        self.floods.get(&modifier)
    }

    /// True if the pointer may stand at another vertex than the interpreter's, which does not show as long as there is
    /// nothing to choose.
    pub(crate) fn is_vague(&self, node: NodeId) -> bool {
        self.vague.contains(&node)
    }

    /// True if there may be no room for the choice points of a move that comes to a node.
    fn may_have_many_choices(&self, analysis: &Analysis, node: NodeId) -> bool {
        let most = analysis.longest_walk_to(node).map(|modifiers| (modifiers + 1) * self.parting);
        most.is_none_or(|most| most > room::choices(analysis))
    }

    /// True if something may have changed since the last switch, or there may be a choice to come back to.
    pub(crate) fn may_have_changed(&self, node: NodeId) -> bool {
        self.changed.contains(&node)
    }

    /// True if rules that only follow edges cannot fail at a node.
    pub(crate) fn is_sure(&self, analysis: &Analysis, rules: &[Rule], node: NodeId) -> bool {
        let domain = || analysis.relation(rules).domain(analysis.words());
        rules.iter().all(is_static) && self.positions[node].is_subset(&domain())
    }

    /// Notes where something may have changed.
    fn explore(&mut self, analysis: &Analysis, entry: NodeId) -> Explored {
        let segments = &analysis.segments;
        let mut seen = FxHashSet::default();
        let mut stack = vec![(entry, false)];
        let (mut late, mut asks) = (false, false);
        let (mut parting, mut loops) = (0, false);
        while let Some((node, changed)) = stack.pop() {
            if !seen.insert((node, changed)) {
                continue;
            }
            if changed {
                self.changed.insert(node);
            }
            late |= self.changed.contains(&node) && !self.goes_on(analysis, node);
            asks |= analysis.inner_loop(node);
            loops |= analysis.leads_back(node);
            let transitions = &segments[node];
            for i in 0..transitions.len() {
                let chain = Chain::of(analysis, node.transition(i));
                let parts =
                    (i + 1..transitions.len()).any(|j| !are_exclusive(analysis, node, i, j));
                late |= parts;
                asks |= chain.checked.is_some();
                parting += usize::from(parts);
                let moves = chain.runs.iter().any(|(run, _)| !run.iter().all(only_tests));
                let spreads = chain.runs.iter().any(|(run, _)| !keeps_single(analysis, run));
                let first = node == entry && self.begins_at(node);
                asks |= parts && self.may_have_many_choices(analysis, node);
                asks |= spreads && !first && !self.settles(analysis, &chain);
                asks |= spreads && self.is_vague(node);
                match chain.end {
                    End::Modifier(id) => {
                        let (transition, to) = &segments[id];
                        asks |= self.floods.contains_key(&id);
                        if !matches!(transition, Transition::Switch(..)) {
                            stack.push((segments.canonical(*to), true));
                        }
                    }
                    End::Node(node) => {
                        stack.push((segments.canonical(node), changed || moves || parts));
                    }
                }
            }
        }
        // Searches may take too long: then it is the interpreter who gives up.
        asks |= parting > SHORT_SEARCH || (parting > 0 && loops);
        Explored { late, asks }
    }

    /// True if it is known which of several vertices at the end of a chain is the keeper's: there is an order, and his
    /// move comes to its end from each of them.
    pub(crate) fn settles(&self, analysis: &Analysis, chain: &Chain<'_>) -> bool {
        let completes = match chain.end {
            End::Modifier(id) => {
                let (transition, to) = &analysis.segments[id];
                let is_switch = matches!(transition, Transition::Switch(..));
                is_switch
                    || (!may_fail(analysis, transition)
                        && self.completes(analysis, *to, MAX_COMPLETED))
            }
            End::Node(node) => self.completes(analysis, node, MAX_COMPLETED),
        };
        completes && chain.ordered(analysis).is_some()
    }

    /// True if every way from a node comes to a switch, whatever the state.
    fn completes(&self, analysis: &Analysis, node: NodeId, left: usize) -> bool {
        let node = analysis.segments.canonical(node);
        let Some(left) = left.checked_sub(1) else { return false };
        !analysis.inner_loop(node)
            && !analysis.leads_back(node)
            && self.goes_on(analysis, node)
            && analysis.segments.leaving(node).all(|id| match Chain::of(analysis, id).end {
                End::Modifier(id) => {
                    let (transition, to) = &analysis.segments[id];
                    matches!(transition, Transition::Switch(..))
                        || self.completes(analysis, *to, left)
                }
                End::Node(node) => self.completes(analysis, node, left),
            })
    }

    /// What is behind a node from which at most one way leads from one vertex to a switch, though the rules have
    /// several. Only assignments can fail on that way; each of them is on all ways and can be tested at the node.
    pub(crate) fn determined(
        &self,
        analysis: &Analysis,
        node: NodeId,
        known: &mut FxHashMap<NodeId, Option<Determined>>,
    ) -> Option<Determined> {
        let determined = self.determined_behind(analysis, node, known);
        determined.filter(|determined| determined.ways > 1)
    }

    fn determined_behind(
        &self,
        analysis: &Analysis,
        node: NodeId,
        known: &mut FxHashMap<NodeId, Option<Determined>>,
    ) -> Option<Determined> {
        let segments = &analysis.segments;
        let node = segments.canonical(node);
        if let Some(determined) = known.get(&node) {
            return determined.clone();
        }
        if known.len() > MAX_DETERMINED {
            return None;
        }
        known.insert(node, None);
        let transitions = segments[node].len();
        let exclusive = |i| (i + 1..transitions).all(|j| are_exclusive(analysis, node, i, j));
        let may_hang = analysis.inner_loop(node)
            || analysis.leads_back(node)
            || analysis.leads_to_overrun(node);
        // Where ways part, which one is taken must not depend on an assignment.
        if may_hang
            || !self.is_open(analysis, node, transitions == 1)
            || !(0..transitions).all(exclusive)
        {
            return None;
        }
        let mut all: Option<Determined> = None;
        for id in segments.leaving(node) {
            let behind = self.determined_chain(analysis, &Chain::of(analysis, id), known)?;
            all = Some(match all {
                None => behind,
                Some(all) if all.asked != behind.asked => return None,
                Some(all) => Determined { ways: all.ways.saturating_add(behind.ways), ..all },
            });
        }
        known.insert(node, all.clone());
        all
    }

    fn determined_chain(
        &self,
        analysis: &Analysis,
        chain: &Chain<'_>,
        known: &mut FxHashMap<NodeId, Option<Determined>>,
    ) -> Option<Determined> {
        let segments = &analysis.segments;
        let stays_one = |(run, _): &(&[Rule], NodeId)| keeps_single(analysis, run);
        if chain.checked.is_some() || !chain.runs.iter().all(stays_one) {
            return None;
        }
        let id = match chain.end {
            End::Node(node) => return self.determined_behind(analysis, node, known),
            End::Modifier(id) => id,
        };
        match &segments[id] {
            (Transition::Switch(..), _) => Some(Determined { ways: 1, asked: Vec::new() }),
            (Transition::Dot(_), _) => None,
            (Transition::Assign(variable, value, _), to) => {
                let mut behind = self.determined_behind(analysis, *to, known)?;
                // What is asked later must not depend on this.
                let reads = |id: &TransitionId| match &segments[*id].0 {
                    Transition::Assign(_, value, _) => mentions(value, Some(*variable)),
                    _ => true,
                };
                if behind.asked.iter().any(reads) {
                    return None;
                }
                if !analysis.always_fits(*variable, value) {
                    if mentions(value, None) {
                        return None;
                    }
                    behind.asked.push(id);
                }
                Some(behind)
            }
            (_, to) => self.determined_behind(analysis, *to, known),
        }
    }

    /// True if some way on is open at a node, whatever the state.
    pub(crate) fn goes_on(&self, analysis: &Analysis, node: NodeId) -> bool {
        self.is_open(analysis, node, false)
    }

    /// The same; maybe an assignment at the end of a way may fail.
    fn is_open(&self, analysis: &Analysis, node: NodeId, may_not_fit: bool) -> bool {
        let leaving = analysis.segments.leaving(node);
        let mut chains: Vec<Chain<'_>> = leaving.map(|id| Chain::of(analysis, id)).collect();
        let fits = |end: End| may_not_fit || !may_fail_at_end(analysis, end);
        chains.retain(|chain| chain.checked.is_none() && fits(chain.end));
        // What is left of every chain without what cannot fail.
        let tests: Vec<Vec<&Rule>> = chains
            .iter()
            .map(|chain| {
                let left = chain.runs.iter().flat_map(|(run, node)| {
                    let moves = run.iter().take_while(|rule| is_static(rule)).count();
                    let sure = moves > 0 && self.is_sure(analysis, &run[..moves], *node);
                    &run[if sure { moves } else { 0 }..]
                });
                left.collect()
            })
            .collect();
        // One chain is open where another one is closed.
        let opposite = tests.iter().any(|a| matches!(a.as_slice(), [a] if follows(a, &tests)));
        tests.iter().any(Vec::is_empty) || opposite || covers(analysis, &tests)
    }
}

/// True if chains of one test each leave nothing out.
fn covers(analysis: &Analysis, tests: &[Vec<&Rule>]) -> bool {
    let mut on = PieceSet::EMPTY;
    let mut compared: Vec<(&Arithmetic, Comparison, i64)> = Vec::new();
    for test in tests {
        match test.as_slice() {
            [Rule { kind: RuleKind::On(pieces), .. }] => on = on.union(*pieces),
            [Rule { kind: RuleKind::Comparison(comparison, sides), .. }] => {
                if let Arithmetic::Constant(c) = sides.1 {
                    compared.push((&sides.0, *comparison, c));
                }
            }
            _ => {}
        }
    }
    let all_numbers = compared.iter().any(|(expression, _, _)| {
        let same = || compared.iter().filter(|(e, _, _)| e == expression);
        // Division may have no result, which passes no comparison.
        let mut divides = false;
        expression.visit(&mut |part| {
            divides |= matches!(part, Arithmetic::Operation(Operator::Divide, _));
        });
        let d = &analysis.game.declarations;
        let interval = Interval::of(expression, d, analysis.game.board.len());
        let Ok(range) = interval else { return false };
        // Between the numbers compared with nothing changes.
        let points = same().flat_map(|(_, _, n)| [n - 1, *n, n + 1].map(i128::from));
        let points = points.chain([range.low, range.high]);
        let inside = |x: i128| i64::try_from(x).ok().filter(|_| x >= range.low && x <= range.high);
        !divides && points.filter_map(inside).all(|x| same().any(|(_, c, n)| c.holds(x, *n)))
    });
    on == analysis.game.declarations.all_pieces() || all_numbers
}

impl<'s> Chain<'s> {
    pub(crate) fn of(analysis: &'s Analysis, mut id: TransitionId) -> Chain<'s> {
        let segments = &analysis.segments;
        let mut chain = Chain { runs: Vec::new(), checked: None, end: End::Node(id.node) };
        loop {
            let (transition, to) = &segments[id];
            match transition {
                Transition::Empty => {}
                Transition::Pure(rules) => chain.runs.push((rules, id.node)),
                Transition::Check { .. } => {
                    chain.checked.get_or_insert(chain.runs.len());
                }
                _ => {
                    chain.end = End::Modifier(id);
                    return chain;
                }
            }
            if segments[*to].len() != 1 || analysis.incoming[*to] > 1 {
                chain.end = End::Node(*to);
                return chain;
            }
            id = to.transition(0);
        }
    }

    /// The node at the end, if it is not a modifier.
    pub(crate) fn end_node(&self) -> Option<NodeId> {
        match self.end {
            End::Node(node) => Some(node),
            End::Modifier(_) => None,
        }
    }

    /// The rules before the first condition with modifiers or the end, and the node there.
    pub(crate) fn unchecked(&self) -> (Vec<Rule>, Option<NodeId>) {
        let runs = self.runs.iter().take(self.checked.unwrap_or(usize::MAX));
        let end = self.end_node().filter(|_| self.checked.is_none());
        (runs.flat_map(|(run, _)| *run).cloned().collect(), end)
    }

    /// The rules of a chain in stages, if there is an order of the vertices it leads to.
    pub(crate) fn ordered(&self, analysis: &Analysis) -> Option<(Vec<Stage>, Vec<Rule>)> {
        let rules: Vec<Rule> = self.runs.iter().flat_map(|(run, _)| flat(run)).cloned().collect();
        // Behind a condition with modifiers, only tests: what they leave is known.
        let behind = self.runs.iter().skip(self.checked.unwrap_or(usize::MAX));
        let moves_on = behind.flat_map(|(run, _)| *run).any(|rule| !only_tests(rule));
        (!moves_on).then(|| stages(analysis, &rules)).flatten().map(|stages| (stages, rules))
    }

    /// The rules that fail if the chain does, unless it can fail in another way.
    pub(crate) fn tests(&self, analysis: &Analysis) -> Option<Vec<&'s Rule>> {
        let only_rules = self.checked.is_none() && !may_fail_at_end(analysis, self.end);
        only_rules.then(|| self.runs.iter().flat_map(|(run, _)| run.iter()).collect())
    }
}

/// Rules without concatenations inside concatenations.
fn flat(rules: &[Rule]) -> Vec<&Rule> {
    let parts = rules.iter().map(|rule| match &rule.kind {
        RuleKind::Concatenation(parts) if !is_static(rule) => flat(parts),
        _ => vec![rule],
    });
    parts.flatten().collect()
}

/// True if a test surely succeeds where some rules cannot be walked.
pub(crate) fn follows(rule: &Rule, refuted: &[Vec<&Rule>]) -> bool {
    let RuleKind::Condition { negated, body } = &rule.kind else { return false };
    refuted.iter().any(|rules| match rules.as_slice() {
        [Rule { kind: RuleKind::Condition { negated: n, body: b }, .. }] if b == body => {
            n != negated
        }
        rules => *negated && rules.iter().copied().eq(parts_of(body)),
    })
}

/// True if the modifier at the end of a chain can fail.
fn may_fail_at_end(analysis: &Analysis, end: End) -> bool {
    let End::Modifier(id) = end else { return false };
    may_fail(analysis, &analysis.segments[id].0)
}

/// True if a modifier can fail.
pub(crate) fn may_fail(analysis: &Analysis, transition: &Transition) -> bool {
    match transition {
        Transition::Assign(variable, value, _) => !analysis.always_fits(*variable, value),
        _ => false,
    }
}

/// True if an expression has a variable or, whichever is asked, a number of pieces in it.
fn mentions(value: &Arithmetic, variable: Option<Variable>) -> bool {
    let mut found = false;
    value.visit(&mut |part| {
        found |= match part {
            Arithmetic::Variable(v) => variable == Some(*v),
            Arithmetic::Count(_) => variable.is_none(),
            _ => false,
        };
    });
    found
}

/// The loops that flood a region.
fn floods(analysis: &Analysis) -> FxHashMap<TransitionId, Flood> {
    let segments = &analysis.segments;
    let all = segments.nodes.ids().flat_map(|node| segments.leaving(node));
    all.filter_map(|id| Some((id, Flood::behind(analysis, id)?))).collect()
}

/// True if every way to a node has passed nothing since the last switch.
fn only_behind_switches(segments: &Segments, node: NodeId) -> bool {
    segments.nodes.iter().all(|transitions| {
        let leads_here = |to: &NodeId| segments.canonical(*to) == node;
        transitions.iter().filter(|(_, to)| leads_here(to)).all(
            |(transition, _)| match transition {
                Transition::Switch(..) => true,
                Transition::Empty => transitions.len() == 1,
                _ => false,
            },
        )
    })
}

/// Where the keeper can go from every node, over switches to himself, too.
fn keepers_ways(analysis: &Analysis) -> IdVec<NodeId, Vec<NodeId>> {
    let own = |transition: &Transition| !matches!(transition, Transition::Switch(player, _) if player.0 != 0);
    analysis.segments.targets(own)
}

/// Where the pointer can be at every node, if all tests of the state could succeed.
fn positions(analysis: &Analysis) -> IdVec<NodeId, Bits> {
    let segments = &analysis.segments;
    let empty = Bits::empty(analysis.words());
    let mut positions = segments.nodes.filled(empty);
    let first = analysis.embedding.position(regulus_rbg::Vertex(1));
    positions[segments.start].insert(first);
    let mut pending = vec![segments.start];
    let mut images = analysis.images(MAX_POSITION_WORK);
    let mut path = |transition: &Transition| match transition {
        Transition::Pure(rules) => {
            let rules: Vec<Rule> = rules.iter().filter_map(relaxed).collect();
            Some(images.path_of(&rules))
        }
        _ => None,
    };
    let paths: IdVec<NodeId, Vec<Option<Path>>> = segments
        .nodes
        .iter()
        .map(|transitions| transitions.iter().map(|(transition, _)| path(transition)).collect())
        .collect();
    while let Some(node) = pending.pop() {
        let transitions = segments[node].iter().zip(&paths[node]);
        for ((transition, to), path) in transitions {
            let here = positions[node].clone();
            let there = match (transition, path) {
                (_, Some(path)) => images.image(path, &here),
                (Transition::Check { start, .. }, _) => {
                    if positions[*start].unite(&here) {
                        pending.push(*start);
                    }
                    here
                }
                _ => here,
            };
            if positions[*to].unite(&there) {
                pending.push(*to);
            }
        }
    }
    if images.work == 0 {
        // Then nothing is known: it can be anywhere.
        return positions.filled(analysis.full.clone());
    }
    positions
}
