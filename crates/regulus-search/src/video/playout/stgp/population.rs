//! All individuals, and how the next ones come from them (GVGAI-THESIS Algorithms 4.3 and 4.5).

use regulus_game::Random;

use super::Stgp;
use super::breeding::{cross_one_way, cross_two_way, mutate};
use super::node::Node;
use super::tree::Tree;
use crate::numeric::unit;

/// A tree, and what came of it when it was last tried; of a child, what came of the parent whose place it took.
#[derive(Debug, PartialEq)]
struct Individual {
    tree: Tree,
    fitness: f64,
}

impl Clone for Individual {
    fn clone(&self) -> Self {
        Individual { tree: self.tree.clone(), fitness: self.fitness }
    }

    fn clone_from(&mut self, other: &Self) {
        self.tree.clone_from(&other.tree);
        self.fitness = other.fitness;
    }
}

/// A population of constant size. It is kept between ticks, with the fitness of all (end of 4.4).
pub(super) struct Population {
    config: Stgp,
    individuals: Vec<Individual>,
    /// The first that was not tried since the last generation.
    next: usize,
    /// The next generation while it is made, and then memory for the one after.
    parents: Vec<Individual>,
    /// The numbers of all individuals, in any order.
    order: Vec<usize>,
    scratch: Vec<Node>,
}

impl Population {
    /// Any individuals.
    pub fn new(config: &Stgp, random: &mut Random) -> Self {
        let depth = config.initial_depth.min(config.max_depth);
        let mut any = || Tree::generate(depth, config.generation, random);
        let size = config.population.max(1);
        let individuals: Vec<_> =
            (0..size).map(|_| Individual { tree: any(), fitness: 0.0 }).collect();
        Population {
            config: config.clone(),
            next: 0,
            parents: individuals.clone(),
            order: (0..individuals.len()).collect(),
            individuals,
            scratch: Vec::new(),
        }
    }

    /// GETNEXTINDIVIDUAL of Algorithm 4.4: one that was not tried yet.
    pub fn current(&self) -> &Tree {
        &self.individuals[self.next].tree
    }

    /// What came of an individual.
    #[cfg(test)]
    pub fn fitness(&self, individual: usize) -> f64 {
        self.individuals[individual].fitness
    }

    /// The current individual was tried. After the last, the next generation is made.
    pub fn tried(&mut self, fitness: f64, random: &mut Random) {
        self.individuals[self.next].fitness = fitness;
        self.next += 1;
        if self.next == self.individuals.len() {
            self.select(random);
            self.procreate(random);
            self.next = 0;
        }
    }

    /// Lines 1 to 7 of Algorithm 4.5. If the winners do not fit into the population at last, only the best do.
    fn select(&mut self, random: &mut Random) {
        let Population { config, individuals, parents, order, .. } = self;
        let size = individuals.len();
        let tournament = (config.tournament.max(1) as usize).min(size);
        let winners = (config.winners.max(1) as usize).min(tournament);
        for places in parents.chunks_mut(winners) {
            draw(order, tournament, random);
            order[..tournament]
                .sort_by(|a, b| individuals[*b].fitness.total_cmp(&individuals[*a].fitness));
            for (place, winner) in places.iter_mut().zip(&order[..]) {
                place.clone_from(&individuals[*winner]);
            }
        }
        std::mem::swap(individuals, parents);
    }

    /// Lines 8 and 9 of Algorithm 4.5: selective crossover (Algorithm 4.3) of pairs, in which every parent is
    /// once, and then mutation.
    fn procreate(&mut self, random: &mut Random) {
        let Population { config, individuals, order, scratch, .. } = self;
        let size = individuals.len();
        draw(order, size, random);
        for pair in order.chunks_exact(2) {
            if unit(random) >= config.crossover {
                continue;
            }
            let [first, second] = individuals
                .get_disjoint_mut([pair[0], pair[1]])
                .expect("two different individuals");
            let max_depth = config.max_depth;
            if first.fitness >= second.fitness {
                cross_one_way(&first.tree, &mut second.tree, max_depth, random);
            } else {
                cross_two_way(&mut first.tree, &mut second.tree, max_depth, random);
            }
        }
        for individual in individuals {
            if unit(random) < config.mutation {
                mutate(&mut individual.tree, config, random, scratch);
            }
        }
    }
}

