//! RAVE at work: what was played in an iteration, as samples for the edges it came through (THESIS Algorithm 6), and
//! the means that selection asks for.

use std::ops::Range;

use crate::action::{ActionSet, NODAL, context_behind, extended, split_key, submove_key};
use crate::config::{Config, Rave, Variant};
use crate::episode::Passed;
use crate::record::Record;
use crate::select::amaf_mean;
use crate::tree::{AmafKeys, Node, Tree};

/// RAVE at work.
pub(crate) struct RaveState {
    pub(crate) settings: Rave,
    pub(crate) variant: Variant,
    /// What each player has played from some point of the iteration on, as in [`Tree::amaf`].
    played: Vec<ActionSet>,
    /// The same as in [`Tree::amaf_split`].
    played_split: Vec<ActionSet>,
    /// The actions of the steps of the iteration (of its moves, for RAVE-join), where the tree knows them,
    /// and for RAVE-mix those of the semimoves alone.
    actions: Vec<Option<u32>>,
    split_actions: Vec<Option<u32>>,
    /// How many steps and moves of the iteration are not played yet, on the way back.
    steps_left: usize,
    moves_left: usize,
    /// AMAF means for one node.
    pub(crate) means: Vec<Option<f64>>,
}

impl RaveState {
    pub(crate) fn new(settings: Rave, config: &Config, players: usize) -> Self {
        RaveState {
            settings,
            variant: config.resolved(settings.variant),
            played: vec![ActionSet::default(); players + 1],
            played_split: vec![ActionSet::default(); players + 1],
            actions: Vec::new(),
            split_actions: Vec::new(),
            steps_left: 0,
            moves_left: 0,
            means: Vec::new(),
        }
    }

    /// What the statistics of edges are named by.
    pub(crate) fn amaf_keys(&self) -> AmafKeys {
        match self.variant {
            Variant::Split => AmafKeys::Split,
            Variant::Mix { .. } => AmafKeys::Both,
            _ => AmafKeys::Context,
        }
    }

    /// True if selection needs nothing but the statistics of the edges themselves.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        let mixes = matches!(self.variant, Variant::Mix { threshold } if threshold > 0);
        !mixes && self.settings.reference == 0
    }

    /// AMAF means of the tried edges of a node with `visits` iterations, at the end of a path.
    pub(crate) fn fill_means(
        &mut self,
        tree: &Tree,
        path: &[Passed],
        (node, n): (u32, Node),
        visits: u32,
        scale: f64,
    ) {
        let range = n.first as usize..(n.first + n.tried) as usize;
        let reference = self.settings.reference;
        let threshold = match self.variant {
            Variant::Mix { threshold } => threshold,
            _ => 0,
        };
        let mean = |edge: usize| {
            if threshold > 0 && tree.amaf[edge].count < threshold {
                return amaf_mean(&tree.amaf_split[edge], scale);
            }
            amaf_mean(&tree.amaf[edge], scale)
        };
        self.means.clear();
        let borrows = visits <= reference && tree.root_visits > reference;
        if !borrows || node == 0 {
            self.means.extend(range.map(mean));
            return;
        }
        // TGRAVE: AMAF from the nearest ancestor with enough iterations that has the same action of the
        // same player.
        let mut missing = range.len();
        self.means.resize(missing, None);
        for passed in path.iter().rev().filter(|passed| passed.visits > reference) {
            let ancestor = tree.nodes[passed.node as usize];
            if ancestor.player != n.player || missing == 0 {
                continue;
            }
            for e in ancestor.first as usize..(ancestor.first + ancestor.count) as usize {
                let action = tree.amaf[e].action;
                for (i, found) in self.means.iter_mut().enumerate() {
                    if found.is_none() && tree.amaf[range.start + i].action == action {
                        *found = mean(e);
                        missing -= usize::from(found.is_some());
                    }
                }
            }
        }
        for (i, found) in self.means.iter_mut().enumerate() {
            *found = found.or_else(|| mean(range.start + i));
        }
    }

    /// An iteration is over: the actions of all its steps. Most of those in a simulation are unknown to the tree.
    pub(crate) fn begin(&mut self, tree: &Tree, record: &Record) {
        (self.steps_left, self.moves_left) = (record.steps.len(), record.moves.len());
        let known = &tree.actions;
        let sets = self.played.iter_mut().chain(&mut self.played_split);
        sets.for_each(|set| set.clear(known.len()));
        let both = matches!(self.variant, Variant::Mix { .. });
        self.actions.clear();
        self.split_actions.clear();
        if self.variant == Variant::Join {
            // The edges of the tree are whole moves.
            for (i, (_, begin)) in record.moves.iter().enumerate() {
                let steps = &record.steps[*begin as usize..record.end(i)];
                self.actions.push(known.find(submove_key(NODAL, steps)));
            }
            return;
        }
        for (i, (_, begin)) in record.moves.iter().enumerate() {
            let (begin, end) = (*begin as usize, record.end(i));
            let mut context = NODAL;
            for step in &record.steps[begin..end] {
                self.actions.push(match self.variant {
                    Variant::Split => known.find(split_key(*step)),
                    _ => known.find(extended(context, *step)),
                });
                if both {
                    self.split_actions.push(known.find(split_key(*step)));
                }
                context = context_behind(context, *step);
            }
        }
    }

    /// The way back has come to a level of the path: what was played from there on are samples for its node.
    #[inline]
    pub(crate) fn back_up(
        &mut self,
        tree: &mut Tree,
        record: &Record,
        (level, passed): (usize, Passed),
        points: f64,
    ) {
        if self.variant == Variant::Join {
            // Every level of the tree is a move.
            for number in level..self.moves_left {
                let player = usize::from(record.moves[number].0);
                if let Some(action) = self.actions[number] {
                    self.played[player].insert(action);
                }
            }
            self.moves_left = level;
        } else {
            self.play(passed.steps as usize..self.steps_left, record);
            self.steps_left = passed.steps as usize;
        }
        self.update(tree, passed.node, points);
    }

    /// Notes that these steps were played, by the players who played them. They belong to the moves that are left;
    /// those of them that have no earlier steps are left no more.
    fn play(&mut self, steps: Range<usize>, record: &Record) {
        let mut end = steps.end;
        while end > steps.start && self.moves_left > 0 {
            let (player, first) = record.moves[self.moves_left - 1];
            let begin = (first as usize).max(steps.start);
            let player = usize::from(player);
            for action in self.actions[begin..end].iter().flatten() {
                self.played[player].insert(*action);
            }
            if let Some(actions) = self.split_actions.get(begin..end) {
                for action in actions.iter().flatten() {
                    self.played_split[player].insert(*action);
                }
            }
            if first as usize >= steps.start {
                self.moves_left -= 1;
            }
            end = begin;
        }
    }

    /// Algorithm 6, lines 12-14: every edge of the node whose action its player has played from here on
    /// gets a sample.
    fn update(&mut self, tree: &mut Tree, node: u32, points: f64) {
        let n = tree.nodes[node as usize];
        let range = n.first as usize..(n.first + n.count) as usize;
        let mut both = [(&mut tree.amaf, &self.played), (&mut tree.amaf_split, &self.played_split)];
        for (statistics, played) in &mut both {
            let played = &played[usize::from(n.player)];
            // Without RAVE-mix there is only the first kind.
            let Some(statistics) = statistics.get_mut(range.clone()) else { continue };
            for amaf in statistics {
                // Nobody can predict which; adding nothing is cheaper than a wrong guess.
                let found = played.count(amaf.action);
                amaf.sum += points * f64::from(found);
                amaf.count += found;
            }
        }
    }
}
