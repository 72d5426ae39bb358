//! Strongly typed genetic programming (GVGAI-THESIS 4.2.2, 4.3.2 and 4.4, after Montana 1995 and Benbassat and
//! Sipper 2014): individuals are programs that say what an action is worth in a state.

mod breeding;
mod evaluation;
mod node;
mod parameters;
mod population;
mod tree;

use regulus_game::{Random, World};

use super::greedy::at_random;
use super::{Guide, Surroundings, any};
use evaluation::{Machine, Sight};
pub(super) use parameters::COMPONENT;
pub use parameters::{Generation, Stgp};
use population::{Population, draw};

/// Play-outs by the individuals of a population, one after the other (Algorithm 4.4).
pub(super) struct Evolved<A> {
    config: Stgp,
    /// Made when there is something random to make it from.
    population: Option<Population>,
    /// What the first state of the play-out was worth.
    initial: f64,
    machine: Machine,
    /// The actions that are compared, in any order, with their numbers and values.
    actions: Vec<A>,
    numbers: Vec<usize>,
    values: Vec<f64>,
    /// How long the path was when selection looked last in this iteration.
    looked: Option<usize>,
    /// What selection found then, by the number of the action.
    opinion: Vec<f64>,
}

impl<A> Evolved<A> {
    pub fn new(config: &Stgp) -> Self {
        Evolved {
            config: config.clone(),
            population: None,
            initial: 0.0,
            machine: Machine::default(),
            actions: Vec::new(),
            numbers: Vec::new(),
            values: Vec::new(),
            looked: None,
            opinion: Vec::new(),
        }
    }
}

impl<W: World> Guide<W> for Evolved<W::Action> {
    fn begin_iteration(&mut self, random: &mut Random) {
        self.population.get_or_insert_with(|| Population::new(&self.config, random));
        self.looked = None;
    }

    fn value(&mut self, world: &W, action: W::Action, around: &Surroundings<'_>) -> Option<f64> {
        let tree = self.population.as_ref()?.current();
        let ticks = Some(around.path.len());
        if self.looked != ticks {
            self.looked = ticks;
            self.numbers.clear();
            self.numbers.extend(0..W::ACTIONS);
            let sight = Sight::new(world, tree.asks(), around.bounds);
            self.machine.evaluate(tree, &sight, &self.numbers, &mut self.opinion);
        }
        Some(self.opinion[W::number(action)])
    }

    fn begin_playout(&mut self, worth: f64) {
        self.initial = worth;
    }

    /// Lines 4 to 14, and with probability epsilon any action (5.2.6).
    fn choose(&mut self, world: &W, around: &Surroundings<'_>, random: &mut Random) -> W::Action {
        let Some(population) = &self.population else { return any(world, random) };
        if at_random(self.config.epsilon, random) {
            return any(world, random);
        }
        let tree = population.current();
        self.actions.clear();
        self.actions.extend_from_slice(world.actions());
        let count = match self.config.action_evaluation as usize {
            0 => self.actions.len(),
            limit => limit.min(self.actions.len()),
        };
        draw(&mut self.actions, count, random);
        let actions = &self.actions[..count];
        if !tree.asks().action {
            // All are worth the same, and the first is the best.
            return actions.first().copied().unwrap_or(W::NIL);
        }
        self.numbers.clear();
        self.numbers.extend(actions.iter().map(|action| W::number(*action)));
        let sight = Sight::new(world, tree.asks(), around.bounds);
        self.machine.evaluate(tree, &sight, &self.numbers, &mut self.values);
        let mut best = (f64::NEG_INFINITY, W::NIL);
        for (value, action) in self.values.iter().zip(actions) {
            if *value > best.0 {
                best = (*value, *action);
            }
        }
        best.1
    }

