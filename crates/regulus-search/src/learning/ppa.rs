//! Playout policy adaptation (PPA Algorithms 3 and 4).
//!
//! Kept are not the numbers `policy[code]` but their exponentials, which is what playouts read: adding `d` to a
//! policy number multiplies its weight by exp(d), mostly with a `d` so small that a short polynomial will do. The
//! gradient is that of the old policy for the whole playout: its weights are kept choice by choice, side by side,
//! and the new ones are found in one pass.

use std::ops::Range;
use std::sync::LazyLock;

use regulus_game::Random;

use super::played::{Played, UNKNOWN};
use super::rule::{Outcome, Rule};
use super::wheel::{Wheel, sum};
use crate::numeric::exp;

/// Weights stay within these: a thousand of them can be added up.
const LOWEST: f64 = 1e-260;
const HIGHEST: f64 = 1e260;

/// The policy.
pub(super) struct Ppa {
    alpha: f64,
    /// exp(policy[code]).
    weights: Vec<f64>,
    /// The weights of what was offered in this iteration, beside the codes of [`Played`], where they were asked for.
    offered: Vec<f64>,
    /// Their sums for choices that were not drawn by them.
    totals: Vec<f64>,
    wheel: Wheel,
}

impl Ppa {
    pub(super) fn new(alpha: f64) -> Self {
        let (weights, offered, totals) = (Vec::new(), Vec::new(), Vec::new());
        Ppa { alpha, weights, offered, totals, wheel: Wheel::default() }
    }

    /// Keeps the weights of a choice.
    #[inline]
    fn keep(&mut self, range: Range<usize>, codes: &[u32]) {
        if self.offered.len() < range.end {
            self.offered.resize(range.end, 0.0);
        }
        let weights = self.weights.as_slice();
        for (kept, code) in self.offered[range].iter_mut().zip(codes) {
            *kept = weights[*code as usize];
        }
    }
}

/// Steps of the table in 1, and how far it reaches.
const STEPS: f64 = 16.0;
const REACH: f64 = 8.0;

/// e to the power of the steps from -REACH to REACH.
static POWERS: LazyLock<[f64; 257]> =
    LazyLock::new(|| std::array::from_fn(|i| exp(i as f64 / STEPS - REACH)));

/// e to the power of a number of any size, as far as a weight needs it.
#[inline]
fn factor(x: f64, powers: &[f64; 257]) -> f64 {
    if x.abs() <= 0.5 / STEPS {
        return small_factor(x);
    }
    if x.abs() >= REACH {
        return exp(x.clamp(-600.0, 600.0));
    }
    let step = ((x + REACH) * STEPS + 0.5) as usize;
    powers[step] * small_factor(x - (step as f64 / STEPS - REACH))
}

/// e to the power of a number of at most half a step; the terms left out are below 2^-46 of the sum.
#[inline]
fn small_factor(x: f64) -> f64 {
    let square = x * x;
    let (a, b) = (1.0 + x, 0.5 + x * (1.0 / 6.0));
    let c = 1.0 / 24.0 + x * (1.0 / 120.0) + square * (1.0 / 720.0);
    a + square * (b + square * c)
}

impl Rule for Ppa {
    fn grow(&mut self, codes: usize) {
        if self.weights.len() < codes {
            self.weights.resize(codes, 1.0);
        }
    }

    fn learns_from_others(&self) -> bool {
        true
    }

    /// Algorithm 3 with k = 1.
    fn choose(&mut self, played: &Played, offered: &[u32], random: &mut Random) -> (usize, f64) {
        let end = played.codes.len().max(offered.len());
        let range = end - offered.len()..end;
        self.keep(range.clone(), offered);
        self.wheel.draw(&self.offered[range], random)
    }

