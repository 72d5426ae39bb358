//! Selection and expansion with the parts of [`TreePolicy`](crate::config::TreePolicy).
//!
//! A search without any does not come here: `select.rs` has plain UCT and RAVE. The value of a child is
//!
//! ```text
//! (selection(mean') + weight H / (n + 1) + bias least / number) penalty,    mean' = q max + (1 - q) mean
//! ```
//!
//! with the mean mixed with AMAF first if there is RAVE; numbers are those of `proof.rs`.

use regulus_game::{Engine, Step};

use crate::config::{Decisive, TreePolicy};
use crate::numeric::{ln, unit};
use crate::part::reversal::{self, Reverse};
use crate::part::selection::{self, Child, Select};
use crate::part::urgency::{self, Urge};
use crate::part::widening::{self, Widen};
use crate::part::{self, Selection};
use crate::proof::preference;
use crate::search::Search;
use crate::select::{Uct, best_of, beta};
use crate::tree::{Edge, Node};

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
            urgency: part::chosen(urgency::REGISTRY, &settings.urgency),
            widening: part::chosen(widening::REGISTRY, &settings.widening),
            reversal: part::chosen(reversal::REGISTRY, &settings.reversal),
            positions: Vec::new(),
            values: Vec::new(),
            amaf: Vec::new(),
            iteration: 0,
            plain,
        }
    }
}

/// A node on the way down.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    n: Node,
    /// Its iterations.
    visits: u32,
    context: u64,
}

/// What a part finds at a node.
pub(crate) enum Found {
    /// A child is to be added.
    Expand,
    /// This edge is to be followed.
    Follow(u32),
}

/// How many replies are tried at a node to find moves that lose at once, some milliseconds at most: with two thousand
/// moves and as many replies to each, all of them would take seconds. What is left is taken for harmless.
const MOST_REPLIES: usize = 20_000;

impl<E: Engine> Search<E> {
    /// Whether the node grows or one of its children is visited again. Some children were tried, or none can be
    /// added.
    pub(crate) fn select_by_parts(
        &mut self,
        node: u32,
        n: Node,
        visits: u32,
        context: u64,
    ) -> Found {
        let Some(mut policy) = self.tree_policy.take() else {
            return Found::Expand;
        };
        let found = self.weigh(&mut policy, node, n, visits, context);
        self.tree_policy = Some(policy);
        found
    }

    fn weigh(
        &mut self,
        policy: &mut TreePolicyState,
        node: u32,
        n: Node,
        visits: u32,
        context: u64,
    ) -> Found {
        let (allowed, threshold) = match &policy.widening {
            Some(widening) => {
                let threshold = widening.threshold();
                let pruned = threshold.is_none_or(|threshold| visits >= threshold);
                let children = widening.children(visits, n.count as usize) as u32;
                (if pruned { children } else { n.count }, threshold)
            }
            None => (n.count, None),
        };
        let can_expand = n.tried < n.count && !self.full;
        if n.tried == 0 {
            return Found::Expand;
        }
        let all_first = policy.select.tries_all() && policy.urgency.is_none();
        if can_expand && n.tried < allowed && all_first {
            return Found::Expand;
        }
        if threshold == Some(visits) {
            self.put_in_order(n);
        }
        let considered = n.tried.min(allowed);
        let any = policy.select.any(policy.iteration);
        if any > 0.0 && unit(&mut self.random) < any {
            let others = if can_expand { allowed } else { considered };
            let number = self.random.below(u64::from(others)) as u32;
            return if number < n.tried { Found::Follow(n.first + number) } else { Found::Expand };
        }
        let at = Place { node, n, visits, context };
        policy.values.clear();
        match policy.plain.filter(|_| self.rave.is_none()) {
            Some(c) => {
                let scale = self.scales[usize::from(n.player)];
                let edges = n.first as usize..(n.first + considered) as usize;
                let uct = Uct::new(c, visits.max(1), scale);
                uct.fill_values(&self.tree.edges[edges], &mut policy.values);
            }
            None => self.fill_values(policy, at, considered),
        }
        self.correct_values(policy, n);
        let values = &policy.values;
        let best = best_of(values.len(), |i| values[i], &mut self.random);
        if let Some(urgency) = &policy.urgency
            && can_expand
            && n.tried < allowed
            && urgency.value(f64::from(visits), f64::from(n.tried)) > values[best]
        {
            return Found::Expand;
        }
        Found::Follow(n.first + best as u32)
    }