    /// Lines 17 and 18.
    fn end_playout(&mut self, worth: f64, random: &mut Random) {
        if let Some(population) = &mut self.population {
            population.tried(worth - self.initial, random);
        }
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::Category;

    use super::super::toy::{Move, Toy, iterate};
    use super::*;
    use crate::video::config::Ngrams;
    use crate::video::ngrams::Table;

    fn start() -> Toy {
        Toy::new().with(Category::Npc, 3, (3.0, 1.0)).with(Category::Immovable, 4, (-2.0, 0.0))
    }

    #[test]
    fn a_population_learns_which_action_is_paid() {
        for (seed, paid) in [Move::Left, Move::Right, Move::Up, Move::Down].into_iter().enumerate()
        {
            let world = start().paid(paid, 1.0);
            let mut random = Random::new(seed as u64);
            let mut guide = Evolved::new(&Stgp::default());
            let share = |played: &[Move]| {
                played.iter().filter(|action| **action == paid).count() as f64 / played.len() as f64
            };
            // Before: any, 0.25. After 30 generations: 0.6 + 0.4 / 4 = 0.7 if all have learnt it.
            let first = share(&iterate(&mut guide, &world, 100, &mut random));
            assert!((0.15..0.4).contains(&first), "{paid:?} {first}");
            iterate(&mut guide, &world, 2900, &mut random);
            let last = share(&iterate(&mut guide, &world, 100, &mut random));
            assert!((0.55..0.85).contains(&last), "{paid:?} {last}");
        }
    }

    #[test]
    fn fitness_is_what_was_gained() {
        let mut random = Random::new(3);
        let config = Stgp { population: 2, ..Stgp::default() };
        let mut guide = Evolved::new(&config);
        let dynamic: &mut dyn Guide<Toy> = &mut guide;
        dynamic.begin_iteration(&mut random);
        dynamic.begin_playout(5.0);
        dynamic.end_playout(7.5, &mut random);
        let population = guide.population.as_ref().expect("a population");
        assert_eq!(population.fitness(0), 2.5);
    }

    #[test]
    fn only_so_many_actions_are_compared() {
        // One action of four: any. All: always the same with the same tree and state.
        let ngrams = Table::new(Ngrams::default(), Toy::ACTIONS);
        let around = Surroundings { path: &[], ngrams: &ngrams, bounds: None };
        let different = |action_evaluation| {
            let config = Stgp { epsilon: 0.0, action_evaluation, ..Stgp::default() };
            let mut random = Random::new(6);
            let mut guide = Evolved::new(&config);
            Guide::<Toy>::begin_iteration(&mut guide, &mut random);
            while !guide.population.as_ref().expect("a population").current().asks().action {
                Guide::<Toy>::end_playout(&mut guide, 0.0, &mut random);
            }
            let mut chosen = [0; Toy::ACTIONS];
            for _ in 0..1200 {
                chosen[Toy::number(guide.choose(&start(), &around, &mut random))] += 1;
            }
            let mut chosen = chosen.to_vec();
            chosen.sort_unstable();
            chosen
        };
        assert_eq!(different(0), [0, 0, 0, 0, 1200]);
        assert_eq!(different(4), [0, 0, 0, 0, 1200]);
        assert_eq!(different(99), [0, 0, 0, 0, 1200]);
        let one = different(1);
        assert!(one[0] == 0 && one[1..].iter().all(|count| (230..370).contains(count)), "{one:?}");
        // Of two, the best is chosen in 3 of 6 pairs, the second in 2, the third in 1.
        let two = different(2);
        assert_eq!(two[..2], [0, 0]);
        assert!((130..270).contains(&two[2]) && (530..670).contains(&two[4]), "{two:?}");
    }

    #[test]
    fn selection_and_playout_ask_the_same_individual() {
        let mut random = Random::new(1);
        let mut guide = Evolved::new(&Stgp { epsilon: 0.0, ..Stgp::default() });
        let ngrams = Table::new(Ngrams::default(), Toy::ACTIONS);
        let around = Surroundings { path: &[], ngrams: &ngrams, bounds: Some((0.0, 2.0)) };
        let world = start();
        assert_eq!(guide.value(&world, Move::Up, &around), None);
        for _ in 0..250 {
            Guide::<Toy>::begin_iteration(&mut guide, &mut random);
            let values: Vec<f64> = world
                .actions()
                .iter()
                .map(|action| guide.value(&world, *action, &around).expect("an opinion"))
                .collect();
            let chosen = guide.choose(&world, &around, &mut random);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(guide.value(&world, chosen, &around), Some(most));
            Guide::<Toy>::end_playout(&mut guide, 1.0, &mut random);
        }
    }
}
