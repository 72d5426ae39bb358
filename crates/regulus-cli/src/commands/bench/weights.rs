//! Weights of guided playouts that are measured: nothing has been learned.

use clap::ValueEnum;
use regulus_game::{Guide, KeyKind, Random};
use serde::Serialize;

/// Bits of a key: more moves than most games have.
const KEY_BITS: u32 = 16;

/// The least of random weights; the largest is 255. What playouts learn differs by a factor of 8 at most.
const LEAST: u8 = 32;

/// What weights moves have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Weights {
    /// All the same: what keys cost.
    Flat,
    /// Each key has a random weight: what drawing by weights costs.
    Random,
}

impl Weights {
    /// A guide with such weights.
    pub(super) fn guide(self, kind: KeyKind, mut random: Random) -> Guide {
        let mut guide = Guide::new(kind, KEY_BITS);
        if self == Weights::Random {
            let span = u64::from(u8::MAX - LEAST) + 1;
            for weight in guide.weights_mut() {
                *weight = LEAST + random.below(span) as u8;
            }
        }
        guide
    }
}
