//! From the root to the node where the play-out begins (GVGAI-THESIS Algorithm 3.2): selection, and in the end
//! expansion.
//!
//! In an open loop the actions are played anew, each time with other random numbers, and a node stands for
//! all states that its actions led to. In a closed loop nodes keep the state that was found when they were
//! added, and only expansion costs ticks.

use regulus_game::{Random, World};

use super::bounds::Bounds;
use super::budget::Budget;
use super::config::Normalisation;
use super::growth::play;
use super::mcts::Search;
use super::ngrams::Table;
use super::playout::Surroundings;
use super::tree::{Index, Node, ROOT};
use crate::component::selection::{Child, greatest};
use crate::numeric::{ln, unit};

/// What is done in a node.
pub(super) enum Step<A> {
    /// A child is added, which one expansion says.
    Expand,
    /// A child is added behind this action.
    Add(A),
    Go(A, Index),
}

impl<W: World> Search<W> {
    /// Leaves `state` where the play-out begins.
    pub(super) fn descend(
        &mut self,
        root: &W,
        state: &mut W,
        budget: &mut Budget,
        random: &mut Random,
    ) {
        let mut node = ROOT;
        self.visited.push(node);
        if !self.is_closed() {
            state.clone_from(root);
            state.reseed(random.bits());
        }
        if let Some(trail) = &mut self.trail {
            trail.begin(root.avatar());
        }
        while self.path.len() < self.config.depth as usize {
            let here = if self.is_closed() { self.tree.state(node) } else { &*state };
            if here.is_over() || (node != ROOT && budget.spent()) {
                break;
            }
            self.actions.clear();
            self.actions.extend_from_slice(here.actions());
            if self.actions.is_empty() {
                self.actions.push(W::NIL);
            }
            match self.step(node, state, budget, random) {
                Step::Go(action, child) => {
                    let ticks = if self.is_closed() {
                        self.tree.ticks(child)
                    } else {
                        let falls_back = self.config.modifications.macro_fallback;
                        let single = falls_back && self.tree.is_single(child);
                        play(state, action, self.edge(single), budget)
                    };
                    let parent = std::mem::replace(&mut node, child);
                    self.go(node, action, ticks);
                    self.leave_trail(node, state);
                    if ticks > 1 {
                        let closed = self.is_closed();
                        let there = if closed { self.tree.state(node) } else { &*state };
                        let won = there.won();
                        self.fall_back(parent, action, won);
                    }
                }
                Step::Expand => return self.expand(node, None, state, budget, random),
                Step::Add(action) => return self.expand(node, Some(action), state, budget, random),
            }
        }
        self.arrive(node, state, random);
    }

    pub(super) fn go(&mut self, node: Index, action: W::Action, ticks: usize) {
        self.visited.push(node);
        for _ in 0..ticks {
            self.path.push(W::number(action));
        }
    }

    /// How many ticks the next edge has at most.
    pub(super) fn edge(&self, single: bool) -> usize {
        let left = self.config.depth as usize - self.path.len();
        let most = if single { 1 } else { self.config.modifications.macro_length as usize };
        left.min(most)
    }

    /// After an edge of several ticks: "it may be safer to include a domain knowledge of being near the danger to switch back to
    /// micro-level planning (actions of size 1)" (SLIDES). What is known in any game is that a series of an action has just
    /// lost it. Where the first step alone does that, single steps would not help.
    pub(super) fn fall_back(&mut self, parent: Index, action: W::Action, won: Option<bool>) {
        if won == Some(false) && self.config.modifications.macro_fallback {
            self.tree.take_out(parent, action);
        }
    }

    /// Remembers where the avatar came to, if that counts.
    fn leave_trail(&mut self, node: Index, state: &W) {
        let closed = self.is_closed();
        let Some(trail) = &mut self.trail else { return };
        if !closed {
            self.tree.set_position(node, state.avatar());
        }
        trail.go(self.tree.position(node));
    }

    /// In a closed loop the play-out needs a copy of the state of the node.
    pub(super) fn arrive(&self, node: Index, state: &mut W, random: &mut Random) {
        if self.is_closed() {
            state.clone_from(self.tree.state(node));
            state.reseed(random.bits());
        }
    }

