//! Loops of the keeper that flood a region, `[new] ((f {way})* f {old} [new])* {! (f {way})* f {old}}`: which they are, and
//! when it does not matter in which order they take the vertices (passes P11 and P12).
//!
//! Let `f` lead back along every edge, and let `new` be one of the pieces `way`. A round replaces a vertex of `old` by
//! `new`, so the vertices with `way` or `old` stay the same, and with them the regions that are connected by `f`. A round
//! leads from a vertex of a region to another one of it, and the loop ends when the part that is reached has no neighbour
//! with `old`: then it is the whole region. So whatever is taken first, all `old` of the region have become `new`. Only the
//! vertex where the pointer stands at the end depends on the order.

use std::sync::Arc;

use regulus_rbg::declarations::{Piece, PieceSet};
use regulus_rbg::rule::{Rule, RuleKind};

use super::confluence::{Remembered, constant_prefix, forgets_region};
use crate::native::analysis::Analysis;
use crate::native::analysis::guard::are_exclusive;
use crate::native::analysis::relation::{Relation, is_static};
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::sets::line::parts_of;

/// Nodes without a choice that are passed on the way back to the beginning of a loop.
const MAX_LINKS: usize = 16;

/// A loop that floods a region.
#[derive(Clone, Debug)]
pub(crate) struct Flood {
    /// Where the loop begins.
    pub(crate) node: NodeId,
    /// The step from a vertex to its neighbours.
    pub(crate) step: Arc<Relation>,
    /// What the flood passes.
    pub(crate) way: PieceSet,
    /// What it replaces, and by what.
    pub(crate) old: PieceSet,
    pub(crate) new: Piece,
}

impl Flood {
    /// The flood that begins behind a modifier, if it puts the piece with which the loop fills the region.
    pub(crate) fn behind(analysis: &Analysis, id: TransitionId) -> Option<Flood> {
        let (Transition::Off(put, _), to) = &analysis.segments[id] else { return None };
        let flood = Flood::at(analysis, analysis.segments.canonical(*to))?;
        // The modifiers of the loop itself lead to it, too.
        let is_inside = flood.round(analysis).is_some_and(|(_, inside)| inside == id);
        (*put == flood.new && !is_inside).then_some(flood)
    }

    /// The flood of a node: a round, or out of the loop where none is possible.
    fn at(analysis: &Analysis, node: NodeId) -> Option<Flood> {
        let segments = &analysis.segments;
        if segments[node].len() != 2 {
            return None;
        }
        let (rules, off) = round(analysis, node.transition(0))?;
        let (Transition::Off(new, _), to) = &segments[off] else { return None };
        if segments.canonical(*to) != node {
            return None;
        }
        let (Rule { kind: RuleKind::Star(body), .. }, hop) = rules.split_first()? else {
            return None;
        };
        let (steps, way) = hop_of(parts_of(body))?;
        let (last, old) = hop_of(hop)?;
        let step = analysis.relation(steps);
        let floods = way.contains(*new) && !old.contains(*new) && *step == *analysis.relation(last);
        if !floods || !is_symmetric(&step) || !leaves_when_done(analysis, node, rules) {
            return None;
        }
        Some(Flood { node, step, way, old, new: *new })
    }

