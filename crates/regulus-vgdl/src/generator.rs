//! Random numbers of a state: our own generator, or that of Java for comparing with its traces.

use regulus_game::Random;

/// A generator inside a state. Copies of the state continue it independently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Generator {
    /// The generator of this project.
    Own(Random),
    /// `java.util.Random`, a linear congruential generator with 48 bits, bit for bit.
    Java(u64),
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl Generator {
    /// Our own generator from a seed.
    pub fn own(seed: u64) -> Self {
        Generator::Own(Random::new(seed))
    }

    /// `new java.util.Random(seed)`.
    pub fn java(seed: i64) -> Self {
        Generator::Java((seed as u64 ^ MULTIPLIER) & MASK)
    }

    fn java_bits(state: &mut u64, bits: u32) -> u32 {
        *state = state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        (*state >> (48 - bits)) as u32
    }

    /// A number from 0 to `bound` - 1; `bound` must not be 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        match self {
            Generator::Own(random) => random.below(u64::from(bound)) as u32,
            Generator::Java(state) => {
                if bound.is_power_of_two() {
                    let bits = u64::from(Self::java_bits(state, 31));
                    return ((u64::from(bound) * bits) >> 31) as u32;
                }
                loop {
                    let bits = Self::java_bits(state, 31);
                    let value = bits % bound;
                    // Java rejects when `bits - value + (bound - 1)` overflows 31 bits.
                    if bits - value + (bound - 1) < 1 << 31 {
                        return value;
                    }
                }
            }
        }
    }

    /// A number in [0, 1) with 24 bits, as Java's `nextFloat`.
    pub fn float(&mut self) -> f64 {
        match self {
            Generator::Own(random) => (random.bits() >> 11) as f64 / (1u64 << 53) as f64,
            Generator::Java(state) => f64::from(Self::java_bits(state, 24)) / f64::from(1 << 24),
        }
    }

    /// A number in [0, 1) with 53 bits, as Java's `nextDouble`.
    pub fn double(&mut self) -> f64 {
        match self {
            Generator::Own(random) => (random.bits() >> 11) as f64 / (1u64 << 53) as f64,
            Generator::Java(state) => {
                let high = u64::from(Self::java_bits(state, 26)) << 27;
                let low = u64::from(Self::java_bits(state, 27));
                (high + low) as f64 / (1u64 << 53) as f64
            }
        }
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        match self {
            Generator::Own(random) => random.state(),
            Generator::Java(state) => *state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are what Java prints for `new Random(42)`.
    #[test]
    fn java_numbers() {
        let mut random = Generator::java(42);
        let found: Vec<u32> = (0..5).map(|_| random.below(10)).collect();
        assert_eq!(found, [0, 3, 8, 4, 0]);
        let mut random = Generator::java(42);
        assert!((random.double() - 0.727_563_680_032_868_1).abs() < 1e-15);
        let mut random = Generator::java(0);
        assert!((random.float() - 0.730_967_76).abs() < 1e-7);
        let mut random = Generator::java(0);
        let found: Vec<u32> = (0..4).map(|_| random.below(4)).collect();
        assert_eq!(found, [2, 3, 0, 2]);
    }
}
