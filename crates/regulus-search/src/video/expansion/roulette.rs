//! The roulette wheel: an untried action is added with a probability in proportion to its weight (SLIDES,
//! roulette wheel selection; Frydenberg et al. 2015).

use regulus_game::Random;

use super::{Candidates, ComponentWord, Entry, Expand, Parameter};
use crate::numeric::unit;

pub(super) const LEARNED: Entry<dyn Expand> = Entry {
    name: "roulette_wheel",
    summary: "an untried action by a roulette wheel; its weight is what statistics of actions say about it",
    parameters: &[Parameter::number(
        "expansion.floor",
        "what is added to every weight, so that the worst action has a chance; weights are from 0 to 1",
        (0.0, 1e6),
        0.1,
    )],
    words: &[ComponentWord::video("roulette").number("floor").ngrams(&[("length", 1.0)])],
    make: |values| {
        Box::new(Wheel {
            weights: Weights::Learned { floor: values.number("floor") },
            drawn: Vec::new(),
        })
    },
};

pub(super) const GIVEN: Entry<dyn Expand> = Entry {
    name: "weighted_wheel",
    summary: "an untried action by a roulette wheel with a given weight for every action",
    parameters: WEIGHTS,
    words: &[],
    make: |values| {
        let weights = WEIGHTS.iter().map(|weight| values.number(weight.key())).collect();
        Box::new(Wheel { weights: Weights::Given(weights), drawn: Vec::new() })
    },
};

/// In the order of the actions.
const WEIGHTS: &[Parameter] = &[
    weight("expansion.nil", "the weight of action 0: nothing"),
    weight("expansion.up", "the weight of action 1: up"),
    weight("expansion.left", "the weight of action 2: left"),
    weight("expansion.down", "the weight of action 3: down"),
    weight("expansion.right", "the weight of action 4: right"),
    weight("expansion.use", "the weight of action 5: use"),
];

const fn weight(path: &'static str, summary: &'static str) -> Parameter {
    Parameter::number(path, summary, (0.0, 1e6), 1.0)
}

enum Weights {
    Learned { floor: f64 },
    Given(Vec<f64>),
}

struct Wheel {
    weights: Weights,
    /// Of the candidates at hand.
    drawn: Vec<f64>,
}

impl Expand for Wheel {
    fn choose(&mut self, candidates: &mut dyn Candidates, random: &mut Random) -> usize {
        let weight = |index| match &self.weights {
            Weights::Learned { floor } => candidates.scaled(index) + floor,
            // Actions that have none count as much as by default.
            Weights::Given(weights) => {
                weights.get(candidates.number(index)).copied().unwrap_or(1.0)
            }
        };
        self.drawn.clear();
        self.drawn.extend((0..candidates.count()).map(weight));
        spin(&self.drawn, random)
    }

    fn asks_actions(&self) -> bool {
        matches!(self.weights, Weights::Learned { .. })
    }
}

/// An index with a probability in proportion to its weight; any if there is no weight at all.
fn spin(weights: &[f64], random: &mut Random) -> usize {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return random.below(weights.len() as u64) as usize;
    }
    let mut rest = unit(random) * total;
    let mut last = 0;
    for (index, weight) in weights.iter().enumerate() {
        if *weight <= 0.0 {
            continue;
        }
        if rest < *weight {
            return index;
        }
        rest -= weight;
        last = index;
    }
    // What rounding leaves over.
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_proportions() {
        let counts = |weights: &[f64]| {
            let mut random = Random::new(4);
            let mut counts = vec![0u32; weights.len()];
            for _ in 0..10_000 {
                counts[spin(weights, &mut random)] += 1;
            }
            counts
        };
        // 1000, 0, 6000 and 3000 expected; standard deviations below 50.
        let drawn = counts(&[0.5, 0.0, 3.0, 1.5]);
        assert_eq!(drawn[1], 0);
        for (count, expected) in drawn.iter().zip([1000, 0, 6000, 3000u32]) {
            assert!(count.abs_diff(expected) < 200, "{drawn:?}");
        }
        let any = counts(&[0.0, 0.0]);
        assert!(any[0].abs_diff(5000) < 250, "{any:?}");
    }
}