    /// Whether a node is expanded, or which way to go on.
    fn step(
        &mut self,
        node: Index,
        state: &W,
        budget: &Budget,
        random: &mut Random,
    ) -> Step<W::Action> {
        if node == ROOT
            && let Some(step) = self.allocated(budget, random)
        {
            return step;
        }
        let tree = &self.tree;
        self.candidates.clear();
        self.candidates
            .extend(self.actions.iter().filter(|action| tree.child(node, **action).is_some()));
        let all_tried = self.candidates.len() == self.actions.len();
        let waits = !all_tried && self.select.tries_all();
        if self.candidates.is_empty() || (waits && self.adds_first(node)) {
            return Step::Expand;
        }
        let any = self.select.any(budget.iterations + 1);
        if any > 0.0 && unit(random) < any {
            let action = self.actions[random.below(self.actions.len() as u64) as usize];
            return match self.tree.child(node, action) {
                Some(child) => Step::Go(action, child),
                None => Step::Expand,
            };
        }
        if all_tried {
            self.prune(node);
        }
        self.judge_children(node, state);
        if waits && self.is_urgent(node) {
            return Step::Expand;
        }
        let action = self.candidates[greatest(&self.values, random)];
        self.tree.child(node, action).map_or(Step::Expand, |child| Step::Go(action, child))
    }

    /// What values in a node are scaled by.
    pub(super) fn bounds(&self, node: Index) -> Bounds {
        match self.config.normalisation {
            Normalisation::Game => self.game_bounds,
            Normalisation::Tick => self.tick_bounds,
            Normalisation::Node => self.tree.node(node).bounds,
        }
    }

    /// Fills in the values of the candidates, which are children.
    fn judge_children(&mut self, parent: Index, state: &W) {
        let parent_node = self.tree.node(parent);
        let parent_visits = f64::from(parent_node.visits.max(1));
        let parent_logarithm = ln(parent_visits);
        let bounds = self.bounds(parent);
        let global_range = bounds.scale_difference(self.game_bounds.range());
        let asks_actions = self.select.asks_actions();
        let asks_guide = self.select.asks_guide();
        self.values.clear();
        for &action in &self.candidates {
            let Some(index) = self.tree.child(parent, action) else { continue };
            let child = self.tree.node(index);
            if child.visits == 0 {
                let urgency = self.urgency.as_ref().and_then(|urgency| urgency.unvisited());
                self.values.push(urgency.unwrap_or_else(|| self.select.unvisited()));
                continue;
            }
            let visits = f64::from(child.visits);
            let mean = bounds.scale(mixed(child, self.config.modifications.mixmax));
            let variance = bounds.scale_difference(bounds.scale_difference(child.variance()));
            let action_mean = if asks_actions {
                action_mean(&self.ngrams, bounds, W::number(action))
            } else {
                0.0
            };
            let opinion = if asks_guide {
                let bounds = self.seen().get();
                let around = Surroundings { path: &self.path, ngrams: &self.ngrams, bounds };
                let closed = self.config.tree == super::config::Tree::Closed;
                let here = if closed { self.tree.state(parent) } else { state };
                self.guide.value(here, action, &around).unwrap_or(0.0)
            } else {
                0.0
            };
            let value = self.select.value(&Child {
                visits,
                parent_visits,
                parent_logarithm,
                mean,
                squares: visits * (variance + mean * mean),
                range: bounds.scale_difference(child.bounds.range()),
                global_range,
                action_mean,
                opinion,
            });
            self.values.push(match &self.trail {
                None => value,
                Some(trail) => trail.value(value, self.tree.position(index)),
            });
        }
    }
}

/// q M(s) + (1 - q) Q(s): the mean, mixed with the greatest value (SLIDES, MixMax backups).
fn mixed(node: &Node, q: f64) -> f64 {
    if q > 0.0 { q * node.bounds.greatest() + (1.0 - q) * node.mean() } else { node.mean() }
}

/// The mean of an action, scaled; an action that was never played is as good as possible.
fn action_mean(ngrams: &Table, bounds: Bounds, action: usize) -> f64 {
    ngrams.mean(action).map_or(1.0, |mean| bounds.scale(mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixmax_by_hand() {
        let mut tree = super::super::tree::Tree::<super::super::playout::Toy>::new(16);
        tree.reset();
        for value in [1.0, 7.0, 4.0] {
            tree.update(&[ROOT], value);
        }
        // 0.25 * 7 + 0.75 * 4.
        assert_eq!(mixed(tree.node(ROOT), 0.25), 4.75);
        assert_eq!((mixed(tree.node(ROOT), 0.0), mixed(tree.node(ROOT), 1.0)), (4.0, 7.0));
    }
}