    /// The values of the first so many edges of a node.
    fn fill_values(
        &mut self,
        policy: &mut TreePolicyState,
        Place { node, n, visits, context }: Place,
        considered: u32,
    ) {
        policy.amaf.clear();
        let mut weight = 0.0;
        if self.rave.is_some() {
            self.fill_amaf(node, n, visits);
            if let Some(rave) = &self.rave {
                policy.amaf.clone_from(&rave.means);
                weight = beta(rave.settings.equivalence, visits);
            }
        }
        let settings = policy.settings;
        let player = usize::from(n.player);
        let scale = self.scales[player];
        let by_proof = settings.proof_bias > 0.0;
        let numbers = (0..considered).filter(|_| by_proof);
        let least = numbers.map(|i| self.left_to_prove(n, n.first + i)).min().unwrap_or(0);
        // One logarithm for all children.
        let parent = (f64::from(visits.max(1)), ln(f64::from(visits.max(1))));
        let asks_actions = policy.select.asks_actions();
        for i in 0..considered {
            let e = n.first + i;
            let edge = self.tree.edges[e as usize];
            let mut child = self.child(e, &edge, parent, scale);
            let own = child.mean;
            if settings.mixmax > 0.0 {
                let greatest = self.tree.spread[e as usize].greatest * scale;
                child.mean = settings.mixmax * greatest + (1.0 - settings.mixmax) * child.mean;
            }
            if let Some(Some(amaf)) = policy.amaf.get(i as usize) {
                child.mean = (1.0 - weight) * child.mean + weight * amaf;
            }
            // The variance stays that of the scores.
            child.squares += child.visits * (child.mean * child.mean - own * own);
            if asks_actions && let Some(mast) = &self.mast {
                child.action_mean = mast.statistic.score(player, context, self.tree.submove(e));
            }
            let mut value = policy.select.value(&child);
            if settings.score_bias > 0.0 {
                let prior = self.tree.spread[e as usize].prior;
                value += settings.score_bias * prior / (child.visits + 1.0);
            }
            if by_proof {
                let number = self.left_to_prove(n, e);
                value += settings.proof_bias * preference(number, least);
            }
            policy.values.push(value);
        }
    }

    /// What goes for all selections: edges that lead back are worth less, and those that cannot be best nothing.
    fn correct_values(&self, policy: &mut TreePolicyState, n: Node) {
        if let Some(reversal) = &policy.reversal {
            let start = policy.positions.len().saturating_sub(reversal.positions());
            for (e, value) in (n.first..).zip(&mut policy.values) {
                let position = self.tree.spread[e as usize].position;
                if position != 0 && policy.positions[start..].contains(&position) {
                    *value = reversal.penalised(*value);
                }
            }
        }
        if policy.settings.solver {
            let known = self.known_at(n);
            for (e, value) in (n.first..).zip(&mut policy.values) {
                if self.is_dominated(n, e, known) {
                    *value = f64::NEG_INFINITY;
                }
            }
        }
    }

    /// What selection knows about an edge of a node with so many visits, and this logarithm of them.
    fn child(&self, e: u32, edge: &Edge, (visits, logarithm): (f64, f64), scale: f64) -> Child {
        let n = f64::from(edge.visits.max(1));
        let spread = self.tree.spread.get(e as usize);
        Child {
            visits: n,
            parent_visits: visits,
            parent_logarithm: logarithm,
            mean: edge.sum * scale / n,
            squares: spread.map_or(0.0, |spread| spread.squares * scale * scale),
            range: spread.map_or(1.0, |spread| (spread.greatest - spread.least) * scale),
            action_mean: 0.0,
            opinion: 0.0,
        }
    }

    /// Unpruning begins: the best children so far come first, and stay there.
    fn put_in_order(&mut self, n: Node) {
        let mean = |edge: &Edge| edge.sum / f64::from(edge.visits.max(1));
        for i in n.first..n.first + n.tried {
            let best = (i..n.first + n.tried).rev().max_by(|a, b| {
                let edges = &self.tree.edges;
                mean(&edges[*a as usize]).total_cmp(&mean(&edges[*b as usize]))
            });
            if let Some(best) = best.filter(|best| *best != i) {
                self.tree.swap_tried(i, best);
            }
        }
    }

