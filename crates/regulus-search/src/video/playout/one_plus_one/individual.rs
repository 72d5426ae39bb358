//! An individual of the (1 + 1) EA: a weight for every action and feature (GVGAI-THESIS 4.3.1).

use regulus_game::Random;

use super::features::Features;
use super::normal::normal;

#[derive(PartialEq, Debug)]
pub(super) struct Individual {
    /// How many actions there are.
    actions: usize,
    /// Whether there are weights, by feature.
    known: Vec<bool>,
    /// By feature and action.
    weights: Vec<f64>,
    /// What came of it; nothing yet is worse than everything.
    pub fitness: f64,
}

impl Clone for Individual {
    fn clone(&self) -> Self {
        Individual { known: self.known.clone(), weights: self.weights.clone(), ..*self }
    }

    /// Once per play-out: the memory is used again.
    fn clone_from(&mut self, other: &Self) {
        self.actions = other.actions;
        self.known.clone_from(&other.known);
        self.weights.clone_from(&other.weights);
        self.fitness = other.fitness;
    }
}

impl Individual {
    /// One that has not seen any feature.
    pub fn new(actions: usize) -> Self {
        Individual { actions, known: Vec::new(), weights: Vec::new(), fitness: f64::NEG_INFINITY }
    }

    /// UPDATEFEATURES of Algorithm 4.2: features that are new get weights from the normal distribution; those
    /// that the state does not have are removed, so that they are new when they come back.
    pub fn update(&mut self, features: &Features, random: &mut Random) {
        if self.known.len() < features.len() {
            self.known.resize(features.len(), false);
            self.weights.resize(features.len() * self.actions, 0.0);
        }
        for (feature, known) in self.known.iter_mut().enumerate() {
            let there = features.get(feature).is_some();
            if there && !*known {
                let first = feature * self.actions;
                self.weights[first..first + self.actions].fill_with(|| normal(random));
            }
            *known = there;
        }
    }

    /// Changes every weight with probability 1 / n, where n is the number of features, as Droste, Jansen and
    /// Wegener (2002) flip bits. As a flipped bit has its other value, a changed weight has another value of its
    /// first distribution.
    pub fn mutate(&mut self, random: &mut Random) {
        let count = self.known.iter().filter(|known| **known).count() as u64;
        for (known, weights) in self.known.iter().zip(self.weights.chunks_exact_mut(self.actions)) {
            if !known {
                continue;
            }
            for weight in weights {
                if random.below(count) == 0 {
                    *weight = normal(random);
                }
            }
        }
    }

    /// Equation 4.1 for all actions. The individual knows all features of the state.
    pub fn strengths(&self, features: &Features, strengths: &mut Vec<f64>) {
        strengths.clear();
        strengths.resize(self.actions, 0.0);
        for (feature, weights) in self.weights.chunks_exact(self.actions).enumerate() {
            if let Some(distance) = features.get(feature) {
                for (strength, weight) in strengths.iter_mut().zip(weights) {
                    *strength += weight * distance;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::Category;

    use super::super::super::toy::Toy;
    use super::*;

    fn features(toy: &Toy) -> Features {
        let mut features = Features::default();
        features.see(toy);
        features
    }

    /// Three features, at distances 2, 3 and 5.
    fn three() -> Toy {
        Toy::new().with(Category::Npc, 1, (2.0, 0.0)).with(Category::Portal, 2, (0.0, 3.0)).with(
            Category::Resource,
            3,
            (3.0, 4.0),
        )
    }

    #[test]
    fn equation_4_1_by_hand() {
        let individual = Individual {
            actions: 2,
            known: vec![true; 3],
            weights: vec![1.0, -1.0, 0.5, 2.0, -0.25, 0.75],
            fitness: 0.0,
        };
        let mut strengths = Vec::new();
        individual.strengths(&features(&three()), &mut strengths);
        // 1 * 2 + 0.5 * 3 - 0.25 * 5 and -1 * 2 + 2 * 3 + 0.75 * 5
        assert_eq!(strengths, [2.25, 7.75]);
    }

    #[test]
    fn every_weight_is_changed_with_probability_1_by_n() {
        let mut random = Random::new(5);
        let mut first = Individual::new(4);
        first.update(&features(&three()), &mut random);
        let mut changed = [0u32; 12];
        let rounds = 9000;
        let mut mutant = first.clone();
        for _ in 0..rounds {
            mutant.clone_from(&first);
            mutant.mutate(&mut random);
            for (count, (a, b)) in changed.iter_mut().zip(first.weights.iter().zip(&mutant.weights))
            {
                *count += u32::from(a != b);
            }
        }
        // 3000 expected each, standard deviation 45.
        assert!(changed.iter().all(|count| count.abs_diff(3000) < 200), "{changed:?}");
    }

    #[test]
    fn without_features_there_is_nothing_to_change() {
        let mut random = Random::new(5);
        let mut individual = Individual::new(4);
        individual.mutate(&mut random);
        assert_eq!(individual, Individual::new(4));
    }

    #[test]
    fn features_come_with_new_weights_and_go_without() {
        let mut random = Random::new(5);
        let mut all = Features::default();
        let mut toy = three();
        let mut individual = Individual::new(2);
        all.see(&toy);
        individual.update(&all, &mut random);
        let first = individual.clone();
        // Known features keep their weights.
        individual.update(&all, &mut random);
        assert_eq!(individual, first);
        let portal = toy.things.remove(1);
        all.see(&toy);
        individual.update(&all, &mut random);
        assert_eq!(individual.known, [true, false, true]);
        toy.things.push(portal);
        all.see(&toy);
        individual.update(&all, &mut random);
        assert_eq!(individual.known, [true; 3]);
        let same: Vec<bool> =
            first.weights.iter().zip(&individual.weights).map(|(a, b)| a == b).collect();
        assert_eq!(same, [true, true, false, false, true, true]);
    }
}
