//! Epsilon-greedy (THESIS Algorithm 5, lines 1-6).

use regulus_game::Random;

use super::{Choice, Entry};
use crate::numeric::unit;
use crate::statistic::best;

pub(super) const ENTRY: Entry = Entry {
    name: "epsilon_greedy",
    summary: "with probability epsilon any action, else one of the best",
    make: |epsilon| Box::new(EpsilonGreedy { epsilon }),
};

pub(super) fn uniform() -> Box<dyn Choice> {
    Box::new(EpsilonGreedy { epsilon: 1.0 })
}

struct EpsilonGreedy {
    epsilon: f64,
}

impl Choice for EpsilonGreedy {
    fn ignores_scores(&mut self, random: &mut Random) -> bool {
        unit(random) < self.epsilon
    }

    /// One of the best, each with the same probability.
    fn choose(&mut self, scores: &[f64], random: &mut Random) -> usize {
        best(scores, random).unwrap_or(0)
    }

    fn is_greedy(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_equally_likely() {
        let mut random = Random::new(3);
        let mut counts = [0; 4];
        for _ in 0..3000 {
            counts[best(&[0.5, 0.9, 0.1, 0.9], &mut random).unwrap_or(0)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((1300..1700).contains(&counts[1]), "{counts:?}");
    }
}
