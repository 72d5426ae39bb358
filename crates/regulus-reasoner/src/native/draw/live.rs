//! Which semimoves can be followed by another one (pass P10): a backward look through the segment
//! behind them. What is found is a superset: conditions are taken to hold, stars to be passed after
//! one round, and what a modifier changes is taken to be possible both ways. That keeps the
//! distribution, since what is left out is dead for sure.

use std::rc::Rc;

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Piece, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::FxHashMap;

use crate::native::analysis::bits::Bits;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::set::Set;

/// Instructions that a look ahead may take where a dead end is expensive or likely.
pub(crate) const FAR: usize = 400;

/// Instructions that it may take where a dead end only costs another draw.
pub(crate) const NEAR: usize = 48;

/// Vertices up to which it is worked out whether a walk can come back to where it began.
const MAX_VERTICES: usize = 256;

/// What a look ahead goes by.
#[derive(Clone)]
struct Ahead<'e> {
    env: &'e Env,
    /// The piece that a modifier on the way puts, and where that may be.
    put: Option<(Piece, Set)>,
    /// Variables that modifiers on the way have set.
    assigned: Vec<Variable>,
}

/// Where a walk can be, by where a piece was put; nothing if that is not known.
type Reach = Option<Rc<Vec<Bits>>>;

impl Emitter<'_, '_> {
    /// The positions of a set at which a semimove may be taken and be followed by another one. All of
    /// them if finding out would take more than `cost` instructions.
    pub(crate) fn live(
        &mut self,
        transition: &Transition,
        to: NodeId,
        set: &Set,
        env: &Env,
        cost: usize,
    ) -> Set {
        let mut left = cost;
        if !self.is_cheap_ahead(transition, to, false, &mut left) {
            return set.clone();
        }
        let ahead = Ahead { env, put: None, assigned: Vec::new() };
        let behind = self.behind_semimove(transition, to, set, &None, &ahead);
        set.and(&behind, &mut self.b)
    }

    /// The positions at which a semimove may be taken, as far as what follows goes. `reach` is where
    /// the walk can be then.
    fn behind_semimove(
        &mut self,
        transition: &Transition,
        to: NodeId,
        set: &Set,
        reach: &Reach,
        ahead: &Ahead<'_>,
    ) -> Set {
        let to = self.analysis.segments.canonical(to);
        match transition {
            Transition::Off(piece, _) if ahead.put.is_none() => {
                let put = Some((*piece, set.clone()));
                let small = self.analysis.embedding.len() <= MAX_VERTICES;
                let reach = small.then(|| Rc::new(self.identity()));
                self.ahead(to, reach, &Ahead { put, ..ahead.clone() })
            }
            Transition::Dot(_) => self.ahead(to, reach.clone(), ahead),
            Transition::Assign(variable, ..) if ahead.put.is_none() => {
                let mut ahead = ahead.clone();
                ahead.assigned.push(*variable);
                self.ahead(to, None, &ahead)
            }
            _ => Set::constant(&self.analysis.full),
        }
    }

    /// True if looking ahead behind a semimove does not take too many instructions.
    fn is_cheap_ahead(
        &self,
        transition: &Transition,
        to: NodeId,
        put: bool,
        left: &mut usize,
    ) -> bool {
        let segments = &self.analysis.segments;
        let put = match transition {
            Transition::Off(..) if put => return true,
            Transition::Assign(..) if put => return true,
            Transition::Off(..) => true,
            Transition::Dot(_) | Transition::Assign(..) => put,
            _ => return true,
        };
        let Some(order) = segments.topological(segments.canonical(to)) else { return false };
        order.iter().all(|node| {
            segments[*node].iter().all(|(transition, to)| {
                let cost = match transition {
                    Transition::Pure(rules) => self.cost_ahead(rules),
                    // Loops of semimoves end here, too.
                    _ => 1,
                };
                match left.checked_sub(cost) {
                    Some(rest) => *left = rest,
                    None => return false,
                }
                transition.is_inner() || self.is_cheap_ahead(transition, *to, put, left)
            })
        })
    }

