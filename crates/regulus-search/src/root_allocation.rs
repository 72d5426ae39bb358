//! Halving at the root of a board game's tree: the parts of `allocation.rs` instead of a selection.
//!
//! The actions that iterations are shared out among are the edges of the root: moves, or in a tree of semimoves the
//! first semimoves of moves. Inside the move and below it the tree policy goes on as always; the move that is played
//! begins with the semimove that is left and goes on by the final selection.
//!
//! A tree that was kept from earlier turns keeps its statistics, so that the means at the end of a round are over all
//! iterations there are; rounds and their lengths are those of the turn alone.

use regulus_game::Random;

use crate::component;
use crate::component::allocation::{self, Allocate};
use crate::config::Config;
use crate::observer::Next;
use crate::tree::{Bound, Edge, Tree};

/// Halving at work in one turn.
pub(crate) struct RootAllocation {
    part: Box<dyn Allocate>,
    /// Where the submove of each action begins in [`Tree::steps`]: edges are exchanged, submoves stay where they are.
    starts: Vec<u32>,
    /// The numbers of actions, ordered by where their submoves begin.
    by_start: Vec<u32>,
    means: Vec<f64>,
    /// The edge of each action.
    edges: Vec<u32>,
    /// The action of this iteration.
    action: usize,
    /// Its edge, if it is to be tried for the first time.
    untried: Option<u32>,
    /// The part of limits of states and time that was spent.
    pub(crate) share: f64,
    /// All edges were tried when means and edges were last looked up: nothing changes places any more, and an iteration
    /// changes one mean.
    settled: bool,
    /// False as long as selection decides.
    begun: bool,
}

impl RootAllocation {
    /// What a configuration asks for.
    pub(crate) fn new(config: &Config) -> Option<Self> {
        let part = component::chosen(allocation::REGISTRY, &config.allocation)?;
        Some(RootAllocation {
            part,
            starts: Vec::new(),
            by_start: Vec::new(),
            means: Vec::new(),
            edges: Vec::new(),
            action: 0,
            untried: None,
            share: 0.0,
            settled: false,
            begun: false,
        })
    }

    /// True if it is what decides about the move in the end.
    pub(crate) fn decides(&self) -> bool {
        self.begun && self.part.decides()
    }

    fn begin(&mut self, tree: &Tree, iterations: Option<u64>) {
        let root = tree.nodes[0];
        let labels = &tree.labels[root.first as usize..(root.first + root.count) as usize];
        self.starts.clear();
        self.starts.extend(labels.iter().map(|label| label.0));
        self.by_start.clear();
        self.by_start.extend(0..root.count);
        self.by_start.sort_by_key(|action| self.starts[*action as usize]);
        self.edges.clear();
        self.edges.resize(self.starts.len(), root.first);
        self.part.begin(self.starts.len(), iterations);
        self.share = 0.0;
        self.untried = None;
        self.settled = false;
        self.begun = true;
    }

    /// The action whose submove begins at some place.
    fn action_at(&self, start: u32) -> Option<usize> {
        let place = self.by_start.partition_point(|a| self.starts[*a as usize] < start);
        let action = *self.by_start.get(place)? as usize;
        (self.starts[action] == start).then_some(action)
    }

    /// The untried edge that this iteration is for, asked for once.
    pub(crate) fn take_untried(&mut self) -> Option<u32> {
        self.untried.take()
    }

    /// The action of this iteration turned out dead.
    pub(crate) fn remove_current(&mut self) {
        self.part.remove(self.action);
    }

    /// A turn begins, whose root is listed. Without any budget there is nothing to divide into rounds: then selection
    /// decides, unless the allocation needs none.
    pub(crate) fn begin_turn(&mut self, tree: &Tree, budgeted: bool, iterations: Option<u64>) {
        self.begun = false;
        if budgeted || !self.part.decides() {
            self.begin(tree, iterations);
        }
    }

    /// What to do at the root, by whose turn it is; nothing if selection decides.
    pub(crate) fn next(&mut self, tree: &Tree, random: &mut Random) -> Option<Next> {
        if !self.begun {
            return None;
        }
        if self.settled {
            self.means[self.action] = known_mean(tree, self.edges[self.action]);
        } else {
            self.look_up(tree);
        }
        self.action = self.part.next(&self.means, self.share, random);
        let edge = self.edges[self.action];
        if tree.edges[edge as usize].visits > 0 {
            return Some(Next::Follow(edge));
        }
        self.untried = Some(edge);
        Some(Next::Expand)
    }

    /// Finds the edges of all actions, and their means.
    fn look_up(&mut self, tree: &Tree) {
        let root = tree.nodes[0];
        self.settled = root.tried == root.count;
        self.means.clear();
        self.means.resize(self.starts.len(), f64::NEG_INFINITY);
        for e in root.first..root.first + root.count {
            let Some(action) = self.action_at(tree.labels[e as usize].0) else { continue };
            self.edges[action] = e;
            if tree.edges[e as usize].visits > 0 {
                self.means[action] = known_mean(tree, e);
            }
        }
    }

    /// The survivor among candidates of the root, if allocation decides: of those that survived most rounds the one
    /// with the best mean, unless a score that is known is better. Sums are within proven bounds.
    pub(crate) fn survivor(&self, tree: &Tree, candidates: &[(u32, Edge)]) -> Option<u32> {
        if !self.decides() {
            return None;
        }
        let survived = |e: u32| {
            let action = self.action_at(tree.labels[e as usize].0);
            action.map_or(0, |action| self.part.survived(action))
        };
        let mean = |edge: &Edge| edge.sum / f64::from(edge.visits.max(1));
        let best = candidates.iter().max_by(|(a, first), (b, second)| {
            let by_mean = mean(first).total_cmp(&mean(second));
            survived(*a).cmp(&survived(*b)).then(by_mean).then(first.visits.cmp(&second.visits))
        })?;
        let player = usize::from(tree.nodes[0].player) - 1;
        let is_known = |e: u32| tree.bounds_of(e).get(player).is_some_and(|b| b.is_exact());
        let surer =
            candidates.iter().filter(|(e, edge)| is_known(*e) && mean(edge) > mean(&best.1));
        let chosen = surer.max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1))).unwrap_or(best);
        Some(chosen.0)
    }
}

/// The mean of an edge of the root, within the bounds that are proven.
fn known_mean(tree: &Tree, e: u32) -> f64 {
    let edge = tree.edges[e as usize];
    let mean = edge.sum / f64::from(edge.visits.max(1));
    let player = usize::from(tree.nodes[0].player) - 1;
    match tree.bounds_of(e).get(player) {
        Some(Bound { low, high }) => mean.clamp(f64::from(*low), f64::from(*high)),
        None => mean,
    }
}
