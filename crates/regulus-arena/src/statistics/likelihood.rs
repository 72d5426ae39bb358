//! The likelihood of superiority.

use super::normal::cdf;
use super::outcomes::Score;

/// How probable it is, after these results and knowing nothing else, that the first agent is the
/// stronger one: by the normal approximation, the probability that a mean of 1/2 would have given a
/// lower result. With single games this is the formula of chess engine tests, Phi((W - L) /
/// sqrt(W + L)), but for the variance, which is the observed one.
pub fn likelihood_of_superiority(score: &Score) -> f64 {
    let above = score.rate - 0.5;
    if score.standard_error > 0.0 {
        cdf(above / score.standard_error)
    } else if above == 0.0 {
        0.5
    } else {
        // All games ended alike: as many coin tosses would have a standard error of 1/2 / sqrt(N).
        cdf(above * 2.0 * (score.games as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Trinomial};

    #[test]
    fn it_is_the_known_formula_for_even_matches() {
        // W - L is small against sqrt(W + L): the observed variance is (W + L) / (4 N).
        let (wins, draws, losses) = (4307.0_f64, 8620.0, 4063.0);
        let score = Trinomial { wins: 4307, draws: 8620, losses: 4063 }.score().expect("games");
        let known = cdf((wins - losses) / (wins + losses).sqrt());
        assert!((likelihood_of_superiority(&score) - known).abs() < 1e-4);
        assert!(draws > 0.0);
    }

    #[test]
    fn it_is_a_half_without_evidence() {
        let even = Pentanomial { pairs: [3, 1, 4, 1, 3] }.score().expect("pairs");
        assert!((likelihood_of_superiority(&even) - 0.5).abs() < 1e-12);
        let same = Pentanomial { pairs: [0, 0, 9, 0, 0] }.score().expect("pairs");
        assert_eq!(likelihood_of_superiority(&same), 0.5);
        let won = Pentanomial { pairs: [0, 0, 0, 0, 9] }.score().expect("pairs");
        assert!(likelihood_of_superiority(&won) > 0.999);
    }
}
