//! The (1 + 1) evolutionary algorithm (GVGAI-THESIS 4.3.1 and Algorithm 4.2, after Perez et al. 2014).

mod features;
mod individual;
mod normal;

use regulus_game::{Random, World};

use super::greedy::{at_random, best};
use super::{Guide, Span, Surroundings, any};
use crate::component::Chosen;
use crate::numeric::{exp, unit};
use crate::parameter::{Component, ComponentWord, Kind, Parameter, Value, words};
use features::Features;
use individual::Individual;

pub(super) const COMPONENT: Component = Component {
    name: "one_plus_one",
    help: "the action that weighted features prefer, or any; weights evolve with every play-out (Algorithm 4.2)",
    keys: &[
        Parameter::epsilon("playout.epsilon", 0.4),
        Parameter {
            path: "playout.choice",
            kind: Kind::Choice(ActionChoice::WORDS),
            default: Value::Word("greedy"),
            help: "whether the action that is worth most is chosen, or each with the probability of a softmax",
            published: "greedy (GVGAI-THESIS 4.3.1); softmax (Perez et al. 2014)",
        },
        Parameter {
            path: "playout.fitness",
            kind: Kind::Choice(Span::WORDS),
            default: Value::Word("game"),
            help: "whether what the best individual achieved counts for the whole game, or for the tick only: then a lucky \
                   win does not keep others away for ever",
            published: "game (GVGAI-THESIS Algorithm 4.2)",
        },
    ],
    words: &[
        ComponentWord::video("ea").number("epsilon"),
        // Perez et al. have no epsilon.
        ComponentWord::video("easoftmax")
            .with(&[("epsilon", 0.0), ("choice", 1.0)])
            .number("epsilon"),
    ],
};

/// How an action is chosen by what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionChoice {
    /// The one that is worth most.
    Greedy,
    /// Each with a probability proportional to e to the power of what it is worth.
    Softmax,
}

words!(ActionChoice { Greedy = "greedy", Softmax = "softmax" });

impl ActionChoice {
    /// The number of its word.
    pub(super) fn number(self) -> f64 {
        f64::from(u8::from(self == ActionChoice::Softmax))
    }

    pub(super) fn of(part: &Chosen) -> Self {
        if part.flag("choice") { ActionChoice::Softmax } else { ActionChoice::Greedy }
    }
}

/// Play-outs of a changed copy of the best individual, which takes its place if it does better.
///
/// The best individual is kept for the whole game. So is what it achieved, as line 13 of the algorithm is printed, unless
/// that is to be forgotten with every tick, as play-outs of another tick begin elsewhere.
pub(super) struct OnePlusOne {
    epsilon: f64,
    choice: ActionChoice,
    fitness: Span,
    features: Features,
    best: Individual,
    individual: Individual,
    /// Equation 4.1 of the state that was looked at last, by the number of the action.
    strengths: Vec<f64>,
    /// How long the path was when selection looked last in this iteration.
    looked: Option<usize>,
    /// For features that selection finds.
    random: Random,
    /// For the softmax.
    weights: Vec<f64>,
}

impl OnePlusOne {
    pub fn new(epsilon: f64, choice: ActionChoice, fitness: Span, actions: usize) -> Self {
        OnePlusOne {
            epsilon,
            choice,
            fitness,
            features: Features::default(),
            best: Individual::new(actions),
            individual: Individual::new(actions),
            strengths: vec![0.0; actions],
            looked: None,
            random: Random::new(0),
            weights: Vec::new(),
        }
    }

    /// Any action, with probabilities by the softmax of what they are worth: "applying the softmax function to the
    /// weighted sum, a probability for choosing an action is obtained" (4.3.1, after Perez et al. 2014).
    fn draw<W: World>(&mut self, world: &W, random: &mut Random) -> W::Action {
        let strengths = &self.strengths;
        let strength = |action: &W::Action| strengths[W::number(*action)];
        let highest = world.actions().iter().map(strength).fold(f64::NEG_INFINITY, f64::max);
        self.weights.clear();
        // Relative to the highest, so that nothing overflows.
        let weight = |action: &W::Action| exp((strength(action) - highest).max(-700.0));
        self.weights.extend(world.actions().iter().map(weight));
        let mut rest = unit(random) * self.weights.iter().sum::<f64>();
        for (weight, action) in self.weights.iter().zip(world.actions()) {
            if rest < *weight {
                return *action;
            }
            rest -= weight;
        }
        // By rounding, or because there is nothing to do.
        world.actions().last().copied().unwrap_or(W::NIL)
    }

