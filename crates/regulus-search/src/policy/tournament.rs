//! Tournament: the best of some random actions; the parameter says how many.

use regulus_game::Random;

use super::{Choice, Entry};

pub(super) const ENTRY: Entry = Entry {
    name: "tournament",
    summary: "the best of some random actions; the parameter says how many",
    make: |size| Box::new(Tournament { size: size.clamp(1.0, 1e6) as usize }),
};

struct Tournament {
    size: usize,
}

impl Choice for Tournament {
    /// True when no scores are needed this time: then none are computed.
    fn ignores_scores(&mut self, _: &mut Random) -> bool {
        self.size == 1
    }

    fn choose(&mut self, scores: &[f64], random: &mut Random) -> usize {
        let mut draw = || random.below(scores.len() as u64) as usize;
        let first = draw();
        (1..self.size).map(|_| draw()).fold(first, |a, b| if scores[b] > scores[a] { b } else { a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of four is drawn unless both draws miss it: 1 - (3/4)^2.
    #[test]
    fn the_better_of_two_wins() {
        let mut random = Random::new(2);
        let mut tournament = Tournament { size: 2 };
        let scores = [0.1, 0.4, 0.9, 0.3];
        let draws = 20_000;
        let best = (0..draws).filter(|_| tournament.choose(&scores, &mut random) == 2).count();
        assert!((best as f64 / f64::from(draws) - 7.0 / 16.0).abs() < 0.015, "{best}");
    }
}