    fn cost_ahead(&self, rules: &[Rule]) -> usize {
        let mut cost = 0;
        let mut i = 0;
        while i < rules.len() {
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rules[i..i + run]);
                let groups = if relation.constant.is_some() { 1 } else { relation.groups.len() };
                cost += 3 * groups * self.words();
                i += run;
                continue;
            }
            cost += match &rules[i].kind {
                RuleKind::On(_) | RuleKind::Comparison(..) => 2 * self.words(),
                RuleKind::Concatenation(parts) => self.cost_ahead(parts),
                RuleKind::Sum(parts) => {
                    parts.iter().map(|p| self.cost_ahead(std::slice::from_ref(p))).sum()
                }
                RuleKind::Star(body) => self.cost_ahead(std::slice::from_ref(&**body)),
                _ => 0,
            };
            i += 1;
        }
        cost
    }

    /// The positions from which a segment may lead to a semimove. `start` is where the walk can be when
    /// it begins.
    fn ahead(&mut self, from: NodeId, start: Reach, ahead: &Ahead<'_>) -> Set {
        let analysis = self.analysis;
        let full = Set::constant(&analysis.full);
        let Some(order) = analysis.segments.topological(from) else { return full };
        let mut reach: FxHashMap<NodeId, Reach> = FxHashMap::default();
        if start.is_some() {
            reach.insert(from, start);
            for node in &order {
                let here = reach.get(node).cloned().flatten();
                for (transition, to) in &analysis.segments[*node] {
                    let next = match transition {
                        Transition::Pure(rules) => self.reach_behind(&here, rules),
                        Transition::Empty | Transition::Check { .. } => here.clone(),
                        _ => continue,
                    };
                    let union = match reach.remove(to) {
                        None => next,
                        Some(other) => unite(other, next),
                    };
                    reach.insert(*to, union);
                }
            }
        }
        let mut possible: FxHashMap<NodeId, Set> = FxHashMap::default();
        for node in order.iter().rev() {
            let mut union = Set::empty(self.words());
            for (transition, to) in &analysis.segments[*node] {
                let nothing = || Set::empty(analysis.words());
                let one = match transition {
                    Transition::Pure(rules) => {
                        let to = possible.get(to).cloned().unwrap_or_else(nothing);
                        let here = reach.get(node).cloned().flatten();
                        self.back_ahead(rules, &to, &here, ahead)
                    }
                    Transition::Empty | Transition::Check { .. } => {
                        possible.get(to).cloned().unwrap_or_else(nothing)
                    }
                    _ => {
                        let here = reach.get(node).cloned().flatten();
                        self.behind_semimove(transition, *to, &full, &here, ahead)
                    }
                };
                union = if one == full { one } else { union.or(&one, &mut self.b) };
                if union == full {
                    break;
                }
            }
            possible.insert(*node, union);
        }
        possible.remove(&from).unwrap_or(full)
    }

    fn identity(&self) -> Vec<Bits> {
        (0..self.analysis.embedding.len())
            .map(|v| {
                let mut row = Bits::empty(self.words());
                row.insert(v);
                row
            })
            .collect()
    }

    fn reach_behind(&self, reach: &Reach, rules: &[Rule]) -> Reach {
        let reach = reach.as_ref()?;
        let relation = self.analysis.relaxed(rules);
        let rows = reach.iter().map(|row| {
            let mut image = Bits::empty(self.words());
            row.iter().for_each(|p| {
                image.unite(&relation.rows[p]);
            });
            image
        });
        Some(Rc::new(rows.collect()))
    }

    /// Backward through rules; `reach` is where the walk can be before them.
    fn back_ahead(&mut self, rules: &[Rule], to: &Set, reach: &Reach, ahead: &Ahead<'_>) -> Set {
        let mut reaches = vec![reach.clone()];
        for i in 0..rules.len() {
            let next = self.reach_behind(&reaches[i], &rules[i..=i]);
            reaches.push(next);
        }
        let mut set = to.clone();
        let mut end = rules.len();
        while end > 0 && !set.is_empty_constant() {
            if let Some(before) = self.back_over_static(&rules[..end], &set) {
                (end, set) = before;
            } else {
                end -= 1;
                set = self.back_one_ahead(&rules[end], &set, &reaches[end], ahead);
            }
        }
        set
    }

    fn back_one_ahead(&mut self, rule: &Rule, to: &Set, reach: &Reach, ahead: &Ahead<'_>) -> Set {
        match &rule.kind {
            RuleKind::On(pieces) => {
                let mut class = self.class(ahead.env, *pieces);
                if let Some((piece, at)) = &ahead.put
                    && pieces.contains(*piece)
                    && may_be_back(reach)
                {
                    class = class.or(at, &mut self.b);
                }
                to.and(&class, &mut self.b)
            }
            RuleKind::Concatenation(parts) => self.back_ahead(parts, to, reach, ahead),
            RuleKind::Sum(alternatives) => {
                let mut union = Set::empty(self.words());
                for alternative in alternatives {
                    let rules = std::slice::from_ref(alternative);
                    let one = self.back_ahead(rules, to, reach, ahead);
                    union = union.or(&one, &mut self.b);
                }
                union
            }
            RuleKind::Star(body) => {
                // Past the star at once, or after a first round that can be gone.
                let inside = self.reach_behind(reach, std::slice::from_ref(rule));
                let full = Set::constant(&self.analysis.full);
                let body = std::slice::from_ref(&**body);
                let first = self.back_ahead(body, &full, &inside, ahead);
                to.or(&first, &mut self.b)
            }
            RuleKind::Comparison(comparison, sides) => {
                let mut changed = false;
                for side in [&sides.0, &sides.1] {
                    side.visit(&mut |part| match part {
                        Arithmetic::Variable(v) => changed |= ahead.assigned.contains(v),
                        Arithmetic::Count(_) => changed |= ahead.put.is_some(),
                        _ => {}
                    });
                }
                if changed {
                    return to.clone();
                }
                let holds = self.compare(*comparison, sides, ahead.env);
                to.when(holds, &mut self.b)
            }
            _ => to.clone(),
        }
    }
}

/// True unless a walk is surely not where the piece was put.
fn may_be_back(reach: &Reach) -> bool {
    reach.as_ref().is_none_or(|rows| rows.iter().enumerate().any(|(v, row)| row.contains(v)))
}

fn unite(a: Reach, b: Reach) -> Reach {
    let (mut a, b) = (Rc::unwrap_or_clone(a?), b?);
    a.iter_mut().zip(b.iter()).for_each(|(a, b)| {
        a.unite(b);
    });
    Some(Rc::new(a))
}
