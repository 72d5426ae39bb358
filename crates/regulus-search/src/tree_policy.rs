//! Selection and expansion with the parts of [`TreePolicy`](crate::config::TreePolicy).
//!
//! A search without any does not come here: `select.rs` has plain UCT and RAVE. The value of a child is
//!
//! ```text
//! (selection(mean') + weight H / (n + 1) + bias least / number) penalty,    mean' = q max + (1 - q) mean
//! ```
//!
//! with the mean mixed with AMAF first if there is RAVE; numbers are those of `proof.rs`.

use regulus_game::{Engine, Random};

use crate::component::reversal::{self, Reverse};
use crate::component::selection::{self, Child, Select};
use crate::component::urgency::{self, Urge};
use crate::component::widening::{self, Widen};
use crate::component::{self, Selection};
use crate::config::TreePolicy;
use crate::iteration::At;
use crate::numeric::{ln, unit};
use crate::observer::Next;
use crate::proof::{ProofNumbers, preference};
use crate::rave::RaveState;
use crate::select::{Uct, best_of, beta};
use crate::simulator::Simulator;
use crate::tree::{Edge, Node, Tree};

/// The parts at work.
pub(crate) struct TreePolicyState {
    settings: TreePolicy,
    select: Box<dyn Select>,
    urgency: Option<Box<dyn Urge>>,
    widening: Option<Box<dyn Widen>>,
    reversal: Option<Box<dyn Reverse>>,
    /// The nodal positions of this iteration, for the reversal penalty.
    positions: Vec<u64>,
    values: Vec<f64>,
    /// Means of AMAF at the node at hand.
    amaf: Vec<Option<f64>>,
    /// Iterations of this turn, for selections that change with their number.
    iteration: u64,
    /// C, if values are those of plain UCT but for what the solver and the reversal penalty do with them.
    plain: Option<f64>,
}

impl TreePolicyState {
    /// An iteration begins, in a position with this hash.
    pub(crate) fn begin(&mut self, position: impl FnOnce() -> u64) {
        self.iteration += 1;
        self.positions.clear();
        if self.reversal.is_some() {
            self.positions.push(position() | 1);
        }
    }

    /// A move of the game was played.
    pub(crate) fn next_turn(&mut self) {
        self.iteration = 0;
    }

    pub(crate) fn new(settings: TreePolicy, exploration: f64) -> Self {
        let chosen = settings.selection.unwrap_or(Selection::Uct { c: exploration });
        let adds = [settings.mixmax, settings.score_bias, settings.proof_bias];
        let plain = match chosen {
            Selection::Uct { c } if adds.iter().all(|weight| *weight == 0.0) => Some(c),
            _ => None,
        };
        TreePolicyState {
            settings,
            select: selection::make(&chosen),
            urgency: component::chosen(urgency::REGISTRY, &settings.urgency),
            widening: component::chosen(widening::REGISTRY, &settings.widening),
            reversal: component::chosen(reversal::REGISTRY, &settings.reversal),
            positions: Vec::new(),
            values: Vec::new(),
            amaf: Vec::new(),
            iteration: 0,
            plain,
        }
    }

    /// Whether the node grows or one of its children is visited again. Some children were tried, or none can be
    /// added.
    pub(crate) fn choose<E: Engine>(
        &mut self,
        sim: &mut Simulator<E>,
        tree: &mut Tree,
        others: (&mut Option<RaveState>, Option<&ProofNumbers>),
        at: At,
    ) -> Next {
        let (n, visits) = (tree.nodes[at.node as usize], at.visits);
        let (allowed, threshold) = self.allowed(n, visits);
        let can_expand = n.tried < n.count && !tree.full;
        if n.tried == 0 {
            return Next::Expand;
        }
        let all_first = self.select.tries_all() && self.urgency.is_none();
        if can_expand && n.tried < allowed && all_first {
            return Next::Expand;
        }
        if threshold == Some(visits) {
            put_in_order(tree, n);
        }
        let considered = n.tried.min(allowed);
        let any_of = if can_expand { allowed } else { considered };
        if let Some(any) = self.choose_any(n, any_of, &mut sim.random) {
            return any;
        }
        self.values.clear();
        match self.plain.filter(|_| others.0.is_none()) {
            Some(c) => {
                let scale = sim.scales[usize::from(n.player)];
                let edges = n.first as usize..(n.first + considered) as usize;
                let uct = Uct::new(c, visits.max(1), scale);
                uct.fill_values(&tree.edges[edges], &mut self.values);
            }
            None => self.fill_values(sim, tree, others, at, considered),
        }
        self.correct_values(tree, n);
        let values = &self.values;
        let best = best_of(values.len(), |i| values[i], &mut sim.random);
        if let Some(urgency) = &self.urgency
            && can_expand
            && n.tried < allowed
            && urgency.value(f64::from(visits), f64::from(n.tried)) > values[best]
        {
            return Next::Expand;
        }
        Next::Follow(n.first + best as u32)
    }

