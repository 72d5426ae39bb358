//! MAST-mix: context where it has enough samples, else split.

use regulus_game::Step;

use super::context::Context;
use super::split::Split;
use super::{Entry, Statistic};
use crate::config::Variant;

pub(super) const ENTRY: Entry = Entry {
    name: "mix",
    summary: "context where it has enough samples, else split",
    scores_semimoves: true,
    make: |mast, players, factor| {
        let threshold = match mast.variant {
            Variant::Mix { threshold } => threshold,
            _ => 7,
        };
        Box::new(Mix {
            split: Split::new(players, factor),
            context: Context::new(players, factor),
            threshold: f64::from(threshold),
        })
    },
};

struct Mix {
    split: Split,
    /// In orthodox design its whole moves are those of join.
    context: Context,
    threshold: f64,
}

impl Statistic for Mix {
    #[inline]
    fn score(&self, player: usize, context: u64, submove: &[Step]) -> f64 {
        let average = self.context.average(player, context, submove);
        let decays = self.context.decays;
        if average.weight(decays.count, decays.factor) < self.threshold {
            return self.split.score(player, context, submove);
        }
        average.mean().unwrap_or(1.0)
    }

    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64) {
        self.split.update(player, steps, whole, value);
        self.context.update(player, steps, whole, value);
    }

    fn decay(&mut self) {
        self.split.decay();
        self.context.decay();
    }

    fn decay_played(&mut self, player: usize, steps: &[Step], whole: bool) {
        self.split.decay_played(player, steps, whole);
        self.context.decay_played(player, steps, whole);
    }

    fn bytes(&self) -> usize {
        self.split.bytes() + self.context.bytes()
    }

    fn collisions(&self) -> u64 {
        self.context.collisions()
    }

    fn freeze(&mut self, frozen: bool) {
        self.context.freeze(frozen);
    }
}
