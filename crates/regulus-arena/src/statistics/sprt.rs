//! The sequential probability ratio test: play until the question is decided.
//!
//! Is the difference at most `elo0` (H0) or at least `elo1` (H1)? After every pair the logarithm of the
//! likelihood ratio of the two hypotheses (LLR) is compared with two bounds, ln(beta / (1 - alpha)) and
//! ln((1 - beta) / alpha), which make the probabilities of the wrong answers about alpha (H1 although H0
//! holds) and beta (H0 although H1 holds): A. Wald, *Sequential tests of statistical hypotheses* (1945).
//!
//! A hypothesis only fixes the mean result s, not how often games are drawn. The generalised test takes
//! for each hypothesis the most likely distribution with its mean: M. Van den Bergh, *A practical
//! introduction to the GSPRT* (2020). With frequencies p of results a it is p / (1 + x (a - s)), where x
//! solves sum p (a - s) / (1 + x (a - s)) = 0.

use serde::Serialize;

use super::elo;
use super::outcomes::{Pentanomial, Trinomial};

/// Counted instead of 0, so that what has not happened yet is not impossible.
const UNSEEN: f64 = 1e-3;

/// What is tested.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, which is larger.
    pub elo1: f64,
    /// How often H1 may be accepted wrongly.
    pub alpha: f64,
    /// How often H0 may be accepted wrongly.
    pub beta: f64,
}

/// Where the test ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bounds {
    /// H0 is accepted here.
    pub lower: f64,
    /// H1 is accepted here.
    pub upper: f64,
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
    /// Not decided yet.
    Open,
}

