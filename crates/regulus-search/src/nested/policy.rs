//! Playout policies: a weight for every code of a move.

use crate::numeric::{exp, unit};
use regulus_game::Random;

use super::sequence::Sequence;

/// Weights beyond this count as this: the exponential of a sum of them is still a number.
const MAX_WEIGHT: f64 = 600.0;

/// The code of all moves that there was no memory for: it is never adapted.
pub(super) const OTHERS: u32 = 0;

/// The weights of all codes, beside them their exponentials, so that playouts need not compute any.
/// Codes that it does not know yet have the weight 0.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Policy {
    weights: Vec<f64>,
    exponentials: Vec<f64>,
}

impl Policy {
    /// Forgets everything: all codes have the weight 0.
    pub(super) fn clear(&mut self) {
        self.weights.clear();
        self.exponentials.clear();
    }

    /// Becomes a copy of another, in the memory it has.
    pub(super) fn copy(&mut self, other: &Policy) {
        self.weights.clone_from(&other.weights);
        self.exponentials.clone_from(&other.exponentials);
    }

    #[inline(always)]
    pub(super) fn exponential(&self, code: u32) -> f64 {
        self.exponentials.get(code as usize).copied().unwrap_or(1.0)
    }

    /// Draws one of some codes with the probability of its softmax; `total` is the sum of their
    /// exponentials. Gives its index.
    #[inline]
    pub(super) fn draw(&self, codes: &[u32], total: f64, random: &mut Random) -> usize {
        let mut rest = unit(random) * total;
        let last = codes.len() - 1;
        for (i, code) in codes[..last].iter().enumerate() {
            rest -= self.exponential(*code);
            if rest < 0.0 {
                return i;
            }
        }
        last
    }

    /// PPA, Algorithm 1. `weights` are polp and `exponentials` those of the policy as it was: they follow
    /// when all moves of the sequence are learned.
    pub(super) fn adapt(&mut self, sequence: &Sequence, alpha: f64, touched: &mut Touched) {
        let codes = sequence.code_count();
        if self.weights.len() < codes {
            self.weights.resize(codes, 0.0);
            self.exponentials.resize(codes, 1.0);
        }
        touched.begin(self.weights.len());
        for (codes, chosen) in sequence.choices() {
            self.weights[codes[chosen] as usize] += alpha;
            let z: f64 = codes.iter().map(|code| self.exponentials[*code as usize]).sum();
            let scale = alpha / z;
            for code in codes {
                self.weights[*code as usize] -= scale * self.exponentials[*code as usize];
                touched.add(*code);
            }
        }
        for code in &touched.codes {
            let weight = self.weights[*code as usize];
            self.exponentials[*code as usize] = exp(weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        if let (Some(weight), Some(exponential)) =
            (self.weights.get_mut(OTHERS as usize), self.exponentials.get_mut(OTHERS as usize))
        {
            (*weight, *exponential) = (0.0, 1.0);
        }
    }

    #[cfg(test)]
    pub(super) fn weight(&self, code: u32) -> f64 {
        self.weights.get(code as usize).copied().unwrap_or(0.0)
    }
}

/// Which codes an adaptation has changed.
#[derive(Clone, Default, Debug)]
pub(super) struct Touched {
    codes: Vec<u32>,
    /// The adaptation that a code was changed in last.
    rounds: Vec<u64>,
    round: u64,
}

impl Touched {
    fn begin(&mut self, codes: usize) {
        self.codes.clear();
        self.round += 1;
        if self.rounds.len() < codes {
            self.rounds.resize(codes, 0);
        }
    }

    #[inline]
    fn add(&mut self, code: u32) {
        let round = &mut self.rounds[code as usize];
        if *round != self.round {
            *round = self.round;
            self.codes.push(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two moves by hand. In the first position codes 1 and 2 are possible and 1 is played, in the second 1,
    /// 3 and 4 and 3 is played. With all weights 0 the possible moves lose 1/2 each, then 1/3 each, and what
    /// was played gains 1.
    #[test]
    fn the_first_adaptation_by_hand() {
        let sequence = Sequence::of_codes(&[(&[1, 2], 0), (&[1, 3, 4], 1)]);
        let (mut policy, mut touched) = (Policy::default(), Touched::default());
        policy.adapt(&sequence, 1.0, &mut touched);
        let expected = [1.0 - 0.5 - 1.0 / 3.0, -0.5, 1.0 - 1.0 / 3.0, -1.0 / 3.0];
        for (code, weight) in (1..).zip(expected) {
            assert!((policy.weight(code) - weight).abs() < 1e-15, "{code}");
            assert!((policy.exponential(code) / weight.exp() - 1.0).abs() < 1e-13);
        }
        assert_eq!((policy.weight(5), policy.exponential(5)), (0.0, 1.0));
    }

    /// The gradient of every move is that of the old policy, even where an earlier move has changed the same
    /// code: with weights (ln 3, 0) a played 1 gains 1 - 3/4, twice.
    #[test]
    fn gradients_use_the_old_policy() {
        let mut policy =
            Policy { weights: vec![0.0, 3f64.ln(), 0.0], exponentials: vec![1.0, 3.0, 1.0] };
        let sequence = Sequence::of_codes(&[(&[1, 2], 0), (&[2, 1], 1)]);
        policy.adapt(&sequence, 2.0, &mut Touched::default());
        assert!((policy.weight(1) - (3f64.ln() + 2.0 * 2.0 * 0.25)).abs() < 1e-14);
        assert!((policy.weight(2) - -(2.0 * 2.0 * 0.25)).abs() < 1e-14);
    }

    #[test]
    fn draws_follow_the_softmax() {
        let policy = Policy { weights: vec![0.0; 3], exponentials: vec![1.0, 6.0, 3.0] };
        let mut random = Random::new(5);
        let mut counts = [0u32; 3];
        for _ in 0..10_000 {
            counts[policy.draw(&[2, 0, 1], 10.0, &mut random)] += 1;
        }
        // Four standard deviations of a binomial distribution are below 200.
        for (count, expected) in counts.into_iter().zip([3000, 1000, 6000]) {
            assert!(count.abs_diff(expected) < 200, "{counts:?}");
        }
    }

    #[test]
    fn weights_without_bound_stay_numbers() {
        let sequence = Sequence::of_codes(&[(&[1, 2], 0)]);
        let (mut policy, mut touched) = (Policy::default(), Touched::default());
        for _ in 0..100 {
            policy.adapt(&sequence, 100.0, &mut touched);
        }
        assert!(policy.exponential(1).is_finite() && policy.exponential(2) > 0.0);
        assert_eq!(policy.draw(&[2, 1], policy.exponential(1), &mut Random::new(1)), 1);
    }

    #[test]
    fn moves_without_a_code_of_their_own_are_not_learned() {
        let sequence = Sequence::of_codes(&[(&[OTHERS, 1, OTHERS], 0)]);
        let mut policy = Policy::default();
        policy.adapt(&sequence, 1.0, &mut Touched::default());
        assert_eq!((policy.weight(OTHERS), policy.exponential(OTHERS)), (0.0, 1.0));
        assert!((policy.weight(1) + 1.0 / 3.0).abs() < 1e-15);
    }
}