    /// Algorithm 4.
    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let learned = |ply: usize| {
            let choice = &played.plies[ply];
            let range = played.offered(ply);
            // A single move is as likely as before.
            let learns = range.len() > 1 && choice.chosen != UNKNOWN;
            (learns && outcome.wins(usize::from(choice.player))).then_some(range)
        };
        self.totals.clear();
        for (ply, choice) in played.plies.iter().enumerate() {
            let mut total = choice.total;
            if total == 0.0
                && let Some(range) = learned(ply)
            {
                self.keep(range.clone(), &played.codes[range.clone()]);
                total = sum(&self.offered[range]);
            }
            self.totals.push(total);
        }
        let (weights, powers) = (self.weights.as_mut_slice(), &*POWERS);
        for (ply, choice) in played.plies.iter().enumerate() {
            let Some(range) = learned(ply) else { continue };
            let share = -self.alpha / self.totals[ply];
            for (code, old) in played.codes[range.clone()].iter().zip(&self.offered[range]) {
                let weight = &mut weights[*code as usize];
                *weight = (*weight * factor(old * share, powers)).clamp(LOWEST, HIGHEST);
            }
            let weight = &mut weights[played.codes[choice.chosen as usize] as usize];
            *weight = (*weight * factor(self.alpha, powers)).clamp(LOWEST, HIGHEST);
        }
        weights[..outcome.nameless].fill(1.0);
    }

    fn forget(&mut self) {
        self.weights.fill(1.0);
    }

    fn bytes(&self) -> usize {
        (self.weights.capacity() + self.offered.capacity()) * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice of a player among codes.
    fn ply(played: &mut Played, player: usize, codes: &[u32], chosen: usize) {
        played.begin(player);
        played.codes.extend_from_slice(codes);
        played.choose(chosen, 0.0);
    }

    fn policy(ppa: &Ppa) -> Vec<f64> {
        ppa.weights.iter().map(|weight| weight.ln()).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(found.iter().zip(expected).all(close), "{found:?} {expected:?}");
    }

    #[test]
    fn algorithm_4_with_two_and_three_moves_by_hand() {
        let mut ppa = Ppa::new(0.5);
        ppa.grow(6);
        let mut played = Played::default();
        ply(&mut played, 1, &[1, 2], 0);
        ply(&mut played, 2, &[4, 5], 1);
        ply(&mut played, 1, &[1, 2, 3], 2);
        let outcome = Outcome { values: &[0.0, 1.0, 0.0], nameless: 1 };
        ppa.adapt(&played, &outcome);
        // Both choices with the old policy, in which all are equal: halves and thirds.
        let half = 0.5 / 2.0;
        let third = 0.5 / 3.0;
        let first = [0.0, 0.5 - half - third, -half - third, 0.5 - third, 0.0, 0.0];
        assert_close(&policy(&ppa), &first);
        // Once more: now the gradient is that of the new policy.
        let w: Vec<f64> = first.iter().map(|p| p.exp()).collect();
        let (two, three) = (w[1] + w[2], w[1] + w[2] + w[3]);
        let down = |i: usize| 0.5 * w[i];
        let second = [
            0.0,
            first[1] + 0.5 - down(1) / two - down(1) / three,
            first[2] - down(2) / two - down(2) / three,
            first[3] + 0.5 - down(3) / three,
        ];
        ppa.adapt(&played, &outcome);
        assert_close(&policy(&ppa), &second);
        // The loser learns nothing, and nobody learns from a draw.
        ppa.adapt(&played, &Outcome { values: &[0.0, 0.5, 0.5], nameless: 1 });
        assert_close(&policy(&ppa), &second);
        ppa.forget();
        assert_close(&policy(&ppa), &[0.0; 6]);
    }

    #[test]
    fn several_winners_learn() {
        let outcome = Outcome { values: &[0.0, 0.7, 0.2, 0.7], nameless: 0 };
        assert!(outcome.wins(1) && !outcome.wins(2) && outcome.wins(3));
    }

    #[test]
    fn weights_stay_finite() {
        let mut ppa = Ppa::new(100.0);
        ppa.grow(3);
        let mut played = Played::default();
        (0..50).for_each(|_| ply(&mut played, 1, &[1, 2], 0));
        (0..10)
            .for_each(|_| ppa.adapt(&played, &Outcome { values: &[0.0, 1.0, 0.0], nameless: 1 }));
        assert_eq!((ppa.weights[1], ppa.weights[2]), (HIGHEST, LOWEST));
        let drawn = ppa.choose(&Played::default(), &[2, 1], &mut Random::new(1));
        assert!(drawn.0 == 1 && drawn.1.is_finite());
    }

    #[test]
    fn factors_are_right() {
        for i in -2000..2000 {
            let x = f64::from(i) / 173.0;
            assert!((factor(x, &POWERS) / x.exp() - 1.0).abs() < 4e-14, "{x}");
        }
    }
}
