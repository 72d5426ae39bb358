//! Roulette wheel: probability proportional to the score.

use regulus_game::Random;

use super::gibbs::draw;
use super::{Choice, Entry};

pub(super) const ENTRY: Entry = Entry {
    name: "roulette",
    summary: "probability proportional to the score",
    make: |_| Box::new(Roulette),
};

struct Roulette;

impl Choice for Roulette {
    fn ignores_scores(&mut self, _: &mut Random) -> bool {
        false
    }

    fn choose(&mut self, scores: &[f64], random: &mut Random) -> usize {
        draw(scores, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_with_score_zero_unless_all_are() {
        let mut random = Random::new(5);
        assert!((0..1000).all(|_| Roulette.choose(&[0.0, 0.3, 0.0], &mut random) == 1));
        assert!((0..1000).any(|_| Roulette.choose(&[0.0, 0.0, 0.0], &mut random) == 2));
    }
}
