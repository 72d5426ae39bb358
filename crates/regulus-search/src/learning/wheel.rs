//! Drawing with probability proportional to weights.

use regulus_game::Random;

use crate::numeric::unit;

/// Weights are added up in blocks: a sum has to wait for the sum before it, several side by side do not, and most
/// weights need not be looked at again when one is drawn.
const BLOCK: usize = 16;

/// The sums of blocks of weights.
#[derive(Default)]
pub(crate) struct Wheel {
    blocks: Vec<f64>,
}

impl Wheel {
    /// Draws an index; gives the sum of the weights too.
    pub(crate) fn draw(&mut self, weights: &[f64], random: &mut Random) -> (usize, f64) {
        self.blocks.clear();
        self.blocks.extend(weights.chunks(BLOCK).map(sum_of_block));
        let total: f64 = self.blocks.iter().sum();
        let mut rest = unit(random) * total;
        for (i, block) in self.blocks.iter().enumerate() {
            if rest >= *block {
                rest -= block;
                continue;
            }
            let begin = i * BLOCK;
            for (j, weight) in weights[begin..].iter().take(BLOCK).enumerate() {
                if rest < *weight {
                    return (begin + j, total);
                }
                rest -= weight;
            }
            // Rounding: the last of the block.
            return ((begin + BLOCK).min(weights.len()) - 1, total);
        }
        (weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0), total)
    }
}

#[inline]
fn sum_of_block(block: &[f64]) -> f64 {
    let lanes = |step: usize| block.iter().skip(step).step_by(4).sum::<f64>();
    match <&[f64; BLOCK]>::try_from(block) {
        Ok(b) => {
            let lane = |i: usize| (b[i] + b[i + 4]) + (b[i + 8] + b[i + 12]);
            (lane(0) + lane(1)) + (lane(2) + lane(3))
        }
        Err(_) => (lanes(0) + lanes(1)) + (lanes(2) + lanes(3)),
    }
}

/// The sum of many weights.
pub(crate) fn sum(weights: &[f64]) -> f64 {
    weights.chunks(BLOCK).map(sum_of_block).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_drawn_as_often_as_it_should_be() {
        let mut wheel = Wheel::default();
        let weights: Vec<f64> = (0..41).map(|i| f64::from(i % 5)).collect();
        let total: f64 = weights.iter().sum();
        assert_eq!(sum(&weights), total);
        let (mut random, mut counts, draws) = (Random::new(8), [0.0; 41], 80_000);
        for _ in 0..draws {
            let (drawn, sum) = wheel.draw(&weights, &mut random);
            assert_eq!(sum, total);
            counts[drawn] += 1.0;
        }
        for (count, weight) in counts.iter().zip(&weights) {
            let expected = f64::from(draws) * weight / total;
            assert!((count - expected).abs() < 5.0 * expected.sqrt() + 0.5, "{count} {expected}");
        }
    }
}