    fn look<W: World>(&mut self, world: &W) {
        self.features.see(world);
        self.individual.update(&self.features, &mut self.random);
        self.individual.strengths(&self.features, &mut self.strengths);
    }
}

impl<W: World> Guide<W> for OnePlusOne {
    fn begin_tick(&mut self) {
        if self.fitness == Span::Tick {
            self.best.fitness = f64::NEG_INFINITY;
        }
    }

    /// Lines 1 and 2, for the whole iteration, so that the individual can also guide the selection (4.4).
    fn begin_iteration(&mut self, random: &mut Random) {
        self.individual.clone_from(&self.best);
        self.individual.mutate(random);
        self.looked = None;
        self.random = Random::new(random.bits());
    }

    fn value(&mut self, world: &W, action: W::Action, around: &Surroundings<'_>) -> Option<f64> {
        let ticks = Some(around.path.len());
        if self.looked != ticks {
            self.look(world);
            self.looked = ticks;
        }
        Some(self.strengths[W::number(action)])
    }

    /// Lines 4 to 9.
    fn choose(&mut self, world: &W, _around: &Surroundings<'_>, random: &mut Random) -> W::Action {
        if at_random(self.epsilon, random) {
            return any(world, random);
        }
        self.look(world);
        match self.choice {
            ActionChoice::Greedy => best(world, random, |action| self.strengths[W::number(action)]),
            ActionChoice::Softmax => self.draw(world, random),
        }
    }

