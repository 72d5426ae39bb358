//! Confidence intervals of a win rate.

use serde::Serialize;

/// An interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Mean plus and minus `z` standard errors: the interval of the papers' tables. It is too short for few
/// games, and has no length if all games end alike.
pub fn normal_interval(mean: f64, standard_error: f64, z: f64) -> Interval {
    Interval { low: mean - z * standard_error, high: mean + z * standard_error }
}

/// E. B. Wilson, *Probable inference, the law of succession, and statistical inference* (1927): the
/// rates from which the observed one is at most `z` standard errors away. `games` need not be whole:
/// where draws or pairs make the variance another than that of coin tosses, it is the number of coin
/// tosses with the same variance (E. L. Korn and B. I. Graubard, *Confidence intervals for proportions
/// with small expected number of positive counts estimated from survey data*, 1998).
pub fn wilson_interval(rate: f64, games: f64, z: f64) -> Interval {
    let part = z * z / games;
    let centre = (rate + part / 2.0) / (1.0 + part);
    let half = z / (1.0 + part) * (rate * (1.0 - rate) / games + part / (4.0 * games)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::normal::Z95;

    fn assert_close(interval: Interval, low: f64, high: f64, tolerance: f64) {
        let found = (interval.low - low).abs().max((interval.high - high).abs());
        assert!(found < tolerance, "{interval:?}");
    }

    /// R. G. Newcombe, *Two-sided confidence intervals for the single proportion* (1998), Table I:
    /// score method without continuity correction.
    #[test]
    fn wilson_gives_the_published_intervals() {
        let wilson = |won: f64, games: f64| wilson_interval(won / games, games, Z95);
        assert_close(wilson(81.0, 263.0), 0.2553, 0.3662, 5e-5);
        assert_close(wilson(15.0, 148.0), 0.0624, 0.1605, 5e-5);
        assert_close(wilson(0.0, 20.0), 0.0, 0.1611, 5e-5);
        assert_close(wilson(1.0, 29.0), 0.0061, 0.1718, 5e-5);
    }

    /// The ends of Wilson's interval are those rates from which the observed one is `z` away.
    #[test]
    fn wilson_inverts_the_score_test() {
        for (rate, games) in [(0.3, 50.0), (0.85, 12.5), (0.5, 1000.0)] {
            let interval = wilson_interval(rate, games, Z95);
            for end in [interval.low, interval.high] {
                let distance = (rate - end).abs() / (end * (1.0 - end) / games).sqrt();
                assert!((distance - Z95).abs() < 1e-9);
            }
        }
    }

    /// Newcombe's Table I, simple asymptotic method.
    #[test]
    fn the_normal_interval_is_the_published_one() {
        let rate = 81.0 / 263.0_f64;
        let error = (rate * (1.0 - rate) / 263.0).sqrt();
        assert_close(normal_interval(rate, error, Z95), 0.2522, 0.3638, 5e-5);
    }
}
