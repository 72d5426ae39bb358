//! Which children of a node are considered, where not all are: shares of iterations at the root, widening and
//! unpruning, and the urgency of something new.

use regulus_game::{Random, World};

use super::budget::Budget;
use super::descent::Step;
use super::mcts::Search;
use super::tree::{Index, ROOT};

impl<W: World> Search<W> {
    /// The action of the root whose turn it is; nothing if selection decides.
    pub(super) fn allocated(
        &mut self,
        budget: &Budget,
        random: &mut Random,
    ) -> Option<Step<W::Action>> {
        let allocation = self.allocation.as_mut()?;
        let tree = &self.tree;
        let mean = |action: &W::Action| {
            let child = tree.child(ROOT, *action).map(|child| tree.node(child));
            child.filter(|child| child.visits > 0).map_or(f64::NEG_INFINITY, |child| child.mean())
        };
        self.values.clear();
        self.values.extend(self.actions.iter().map(mean));
        let action = self.actions[allocation.next(&self.values, budget.share(), random)];
        let child = tree.child(ROOT, action);
        Some(child.map_or(Step::Add(action), |child| Step::Go(action, child)))
    }

    /// Whether a node that has children and untried actions is expanded before any child is judged.
    pub(super) fn adds_first(&self, node: Index) -> bool {
        match &self.widening {
            Some(widening) if widening.threshold().is_none() => {
                let visits = self.tree.node(node).visits;
                self.candidates.len() < widening.children(visits, W::ACTIONS)
            }
            _ => self.urgency.is_none(),
        }
    }

    /// Takes children that were pruned out of the candidates, which are all the children there can be.
    pub(super) fn prune(&mut self, node: Index) {
        let Some(widening) = &self.widening else { return };
        let visits = self.tree.node(node).visits;
        if widening.threshold().is_none_or(|threshold| visits < threshold) {
            return;
        }
        if self.tree.rank(node, 0).is_none() {
            self.tree.rank_children(node);
        }
        // In an open loop the actions of a node depend on chance: what counts is the order of those there are. A
        // child that came later has no rank, and counts.
        let (tree, most) = (&self.tree, widening.children(visits, W::ACTIONS));
        let rank = |action: &W::Action| tree.rank(node, W::number(*action)).unwrap_or(0);
        let better = |action: &W::Action| {
            let own = rank(action);
            let better = self.actions.iter().filter(|other| (1..own).contains(&rank(other)));
            better.count()
        };
        self.candidates.retain(|action| better(action) < most);
    }

    /// Whether something new is more urgent than all candidates, which were judged.
    pub(super) fn is_urgent(&self, node: Index) -> bool {
        self.urgency.as_ref().is_some_and(|urgency| {
            let visits = f64::from(self.tree.node(node).visits);
            let value = urgency.value(visits, self.candidates.len() as f64);
            self.values.iter().all(|child| value > *child)
        })
    }
}
