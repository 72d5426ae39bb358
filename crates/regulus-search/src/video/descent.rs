//! From the root to the node where the play-out begins: selection and expansion (GVGAI-THESIS Algorithm 3.2).
//!
//! In an open loop the actions are played anew, each time with other random numbers, and a node stands for
//! all states that its actions led to. In a closed loop nodes keep the state that was found when they were
//! added, and only expansion costs ticks.

use regulus_game::{Random, World};

use super::bounds::Bounds;
use super::budget::Budget;
use super::config::Normalisation;
use super::expansion::Candidates;
use super::mcts::Search;
use super::ngrams::Table;
use super::playout::Surroundings;
use super::score::Judge;
use super::selection::{Child, greatest};
use super::tree::{Index, ROOT};
use crate::numeric::unit;

/// What is done in a node.
enum Step<A> {
    Expand,
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
            match self.step(node, state, budget.iterations + 1, random) {
                Step::Go(action, child) => {
                    if !self.is_closed() {
                        state.advance(action);
                        budget.tick();
                    }
                    node = child;
                    self.go(node, action);
                }
                Step::Expand => {
                    self.expand(node, state, budget, random);
                    return;
                }
            }
        }
        self.arrive(node, state, random);
    }

    fn go(&mut self, node: Index, action: W::Action) {
        self.visited.push(node);
        self.path.push(W::number(action));
    }

    /// In a closed loop the play-out needs a copy of the state of the node.
    fn arrive(&self, node: Index, state: &mut W, random: &mut Random) {
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
        iteration: u64,
        random: &mut Random,
    ) -> Step<W::Action> {
        let tree = &self.tree;
        self.candidates.clear();
        self.candidates
            .extend(self.actions.iter().filter(|action| tree.child(node, **action).is_some()));
        let all_tried = self.candidates.len() == self.actions.len();
        if self.candidates.is_empty() || (!all_tried && self.select.tries_all()) {
            return Step::Expand;
        }
        let any = self.select.any(iteration);
        if any > 0.0 && unit(random) < any {
            let action = self.actions[random.below(self.actions.len() as u64) as usize];
            return match tree.child(node, action) {
                Some(child) => Step::Go(action, child),
                None => Step::Expand,
            };
        }
        self.judge_children(node, state);
        let action = self.candidates[greatest(&self.values, random)];
        self.tree.child(node, action).map_or(Step::Expand, |child| Step::Go(action, child))
    }

    /// Fills in the values of the candidates, which are children.
    fn judge_children(&mut self, parent: Index, state: &W) {
        let parent_node = self.tree.node(parent);
        let bounds = match self.config.normalisation {
            Normalisation::Game => self.game_bounds,
            Normalisation::Tick => self.tick_bounds,
            Normalisation::Node => parent_node.bounds,
        };
        self.values.clear();
        for &action in &self.candidates {
            let Some(child) = self.tree.child(parent, action) else { continue };
            let child = self.tree.node(child);
            if child.visits == 0 {
                self.values.push(self.select.unvisited());
                continue;
            }
            let visits = f64::from(child.visits);
            let mean = bounds.scale(child.mean());
            let variance = bounds.scale_difference(bounds.scale_difference(child.variance()));
            let action_mean = if self.select.asks_actions() {
                action_mean(&self.ngrams, bounds, W::number(action))
            } else {
                0.0
            };
            let opinion = if self.select.asks_guide() {
                let around = Surroundings {
                    path: &self.path,
                    ngrams: &self.ngrams,
                    bounds: self.tick_bounds.get(),
                };
                let closed = self.config.tree == super::config::Tree::Closed;
                let here = if closed { self.tree.state(parent) } else { state };
                self.guide.value(here, action, &around).unwrap_or(0.0)
            } else {
                0.0
            };
            self.values.push(self.select.value(&Child {
                visits,
                parent_visits: f64::from(parent_node.visits.max(1)),
                mean,
                squares: visits * (variance + mean * mean),
                range: bounds.scale_difference(child.bounds.range()),
                action_mean,
                opinion,
            }));
        }
    }

    /// Adds a child, or all; without room for it the play-out begins here.
    fn expand(&mut self, node: Index, state: &mut W, budget: &mut Budget, random: &mut Random) {
        let tree = &self.tree;
        self.candidates.clear();
        self.candidates
            .extend(self.actions.iter().filter(|action| tree.child(node, **action).is_none()));
        let added = if self.expand.adds_all() { self.candidates.len() } else { 1 };
        self.arrive(node, state, random);
        if !self.tree.has_room(added) {
            return;
        }
        let seed = random.bits();
        let mut untried = Untried {
            state,
            actions: &self.candidates,
            path: &self.path,
            ngrams: &self.ngrams,
            judge: &self.judge,
            trials: &mut self.trials,
            tried: 0,
            budget,
            seed,
        };
        let chosen = self.expand.choose(&mut untried, random);
        let is_tried = |tried: u64| tried >> chosen & 1 == 1;
        if self.expand.adds_all() && self.config.tree == super::config::Tree::Closed {
            (0..added).for_each(|index| untried.try_out(index));
        }
        let tried = untried.tried;
        for index in 0..self.candidates.len() {
            if index != chosen && self.expand.adds_all() {
                let child = self.tree.add(node, self.candidates[index]);
                if self.is_closed() {
                    self.tree.keep(child, &self.trials[index]);
                }
            }
        }
        let action = self.candidates[chosen];
        if is_tried(tried) {
            std::mem::swap(state, &mut self.trials[chosen]);
        } else {
            state.advance(action);
            budget.tick();
        }
        let child = self.tree.add(node, action);
        if self.is_closed() {
            self.tree.keep(child, state);
        }
        self.go(child, action);
    }
}

/// The mean of an action, scaled; an action that was never played is as good as possible.
fn action_mean(ngrams: &Table, bounds: Bounds, action: usize) -> f64 {
    ngrams.mean(action).map_or(1.0, |mean| bounds.scale(mean))
}

/// The untried actions of a node.
struct Untried<'a, W: World> {
    state: &'a W,
    actions: &'a [W::Action],
    path: &'a [usize],
    ngrams: &'a Table,
    judge: &'a Judge,
    trials: &'a mut Vec<W>,
    /// A bit for every action that was played.
    tried: u64,
    budget: &'a mut Budget,
    /// The same random numbers for all, so that they differ by what they do only.
    seed: u64,
}

impl<W: World> Untried<'_, W> {
    fn try_out(&mut self, index: usize) {
        while self.trials.len() <= index {
            self.trials.push(self.state.clone());
        }
        let trial = &mut self.trials[index];
        trial.clone_from(self.state);
        trial.reseed(self.seed);
        trial.advance(self.actions[index]);
        self.budget.tick();
        self.tried |= 1 << index;
    }
}

impl<W: World> Candidates for Untried<'_, W> {
    fn count(&self) -> usize {
        self.actions.len()
    }

    fn state(&mut self, index: usize) -> f64 {
        if self.tried != 0 && self.budget.spent() {
            return f64::NEG_INFINITY;
        }
        self.try_out(index);
        self.judge.worth(&self.trials[index], self.path.len() + 1)
    }

    fn action(&self, index: usize) -> f64 {
        self.ngrams.score(self.path, W::number(self.actions[index]))
    }
}
