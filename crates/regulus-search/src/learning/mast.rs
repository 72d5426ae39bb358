//! MAST with Gibbs sampling (PPA Algorithms 3 and 5): weights exp(k mean). A move that was never tried has mean 0,
//! unlike in the MAST of [`crate::statistic`], where it has 1.

use regulus_game::Random;

use super::played::Played;
use super::rule::{Outcome, Rule};
use super::wheel::Wheel;
use crate::numeric::exp;

#[derive(Clone, Copy, Debug)]
struct Entry {
    games: f64,
    /// Where there are more scores than winning and losing: their sum, from 0 to 1 each.
    wins: f64,
    /// exp(k wins / games), or the exponent alone.
    weight: f64,
}

/// Larger exponents do not fit into a number: then only their differences at one choice are raised.
const LARGEST: f64 = 600.0;

/// The policy.
pub(super) struct Mast {
    k: f64,
    entries: Vec<Entry>,
    weights: Vec<f64>,
    wheel: Wheel,
}

impl Mast {
    pub(super) fn new(k: f64) -> Self {
        Mast { k, entries: Vec::new(), weights: Vec::new(), wheel: Wheel::default() }
    }

    fn unknown(&self) -> Entry {
        let weight = if self.k > LARGEST { 0.0 } else { 1.0 };
        Entry { games: 0.0, wins: 0.0, weight }
    }
}

impl Rule for Mast {
    fn grow(&mut self, codes: usize) {
        if self.entries.len() < codes {
            self.entries.resize(codes, self.unknown());
        }
    }

    /// Algorithm 3.
    fn choose(&mut self, _: &Played, offered: &[u32], random: &mut Random) -> (usize, f64) {
        let (entries, weights) = (self.entries.as_slice(), &mut self.weights);
        weights.clear();
        weights.extend(offered.iter().map(|code| entries[*code as usize].weight));
        if self.k > LARGEST {
            let highest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            weights.iter_mut().for_each(|w| *w = exp((*w - highest).max(-700.0)));
        }
        self.wheel.draw(&self.weights, random)
    }

    /// Algorithm 5.
    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>) {
        for (i, ply) in played.plies.iter().enumerate() {
            let Some(code) = played.chosen(i).map(|code| code as usize) else { continue };
            if code < outcome.nameless {
                continue;
            }
            let entry = &mut self.entries[code];
            entry.games += 1.0;
            entry.wins += outcome.values[usize::from(ply.player)];
            let exponent = self.k * (entry.wins / entry.games);
            entry.weight = if self.k > LARGEST { exponent } else { exp(exponent) };
        }
    }

    fn forget(&mut self) {
        let unknown = self.unknown();
        self.entries.fill(unknown);
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(k: f64) -> Mast {
        let mut mast = Mast::new(k);
        mast.grow(4);
        let mut played = Played::default();
        for (player, chosen) in [(1, 0), (2, 0), (1, 1)] {
            played.begin(player);
            played.codes.extend(if player == 1 { [1, 2] } else { [3, 0] });
            played.choose(chosen, 0.0);
        }
        mast.adapt(&played, &Outcome { values: &[0.0, 1.0, 0.0], nameless: 0 });
        played.truncate(1);
        mast.adapt(&played, &Outcome { values: &[0.0, 0.0, 1.0], nameless: 0 });
        mast
    }

    #[test]
    fn algorithm_5_by_hand() {
        let weights: Vec<f64> = learned(4.0).entries.iter().map(|e| e.weight.ln()).collect();
        // Untried 0; 1 has one win of two, 2 one of one, 3 none of one.
        let expected = [0.0, 2.0, 4.0, 0.0];
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(weights.iter().zip(&expected).all(close), "{weights:?}");
    }

    /// The published experiments go up to 4096.
    #[test]
    fn a_huge_k_is_greedy() {
        let mut mast = learned(4096.0);
        let mut random = Random::new(1);
        let drawn: Vec<usize> =
            (0..50).map(|_| mast.choose(&Played::default(), &[0, 1, 2], &mut random).0).collect();
        assert!(drawn.iter().all(|i| *i == 2), "{drawn:?}");
    }
}
