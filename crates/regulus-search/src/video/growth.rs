//! Expansion: children are added to the tree (GVGAI-THESIS 3.2.2), each behind an action, or behind a series of the
//! same action.

use regulus_game::{Random, World};

use super::bounds::Bounds;
use super::budget::Budget;
use super::config::Tree;
use super::expansion::Candidates;
use super::mcts::Search;
use super::ngrams::Table;
use super::score::Judge;
use super::tree::Index;
use crate::component::reversal::Position;

impl<W: World> Search<W> {
    /// Adds a child, behind the given action if there is one, or all; without room for it the play-out begins
    /// here.
    pub(super) fn expand(
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
        let falls_back = self.config.modifications.macro_fallback;
        let single = falls_back && self.tree.is_dangerous(node);
        let edge = self.edge(single);
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
        if self.expand.adds_all() && self.config.tree == Tree::Closed {
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
                if single {
                    self.tree.set_single(child);
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
        if single {
            self.tree.set_single(child);
        }
        self.note(child, self.position(state), ticks);
        self.go(child, action, ticks);
        if ticks > 1 {
            self.fall_back(node, action, state.won());
        }
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
pub(super) fn play<W: World>(
    state: &mut W,
    action: W::Action,
    most: usize,
    budget: &mut Budget,
) -> usize {
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