    /// Lines 12 to 15.
    fn end_playout(&mut self, worth: f64, _random: &mut Random) {
        self.individual.fitness = worth;
        if self.individual.fitness > self.best.fitness {
            std::mem::swap(&mut self.individual, &mut self.best);
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

    fn greedy() -> OnePlusOne {
        OnePlusOne::new(0.0, ActionChoice::Greedy, Span::Game, Toy::ACTIONS)
    }

    #[test]
    fn a_softmax_by_hand() {
        let mut guide = OnePlusOne::new(0.0, ActionChoice::Softmax, Span::Game, Toy::ACTIONS);
        let world = start();
        let drawn = |guide: &mut OnePlusOne, strengths: [(Move, f64); 4]| {
            for (action, strength) in strengths {
                guide.strengths[action as usize] = strength;
            }
            let mut random = Random::new(3);
            let mut counts = [0u32; Toy::ACTIONS];
            for _ in 0..40_000 {
                counts[Toy::number(guide.draw(&world, &mut random))] += 1;
            }
            [Move::Left, Move::Right, Move::Up, Move::Down].map(|action| counts[action as usize])
        };
        // e^0 = 1, e^(ln 3) = 3, e^(ln 2) = 2, e^(ln 2) = 2: eighths.
        let (two, three) = (2f64.ln(), 3f64.ln());
        let strengths =
            [(Move::Left, 0.0), (Move::Right, three), (Move::Up, two), (Move::Down, two)];
        // 5,000, 15,000, 10,000 and 10,000 of 40,000 expected; the standard deviation is at most 97.
        let counts = drawn(&mut guide, strengths);
        for (count, expected) in counts.into_iter().zip([5_000, 15_000, 10_000, 10_000u32]) {
            assert!(count.abs_diff(expected) < 400, "{counts:?}");
        }
        // What is added to all of them changes nothing, and what is far below the best is never drawn.
        let far = strengths.map(|(action, strength)| (action, strength + 1e6));
        assert_eq!(drawn(&mut guide, far), counts);
        let one = [(Move::Left, 1e9), (Move::Right, 0.0), (Move::Up, -1e9), (Move::Down, 1.0)];
        assert_eq!(drawn(&mut guide, one), [40_000, 0, 0, 0]);
    }

    #[test]
    fn it_learns_which_action_is_paid() {
        for seed in 0..10 {
            let world = start().paid(Move::Up, 1.0);
            let mut random = Random::new(seed);
            let mut guide = greedy();
            iterate(&mut guide, &world, 300, &mut random);
            // The best individual goes up in every tick of its play-out.
            assert_eq!(guide.best.fitness, 10.0, "seed {seed}");
        }
    }

    #[test]
    fn it_walks_to_what_is_worth_something() {
        for seed in 0..10 {
            let world = Toy::new().with(Category::Portal, 1, (-3.0, 0.0));
            let mut random = Random::new(seed);
            let mut guide = greedy();
            // Worth is what the distance to the portal is short of 10.
            let table = Table::new(Ngrams::default(), Toy::ACTIONS);
            for _ in 0..500 {
                let mut world = world.clone();
                Guide::<Toy>::begin_iteration(&mut guide, &mut random);
                let mut path = Vec::new();
                while path.len() < 10 && !world.is_over() {
                    let around = Surroundings { path: &path, ngrams: &table, bounds: None };
                    let action = guide.choose(&world, &around, &mut random);
                    path.push(Toy::number(action));
                    world.advance(action);
                }
                let (x, y) = world.avatar.expect("an avatar");
                let worth = 10.0 - (x + 3.0).abs() - y.abs();
                Guide::<Toy>::end_playout(&mut guide, worth, &mut random);
            }
            assert_eq!(guide.best.fitness, 10.0, "seed {seed}");
        }
    }

    #[test]
    fn only_a_better_one_takes_the_place_of_the_best() {
        let mut random = Random::new(1);
        let mut guide = greedy();
        let mut round = |guide: &mut OnePlusOne, worth| {
            Guide::<Toy>::begin_iteration(guide, &mut random);
            guide.look(&start());
            let before = guide.best.clone();
            Guide::<Toy>::end_playout(guide, worth, &mut random);
            guide.best != before
        };
        assert!(round(&mut guide, 2.0));
        assert!(!round(&mut guide, 2.0));
        assert!(!round(&mut guide, 1.0));
        assert!(round(&mut guide, 3.0));
        let best = guide.best.clone();
        Guide::<Toy>::begin_tick(&mut guide);
        assert_eq!(guide.best, best, "Algorithm 4.2 never forgets what was achieved");
        guide.fitness = Span::Tick;
        Guide::<Toy>::begin_tick(&mut guide);
        assert_eq!(guide.best.fitness, f64::NEG_INFINITY);
        guide.best.fitness = best.fitness;
        assert_eq!(guide.best, best, "a new tick keeps the weights");
    }

    #[test]
    fn selection_and_playout_ask_the_same_individual() {
        let mut random = Random::new(1);
        let mut guide = greedy();
        let ngrams = Table::new(Ngrams::default(), Toy::ACTIONS);
        let around = Surroundings { path: &[], ngrams: &ngrams, bounds: None };
        let world = start();
        for _ in 0..50 {
            Guide::<Toy>::begin_iteration(&mut guide, &mut random);
            let mut most = (f64::NEG_INFINITY, Move::Nil);
            for &action in world.actions() {
                let value = guide.value(&world, action, &around).expect("an opinion");
                if value > most.0 {
                    most = (value, action);
                }
            }
            assert_eq!(guide.choose(&world, &around, &mut random), most.1);
        }
    }

    #[test]
    fn another_state_is_looked_at_again() {
        let mut random = Random::new(1);
        let mut guide = greedy();
        let ngrams = Table::new(Ngrams::default(), Toy::ACTIONS);
        let mut world = start();
        Guide::<Toy>::begin_iteration(&mut guide, &mut random);
        let around = Surroundings { path: &[], ngrams: &ngrams, bounds: None };
        let first = guide.value(&world, Move::Up, &around);
        assert_eq!(guide.value(&world, Move::Up, &around), first);
        world.advance(Move::Right);
        let path = [Toy::number(Move::Right)];
        let around = Surroundings { path: &path, ngrams: &ngrams, bounds: None };
        assert_ne!(guide.value(&world, Move::Up, &around), first);
    }
}
