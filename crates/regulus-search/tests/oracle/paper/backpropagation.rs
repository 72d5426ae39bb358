//! Backpropagation (Algorithm 6) and rolling up (Algorithm 4).

use rustc_hash::FxHashSet;

use regulus_game::{Engine, Step};
use regulus_search::config::{TreeDesign, Variant};

use super::{Applied, Edge, Paper, Submove, concatenate, without_split_points};

impl<E: Engine> Paper<E> {
    /// BACKPROPAGATION (Algorithm 6).
    pub(super) fn backpropagation(&mut self, leaf: usize, scores: &[u32], applied: &[Applied]) {
        self.update_mast(scores, applied);
        self.adapt(scores, applied);
        self.learn_sequences(scores, applied);
        // From the end of the iteration to its beginning; what each player has played so far.
        let mut played: FxHashSet<(usize, Submove)> = FxHashSet::default();
        let mut played_split: FxHashSet<(usize, Step)> = FxHashSet::default();
        let mut unplayed: Vec<(usize, Submove, Step)> = Vec::new();
        for m in applied.iter().filter(|_| self.config.rave.is_some()) {
            for (i, step) in m.steps.iter().enumerate() {
                let whole = i + 1 == m.steps.len();
                let prefix = concatenate(&[], &m.steps[..=i]);
                let action = match self.resolved_rave() {
                    Some(Variant::Split) => vec![*step],
                    Some(Variant::Join) if !whole => Vec::new(),
                    _ => prefix,
                };
                unplayed.push((m.player, action, *step));
            }
        }
        let in_tree: usize = applied.iter().map(|m| m.in_tree).sum();
        let mut until = in_tree;
        let mut v = leaf;
        while let Some(parent) = self.nodes[v].parent {
            let player = self.nodes[parent].player;
            self.nodes[v].score_sum += f64::from(scores[player]);
            self.nodes[v].iterations += 1;
            self.nodes[v].spread.add(f64::from(scores[player]));
            let edge = self.nodes[parent].children.iter().find(|e| e.node == Some(v));
            until -= edge.expect("a child").submove.len();
            if self.config.rave.is_some() {
                while unplayed.len() > until {
                    let (player, action, step) = unplayed.pop().expect("not empty");
                    played.insert((player, action));
                    played_split.insert((player, step));
                }
                let context = self.nodes[parent].context.clone();
                let variant = self.resolved_rave();
                let node = &mut self.nodes[parent];
                let untried = node.untried.as_mut().expect("listed");
                for edge in node.children.iter_mut().chain(untried) {
                    let last = *edge.submove.last().expect("steps");
                    let action = match variant {
                        Some(Variant::Split) => vec![last],
                        _ => concatenate(&context, &edge.submove),
                    };
                    if played.contains(&(player, action)) {
                        edge.amaf.sum += f64::from(scores[player]);
                        edge.amaf.weight += 1.0;
                    }
                    if matches!(variant, Some(Variant::Mix { .. }))
                        && played_split.contains(&(player, last))
                    {
                        edge.amaf_split.sum += f64::from(scores[player]);
                        edge.amaf_split.weight += 1.0;
                    }
                }
            }
            self.rollup(v, parent);
            v = parent;
        }
        let root = self.root;
        self.nodes[root].iterations += 1;
    }

    /// ROLLUP (Algorithm 4).
    fn rollup(&mut self, v: usize, parent: usize) {
        let TreeDesign::Rollup { min_simulations_factor: msf, min_score_diff, .. } =
            self.config.tree
        else {
            return;
        };
        let node = &self.nodes[v];
        let expanded = node.untried.as_ref().is_some_and(Vec::is_empty);
        let count = node.children.len();
        if node.nodal || !expanded || f64::from(node.iterations) < count as f64 * msf {
            return;
        }
        if count > 1 && min_score_diff > 0.0 {
            let bound = f64::from(self.engine.score_bound(node.player));
            let mean = |e: &Edge| {
                let child = &self.nodes[e.node.expect("tried")];
                child.score_sum / f64::from(child.iterations) / bound * 100.0
            };
            let means: Vec<f64> = node.children.iter().map(mean).collect();
            let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let low = means.iter().copied().fold(f64::INFINITY, f64::min);
            if high - low < min_score_diff {
                return;
            }
        }
        let children = std::mem::take(&mut self.nodes[v].children);
        let place = self.nodes[parent].children.iter().position(|e| e.node == Some(v));
        let edge = self.nodes[parent].children.remove(place.expect("a child"));
        for mut child in children {
            let c = child.node.expect("tried");
            self.nodes[c].parent = Some(parent);
            let mut submove = without_split_points(&edge.submove);
            submove.extend(child.submove);
            child.submove = submove;
            self.nodes[parent].children.push(child);
        }
    }
}
