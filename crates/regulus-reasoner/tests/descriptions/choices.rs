//! Where decisions come from: a seed, or bytes that a fuzzer changes until something happens.

use regulus_game::Random;

/// A sequence of decisions: bytes while there are any, then a generator.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
    random: Random,
}

impl<'b> Choices<'b> {
    /// Decisions of a generator.
    pub fn new(random: Random) -> Self {
        Choices { bytes: &[], random }
    }

    /// Decisions that bytes make; when they are used up, a generator goes on that is always the same.
    pub fn of_bytes(bytes: &'b [u8]) -> Self {
        Choices { bytes, random: Random::new(0) }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n.max(1);
        match self.bytes {
            [first, rest @ ..] if n <= 256 => {
                self.bytes = rest;
                usize::from(*first) % n
            }
            [first, second, rest @ ..] => {
                self.bytes = rest;
                (usize::from(*first) << 8 | usize::from(*second)) % n
            }
            _ => self.random.below(n as u64) as usize,
        }
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}