    /// What is kept of edges that are tried for the first time, the last ones of the path from a given one on; the
    /// state is the one after the whole move.
    pub(crate) fn note_first_try(&mut self, first: u32, player: usize) {
        if self.config.tree_policy.score_bias > 0.0 {
            let score = f64::from(self.engine.score(&self.state, player));
            for passed in self.path.iter().rev() {
                self.tree.spread[passed.edge as usize].prior = score * self.scales[player];
                if passed.edge == first {
                    break;
                }
            }
        }
    }

    /// A nodal state was reached by an edge.
    pub(crate) fn note_position(&mut self, edge: u32) {
        let Some(policy) = &mut self.tree_policy else { return };
        if policy.reversal.is_some() {
            // 0 stands for no position.
            let position = self.engine.position_key(&self.state) | 1;
            self.tree.spread[edge as usize].position = position;
            policy.positions.push(position);
        }
    }

    /// Keeps only decisive moves of the listed ones, if there are any; leaves out those that lose at once, if there
    /// are others. The state is nodal, or the middle of a move in a tree of semimoves.
    pub(crate) fn keep_decisive(&mut self) -> Result<(), E::Error> {
        let decisive = self.config.tree_policy.decisive;
        if decisive == Decisive::Off {
            return Ok(());
        }
        let submoves: Vec<Vec<Step>> = if self.config.tree.is_orthodox() {
            self.moves.iter().map(<[Step]>::to_vec).collect()
        } else {
            self.steps.iter().map(|step| vec![*step]).collect()
        };
        let player = self.engine.player(&self.state);
        let mut kept = Vec::new();
        for (i, submove) in submoves.iter().enumerate() {
            if self.wins(submove, player)? {
                kept.push(i);
            }
        }
        if kept.is_empty() && decisive == Decisive::WinsAndBlocks && submoves.len() > 1 {
            let mut left = MOST_REPLIES;
            for (i, submove) in submoves.iter().enumerate() {
                if left == 0 || !self.lets_win(submove, &mut left)? {
                    kept.push(i);
                }
            }
        }
        if kept.is_empty() || kept.len() == submoves.len() {
            return Ok(());
        }
        if self.config.tree.is_orthodox() {
            self.moves.clear();
            for i in kept {
                self.moves.push(&submoves[i]);
            }
        } else {
            self.steps.clear();
            self.steps.extend(kept.into_iter().map(|i| submoves[i][0]));
        }
        Ok(())
    }

    /// Applies a submove to the spare state; false if it is dead or ends inside a move.
    fn try_out(&mut self, submove: &[Step]) -> bool {
        self.spare.clone_from(&self.state);
        self.totals.states += 1;
        for step in submove {
            let Some(undo) = self.engine.apply_step(&mut self.spare, *step) else { return false };
            self.engine.keep(undo);
        }
        self.engine.is_nodal(&self.spare)
    }

    /// True if a submove ends the game with the highest score of the player.
    fn wins(&mut self, submove: &[Step], player: usize) -> Result<bool, E::Error> {
        Ok(self.try_out(submove) && self.is_won(player)?)
    }

    /// True if the spare state, after a move, is the end of the game with the highest score of the player.
    fn is_won(&mut self, player: usize) -> Result<bool, E::Error> {
        let goes_on = self.engine.keeper(&mut self.spare)?;
        let score = self.engine.score(&self.spare, player);
        // Only where the score is right is it worth while to see whether there are moves.
        Ok(score >= self.engine.score_bound(player)
            && (!goes_on || self.engine.count(&mut self.spare)? == 0))
    }

    /// True if the next player can win at once after a submove that ends a move. `left` is how many replies may still
    /// be tried.
    fn lets_win(&mut self, submove: &[Step], left: &mut usize) -> Result<bool, E::Error> {
        if !self.try_out(submove) || !self.engine.keeper(&mut self.spare)? {
            return Ok(false);
        }
        let (before, player) = (self.spare.clone(), self.engine.player(&self.spare));
        let mut replies = regulus_game::Moves::new();
        self.engine.list(&mut self.spare, &mut replies)?;
        for reply in replies.iter().take(*left) {
            self.spare.clone_from(&before);
            self.engine.apply(&mut self.spare, reply);
            self.totals.states += 1;
            if self.is_won(player)? {
                return Ok(true);
            }
        }
        *left = left.saturating_sub(replies.len());
        Ok(false)
    }
}
