//! Normally distributed numbers.

use regulus_game::Random;

use crate::numeric::{ln, unit};

/// A number from the normal distribution with mean 0 and standard deviation 1: the polar form of Box and Muller's
/// method, which needs no sine, so that the number is the same on every machine.
pub(super) fn normal(random: &mut Random) -> f64 {
    loop {
        let x = 2.0 * unit(random) - 1.0;
        let y = 2.0 * unit(random) - 1.0;
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (2.0 * ln(1.0 / square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_tails_are_those_of_the_normal_distribution() {
        let mut random = Random::new(11);
        let count = 200_000;
        let (mut sum, mut squares, mut fourth) = (0.0, 0.0, 0.0);
        let (mut one, mut two) = (0u32, 0u32);
        for _ in 0..count {
            let x = normal(&mut random);
            sum += x;
            squares += x * x;
            fourth += x * x * x * x;
            one += u32::from(x.abs() < 1.0);
            two += u32::from(x.abs() < 2.0);
        }
        let n = f64::from(count);
        assert!((sum / n).abs() < 0.01, "{}", sum / n);
        assert!((squares / n - 1.0).abs() < 0.015, "{}", squares / n);
        assert!((fourth / n - 3.0).abs() < 0.1, "{}", fourth / n);
        assert!((f64::from(one) / n - 0.682_689).abs() < 0.005);
        assert!((f64::from(two) / n - 0.954_500).abs() < 0.003);
    }
}
