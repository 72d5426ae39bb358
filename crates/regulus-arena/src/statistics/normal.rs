//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The quantile that 95 % intervals are made with.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The complementary error function, to about 14 digits: near 0 by the series of erf (Abramowitz and
/// Stegun, 7.1.6), farther out by the continued fraction (7.1.14), evaluated from its end.
pub fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.5 {
        // erf x = 2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n + 1) / (1 3 5 ... (2n + 1))
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > sum * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    // sqrt(pi) exp(x^2) erfc x = 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + 2/(x + ...
    let fraction = (1..=80).rev().fold(x, |rest, k| x + f64::from(k) / 2.0 / rest);
    (-x * x).exp() / (PI.sqrt() * fraction)
}

/// The probability of a value below `x`.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The value that is exceeded with probability 1 - `p`: the inverse of [`cdf`], by Newton's method from
/// a rough start (Abramowitz and Stegun, 26.2.23).
pub fn quantile(p: f64) -> f64 {
    if !(p > 0.0 && p < 1.0) {
        return if p == 0.0 {
            f64::NEG_INFINITY
        } else if p == 1.0 {
            f64::INFINITY
        } else {
            f64::NAN
        };
    }
    if p > 0.5 {
        return -quantile(1.0 - p);
    }
    let t = (-2.0 * p.ln()).sqrt();
    let above = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t;
    let below = 1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t;
    let mut x = above / below - t;
    for _ in 0..3 {
        let density = (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
        x -= (cdf(x) - p) / density;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz and Stegun, Table 7.1 and Table 7.3 (erfc of large arguments).
    #[test]
    fn erfc_is_that_of_the_tables() {
        let close = |x: f64, expected: f64| {
            assert!((erfc(x) / expected - 1.0).abs() < 1e-9, "erfc {x} = {}", erfc(x));
        };
        close(0.0, 1.0);
        close(0.5, 1.0 - 0.520_499_877_8);
        close(1.0, 1.0 - 0.842_700_792_9);
        close(-1.0, 1.842_700_792_9);
        close(2.0, 0.004_677_734_981);
        close(3.0, 2.209_049_699_858_544e-5);
        close(5.0, 1.537_459_794_428_035e-12);
        // Both methods meet.
        assert!((erfc(2.5 - 1e-12) - erfc(2.5)).abs() < 1e-14);
    }

    #[test]
    fn quantiles_are_the_known_ones() {
        for (p, x) in [
            (0.975, Z95),
            (0.5, 0.0),
            (0.95, 1.644_853_626_951_472),
            (0.995, 2.575_829_303_548_901),
            (1e-6, -4.753_424_308_822_899),
        ] {
            assert!((quantile(p) - x).abs() < 1e-9, "{p}: {}", quantile(p));
        }
        for i in 1..100 {
            let p = f64::from(i) / 100.0;
            assert!((cdf(quantile(p)) - p).abs() < 1e-13);
        }
        assert!(quantile(2.0).is_nan());
        assert_eq!(quantile(1.0), f64::INFINITY);
    }
}
