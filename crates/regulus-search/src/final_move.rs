//! Final selection: the move to play (THESIS 2.2.2).

use std::cmp::Ordering;

use regulus_game::{Engine, Step};

use crate::catalogue::Catalogue;
use crate::config::FinalSelection;
use crate::search::Search;
use crate::tree::{Bound, Edge, HALFWAY};

/// A submove without its split points.
pub(crate) fn modifiers(steps: &[Step]) -> Vec<Step> {
    steps.iter().copied().filter(|step| step.is_modifier()).collect()
}

fn mean(edge: &Edge) -> f64 {
    edge.sum / f64::from(edge.visits.max(1))
}

/// Better mean, then more iterations.
fn by_mean(a: &Edge, b: &Edge) -> Ordering {
    mean(a).total_cmp(&mean(b)).then(a.visits.cmp(&b.visits))
}

/// More iterations, then better mean.
fn by_visits(a: &Edge, b: &Edge) -> Ordering {
    a.visits.cmp(&b.visits).then(mean(a).total_cmp(&mean(b)))
}

type Order = fn(&Edge, &Edge) -> Ordering;

impl<E: Engine> Search<E> {
    /// The move to play; `None` if nothing was tried.
    pub(crate) fn final_move(&mut self) -> Result<Option<Vec<Step>>, E::Error> {
        if let Some(best) = self.catalogue.as_ref().and_then(Catalogue::proven_move) {
            return Ok(Some(best.clone()));
        }
        if self.tree.nodes.is_empty() {
            return Ok(None);
        }
        let order: Order = match self.sim.config.final_selection {
            FinalSelection::Greedy | FinalSelection::Rollup { .. } => by_mean,
            FinalSelection::MostVisited | FinalSelection::RobustMax { .. } => by_visits,
        };
        let Some((last, steps)) = self.level_by_level(order) else { return Ok(None) };
        // Where there are more moves than can be listed, a lost one is as good as any.
        if let Ok(Some(other)) = self.instead_of_a_loss(last) {
            return Ok(Some(other));
        }
        if !self.sim.config.tree.is_orthodox() && !self.tree.ends_move(last) {
            return self.sim.completed(&steps);
        }
        if let FinalSelection::Rollup { factor } = self.sim.config.final_selection {
            return Ok(Some(self.final_rollup(factor, last, steps)));
        }
        Ok(Some(modifiers(&steps)))
    }

    /// True if the best move is the same by mean and by iterations.
    pub(crate) fn is_robust(&mut self) -> bool {
        // Ties are broken at random; this question must not use up random numbers.
        let random = self.sim.random.clone();
        let best = self.level_by_level(by_mean).map(|found| found.1);
        let most = self.level_by_level(by_visits).map(|found| found.1);
        self.sim.random = random;
        best == most
    }

    /// Goes down from the root along the best edges, to the end of the move or of the tree. Gives the
    /// last edge and all steps.
    fn level_by_level(&mut self, order: Order) -> Option<(u32, Vec<Step>)> {
        let (mut node, mut steps, mut last) = (0, Vec::new(), None);
        loop {
            let mut edges = self.candidates(node);
            if steps.is_empty()
                && let Some(catalogue) = &self.catalogue
                && let Some(allocation) = &catalogue.allocation
                && let Some(survivor) = allocation.survivor(&self.tree, &edges)
            {
                edges.retain(|(e, _)| *e == survivor);
            }
            let best = edges.iter().map(|found| found.1).max_by(order);
            let Some(best) = best else { break };
            let ties: Vec<u32> = edges
                .iter()
                .filter(|(_, edge)| order(edge, &best) == Ordering::Equal)
                .map(|found| found.0)
                .collect();
            let chosen = match ties.as_slice() {
                [only] => *only,
                several => several[self.sim.random.below(several.len() as u64) as usize],
            };
            steps.extend_from_slice(self.tree.submove(chosen));
            last = Some(chosen);
            node = self.tree.edges[chosen as usize].child;
            if node >= HALFWAY || self.tree.nodes[node as usize].nodal {
                break;
            }
        }
        last.map(|edge| (edge, steps))
    }

    /// The tried edges of a node that may be chosen, with their statistics. The solver leaves out what cannot be
    /// better than another, and knows some means.
    fn candidates(&self, node: u32) -> Vec<(u32, Edge)> {
        let n = self.tree.nodes[node as usize];
        let edge = |e: u32| (e, self.tree.edges[e as usize]);
        if !self.sim.config.tree_policy.solver {
            return self.tree.tried_edges(node).map(edge).collect();
        }
        let player = usize::from(n.player) - 1;
        let bound = |e: u32| self.tree.bounds_of(e)[player];
        let best_low = self.tree.best_low(n);
        // A child that makes sure of the best there can be is a candidate even if its own score may be higher.
        let highest = self.tree.tried_edges(node).map(|e| bound(e).high).max().unwrap_or(0);
        let may_be_best = |e: &u32| match bound(*e) {
            Bound { low, high } if low == high => high == highest || high == best_low && high > 0,
            Bound { high, .. } => high > best_low,
        };
        let mut found: Vec<_> = self.tree.tried_edges(node).filter(may_be_best).map(edge).collect();
        if found.is_empty() {
            found = self.tree.tried_edges(node).map(edge).collect();
        }
        for (e, edge) in &mut found {
            let Bound { low, high } = bound(*e);
            let visits = f64::from(edge.visits);
            edge.sum = edge.sum.clamp(f64::from(low) * visits, f64::from(high) * visits);
        }
        found
    }

    /// A move that was not tried, if all that were are proven to give nothing.
    fn instead_of_a_loss(&mut self, chosen: u32) -> Result<Option<Vec<Step>>, E::Error> {
        let root = self.tree.nodes[0];
        let player = usize::from(root.player) - 1;
        let is_lost = |bounds: &[Bound]| bounds.get(player).is_some_and(|bound| bound.high == 0);
        if !is_lost(self.tree.bounds_of(chosen)) {
            return Ok(None);
        }
        self.sim.episode.state.clone_from(&self.sim.position);
        self.sim.engine.list(&mut self.sim.episode.state, &mut self.sim.episode.moves)?;
        let known = self.moves_so_far();
        let lost = |steps: &[Step]| {
            known.iter().any(|m| m.steps == steps && m.proven.is_some_and(|bound| bound.high == 0))
        };
        let others: Vec<&[Step]> =
            self.sim.episode.moves.iter().filter(|steps| !lost(steps)).collect();
        if others.is_empty() {
            return Ok(None);
        }
        let number = self.sim.random.below(others.len() as u64) as usize;
        Ok(Some(others[number].to_vec()))
    }

    /// The best mean among whole moves with at least `factor` times the iterations of the greedy choice;
    /// that choice if nothing is better.
    fn final_rollup(&self, factor: f64, greedy: u32, steps: Vec<Step>) -> Vec<Step> {
        let greedy = self.tree.edges[greedy as usize];
        let enough = f64::from(greedy.visits) * factor;
        let scale = self.sim.scales[usize::from(self.tree.nodes[0].player)];
        let greedy_mean = greedy.sum * scale / f64::from(greedy.visits.max(1));
        let others = self.moves_so_far().into_iter().filter(|m| f64::from(m.visits) >= enough);
        let best = others.max_by(|a, b| a.mean.total_cmp(&b.mean).then(a.visits.cmp(&b.visits)));
        best.filter(|m| m.mean > greedy_mean).map_or_else(|| modifiers(&steps), |m| m.steps)
    }
}
