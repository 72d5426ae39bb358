//! Parts of selection and expansion by their definitions: SLIDES (*More MCTS Modifications*) and GVGAI-THESIS 3.2 and
//! 3.3, for whole trees.

use regulus_game::{Engine, Moves, Step};
use regulus_search::config::{Decisive, TreePolicy};
use regulus_search::numeric;
use regulus_search::video::Selection;

use super::{Edge, Paper, Submove};

/// All results behind an edge, added up.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub squares: f64,
    pub least: f64,
    pub greatest: f64,
    /// The score of the player after the move with which the edge was tried, from 0 to 1.
    pub prior: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Spread { squares: 0.0, least: f64::INFINITY, greatest: f64::NEG_INFINITY, prior: 0.0 }
    }
}

impl Spread {
    pub fn add(&mut self, points: f64) {
        self.squares += points * points;
        self.least = self.least.min(points);
        self.greatest = self.greatest.max(points);
    }
}

/// What happens at a node.
pub enum Next {
    Expand,
    /// A child by its place.
    Follow(usize),
}

impl<E: Engine> Paper<E> {
    fn has_parts(&self) -> bool {
        let decisive = self.config.tree_policy.decisive;
        self.config.tree_policy != TreePolicy { decisive, ..TreePolicy::default() }
    }

    pub(super) fn next(&mut self, v: usize) -> Next {
        if let Some(next) = self.allocated(v) {
            return next;
        }
        if self.has_parts() {
            return self.next_by_parts(v);
        }
        match self.untried(v).is_empty() {
            true => Next::Follow(self.uct(v)),
            false => Next::Expand,
        }
    }

    fn next_by_parts(&mut self, v: usize) -> Next {
        let parts = self.config.tree_policy;
        let (tried, untried) = (self.nodes[v].children.len(), self.untried(v).len());
        let visits = f64::from(self.nodes[v].iterations);
        let allowed = self.children_that_count(visits, tried + untried);
        let can_grow = untried > 0 && tried < allowed;
        let epsilon = match parts.selection {
            Some(Selection::EpsilonGreedy { epsilon }) => Some(epsilon),
            Some(Selection::DecreasingEpsilon) => Some(1.0 / f64::from(self.iterations_of_turn)),
            Some(Selection::Random) => Some(1.0),
            _ => None,
        };
        // All are tried first; with epsilon only where chance hits them, with urgency only where it is urgent.
        let random = matches!(parts.selection, Some(Selection::Random));
        let all_first = (epsilon.is_none() || random) && parts.urgency.is_none();
        if tried == 0 || (can_grow && all_first) {
            return Next::Expand;
        }
        if parts.widening.name == "unpruning" && visits == parts.widening.number("threshold") {
            self.put_best_first(v);
        }
        let considered = tried.min(allowed);
        if let Some(epsilon) = epsilon
            && numeric::unit(&mut self.random) < epsilon
        {
            let among = if untried > 0 { allowed } else { considered };
            let number = self.random.below(among as u64) as usize;
            return if number < tried { Next::Follow(number) } else { Next::Expand };
        }
        let values: Vec<f64> = (0..considered).map(|i| self.value(v, i, &parts)).collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<usize> = (0..considered).filter(|i| values[*i] == best).collect();
        let chosen = match ties.len() {
            1 => ties[0],
            n => ties[self.random.below(n as u64) as usize],
        };
        let said = |key| parts.urgency.number(key);
        let urgent = match parts.urgency.name {
            "first_play" => said("value") > best,
            "partial_expansion" => {
                said("k") + said("c") * (2.0 * numeric::ln(visits) / (1.0 + tried as f64)).sqrt()
                    > best
            }
            _ => false,
        };
        if urgent && can_grow { Next::Expand } else { Next::Follow(chosen) }
    }