    /// How many children a node may have, and with how many iterations that begins to be fewer than all.
    fn allowed(&self, n: Node, visits: u32) -> (u32, Option<u32>) {
        let Some(widening) = &self.widening else { return (n.count, None) };
        let threshold = widening.threshold();
        let pruned = threshold.is_none_or(|threshold| visits >= threshold);
        let children = widening.children(visits, n.count as usize) as u32;
        (if pruned { children } else { n.count }, threshold)
    }

    /// Any of the first `others` children, if selection wants that this time.
    fn choose_any(&self, n: Node, others: u32, random: &mut Random) -> Option<Next> {
        let any = self.select.any(self.iteration);
        if any <= 0.0 || unit(random) >= any {
            return None;
        }
        let number = random.below(u64::from(others)) as u32;
        Some(if number < n.tried { Next::Follow(n.first + number) } else { Next::Expand })
    }

    /// The values of the first `considered` edges of a node.
    fn fill_values<E: Engine>(
        &mut self,
        sim: &Simulator<E>,
        tree: &Tree,
        (rave, proof_numbers): (&mut Option<RaveState>, Option<&ProofNumbers>),
        at: At,
        considered: u32,
    ) {
        let (settings, n) = (self.settings, tree.nodes[at.node as usize]);
        let player = usize::from(n.player);
        let scale = sim.scales[player];
        self.amaf.clear();
        let mut weight = 0.0;
        if let Some(rave) = rave {
            rave.fill_means(tree, &sim.episode.path, (at.node, n), at.visits, scale);
            self.amaf.clone_from(&rave.means);
            weight = beta(rave.settings.equivalence, at.visits);
        }
        let number = |e| proof_numbers.map(|numbers| numbers.left_to_prove(tree, n, e));
        let least = (0..considered).filter_map(|i| number(n.first + i)).min().unwrap_or(0);
        // One logarithm for all children.
        let parent = (f64::from(at.visits.max(1)), ln(f64::from(at.visits.max(1))));
        let asks_actions = self.select.asks_actions();
        for i in 0..considered {
            let e = n.first + i;
            let mut child = child(tree, e, parent, scale);
            let own = child.mean;
            if settings.mixmax > 0.0 {
                let greatest = tree.spread[e as usize].greatest * scale;
                child.mean = settings.mixmax * greatest + (1.0 - settings.mixmax) * child.mean;
            }
            if let Some(Some(amaf)) = self.amaf.get(i as usize) {
                child.mean = (1.0 - weight) * child.mean + weight * amaf;
            }
            // The variance stays that of the scores.
            child.squares += child.visits * (child.mean * child.mean - own * own);
            if asks_actions && let Some(mast) = &sim.mast {
                child.action_mean = mast.statistic.score(player, at.context, tree.submove(e));
            }
            let mut value = self.select.value(&child);
            if settings.score_bias > 0.0
                && tree.edges[e as usize].visits >= settings.score_bias_from
            {
                let prior = tree.spread[e as usize].prior;
                value += settings.score_bias * prior / (child.visits + 1.0);
            }
            if let Some(number) = number(e) {
                value += settings.proof_bias * preference(number, least);
            }
            self.values.push(value);
        }
    }

