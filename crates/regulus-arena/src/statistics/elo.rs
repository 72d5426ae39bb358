//! Differences in strength on the Elo scale: s = 1 / (1 + 10^(-d/400)) (A. E. Elo, *The rating of
//! chessplayers, past and present*, 1978, with the logistic curve that chess engines use).

use std::f64::consts::LN_10;

use super::outcomes::Score;

/// The expected result of one game at a difference.
pub fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-difference / 400.0))
}

/// The difference that explains a mean result; infinite at 0 and 1.
pub fn difference(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

/// Half the length of the 95 % interval of the difference, by the delta method: the derivative of
/// [`difference`] is 400 / (ln 10 s (1 - s)). Infinite at 0 and 1.
pub fn error(score: &Score) -> f64 {
    let slope = 400.0 / (LN_10 * score.rate * (1.0 - score.rate));
    if slope.is_finite() {
        super::normal::Z95 * score.standard_error * slope
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Trinomial;

    /// Known figures: 76 % is 200 Elo, 400 Elo is 10 : 1.
    #[test]
    fn elo_is_what_everybody_knows() {
        assert!((expected(200.0) - 0.7597).abs() < 1e-4);
        assert!((expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(difference(0.5), 0.0);
        for d in [-300.0, -5.0, 0.0, 12.5, 700.0] {
            assert!((difference(expected(d)) - d).abs() < 1e-9);
        }
        assert_eq!(difference(1.0), f64::INFINITY);
        assert_eq!(difference(0.0), f64::NEG_INFINITY);
    }

    /// Output of fastchess for 76 wins and 2 losses: Elo 631.91.
    #[test]
    fn a_published_difference() {
        assert!((difference(76.0 / 78.0) - 631.91).abs() < 0.005);
    }

    /// Differences and errors from pairs as OpenBench published them: weiss #766 (both tests), Perseus #66
    /// (both) and #58.
    #[test]
    fn published_errors() {
        let published = [
            ([1453, 8952, 16711, 9425, 1427], 1.93, 1.55),
            ([119, 2013, 3987, 2118, 142], 3.13, 2.92),
            ([154, 916, 1726, 986, 204], 7.41, 4.93),
            ([288, 2370, 4745, 2517, 320], 3.58, 2.84),
            ([145, 850, 2205, 948, 176], 6.43, 4.37),
        ];
        for (pairs, elo, plus_minus) in published {
            let score = crate::statistics::Pentanomial { pairs }.score().expect("pairs");
            assert!((difference(score.rate) - elo).abs() < 0.0051);
            assert!((error(&score) - plus_minus).abs() < 0.0051, "{}", error(&score));
        }
    }

    #[test]
    fn the_error_is_that_of_the_interval() {
        let score = Trinomial { wins: 4307, draws: 8620, losses: 4063 }.score().expect("games");
        let interval = score.normal();
        let half = (difference(interval.high) - difference(interval.low)) / 2.0;
        assert!((error(&score) - half).abs() < 1e-3, "{} {half}", error(&score));
        let all = Trinomial { wins: 5, draws: 0, losses: 0 }.score().expect("games");
        assert_eq!(error(&all), f64::INFINITY);
    }
}
