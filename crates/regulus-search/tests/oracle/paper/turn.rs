//! Final selection (THESIS 2.2.2), and going on with the tree below the move that was played (3.4).

use std::cmp::Ordering;

use regulus_game::{Engine, Step};
use regulus_search::config::FinalSelection;

use super::learning::Learned;
use super::{Edge, Paper, Submove, without_split_points};

impl<E: Engine> Paper<E> {
    pub(super) fn mean(&self, edge: &Edge) -> f64 {
        let node = &self.nodes[edge.node.expect("tried")];
        node.score_sum / f64::from(node.iterations)
    }

    fn visits(&self, edge: &Edge) -> u32 {
        self.nodes[edge.node.expect("tried")].iterations
    }

    /// The best mean with most iterations as tie-break; or the other way round.
    pub(super) fn compare(&self, a: &Edge, b: &Edge) -> Ordering {
        let by_mean = self.mean(a).total_cmp(&self.mean(b));
        let by_visits = self.visits(a).cmp(&self.visits(b));
        match self.config.final_selection {
            FinalSelection::Greedy | FinalSelection::Rollup { .. } => by_mean.then(by_visits),
            FinalSelection::MostVisited | FinalSelection::RobustMax { .. } => {
                by_visits.then(by_mean)
            }
        }
    }

    /// The move to play: the best semimoves till the first nodal state; completed at random where the
    /// tree ends before that.
    pub fn final_move(&mut self) -> Option<Submove> {
        let (mut v, mut steps, mut last) = (self.root, Vec::new(), None);
        while last.is_none() || !self.nodes[v].nodal {
            let children = match last {
                None => self.survivors(),
                Some(_) => self.nodes[v].children.clone(),
            };
            let Some(best) = children.iter().max_by(|a, b| self.compare(a, b)) else { break };
            let ties: Vec<&Edge> =
                children.iter().filter(|e| self.compare(e, best) == Ordering::Equal).collect();
            let chosen = match ties.as_slice() {
                [only] => (*only).clone(),
                several => several[self.random.below(several.len() as u64) as usize].clone(),
            };
            steps.extend_from_slice(&chosen.submove);
            v = chosen.node.expect("tried");
            last = Some(chosen);
        }
        let last = last?;
        if !self.nodes[v].nodal {
            let state = self.nodes[v].state.clone();
            let rest = self.semisplit_move(&state, &[], None, &mut Vec::new(), None);
            steps.extend(rest.expect("nodes are not dead"));
            return Some(without_split_points(&steps));
        }
        if let FinalSelection::Rollup { factor } = self.config.final_selection {
            return Some(self.final_rollup(factor, &last, &steps));
        }
        Some(without_split_points(&steps))
    }

    /// Final roll-up selection: the best mean of the last semimove, among those with at least FRF times
    /// the iterations of the greedy choice, which is preferred to what is equal.
    fn final_rollup(&self, factor: f64, greedy: &Edge, greedy_steps: &[Step]) -> Submove {
        let mut ends = Vec::new();
        self.last_semimoves(self.root, &[], &mut ends);
        let enough = f64::from(self.visits(greedy)) * factor;
        ends.retain(|(edge, _)| f64::from(self.visits(edge)) >= enough);
        let best = ends.iter().max_by(|a, b| self.compare(&a.0, &b.0));
        let best = best.filter(|(edge, _)| self.mean(edge) > self.mean(greedy));
        without_split_points(best.map_or(greedy_steps, |(_, steps)| steps))
    }

    /// The last edges of all moves of the tree, with all steps.
    fn last_semimoves(&self, v: usize, before: &[Step], ends: &mut Vec<(Edge, Submove)>) {
        for edge in &self.nodes[v].children {
            let steps = [before, &edge.submove].concat();
            let child = edge.node.expect("tried");
            if self.nodes[child].nodal {
                ends.push((edge.clone(), steps));
            } else {
                self.last_semimoves(child, &steps, ends);
            }
        }
    }

    /// A move is played: its node becomes the root. A leaf has nothing to keep, and is begun anew like a
    /// move that the tree does not know.
    pub fn advance(&mut self, steps: &[Step]) {
        let mut state = self.nodes[self.root].state.clone();
        self.engine.apply(&mut state, steps);
        let alive = self.engine.run_keeper(&mut state).expect("keeper");
        self.root = match self.find(self.root, steps) {
            Some(v) if self.config.keep_tree => v,
            _ => self.create_node(state, alive, true, None, Vec::new()),
        };
        let root = self.root;
        self.nodes[root].parent = None;
        self.count_move();
        self.next_turn_of_sequences();
        self.iterations_of_turn = 0;
        if self.config.learning.is_some_and(|learning| !learning.keep) {
            self.learned = Learned::default();
        }
    }

    fn find(&self, v: usize, steps: &[Step]) -> Option<usize> {
        self.nodes[v].children.iter().find_map(|edge| {
            let rest = steps.strip_prefix(without_split_points(&edge.submove).as_slice())?;
            let child = edge.node.expect("tried");
            match &self.nodes[child] {
                node if node.untried.is_none() => None,
                node if node.nodal => rest.is_empty().then_some(child),
                _ => self.find(child, rest),
            }
        })
    }
}