    /// The rules of a round and its modifier.
    pub(crate) fn round<'s>(&self, analysis: &'s Analysis) -> Option<(&'s [Rule], TransitionId)> {
        round(analysis, self.node.transition(0))
    }

    /// The way out of the loop.
    pub(crate) fn exit(&self) -> TransitionId {
        self.node.transition(1)
    }

    /// What the region consists of.
    pub(crate) fn region(&self) -> PieceSet {
        self.way.union(self.old)
    }

    /// The nodes to which a walk can come from which nobody can tell at which vertex of the region the pointer stands
    /// behind the flood, provided that choices there are left to the interpreter. Nothing if it does show.
    pub(crate) fn forgotten_at(
        &self,
        analysis: &Analysis,
        remembered: &Remembered,
    ) -> Option<Vec<NodeId>> {
        forgets_region(analysis, self, Some(self), remembered)
    }

    /// The same if the pointer may be in any region.
    pub(crate) fn forgotten_anywhere(&self, analysis: &Analysis, remembered: &Remembered) -> bool {
        forgets_region(analysis, self, None, remembered).is_some()
    }

    /// True if a loop that begins with a transition floods every region that has a vertex to begin at, in whatever order
    /// it takes them.
    ///
    /// It goes from anywhere to vertices with `old` that pass some tests, and floods the region of one of them. The
    /// tests look at the region and at its neighbours, which do not change before the region itself is flooded; after
    /// that it has no more `old`.
    pub(crate) fn fills_all(analysis: &Analysis, start: TransitionId) -> bool {
        let Some((rules, entry)) = round(analysis, start) else { return false };
        let first = constant_prefix(analysis, rules);
        let Some((Rule { kind: RuleKind::On(begun), .. }, tests)) = rules[first..].split_first()
        else {
            return false;
        };
        let Some(flood) = Flood::behind(analysis, entry).filter(|_| first > 0) else {
            return false;
        };
        let is_confined = |test: &Rule| match &test.kind {
            RuleKind::On(_) => true,
            RuleKind::Condition { body, .. } => {
                flood.confined(analysis, parts_of(body), true).is_some()
            }
            _ => false,
        };
        let node = analysis.segments.canonical(start.node);
        is_within(*begun, flood.old)
            && tests.iter().all(is_confined)
            && end_of_exit(analysis, flood.exit()) == Some(node)
            && (0..analysis.segments[node].len())
                .filter(|other| *other != start.index)
                .all(|other| are_exclusive(analysis, node, start.index, other))
    }

    /// Whether rules that begin inside the region (or, if `inside` is false, at a vertex next to it) look at nothing but
    /// it and its neighbours; `Some(true)` if they end inside.
    fn confined(&self, analysis: &Analysis, rules: &[Rule], inside: bool) -> Option<bool> {
        let mut inside = inside;
        for run in rules.chunk_by(|a, b| is_static(a) && is_static(b)) {
            if is_static(&run[0]) {
                let relation = analysis.relation(run);
                let mut rows = relation.rows.iter().zip(&self.step.rows);
                if !inside || !rows.all(|(row, step)| row.is_subset(step)) {
                    return None;
                }
                inside = false;
                continue;
            }
            inside = match &run[0].kind {
                RuleKind::On(pieces) => inside || is_within(*pieces, self.region()),
                RuleKind::Concatenation(parts) => self.confined(analysis, parts, inside)?,
                RuleKind::Sum(parts) => {
                    let mut all = true;
                    for part in parts {
                        all &= self.confined(analysis, std::slice::from_ref(part), inside)?;
                    }
                    all
                }
                RuleKind::Condition { body, .. } => {
                    self.confined(analysis, parts_of(body), inside)?;
                    inside
                }
                RuleKind::Star(body) => {
                    (inside && self.confined(analysis, parts_of(body), true)?).then_some(true)?
                }
                _ => return None,
            };
        }
        Some(inside)
    }

    /// True if a walk along rules has come from every vertex of the flooded region to the same vertices when it has
    /// passed the first of them: everything that is connected with the region.
    pub(crate) fn spreads_over(&self, analysis: &Analysis, rule: &Rule) -> bool {
        let RuleKind::Star(body) = &rule.kind else { return false };
        hop_of(parts_of(body)).is_some_and(|(steps, pieces)| {
            is_within(self.way, pieces) && *analysis.relation(steps) == *self.step
        })
    }
}

fn is_within(some: PieceSet, all: PieceSet) -> bool {
    some.intersection(all) == some
}

/// The rules of a way that has no choices up to its first modifier, which puts a piece, and that modifier.
fn round(analysis: &Analysis, start: TransitionId) -> Option<(&[Rule], TransitionId)> {
    let segments = &analysis.segments;
    let mut rules: &[Rule] = &[];
    let mut id = start;
    for _ in 0..MAX_LINKS {
        let (transition, to) = &segments[id];
        match transition {
            Transition::Empty => {}
            Transition::Pure(run) if rules.is_empty() => rules = run,
            Transition::Off(..) => return Some((rules, id)),
            _ => return None,
        }
        if segments[*to].len() != 1 || analysis.incoming[*to] > 1 {
            return None;
        }
        id = to.transition(0);
    }
    None
}

/// Steps and then a test of the piece.
fn hop_of(rules: &[Rule]) -> Option<(&[Rule], PieceSet)> {
    let (Rule { kind: RuleKind::On(pieces), .. }, steps) = rules.split_last()? else { return None };
    (!steps.is_empty() && steps.iter().all(is_static)).then_some((steps, *pieces))
}

fn is_symmetric(relation: &Relation) -> bool {
    let rows = &relation.rows;
    rows.iter().enumerate().all(|(from, row)| row.iter().all(|to| rows[to].contains(from)))
}

/// True if the second way from a node begins with the test that no round is possible.
fn leaves_when_done(analysis: &Analysis, node: NodeId, rules: &[Rule]) -> bool {
    let segments = &analysis.segments;
    let mut id = node.transition(1);
    for _ in 0..MAX_LINKS {
        match &segments[id] {
            (Transition::Empty, to) if segments[*to].len() == 1 && analysis.incoming[*to] == 1 => {
                id = to.transition(0);
            }
            (Transition::Pure(tests), _) => {
                return matches!(
                    tests.first().map(|test| &test.kind),
                    Some(RuleKind::Condition { negated: true, body }) if parts_of(body) == rules
                );
            }
            _ => return false,
        }
    }
    false
}

