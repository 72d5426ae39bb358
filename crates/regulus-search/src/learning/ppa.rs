//! Playout policy adaptation (PPA Algorithms 3 and 4).
//!
//! Kept are not the numbers `policy[code]` but their exponentials, which is what playouts read: adding `d` to a
//! policy number multiplies its weight by exp(d), mostly with a `d` so small that a short polynomial will do.

use regulus_game::Random;

use super::played::{Played, UNKNOWN};
use super::rule::{Outcome, Rule, draw};
use crate::numeric::exp;

/// Weights stay within these: a thousand of them can be added up.
const LOWEST: f64 = 1e-260;
const HIGHEST: f64 = 1e260;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Entry {
    /// exp(policy[code]).
    weight: f64,
    /// What will be added to policy[code]: `polp - policy` of Algorithm 4.
    change: f64,
}

const NEW: Entry = Entry { weight: 1.0, change: 0.0 };

/// The policy.
pub(super) struct Ppa {
    alpha: f64,
    entries: Vec<Entry>,
    weights: Vec<f64>,
}

impl Ppa {
    pub(super) fn new(alpha: f64) -> Self {
        Ppa { alpha, entries: Vec::new(), weights: Vec::new() }
    }
}

/// e to the power of a number of any size, as far as a weight needs it.
#[inline]
fn factor(x: f64) -> f64 {
    if x.abs() > 1.0 / 16.0 {
        return exp(x.clamp(-600.0, 600.0));
    }
    // The terms left out are below 2^-47 of the sum.
    let (a, b) = (1.0 + x, 0.5 + x * (1.0 / 6.0));
    let (c, d) = (1.0 / 24.0 + x * (1.0 / 120.0), 1.0 / 720.0 + x * (1.0 / 5040.0));
    let square = x * x;
    a + square * (b + square * (c + square * d))
}

impl Rule for Ppa {
    fn grow(&mut self, codes: usize) {
        if self.entries.len() < codes {
            self.entries.resize(codes, NEW);
        }
    }

    /// Algorithm 3 with k = 1.
    fn choose(&mut self, _: &Played, offered: &[u32], random: &mut Random) -> (usize, f64) {
        self.weights.clear();
        let entries = self.entries.as_slice();
        self.weights.extend(offered.iter().map(|code| entries[*code as usize].weight));
        let total = self.weights.iter().sum();
        (draw(&self.weights, total, random), total)
    }

    /// Algorithm 4: the gradient is that of the old policy for the whole playout.
    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let learned = |ply: usize| {
            let choice = &played.plies[ply];
            let range = played.offered(ply);
            // A single move is as likely as before.
            let learns = range.len() > 1 && choice.chosen != UNKNOWN;
            (learns && outcome.wins(usize::from(choice.player))).then(|| &played.codes[range])
        };
        for (ply, choice) in played.plies.iter().enumerate() {
            let Some(codes) = learned(ply) else { continue };
            let z = match choice.total {
                0.0 => codes.iter().map(|code| self.entries[*code as usize].weight).sum(),
                total => total,
            };
            let share = self.alpha / z;
            for code in codes {
                let entry = &mut self.entries[*code as usize];
                entry.change -= entry.weight * share;
            }
            let chosen = played.codes[choice.chosen as usize];
            self.entries[chosen as usize].change += self.alpha;
        }
        for ply in 0..played.plies.len() {
            for code in learned(ply).unwrap_or_default() {
                let entry = &mut self.entries[*code as usize];
                if entry.change != 0.0 {
                    let weight = (entry.weight * factor(entry.change)).clamp(LOWEST, HIGHEST);
                    *entry = Entry { weight, change: 0.0 };
                }
            }
        }
        self.entries[..outcome.nameless].fill(NEW);
    }

    fn forget(&mut self) {
        self.entries.fill(NEW);
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
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
        ppa.entries.iter().map(|entry| entry.weight.ln()).collect()
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
        assert_eq!((ppa.entries[1].weight, ppa.entries[2].weight), (HIGHEST, LOWEST));
        let drawn = ppa.choose(&Played::default(), &[2, 1], &mut Random::new(1));
        assert!(drawn.0 == 1 && drawn.1.is_finite());
    }

    #[test]
    fn small_factors_are_right() {
        for i in -100..100 {
            let x = f64::from(i) / 1000.0;
            assert!((factor(x) / x.exp() - 1.0).abs() < 1e-14, "{x}");
        }
    }
}
