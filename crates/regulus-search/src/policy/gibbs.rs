//! Gibbs sampling: probability proportional to exp(score / temperature).

use regulus_game::Random;

use super::{Choice, Entry};
use crate::numeric::{exp, unit};

pub(super) const ENTRY: Entry = Entry {
    name: "gibbs",
    summary: "probability proportional to exp(score / temperature)",
    make: |temperature| Box::new(Gibbs { temperature, weights: Vec::new() }),
};

struct Gibbs {
    temperature: f64,
    weights: Vec<f64>,
}

impl Choice for Gibbs {
    fn ignores_scores(&mut self, _: &mut Random) -> bool {
        false
    }

    fn choose(&mut self, scores: &[f64], random: &mut Random) -> usize {
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.weights.clear();
        // Relative to the best, so that nothing overflows.
        let weight = |score: &f64| exp(((score - highest) / self.temperature).max(-700.0));
        self.weights.extend(scores.iter().map(weight));
        draw(&self.weights, random)
    }
}

/// An index, with probability proportional to its weight; uniform if all weights are 0.
pub(super) fn draw(weights: &[f64], random: &mut Random) -> usize {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return random.below(weights.len() as u64) as usize;
    }
    let mut rest = unit(random) * total;
    for (i, weight) in weights.iter().enumerate() {
        if rest < *weight {
            return i;
        }
        rest -= weight;
    }
    // Rounding: the last that can be drawn.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_follow_the_formula() {
        let mut random = Random::new(5);
        let mut gibbs = Gibbs { temperature: 0.5, weights: Vec::new() };
        let scores = [1.0, 0.5];
        let first = (0..20_000).filter(|_| gibbs.choose(&scores, &mut random) == 0).count() as f64;
        // e^2 / (e^2 + e)
        let expected = 1.0 / (1.0 + (-1.0f64).exp());
        assert!((first / 20_000.0 - expected).abs() < 0.012, "{first}");
    }
}
