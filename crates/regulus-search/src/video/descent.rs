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
use super::reversal::Position;
use super::score::Judge;
use super::selection::{Child, greatest};
use super::tree::{Index, Node, ROOT};
use crate::numeric::unit;

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
                        play(state, action, self.edge(), budget)
                    };
                    node = child;
                    self.go(node, action, ticks);
                    self.leave_trail(node, state);
                }
                Step::Expand => return self.expand(node, None, state, budget, random),
                Step::Add(action) => return self.expand(node, Some(action), state, budget, random),
            }
        }
        self.arrive(node, state, random);
    }

    fn go(&mut self, node: Index, action: W::Action, ticks: usize) {
        self.visited.push(node);
        for _ in 0..ticks {
            self.path.push(W::number(action));
        }
    }

    /// How many ticks the next edge has at most.
    fn edge(&self) -> usize {
        let left = self.config.depth as usize - self.path.len();
        left.min(self.config.modifications.macro_length as usize)
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
    fn bounds(&self, node: Index) -> Bounds {
        match self.config.normalisation {
            Normalisation::Game => self.game_bounds,
            Normalisation::Tick => self.tick_bounds,
            Normalisation::Node => self.tree.node(node).bounds,
        }
    }

    /// Fills in the values of the candidates, which are children.
    fn judge_children(&mut self, parent: Index, state: &W) {
        let parent_node = self.tree.node(parent);
        let bounds = self.bounds(parent);
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
            let value = self.select.value(&Child {
                visits,
                parent_visits: f64::from(parent_node.visits.max(1)),
                mean,
                squares: visits * (variance + mean * mean),
                range: bounds.scale_difference(child.bounds.range()),
                action_mean,
                opinion,
            });
            self.values.push(match &self.trail {
                None => value,
                Some(trail) => trail.value(value, self.tree.position(index)),
            });
        }
    }

    /// Adds a child, behind the given action if there is one, or all; without room for it the play-out begins
    /// here.
    fn expand(
        &mut self,
        node: Index,
        only: Option<W::Action>,
        state: &mut W,
        budget: &mut Budget,
        random: &mut Random,
    ) {
        let tree = &self.tree;
        self.candidates.clear();
        match only {
            Some(action) => self.candidates.push(action),
            None => self
                .candidates
                .extend(self.actions.iter().filter(|action| tree.child(node, **action).is_none())),
        }
        let added = if self.expand.adds_all() { self.candidates.len() } else { 1 };
        self.arrive(node, state, random);
        if !self.tree.has_room(added) {
            return;
        }
        let seed = random.bits();
        let edge = self.edge();
        let reply = self.reply();
        let bounds = self.bounds(node);
        let mut untried = Untried {
            state,
            actions: &self.candidates,
            path: &self.path,
            ngrams: &self.ngrams,
            bounds,
            judge: &self.judge,
            trials: &mut self.trials,
            ticks: &mut self.trial_ticks,
            edge,
            tried: 0,
            budget,
            seed,
        };
        let chosen = reply.unwrap_or_else(|| self.expand.choose(&mut untried, random));
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
                    let position = self.position(&self.trials[index]);
                    self.note(child, position, self.trial_ticks[index]);
                }
            }
        }
        let action = self.candidates[chosen];
        let ticks = if is_tried(tried) {
            std::mem::swap(state, &mut self.trials[chosen]);
            self.trial_ticks[chosen]
        } else {
            play(state, action, edge, budget)
        };
        let child = self.tree.add(node, action);
        if self.is_closed() {
            self.tree.keep(child, state);
        }
        self.note(child, self.position(state), ticks);
        self.go(child, action, ticks);
    }

    /// Where the avatar is, if that counts.
    fn position(&self, state: &W) -> Option<Position> {
        self.trail.as_ref().and_then(|_| state.avatar())
    }

    /// Keeps what modifications want to know about a new node.
    fn note(&mut self, node: Index, position: Option<Position>, ticks: usize) {
        if self.trail.is_some() {
            self.tree.set_position(node, position);
        }
        if self.config.modifications.macro_length > 1 {
            self.tree.set_ticks(node, ticks);
        }
    }

    /// Which of the candidates is the last good reply, if expansion asks for one.
    fn reply(&self) -> Option<usize> {
        let replies = self.replies.as_ref().filter(|replies| replies.in_expansion())?;
        let index = |number| self.candidates.iter().position(|c| W::number(*c) == number);
        replies.find(&self.path, &|number| index(number).is_some()).and_then(index)
    }
}

/// Plays an action once, and again as long as an edge is, if nothing prevents it: "each action is repeated a
/// fixed number of times before a child node is created" (SLIDES, macro-actions). Gives the ticks.
fn play<W: World>(state: &mut W, action: W::Action, most: usize, budget: &mut Budget) -> usize {
    state.advance(action);
    budget.tick();
    let mut ticks = 1;
    while ticks < most && !state.is_over() && state.actions().contains(&action) && !budget.spent() {
        state.advance(action);
        budget.tick();
        ticks += 1;
    }
    ticks
}

/// q M(s) + (1 - q) Q(s): the mean, mixed with the greatest value (SLIDES, MixMax backups).
fn mixed(node: &Node, q: f64) -> f64 {
    if q > 0.0 { q * node.bounds.greatest() + (1.0 - q) * node.mean() } else { node.mean() }
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
    bounds: Bounds,
    judge: &'a Judge,
    trials: &'a mut Vec<W>,
    /// How many ticks each of them was played.
    ticks: &'a mut Vec<usize>,
    /// How many there are at most.
    edge: usize,
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
            self.ticks.push(0);
        }
        let trial = &mut self.trials[index];
        trial.clone_from(self.state);
        trial.reseed(self.seed);
        self.ticks[index] = play(trial, self.actions[index], self.edge, self.budget);
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
        self.judge.worth(&self.trials[index], self.path.len() + self.ticks[index])
    }

    fn action(&self, index: usize) -> f64 {
        self.ngrams.score(self.path, W::number(self.actions[index]))
    }

    fn scaled(&self, index: usize) -> f64 {
        let score = self.action(index);
        if score.is_finite() { self.bounds.scale(score) } else { 1.0 }
    }

    fn number(&self, index: usize) -> usize {
        W::number(self.actions[index])
    }
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
