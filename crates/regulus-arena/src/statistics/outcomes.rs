//! Counts of results, with mean and variance.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, normal_interval, wilson_interval};
use super::normal::Z95;

/// A mean result per game, from 0 to 1, and how well it is known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Score {
    /// The mean.
    pub rate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Games.
    pub games: u64,
}

impl Score {
    /// The 95 % interval by the normal approximation.
    pub fn normal(&self) -> Interval {
        normal_interval(self.rate, self.standard_error, Z95)
    }

    /// Wilson's 95 % interval, for the number of coin tosses that have this standard error. If all games
    /// or pairs ended alike that number is unknown, and the number of games is taken.
    pub fn wilson(&self) -> Interval {
        let variance = self.standard_error * self.standard_error;
        let tosses = self.rate * (1.0 - self.rate) / variance;
        let is_known = variance > 0.0 && tosses > 0.0;
        wilson_interval(self.rate, if is_known { tosses } else { self.games as f64 }, Z95)
    }
}

/// Mean and variance of a distribution over equally spaced results from 0 to 1, as counts.
fn moments(counts: &[u64]) -> Option<(f64, f64, f64)> {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return None;
    }
    let (n, step) = (total as f64, 1.0 / (counts.len() - 1) as f64);
    let value = |i: usize| i as f64 * step;
    let mean = counts.iter().enumerate().map(|(i, c)| *c as f64 * value(i)).sum::<f64>() / n;
    let square = |i: usize| (value(i) - mean).powi(2);
    let variance = counts.iter().enumerate().map(|(i, c)| *c as f64 * square(i)).sum::<f64>() / n;
    Some((n, mean, variance))
}

/// Results of single games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trinomial {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Trinomial {
    /// Adds a result: 0, 1/2 or 1.
    pub fn add(&mut self, result: f64) {
        match result {
            r if r > 0.75 => self.wins += 1,
            r if r < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// True without games.
    pub fn is_empty(&self) -> bool {
        self.games() == 0
    }

    /// Counts of the results 0, 1/2, 1.
    pub fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// Mean and standard error, results of games being independent; nothing without games. The variance
    /// of one game is (W + D/4) / N - s^2.
    pub fn score(&self) -> Option<Score> {
        let (n, rate, variance) = moments(&self.counts())?;
        Some(Score { rate, standard_error: (variance / n).sqrt(), games: self.games() })
    }
}

/// Results of pairs of games with swapped seats: 0, 1/2, 1, 3/2 or 2 points. The sum over a pair takes
/// care of what its games have in common (opening, random numbers, the advantage of a seat).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
}

impl Pentanomial {
    /// Adds a pair with its two results.
    pub fn add(&mut self, first: f64, second: f64) {
        let index = ((first + second) * 2.0).round().clamp(0.0, 4.0) as usize;
        self.pairs[index] += 1;
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        2 * self.pairs.iter().sum::<u64>()
    }

    /// Mean per game and its standard error, pairs being independent; nothing without pairs.
    pub fn score(&self) -> Option<Score> {
        let (n, rate, variance) = moments(&self.pairs)?;
        Some(Score { rate, standard_error: (variance / n).sqrt(), games: self.games() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trinomial_variance_has_a_closed_form() {
        let results = Trinomial { wins: 30, draws: 20, losses: 50 };
        let score = results.score().expect("games");
        assert!((score.rate - 0.4).abs() < 1e-15);
        let variance = (30.0 + 20.0 / 4.0) / 100.0 - 0.16;
        assert!((score.standard_error - f64::sqrt(variance / 100.0)).abs() < 1e-15);
        assert_eq!(Trinomial::default().score(), None);
    }

    /// Independent games have the same standard error, whichever way they are counted.
    #[test]
    fn pairs_of_independent_games_agree_with_games() {
        // Won and lost half of the time each: pairs have 0, 1, 2 points as 1 : 2 : 1.
        let games = Trinomial { wins: 100, draws: 0, losses: 100 }.score().expect("games");
        let pairs = Pentanomial { pairs: [25, 0, 50, 0, 25] }.score().expect("pairs");
        assert_eq!((games.rate, games.games), (pairs.rate, pairs.games));
        assert!((games.standard_error - pairs.standard_error).abs() < 1e-15);
    }

    /// If the first seat always wins, the agents are equal for certain; if one agent always wins both
    /// games of a pair, a pair tells no more than one game.
    #[test]
    fn pairs_know_what_their_games_have_in_common() {
        let equal = Pentanomial { pairs: [0, 0, 50, 0, 0] }.score().expect("pairs");
        assert_eq!((equal.rate, equal.standard_error), (0.5, 0.0));
        let same = Pentanomial { pairs: [50, 0, 0, 0, 50] }.score().expect("pairs");
        let single = Trinomial { wins: 50, draws: 0, losses: 50 }.score().expect("games");
        assert_eq!(same.standard_error, single.standard_error);
    }

    #[test]
    fn intervals_of_coin_tosses_are_wilsons() {
        let score = Trinomial { wins: 81, draws: 0, losses: 182 }.score().expect("games");
        let interval = score.wilson();
        assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5);
        let all = Trinomial { wins: 20, draws: 0, losses: 0 }.score().expect("games");
        assert!((all.wilson().low - 0.8389).abs() < 5e-5);
        // Draws make results more certain.
        let drawn = Trinomial { wins: 20, draws: 60, losses: 20 }.score().expect("games");
        let tossed = Trinomial { wins: 50, draws: 0, losses: 50 }.score().expect("games");
        assert!(drawn.wilson().low > tossed.wilson().low);
    }

    #[test]
    fn results_are_sorted_into_their_places() {
        let mut pairs = Pentanomial::default();
        for (a, b) in [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)] {
            pairs.add(a, b);
        }
        assert_eq!(pairs.pairs, [1, 1, 2, 1, 1]);
        let mut games = Trinomial::default();
        [0.0, 0.5, 1.0, 1.0].into_iter().for_each(|r| games.add(r));
        assert_eq!(games, Trinomial { wins: 2, draws: 1, losses: 1 });
    }
}