impl Sprt {
    /// A test; says what is wrong with its numbers.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, String> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(format!("elo0 = {elo0} must be less than elo1 = {elo1}"));
        }
        if elo0.abs().max(elo1.abs()) > 2000.0 {
            return Err("elo0 and elo1 must lie between -2000 and 2000".to_owned());
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(format!("{name} = {value} must lie between 0 and 0.5"));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05`; alpha and beta are 0.05 if nothing else is said.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut values = [None, None, None, None];
        const KEYS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
        for part in text.split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let (key, value) = (key.trim(), value.trim());
            let Some(index) = KEYS.iter().position(|known| *known == key) else {
                return Err(format!("`{key}` is no part of a test; give elo0=0,elo1=10"));
            };
            let number = value.parse::<f64>().map_err(|_| format!("`{part}` needs a number"))?;
            if values[index].replace(number).is_some() {
                return Err(format!("`{key}` is given twice"));
            }
        }
        let [Some(elo0), Some(elo1), alpha, beta] = values else {
            return Err("elo0 and elo1 are both needed, as in elo0=0,elo1=10".to_owned());
        };
        Sprt::new(elo0, elo1, alpha.unwrap_or(0.05), beta.unwrap_or(0.05))
    }

    /// The bounds of the LLR.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            lower: (self.beta / (1.0 - self.alpha)).ln(),
            upper: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// The LLR after pairs of games.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        self.llr_of(&results.pairs)
    }

    /// The LLR after single games.
    pub fn llr_of_games(&self, results: &Trinomial) -> f64 {
        self.llr_of(&results.counts())
    }

    fn llr_of(&self, counts: &[u64]) -> f64 {
        log_likelihood_ratio(counts, elo::expected(self.elo0), elo::expected(self.elo1))
    }

    /// How a test with this LLR stands.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let bounds = self.bounds();
        if llr >= bounds.upper {
            Verdict::H1
        } else if llr <= bounds.lower {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The logarithm of the likelihood ratio of two means, `s1` against `s0`, after counts of equally spaced
/// results from 0 to 1.
fn log_likelihood_ratio(counts: &[u64], s0: f64, s1: f64) -> f64 {
    let games: u64 = counts.iter().sum();
    if games == 0 {
        return 0.0;
    }
    let counts: Vec<f64> = counts.iter().map(|c| (*c as f64).max(UNSEEN)).collect();
    let total: f64 = counts.iter().sum();
    let step = 1.0 / (counts.len() - 1) as f64;
    let outcomes: Vec<(f64, f64)> =
        counts.iter().enumerate().map(|(i, c)| (i as f64 * step, c / total)).collect();
    let (x0, x1) = (tilt(&outcomes, s0), tilt(&outcomes, s1));
    // ln(p1 / p0) of a result is ln(1 + x0 (a - s0)) - ln(1 + x1 (a - s1)).
    let ratio = |(a, p): &(f64, f64)| p * ((x0 * (a - s0)).ln_1p() - (x1 * (a - s1)).ln_1p());
    total * outcomes.iter().map(ratio).sum::<f64>()
}

/// The x that gives the most likely distribution with mean `s`. Between its poles the sum falls from
/// plus to minus infinity, so bisection finds it.
fn tilt(outcomes: &[(f64, f64)], s: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..64 {
        let x = (low + high) / 2.0;
        let sum: f64 = outcomes.iter().map(|(a, p)| p * (a - s) / (1.0 + x * (a - s))).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_game::Random;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test")
    }

    /// Results of chess engine tests as OpenBench published them: weiss #766 (both tests), Perseus #58 and
    /// #66 (both), Lizard #68, carp #77. Its hypotheses are normalised Elo, t 800 / ln 10 with t = (s - 1/2)
    /// / standard deviation of a game; the ratio is that of the means that belong to them.
    #[test]
    fn published_ratios() {
        let published = [
            ([1453, 8952, 16711, 9425, 1427], 0.0, 3.0, 2.96),
            ([119, 2013, 3987, 2118, 142], -3.0, 0.0, 2.97),
            ([145, 850, 2205, 948, 176], 0.0, 5.0, 2.96),
            ([154, 916, 1726, 986, 204], 0.0, 5.0, 2.96),
            ([288, 2370, 4745, 2517, 320], 0.0, 5.0, 2.96),
            ([126, 3369, 7449, 3572, 147], 0.0, 3.0, 2.95),
            ([29, 462, 1036, 559, 48], 0.0, 5.0, 3.04),
        ];
        for (pairs, elo0, elo1, llr) in published {
            let score = Pentanomial { pairs }.score().expect("pairs");
            let deviation = score.standard_error * (score.games as f64).sqrt();
            let mean = |elo: f64| 0.5 + elo * std::f64::consts::LN_10 / 800.0 * deviation;
            let found = log_likelihood_ratio(&pairs, mean(elo0), mean(elo1));
            assert!((found - llr).abs() < 0.0051, "{pairs:?}: {found}, published {llr}");
        }
    }

    #[test]
    fn bounds_are_walds() {
        let bounds = test(0.0, 3.0).bounds();
        assert!((bounds.upper - 19f64.ln()).abs() < 1e-12 && bounds.lower == -bounds.upper);
        assert_eq!(test(0.0, 3.0).verdict(2.94), Verdict::Open);
        assert_eq!(test(0.0, 3.0).verdict(2.95), Verdict::H1);
        assert_eq!(test(0.0, 3.0).verdict(-2.95), Verdict::H0);
        let bounds = Sprt::new(0.0, 3.0, 0.05, 0.1).expect("a test").bounds();
        assert!((bounds.lower + 2.25).abs() < 0.005 && (bounds.upper - 2.89).abs() < 0.005);
    }

    /// Without draws the mean fixes the distribution: the ratio is that of Wald's binomial test.
    #[test]
    fn without_draws_it_is_walds_test() {
        let sprt = test(-20.0, 35.0);
        let (s0, s1) = (elo::expected(-20.0), elo::expected(35.0));
        let closed = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((sprt.llr_of(&[40, 60]) - closed).abs() < 1e-9);
        let drawn = Trinomial { wins: 60, draws: 0, losses: 40 };
        assert!((sprt.llr_of_games(&drawn) - closed).abs() < 1e-3);
    }

    /// For small differences the ratio is N (s1 - s0) (2 m - s0 - s1) / (2 v), with mean m and variance v
    /// (Van den Bergh, equation 2.1).
    #[test]
    fn small_differences_have_a_closed_form() {
        let results = Pentanomial { pairs: [500, 2000, 5100, 2100, 600] };
        let score = results.score().expect("pairs");
        let variance = score.standard_error.powi(2);
        let (s0, s1) = (elo::expected(0.0), elo::expected(2.0));
        let closed = (s1 - s0) * (2.0 * score.rate - s0 - s1) / (2.0 * variance);
        let llr = test(0.0, 2.0).llr(&results);
        assert!((llr / closed - 1.0).abs() < 0.02, "{llr} {closed}");
    }

    #[test]
    fn hypotheses_can_change_places() {
        let results = Pentanomial { pairs: [3, 9, 20, 14, 6] };
        let mirrored = Pentanomial { pairs: [6, 14, 20, 9, 3] };
        let llr = test(0.0, 10.0).llr(&results);
        assert!((llr + test(-10.0, 0.0).llr(&mirrored)).abs() < 1e-9);
        assert_eq!(test(0.0, 10.0).llr(&Pentanomial::default()), 0.0);
    }

    /// Plays simulated tests; gives how often H1 was accepted, and the mean number of pairs.
    fn accepted(sprt: &Sprt, chances: [f64; 5], tests: u64) -> (f64, f64) {
        let (mut accepted, mut pairs) = (0.0, 0.0);
        for i in 0..tests {
            let mut random = Random::new(5).fork(i);
            let mut results = Pentanomial::default();
            let verdict = loop {
                let mut left = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
                let index = chances.iter().position(|c| {
                    left -= c;
                    left < 0.0
                });
                results.pairs[index.unwrap_or(4)] += 1;
                pairs += 1.0;
                match sprt.verdict(sprt.llr(&results)) {
                    Verdict::Open => {}
                    decided => break decided,
                }
            };
            accepted += f64::from(u8::from(verdict == Verdict::H1));
        }
        (accepted / tests as f64, pairs / tests as f64)
    }

    /// Five results with a given mean per game: results between the extremes are moved up.
    fn chances(rate: f64) -> [f64; 5] {
        // Symmetric, mean 1/2; moving `m` from 1/2 point to 3/2 points adds m / 2 per game.
        let moved = (rate - 0.5) * 2.0;
        [0.1, 0.2 - moved, 0.4, 0.2 + moved, 0.1]
    }

    /// The stated error rates hold: of 2000 tests at either hypothesis about 5 % are wrong. The standard
    /// error of that is 0.5 %; Wald's bounds keep a little below, since tests end beyond them.
    #[test]
    fn error_rates_are_the_stated_ones() {
        let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05).expect("a test");
        let (wrong, _) = accepted(&sprt, chances(elo::expected(0.0)), 2000);
        assert!((0.03..0.062).contains(&wrong), "H1 accepted at elo0: {wrong}");
        let (right, pairs) = accepted(&sprt, chances(elo::expected(30.0)), 2000);
        assert!((0.938..0.97).contains(&right), "H1 accepted at elo1: {right}");
        // A test of fixed length with these errors needs (2 z(0.95) sd / (s1 - s0))^2 pairs.
        let difference = elo::expected(30.0) - 0.5;
        let fixed = (2.0 * 1.645 / difference).powi(2) * 0.075;
        assert!(pairs < fixed, "{pairs} pairs, {fixed} without stopping early");
    }

    /// Other error rates than the usual ones, and different from each other.
    #[test]
    fn error_rates_can_be_chosen() {
        let sprt = Sprt::new(-10.0, 40.0, 0.02, 0.2).expect("a test");
        let (wrong, _) = accepted(&sprt, chances(elo::expected(-10.0)), 2000);
        assert!((0.008..0.03).contains(&wrong), "{wrong}");
        let (right, _) = accepted(&sprt, chances(elo::expected(40.0)), 2000);
        assert!((0.77..0.86).contains(&right), "{right}");
    }

    #[test]
    fn tests_are_read() {
        assert_eq!(Sprt::parse("elo0=0,elo1=10"), Sprt::new(0.0, 10.0, 0.05, 0.05));
        assert_eq!(
            Sprt::parse("elo1=5, elo0=-5, alpha=0.1,beta=0.2"),
            Sprt::new(-5.0, 5.0, 0.1, 0.2)
        );
        let why = |text| Sprt::parse(text).expect_err("wrong");
        assert!(why("elo0=0").contains("both needed"));
        assert!(why("elo0=5,elo1=5").contains("less than"));
        assert!(why("elo0=0,elo1=5,alpha=0.7").contains("between 0 and 0.5"));
        assert!(why("elo0=0,elo1=5,gamma=1").contains("`gamma`"));
        assert!(why("elo0=zero,elo1=5").contains("needs a number"));
        assert!(why("elo0=0,elo0=0,elo1=5").contains("twice"));
    }
}