/// Brings any `count` of the numbers to the front, in any order.
pub(super) fn draw<T>(all: &mut [T], count: usize, random: &mut Random) {
    for place in 0..count {
        let other = place + random.below((all.len() - place) as u64) as usize;
        all.swap(place, other);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::MAX_NODES;
    use super::super::tree::tests::check;
    use super::*;

    /// No crossover, no mutation: only selection changes anything.
    fn selecting(population: u32, tournament: u32, winners: u32) -> Population {
        let config = Stgp {
            population,
            tournament,
            winners,
            crossover: 0.0,
            mutation: 0.0,
            ..Stgp::default()
        };
        Population::new(&config, &mut Random::new(1))
    }

    /// The fitness of all after a generation in which the individuals had fitness 0, 1, 2, ..., from least to
    /// greatest.
    fn selected(population: u32, tournament: u32, winners: u32, seed: u64) -> Vec<u32> {
        let mut all = selecting(population, tournament, winners);
        let mut random = Random::new(seed);
        for fitness in 0..population {
            assert_eq!(all.next, fitness as usize);
            all.tried(f64::from(fitness), &mut random);
        }
        assert_eq!(all.next, 0);
        assert_eq!(all.individuals.len(), population as usize);
        let mut fitness: Vec<u32> =
            all.individuals.iter().map(|individual| individual.fitness as u32).collect();
        fitness.sort_unstable();
        fitness
    }

    #[test]
    fn a_tournament_of_all_is_won_by_the_best() {
        assert_eq!(selected(6, 6, 1, 3), [5; 6]);
        assert_eq!(selected(6, 6, 2, 3), [4, 4, 4, 5, 5, 5]);
        // 5 = 3 + 2 places.
        assert_eq!(selected(5, 5, 3, 3), [2, 3, 3, 4, 4]);
        // As many winners as there are in a tournament: nobody is excluded.
        assert_eq!(selected(6, 6, 6, 3), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn tournaments_have_their_size_and_different_individuals() {
        // The best of 2 different ones of 10 is i with probability i / 45; the mean is 19 / 3. With
        // replacement it would be 6.15.
        let mut sum = 0;
        for seed in 0..2000 {
            let fitness = selected(10, 2, 1, seed);
            assert!(fitness[0] > 0, "the worst of all never wins against another");
            sum += fitness.iter().sum::<u32>();
        }
        let mean = f64::from(sum) / 20_000.0;
        assert!((mean - 19.0 / 3.0).abs() < 0.06, "{mean}");
    }

    #[test]
    fn sizes_that_make_no_sense_are_cut() {
        assert_eq!(selected(3, 99, 1, 1), [2; 3]);
        assert_eq!(selected(3, 0, 0, 1).len(), 3);
        assert_eq!(selected(1, 2, 2, 1), [0]);
    }

    #[test]
    fn crossover_and_mutation_happen_as_often_as_they_should() {
        let changed = |crossover, mutation| {
            let config = Stgp {
                population: 400,
                tournament: 1,
                winners: 1,
                crossover,
                mutation,
                ..Stgp::default()
            };
            let mut random = Random::new(9);
            let mut all = Population::new(&config, &mut random);
            all.individuals.iter_mut().enumerate().for_each(|(i, one)| one.fitness = i as f64);
            let before = all.individuals.clone();
            all.procreate(&mut random);
            let pairs = before.iter().zip(&all.individuals);
            pairs.filter(|(before, after)| before.tree != after.tree).count()
        };
        assert_eq!(changed(0.0, 0.0), 0);
        // Half of the pairs change one, the other half both: at most 0.75 * 400; often there is no sub-tree of the
        // type. Mutation: at most all; a node may become what it was.
        let (crossed, mutated) = (changed(1.0, 0.0), changed(0.0, 1.0));
        assert!((150..=300).contains(&crossed), "{crossed}");
        assert!((320..=400).contains(&mutated), "{mutated}");
        let (less_crossed, less_mutated) = (changed(0.5, 0.0), changed(0.0, 0.2));
        assert!((crossed / 3..crossed * 2 / 3).contains(&less_crossed), "{less_crossed}");
        assert!((40..120).contains(&less_mutated), "{less_mutated}");
    }

    #[test]
    fn the_fitter_first_parent_gives_and_stays() {
        let config = Stgp { population: 2, crossover: 1.0, mutation: 0.0, ..Stgp::default() };
        let (mut one_way, mut two_way) = (0, 0);
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let mut all = Population::new(&config, &mut random);
            all.individuals[0].fitness = 1.0;
            let before = all.individuals.clone();
            all.procreate(&mut random);
            let changed = |i: usize| u32::from(before[i].tree != all.individuals[i].tree);
            match (changed(0), changed(1)) {
                (0, 1) => one_way += 1,
                (1, 1) => two_way += 1,
                // One of an exchange was too deep, or both are the same as before.
                _ => {}
            }
        }
        assert!(one_way > 100 && two_way > 50, "{one_way} {two_way}");
    }

    #[test]
    fn generations_do_not_grow() {
        let config = Stgp { population: 30, ..Stgp::default() };
        let mut random = Random::new(2);
        let mut all = Population::new(&config, &mut random);
        for trial in 0..30 * 300 {
            // The larger the fitter: the worst case.
            let fitness = all.current().code().len() as f64;
            all.tried(fitness, &mut random);
            if trial % 1000 == 0 {
                for individual in &all.individuals {
                    assert!(check(&individual.tree) <= config.max_depth);
                    assert!(individual.tree.code().len() <= MAX_NODES);
                }
            }
        }
        assert_eq!(all.individuals.len(), 30);
        assert_eq!(all.parents.len(), 30);
    }
}