    /// Widening: the k-th child is there after t_(k-1) visits, t_0 = 0, t_(k+1) = t_k + A B^k. Unpruning: after T
    /// visits k_init children count, the k-th again after A B^(k - k_init) visits.
    fn children_that_count(&self, visits: f64, all: usize) -> usize {
        let widening = self.config.tree_policy.widening;
        let [a, b] = ["a", "b"].map(|key| widening.number(key));
        match widening.name {
            "widening" => {
                let t = |k: usize| (0..k as i32).map(|i| a * b.powi(i)).sum::<f64>();
                (1..=all).filter(|k| visits >= t(k - 1)).count()
            }
            "unpruning" => {
                let [threshold, k_init] = ["threshold", "k_init"].map(|key| widening.number(key));
                let counts = |k: &usize| {
                    visits < threshold
                        || *k as f64 <= k_init
                        || visits > a * b.powi(*k as i32 - k_init as i32)
                };
                (1..=all).filter(counts).count()
            }
            _ => all,
        }
    }

    /// The best of those that are left changes places with the first of them.
    fn put_best_first(&mut self, v: usize) {
        let mean = |paper: &Self, i: usize| {
            let child = &paper.nodes[paper.nodes[v].children[i].node.expect("tried")];
            child.score_sum / f64::from(child.iterations)
        };
        for i in 0..self.nodes[v].children.len() {
            let mut best = i;
            for j in i + 1..self.nodes[v].children.len() {
                if mean(self, j) > mean(self, best) {
                    best = j;
                }
            }
            self.nodes[v].children.swap(i, best);
        }
    }

    fn value(&self, v: usize, i: usize, parts: &TreePolicy) -> f64 {
        let node = &self.nodes[v];
        let edge: &Edge = &node.children[i];
        let child = &self.nodes[edge.node.expect("tried")];
        let scale = 1.0 / f64::from(self.engine.score_bound(node.player));
        let (big_n, n) = (f64::from(node.iterations), f64::from(child.iterations));
        let own = child.score_sum * scale / n;
        let mut mean = own;
        if parts.mixmax > 0.0 {
            mean = parts.mixmax * child.spread.greatest * scale + (1.0 - parts.mixmax) * mean;
        }
        if let Some((beta, amaf)) = self.weighed_amaf(v, edge) {
            mean = (1.0 - beta) * mean + beta * amaf;
        }
        // That of the scores, whatever the mean was mixed with. Rounded as in the search: equal values must be
        // equal here, too.
        let squares = child.spread.squares * scale * scale + n * (mean * mean - own * own);
        let variance = squares / n - mean * mean;
        let deviation = squares - n * mean * mean;
        let confidence = (numeric::ln(big_n) / n).sqrt();
        let action = || self.mast_score(node.player, &node.context, &edge.submove);
        let mut value =
            match parts.selection.unwrap_or(Selection::Uct { c: self.config.exploration }) {
                Selection::Uct { c } => mean + c * confidence,
                Selection::AdaptiveC { c, .. } => {
                    mean + c * (child.spread.greatest - child.spread.least) * scale * confidence
                }
                Selection::Ucb1Tuned => {
                    let bound = variance + (2.0 * numeric::ln(big_n) / n).sqrt();
                    mean + (numeric::ln(big_n) / n * bound.clamp(0.0, 0.25)).sqrt()
                }
                Selection::SinglePlayer { c, d } => {
                    mean + c * confidence + ((deviation.max(0.0) + d) / n).sqrt()
                }
                Selection::ProgressiveHistory { c, w } => {
                    mean + c * confidence + w * action() / (n - n * mean + 1.0)
                }
                Selection::Registered(chosen) => {
                    assert_eq!(chosen.name, "progressive_bias");
                    mean + chosen.number("c") * confidence
                        + chosen.number("w") * action() / (n + 1.0)
                }
                _ => mean,
            };
        if n >= f64::from(parts.score_bias_from) {
            value += parts.score_bias * child.spread.prior / (n + 1.0);
        }
        if !parts.reversal.is_none() {
            let [count, factor] = ["positions", "factor"].map(|key| parts.reversal.number(key));
            let mut way = Vec::new();
            let mut at = Some(v);
            while let Some(u) = at {
                way.extend(
                    self.nodes[u].nodal.then(|| self.engine.position_key(&self.nodes[u].state) | 1),
                );
                at = self.nodes[u].parent;
            }
            let key = self.engine.position_key(&child.state) | 1;
            if child.nodal && way.iter().take(count as usize).any(|passed| *passed == key) {
                value = if parts.reversal.name == "forbidden" { f64::MIN } else { value * factor };
            }
        }
        value
    }

