//! MAST: scores of actions and choices by them (Algorithm 5), samples (Algorithm 6, lines 3-4 and 10), decay.

use regulus_game::{Engine, Step};
use regulus_search::config::{Decay, Mast, Policy, Untried, Variant};
use regulus_search::numeric;

use super::{Applied, Paper, Submove, concatenate};

/// Samples that lose weight. The decays since the last sample are made up for when the next one comes: after
/// a thousand decays the sums would have vanished in rounding, but the mean has not changed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Weighed {
    sum: f64,
    weight: f64,
    decays: u32,
}

impl Weighed {
    fn lose_weight(&mut self, decays: u32, factor: f64) {
        for _ in self.decays..decays {
            self.sum *= factor;
            self.weight *= factor;
        }
        self.decays = decays;
    }

    fn add(&mut self, value: f64, decays: u32, factor: f64) {
        self.lose_weight(decays, factor);
        self.sum += value;
        self.weight += 1.0;
    }

    /// Simulation decay of GVGAI-THESIS 3.3.2, at once.
    fn lose_weight_at_once(&mut self, factor: f64) {
        self.sum *= factor;
        self.weight *= factor;
    }

    fn weight(mut self, decays: u32, factor: f64) -> f64 {
        self.lose_weight(decays, factor);
        self.weight
    }
}

impl<E: Engine> Paper<E> {
    pub(super) fn choose_untried(&mut self, v: usize, applied: &[Applied]) -> usize {
        if let Some(allocated) = self.allocated_untried(v) {
            return allocated;
        }
        if self.config.untried == Untried::Listed {
            return 0;
        }
        let guide = self.config.mast.filter(|m| m.in_expansion);
        let candidates: Vec<Submove> = self.untried(v).iter().map(|e| e.submove.clone()).collect();
        let (player, context) = (self.nodes[v].player, self.nodes[v].context.clone());
        if self.config.replies.is_some_and(|replies| replies.in_expansion)
            && let Some(reply) = self.reply(&self.actions(applied), player, &candidates)
        {
            return reply;
        }
        self.choose(guide, player, &context, &candidates)
    }

    pub(super) fn choose(
        &mut self,
        guide: Option<Mast>,
        player: usize,
        context: &[Step],
        candidates: &[Submove],
    ) -> usize {
        if candidates.len() == 1 {
            return 0;
        }
        if let Some(mast) = guide
            && !self.ignores_scores(mast.policy)
        {
            return self.choose_by_scores(&mast, player, context, candidates);
        }
        self.random.below(candidates.len() as u64) as usize
    }

    /// Algorithm 5, line 2.
    pub(super) fn ignores_scores(&mut self, policy: Policy) -> bool {
        match policy {
            Policy::EpsilonGreedy { epsilon } => numeric::unit(&mut self.random) < epsilon,
            _ => false,
        }
    }

    pub(super) fn choose_by_scores(
        &mut self,
        mast: &Mast,
        player: usize,
        context: &[Step],
        candidates: &[Submove],
    ) -> usize {
        let scores: Vec<f64> =
            candidates.iter().map(|c| self.mast_score(player, context, c)).collect();
        self.choose_by(mast.policy, scores)
    }

    pub(super) fn choose_by(&mut self, policy: Policy, scores: Vec<f64>) -> usize {
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = match policy {
            Policy::EpsilonGreedy { .. } => {
                let ties: Vec<usize> = (0..scores.len()).filter(|i| scores[*i] == best).collect();
                return match ties.len() {
                    1 => ties[0],
                    n => ties[self.random.below(n as u64) as usize],
                };
            }
            Policy::Gibbs { temperature } => {
                scores.iter().map(|s| numeric::exp((s - best) / temperature)).collect()
            }
            _ => scores,
        };
        let total: f64 = weights.iter().sum();
        if total == 0.0 {
            return self.random.below(weights.len() as u64) as usize;
        }
        let mut rest = numeric::unit(&mut self.random) * total;
        for (i, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return i;
            }
            rest -= weight;
        }
        // Rounding: the last that can be drawn.
        weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
    }

    pub(super) fn resolved_mast(&self) -> Option<Variant> {
        self.config.mast.map(|m| self.config.resolved(m.variant))
    }

    fn weight(&self, samples: Weighed) -> f64 {
        samples
            .weight(self.decays, self.config.mast.map_or(1.0, |m| m.decay.factor().unwrap_or(1.0)))
    }

    pub(super) fn mast_score(&self, player: usize, context: &[Step], submove: &[Step]) -> f64 {
        let mean = |s: Option<&Weighed>| s.map(|s| s.sum / s.weight);
        let split = || {
            let means: Option<Vec<f64>> =
                submove.iter().map(|s| mean(self.mast_split.get(&(player, *s)))).collect();
            means.map_or(1.0, |m| m.iter().sum::<f64>() / m.len() as f64)
        };
        let whole = self.mast.get(&(player, concatenate(context, submove)));
        match self.resolved_mast() {
            Some(Variant::Split) => split(),
            Some(Variant::Mix { threshold }) => match whole {
                Some(samples) if self.weight(*samples) >= f64::from(threshold) => {
                    samples.sum / samples.weight
                }
                _ => split(),
            },
            _ => mean(whole).unwrap_or(1.0),
        }
    }

    pub(super) fn update_mast(&mut self, scores: &[u32], applied: &[Applied]) {
        let Some(mast) = self.config.mast else { return };
        let variant = self.resolved_mast();
        let factor = mast.decay.factor().unwrap_or(1.0);
        let (mut whole_or_prefix, mut semimoves) = (Vec::new(), Vec::new());
        for m in applied {
            let decays = self.decays;
            let value =
                f64::from(scores[m.player]) * (1.0 / f64::from(self.engine.score_bound(m.player)));
            let steps = if mast.tree_only { &m.steps[..m.in_tree] } else { &m.steps[..] };
            for (i, step) in steps.iter().enumerate() {
                let whole = i + 1 == m.steps.len();
                if variant != Some(Variant::Join) || whole {
                    let prefix = concatenate(&[], &steps[..=i]);
                    let samples = self.mast.entry((m.player, prefix)).or_default();
                    samples.add(value, decays, factor);
                    whole_or_prefix.push((m.player, concatenate(&[], &steps[..=i])));
                }
                let samples = self.mast_split.entry((m.player, *step)).or_default();
                samples.add(value, decays, factor);
                semimoves.push((m.player, *step));
            }
            // THESIS 2.2.4: after each played move. Without steps it is no sample.
            let after_moves = matches!(mast.decay, Decay::SimulatedMove { .. });
            self.decays += u32::from(after_moves && !steps.is_empty());
        }
        if matches!(mast.decay, Decay::Played { .. }) {
            for played in whole_or_prefix {
                self.mast.entry(played).or_default().lose_weight_at_once(factor);
            }
            for played in semimoves {
                self.mast_split.entry(played).or_default().lose_weight_at_once(factor);
            }
        }
        self.simulations += 1;
        let now = match mast.decay {
            Decay::Simulation { .. } => true,
            Decay::Batch { simulations, .. } => self.simulations.is_multiple_of(simulations),
            _ => false,
        };
        self.decays += u32::from(now);
    }

    /// Move decay: a move of the game has been played.
    pub(super) fn count_move(&mut self) {
        let by_move = |m: Mast| matches!(m.decay, Decay::Move { .. });
        self.decays += u32::from(self.config.mast.is_some_and(by_move));
    }
}
