//! Backpropagation: scores up the tree, samples for MAST and RAVE, rolling up (THESIS Algorithm 6).

use regulus_game::Engine;

use crate::action::{NODAL, context_behind, extended, split_key, submove_key};
use crate::config::{Decay, TreeDesign, Variant};
use crate::search::{MastState, RaveState, Search};
use crate::tree::{HALFWAY, Tree};

impl<E: Engine> Search<E> {
    /// Ends the iteration of a plain search with the scores of the state it came to.
    pub(crate) fn backpropagate(&mut self) {
        self.take_points();
        self.back_up::<false>(true);
    }

    /// The points of all players in the state that the iteration came to.
    #[inline]
    pub(crate) fn take_points(&mut self) {
        self.points.clear();
        self.points.push(0.0);
        for player in 1..self.scales.len() {
            self.points.push(f64::from(self.engine.score(&self.state, player)));
        }
    }

    /// Ends the iteration with the points of all players. Moves are samples if the iteration played a whole game.
    #[inline]
    pub(crate) fn back_up<const PARTS: bool>(&mut self, whole: bool) {
        if PARTS && self.ended && self.config.tree_policy.solver {
            self.prove();
        }
        if whole {
            self.update_mast();
        }
        if PARTS && whole {
            self.update_learner();
        }
        let (mut above, mut moves) = (self.record.steps.len(), self.record.moves.len());
        if self.rave.is_some() {
            self.prepare_rave();
        }
        let rolls_up = self.config.tree.is_rollup();
        for i in (0..self.path.len()).rev() {
            let passed = self.path[i];
            let player = self.tree.nodes[passed.node as usize].player;
            let points = self.points[usize::from(player)];
            let edge = &mut self.tree.edges[passed.edge as usize];
            edge.visits += 1;
            edge.sum += points;
            if PARTS {
                self.tree.note_result(passed.node, passed.edge, points);
            }
            if let Some(rave) = &mut self.rave {
                if rave.variant == Variant::Join {
                    // Every level of the tree is a move.
                    for number in i..moves {
                        let player = usize::from(self.record.moves[number].0);
                        if let Some(action) = rave.actions[number] {
                            rave.played[player].insert(action);
                        }
                    }
                    moves = i;
                } else {
                    rave.play(passed.steps as usize..above, &self.record, &mut moves);
                    above = passed.steps as usize;
                }
                rave.update(&mut self.tree, passed.node, points);
            }
            if rolls_up {
                self.roll_up(passed.node, passed.edge);
            }
        }
        if PARTS && self.config.tree_policy.proof_bias > 0.0 {
            self.count_proofs();
        }
        self.root_visits += 1;
        self.totals.iterations += 1;
    }

    /// Algorithm 6, lines 3-4 and 10: every move of the iteration is a sample for its player.
    pub(crate) fn update_mast(&mut self) {
        let Some(mast) = &mut self.mast else { return };
        let record = &self.record;
        let samples = if mast.settings.tree_only { record.in_tree } else { record.steps.len() };
        for (i, (player, begin)) in record.moves.iter().enumerate() {
            let (begin, end) = (*begin as usize, record.end(i));
            let last = end.min(samples);
            if begin >= last {
                break;
            }
            let player = usize::from(*player);
            let value = self.points[player] * self.scales[player];
            match record.ending(i) {
                Some((ending, vertex)) if last == end => {
                    let steps = &record.steps[begin..end];
                    mast.statistic.update_ending(player, steps, ending, vertex, value);
                }
                _ => mast.statistic.update(player, &record.steps[begin..last], last == end, value),
            }
        }
        mast.count_simulation();
        // While a table grows, its old and new memory are taken: three times as much as before.
        if self.tree.bytes() + 3 * mast.statistic.bytes() > self.config.memory {
            mast.statistic.freeze(true);
        }
    }

    /// PPA Algorithm 6: learns from the whole iteration, the part in the tree included.
    fn update_learner(&mut self) {
        let whole = !self.split_simulation();
        let Some(learner) = &mut self.learner else { return };
        learner.adapt(&self.record, &self.points, &self.scales, whole);
        // While an array grows, its old and new memory are taken.
        if self.tree.bytes() + 3 * learner.bytes() > self.config.memory {
            learner.freeze(true);
        }
    }

    /// The actions of all steps. Most of those in a simulation are unknown to the tree.
    fn prepare_rave(&mut self) {
        let Some(rave) = &mut self.rave else { return };
        let known = &self.tree.actions;
        let sets = rave.played.iter_mut().chain(&mut rave.played_split);
        sets.for_each(|set| set.clear(known.len()));
        let both = matches!(rave.variant, Variant::Mix { .. });
        rave.actions.clear();
        rave.split_actions.clear();
        if rave.variant == Variant::Join {
            // The edges of the tree are whole moves.
            for (i, (_, begin)) in self.record.moves.iter().enumerate() {
                let steps = &self.record.steps[*begin as usize..self.record.end(i)];
                rave.actions.push(known.find(submove_key(NODAL, steps)));
            }
            return;
        }
        for (i, (_, begin)) in self.record.moves.iter().enumerate() {
            let (begin, end) = (*begin as usize, self.record.end(i));
            let mut context = NODAL;
            for step in &self.record.steps[begin..end] {
                rave.actions.push(match rave.variant {
                    Variant::Split => known.find(split_key(*step)),
                    _ => known.find(extended(context, *step)),
                });
                if both {
                    rave.split_actions.push(known.find(split_key(*step)));
                }
                context = context_behind(context, *step);
            }
        }
    }

    /// ROLLUP (Algorithm 4): an intermediate node that is fully expanded and has enough iterations gives
    /// its children to its parent.
    fn roll_up(&mut self, parent: u32, edge: u32) {
        let TreeDesign::Rollup { min_simulations_factor, min_score_diff, .. } = self.config.tree
        else {
            return;
        };
        let incoming = self.tree.edges[edge as usize];
        if incoming.child >= HALFWAY {
            return;
        }
        let node = self.tree.nodes[incoming.child as usize];
        let needed = f64::from(node.count) * min_simulations_factor;
        if node.nodal || node.tried < node.count || f64::from(incoming.visits) < needed {
            return;
        }
        if min_score_diff > 0.0 && node.count > 1 {
            let range = node.first as usize..(node.first + node.count) as usize;
            let means = self.tree.edges[range].iter().map(|e| e.sum / f64::from(e.visits));
            let (low, high) = means
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| {
                    (low.min(mean), high.max(mean))
                });
            let percent = (high - low) * self.scales[usize::from(node.player)] * 100.0;
            if percent < min_score_diff {
                return;
            }
        }
        let reserved = self.statistic_bytes();
        self.tree.roll_up(parent, edge, reserved);
    }
}

impl MastState {
    fn count_simulation(&mut self) {
        match self.settings.decay {
            Decay::Simulation { .. } => self.statistic.decay(),
            Decay::Batch { simulations, .. } => {
                self.since_decay += 1;
                if self.since_decay == simulations {
                    self.since_decay = 0;
                    self.statistic.decay();
                }
            }
            Decay::None | Decay::Move { .. } => {}
        }
    }
}

impl RaveState {
    /// Notes that these steps were played, by the players who played them. They belong to the moves before
    /// a number, which becomes that of the first of these moves that has earlier steps.
    fn play(
        &mut self,
        steps: std::ops::Range<usize>,
        record: &crate::record::Record,
        number: &mut usize,
    ) {
        let mut end = steps.end;
        while end > steps.start && *number > 0 {
            let (player, first) = record.moves[*number - 1];
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
                *number -= 1;
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