    /// SLIDES, progressive bias: H is computed for a node when it is visited for the n-th time. Here a move is complete whose
    /// last node in the tree is `v`: the score after it is that of all nodes inside it.
    pub(super) fn note_late_score(&mut self, v: usize, state: &E::State) {
        let parts = self.config.tree_policy;
        if parts.score_bias == 0.0 || parts.score_bias_from == 1 {
            return;
        }
        let mut at = v;
        while let Some(parent) = self.nodes[at].parent {
            let player = self.nodes[parent].player;
            if self.nodes[at].iterations + 1 >= parts.score_bias_from
                && self.nodes[at].spread.prior == 0.0
            {
                let score = f64::from(self.engine.score(state, player));
                let bound = f64::from(self.engine.score_bound(player));
                self.nodes[at].spread.prior = score * (1.0 / bound);
            }
            if self.nodes[parent].nodal {
                break;
            }
            at = parent;
        }
    }

    /// Decisive and anti-decisive moves (Teytaud and Teytaud 2010): only winning submoves if there are any; else,
    /// if that is asked for, only those after which the next player cannot win at once, if there are any.
    pub(super) fn keep_decisive(
        &mut self,
        state: &E::State,
        submoves: Vec<Submove>,
    ) -> Vec<Submove> {
        let decisive = self.config.tree_policy.decisive;
        let player = self.engine.player(state);
        if decisive == Decisive::Off {
            return submoves;
        }
        let mut wins = submoves.clone();
        wins.retain(|submove| self.wins(state, submove, player));
        let mut safe = submoves.clone();
        safe.retain(|submove| !self.lets_win(state, submove));
        match (wins.is_empty(), decisive) {
            (false, _) => wins,
            (true, Decisive::WinsAndBlocks) if !safe.is_empty() => safe,
            _ => submoves,
        }
    }

    /// The state after a whole move or the last semimove of one, and whether the game goes on.
    fn after(&mut self, state: &E::State, submove: &[Step]) -> Option<(E::State, bool)> {
        let mut next = state.clone();
        for step in submove {
            let undo = self.engine.apply_step(&mut next, *step)?;
            self.engine.commit(undo);
        }
        if !self.engine.is_nodal(&next) {
            return None;
        }
        let goes_on = self.engine.run_keeper(&mut next).expect("keeper");
        Some((next, goes_on))
    }

    fn moves(&mut self, state: &E::State) -> Vec<Submove> {
        let mut moves = Moves::new();
        self.engine.list(&mut state.clone(), &mut moves).expect("moves");
        moves.iter().map(<[Step]>::to_vec).collect()
    }

    fn wins(&mut self, state: &E::State, submove: &[Step], player: usize) -> bool {
        let Some((next, goes_on)) = self.after(state, submove) else { return false };
        let over = !goes_on || self.moves(&next).is_empty();
        over && self.engine.score(&next, player) == self.engine.score_bound(player)
    }

    fn lets_win(&mut self, state: &E::State, submove: &[Step]) -> bool {
        let Some((next, true)) = self.after(state, submove) else { return false };
        let player = self.engine.player(&next);
        self.moves(&next).iter().any(|reply| self.wins(&next, reply, player))
    }
}
