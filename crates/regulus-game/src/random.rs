//! The one source of randomness: a small generator that is seeded explicitly, so that the same seed
//! gives the same games on every machine.

/// A wyrand generator (Wang Yi, 2019): one multiplication per number, 64 bits of state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator from a seed. Nearby seeds give unrelated sequences.
    pub fn new(seed: u64) -> Self {
        Random { state: mix(seed) }
    }

    /// A generator for a part of the work, named by a number: master -> match -> game -> player.
    #[must_use]
    pub fn fork(&self, part: u64) -> Self {
        Random { state: mix(self.state ^ mix(part)) }
    }

    /// The state, for code that draws its own numbers from it.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Continues from a state.
    pub fn from_state(state: u64) -> Self {
        Random { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.state) * u128::from(self.state ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number below `bound`, which must not be 0. The bias of taking the high half of a product is
    /// below `bound` / 2^64 and not removed.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }
}

/// The finaliser of splitmix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut random = Random::new(7);
        let mut counts = [0u32; 10];
        for _ in 0..100_000 {
            counts[random.below(10) as usize] += 1;
        }
        // Chi-square with 9 degrees of freedom: 27.9 has probability 0.001.
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 27.9, "{chi}");
    }

    #[test]
    fn parts_are_independent_and_reproducible() {
        let master = Random::new(1);
        assert_eq!(master.fork(3), master.fork(3));
        assert_ne!(master.fork(3).bits(), master.fork(4).bits());
        assert_ne!(Random::new(0).bits(), Random::new(1).bits());
    }
}
