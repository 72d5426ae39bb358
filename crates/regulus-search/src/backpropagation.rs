//! Backpropagation: scores up the tree, samples for MAST and RAVE, rolling up (THESIS Algorithm 6).

use regulus_game::Engine;

use crate::config::TreeDesign;
use crate::observer::Observer;
use crate::own_tree::OwnTree;
use crate::simulator::Simulator;
use crate::tree::HALFWAY;

impl<O> OwnTree<'_, O> {
    /// Ends the iteration with the points of all players. Moves are samples if the iteration played a whole game.
    #[inline]
    pub(crate) fn backpropagate<E: Engine>(&mut self, sim: &mut Simulator<E>, whole: bool)
    where
        O: Observer<E>,
    {
        self.observer.end(sim, self.tree, whole);
        if whole {
            sim.update_mast(|| self.tree.bytes());
        }
        let record = &sim.episode.record;
        if let Some(rave) = self.rave {
            rave.begin(self.tree, record);
        }
        let rolls_up = sim.config.tree.is_rollup();
        for level in (0..sim.episode.path.len()).rev() {
            let passed = sim.episode.path[level];
            let player = self.tree.nodes[passed.node as usize].player;
            let points = sim.episode.points[usize::from(player)];
            let edge = &mut self.tree.edges[passed.edge as usize];
            edge.visits += 1;
            edge.sum += points;
            self.observer.note_result(self.tree, passed.node, passed.edge, points);
            if let Some(rave) = self.rave {
                rave.back_up(self.tree, record, (level, passed), points);
            }
            if rolls_up {
                self.roll_up(sim, passed.node, passed.edge);
            }
        }
        self.observer.finish(sim, self.tree);
        self.tree.root_visits += 1;
        sim.totals.iterations += 1;
    }

    /// ROLLUP (Algorithm 4): an intermediate node that is fully expanded and has enough iterations gives
    /// its children to its parent.
    fn roll_up<E: Engine>(&mut self, sim: &Simulator<E>, parent: u32, edge: u32)
    where
        O: Observer<E>,
    {
        let TreeDesign::Rollup { min_simulations_factor, min_score_diff, .. } = sim.config.tree
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
            let percent = (high - low) * sim.scales[usize::from(node.player)] * 100.0;
            if percent < min_score_diff {
                return;
            }
        }
        let reserved = self.reserved(sim);
        self.tree.roll_up(parent, edge, reserved);
    }
}