    /// What goes for all selections: edges that lead back are worth less, and those that cannot be best nothing.
    fn correct_values(&mut self, tree: &Tree, n: Node) {
        if let Some(reversal) = &self.reversal {
            let start = self.positions.len().saturating_sub(reversal.positions());
            for (e, value) in (n.first..).zip(&mut self.values) {
                let position = tree.spread[e as usize].position;
                if position != 0 && self.positions[start..].contains(&position) {
                    *value = reversal.penalised(*value);
                }
            }
        }
        if self.settings.solver {
            let known = tree.known_at(n);
            for (e, value) in (n.first..).zip(&mut self.values) {
                if tree.is_dominated(n, e, known) {
                    *value = f64::NEG_INFINITY;
                }
            }
        }
    }

    /// What is kept of edges that are tried for the first time, the last ones of the path from one of a node on; the
    /// state is the one after the whole move.
    pub(crate) fn note_first_try<E: Engine>(&self, sim: &Simulator<E>, tree: &mut Tree, node: u32) {
        if self.settings.score_bias > 0.0 && self.settings.score_bias_from <= 1 {
            let player = usize::from(tree.nodes[node as usize].player);
            let score = f64::from(sim.engine.score(&sim.episode.state, player));
            for passed in sim.episode.path.iter().rev() {
                tree.spread[passed.edge as usize].prior = score * sim.scales[player];
                if passed.node == node {
                    break;
                }
            }
        }
    }

    /// A move is complete whose edges in the tree are the last ones of the path: those that will have enough iterations
    /// get its score, unless they have one. (That of an intermediate edge is the score of one of its moves.)
    pub(crate) fn note_late_score<E: Engine>(&self, sim: &Simulator<E>, tree: &mut Tree) {
        let TreePolicy { score_bias, score_bias_from: from, .. } = self.settings;
        if score_bias == 0.0 || from <= 1 {
            return;
        }
        for passed in sim.episode.path.iter().rev() {
            let (node, edge) = (tree.nodes[passed.node as usize], passed.edge as usize);
            let spread = &mut tree.spread[edge];
            if tree.edges[edge].visits + 1 >= from && spread.prior == 0.0 {
                let player = usize::from(node.player);
                let score = f64::from(sim.engine.score(&sim.episode.state, player));
                spread.prior = score * sim.scales[player];
            }
            if node.nodal {
                break;
            }
        }
    }

    /// A nodal state was reached by the last edge of the path.
    pub(crate) fn note_position<E: Engine>(&mut self, sim: &Simulator<E>, tree: &mut Tree) {
        if self.reversal.is_some()
            && let Some(edge) = sim.episode.last_edge()
        {
            // 0 stands for no position.
            let position = sim.engine.position_key(&sim.episode.state) | 1;
            tree.spread[edge as usize].position = position;
            self.positions.push(position);
        }
    }
}

/// What selection knows about an edge of a node with `visits` visits, and this logarithm of them.
fn child(tree: &Tree, e: u32, (visits, logarithm): (f64, f64), scale: f64) -> Child {
    let edge = tree.edges[e as usize];
    let n = f64::from(edge.visits.max(1));
    let spread = tree.spread.get(e as usize);
    Child {
        visits: n,
        parent_visits: visits,
        parent_logarithm: logarithm,
        mean: edge.sum * scale / n,
        squares: spread.map_or(0.0, |spread| spread.squares * scale * scale),
        range: spread.map_or(1.0, |spread| (spread.greatest - spread.least) * scale),
        // Scores are scaled by the range that the rules declare.
        global_range: 1.0,
        action_mean: 0.0,
        opinion: 0.0,
    }
}

/// Unpruning begins: the best children so far come first, and stay there.
fn put_in_order(tree: &mut Tree, n: Node) {
    let mean = |edge: &Edge| edge.sum / f64::from(edge.visits.max(1));
    for i in n.first..n.first + n.tried {
        let best = (i..n.first + n.tried).rev().max_by(|a, b| {
            let edges = &tree.edges;
            mean(&edges[*a as usize]).total_cmp(&mean(&edges[*b as usize]))
        });
        if let Some(best) = best.filter(|best| *best != i) {
            tree.swap_tried(i, best);
        }
    }
}
