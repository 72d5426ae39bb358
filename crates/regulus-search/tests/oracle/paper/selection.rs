//! UCT (Algorithm 2, line 5) with AMAF for RAVE, and TGRAVE's reference.

use regulus_game::{Engine, Step};
use regulus_search::config::{Untried, Variant};
use regulus_search::numeric;

use super::{Edge, Paper, Submove, concatenate};

impl<E: Engine> Paper<E> {
    /// UCT, with AMAF for RAVE.
    pub(super) fn uct(&mut self, v: usize) -> usize {
        let node = &self.nodes[v];
        let big_n = f64::from(node.iterations);
        let bound = 1.0 / f64::from(self.engine.score_bound(node.player));
        let c_root = self.config.exploration * numeric::ln(big_n).sqrt();
        let value = |edge: &Edge| {
            let child = &self.nodes[edge.node.expect("tried")];
            let n = f64::from(child.iterations);
            match self.weighed_amaf(v, edge) {
                // Rounded as in the search, since equal values must be equal here, too.
                None => child.score_sum * bound * (1.0 / n) + c_root * (1.0 / n).sqrt(),
                Some((beta, amaf)) => {
                    // (1 - beta) mean + beta AMAF + C sqrt(ln N / n)
                    let own = (1.0 - beta) * bound * child.score_sum * (1.0 / n);
                    own + c_root * (1.0 / n).sqrt() + beta * amaf
                }
            }
        };
        let values: Vec<f64> = node.children.iter().map(value).collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<usize> = (0..values.len()).filter(|i| values[*i] == best).collect();
        match ties.len() {
            1 => ties[0],
            // PPA Algorithm 7: value > bestValue.
            _ if self.config.untried == Untried::Listed => ties[0],
            n => ties[self.random.below(n as u64) as usize],
        }
    }

    /// The weight of AMAF at a node, and the AMAF of an edge.
    pub(super) fn weighed_amaf(&self, v: usize, edge: &Edge) -> Option<(f64, f64)> {
        let rave = self.config.rave?;
        let n = f64::from(self.nodes[v].iterations);
        let beta = (rave.equivalence / (3.0 * n + rave.equivalence)).sqrt();
        self.amaf(v, edge, rave.reference).map(|amaf| (beta, amaf))
    }

    pub(super) fn resolved_rave(&self) -> Option<Variant> {
        self.config.rave.map(|r| self.config.resolved(r.variant))
    }

    /// The identity of an action for RAVE.
    fn rave_action(&self, context: &[Step], submove: &[Step]) -> Submove {
        match self.resolved_rave() {
            Some(Variant::Split) => submove[submove.len() - 1..].to_vec(),
            _ => concatenate(context, submove),
        }
    }

    /// The AMAF mean of an edge; with a reference count, from the nearest ancestor with
    /// more iterations that knows the action.
    fn amaf(&self, v: usize, edge: &Edge, reference: u32) -> Option<f64> {
        let threshold = match self.resolved_rave() {
            Some(Variant::Mix { threshold }) => f64::from(threshold),
            _ => 0.0,
        };
        let bound = 1.0 / f64::from(self.engine.score_bound(self.nodes[v].player));
        let mean = |edge: &Edge| {
            let samples = if edge.amaf.weight < threshold { edge.amaf_split } else { edge.amaf };
            // In the order of the optimised search: rounding decides what is a tie.
            (samples.weight > 0.0).then(|| samples.sum * bound * (1.0 / samples.weight))
        };
        let enough = |v: usize| self.nodes[v].iterations > reference;
        if !enough(v) && enough(self.root) {
            let action = self.rave_action(&self.nodes[v].context, &edge.submove);
            let mut ancestor = self.nodes[v].parent;
            while let Some(u) = ancestor {
                let node = &self.nodes[u];
                if enough(u) && node.player == self.nodes[v].player {
                    let same = node
                        .children
                        .iter()
                        .chain(self.untried(u))
                        .filter(|e| self.rave_action(&node.context, &e.submove) == action);
                    if let Some(found) = same.filter_map(mean).next() {
                        return Some(found);
                    }
                }
                ancestor = node.parent;
            }
        }
        mean(edge)
    }
}