/// Where a way leads that only tests that the loop is done.
fn end_of_exit(analysis: &Analysis, exit: TransitionId) -> Option<NodeId> {
    let segments = &analysis.segments;
    let (first, behind) = &segments[exit];
    let (mut transition, mut to) = (first, *behind);
    for _ in 0..MAX_LINKS {
        match transition {
            Transition::Empty => {}
            // The first test is that no round is possible.
            Transition::Pure(tests) if tests.len() == 1 => return Some(segments.canonical(to)),
            _ => return None,
        }
        let [(next, behind)] = &segments[to] else { return None };
        (transition, to) = (next, *behind);
    }
    None
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    /// How many floods there are, behind how many nobody can tell where the pointer is, and how many loops around
    /// floods fill all regions; where moves are seen and where they are not.
    fn floods(rules: &str) -> [(usize, usize, usize); 2] {
        let text = format!(
            "#players = a(1), b(1) #pieces = x, y, z #variables = v(9) \
             #board = rectangle(up, down, left, right, [x, y, z] [x, y, z]) \
             #any = (left* + right*)(up* + down*) #near = (left + right + up + down) \
             #touches(one; other) = (near {{one}})* near {{other}} \
             #fill(old; new) = [new] (touches(new; old) [new])* {{! touches(new; old)}} \
             #rules = {rules}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        let analysis = Analysis::new(&game);
        let segments = &analysis.segments;
        let ways = || segments.nodes.ids().flat_map(|node| segments.leaving(node));
        let floods: Vec<Flood> = ways().filter_map(|id| Flood::behind(&analysis, id)).collect();
        let all = ways().filter(|id| Flood::fills_all(&analysis, *id)).count();
        [Remembered::default(), Remembered::where_moves_are_unseen()].map(|remembered| {
            let forgotten =
                floods.iter().filter(|f| f.forgotten_at(&analysis, &remembered).is_some());
            (floods.len(), forgotten.count(), all)
        })
    }

    #[test]
    fn floods_and_who_notices_where_they_end() {
        assert_eq!(floods("->a ->> fill(x; y) ->b any [x] ->> {}"), [(1, 1, 0); 2]);
        // The next move is made where it ended: that shows in its steps, not in the position.
        assert_eq!(floods("->a ->> fill(x; y) ->b [$ v = 1] ->> {}"), [(1, 0, 0), (1, 1, 0)]);
        assert_eq!(floods("->a ->> fill(x; y) ->b right [x] ->> {}"), [(1, 0, 0); 2]);
        let next = "({$ v < 2} {$ v > 0} + {$ v == 0}) ->b any [x] ->> {}";
        assert_eq!(floods(&format!("->a ->> fill(x; y) {next}")), [(1, 1, 0); 2]);
        // The same region is reached from everywhere in it.
        let next = "touches(y; z) [x] ->b any [x] ->> {}";
        assert_eq!(floods(&format!("->a ->> fill(x; y) {next}")), [(1, 1, 0); 2]);
        // Not if something has changed inside.
        assert_eq!(floods(&format!("->a ->> fill(x; y) [z] {next}")), [(1, 0, 0); 2]);
    }

    #[test]
    fn loops_that_fill_all_regions() {
        let all = |tests: &str| {
            let begin = format!("any {{x}} {tests}");
            floods(&format!("->a ->> ({begin} fill(x; y))* {{! {begin}}} ->b any [x] ->> {{}}"))[0]
        };
        assert_eq!(all(""), (1, 1, 1));
        assert_eq!(all("{? touches(x; y)} {! touches(x; z)}"), (1, 1, 1));
        // This looks at other regions.
        assert_eq!(all("{? touches(z; x)}"), (1, 1, 0));
        assert_eq!(all("{? right right {x}}"), (1, 1, 0));
    }

    #[test]
    fn loops_that_are_no_floods() {
        // The steps do not lead back.
        let step = "(right {y})* right {x}";
        let text = format!("->a ->> [y] ({step} [y])* {{! {step}}} ->b any [x] ->> {{}}");
        assert_eq!(floods(&text)[0].0, 0);
        // It may end before.
        assert_eq!(floods("->a ->> [y] (touches(y; x) [y])* ->b any [x] ->> {}")[0].0, 0);
        // What is put is not passed.
        let other = "->a ->> [z] (touches(y; x) [z])* {! touches(y; x)} ->b any [x] ->> {}";
        assert_eq!(floods(other)[0].0, 0);
    }
}
