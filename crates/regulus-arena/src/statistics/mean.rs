//! A mean of many numbers with its interval, for games that are not won or lost.

use serde::Serialize;

use super::interval::{Interval, normal_interval};
use super::normal::Z95;

/// A running mean (B. P. Welford, *Note on a method for calculating corrected sums of squares and
/// products*, 1962).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Mean {
    /// How many numbers.
    pub count: u64,
    /// Their mean; 0 without any.
    pub mean: f64,
    #[serde(skip)]
    squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The standard error of the mean, from the sample variance; nothing with fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1).then(|| (self.squares / (n - 1.0) / n).sqrt())
    }

    /// The 95 % interval by the normal approximation.
    pub fn interval(&self) -> Option<Interval> {
        self.standard_error().map(|error| normal_interval(self.mean, error, Z95))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error_are_those_of_the_definition() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let mut mean = Mean::default();
        assert_eq!(mean.standard_error(), None);
        values.into_iter().for_each(|v| mean.add(v));
        assert_eq!(mean.mean, 5.0);
        // The sum of squared differences is 32.
        let error = mean.standard_error().expect("several");
        assert!((error - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        let interval = mean.interval().expect("several");
        assert!((interval.high - interval.low - 2.0 * Z95 * error).abs() < 1e-12);
    }
}
