//! Play-outs: who chooses actions below the tree.

mod greedy;
mod mast;
mod one_plus_one;
mod random;
mod stgp;
#[cfg(test)]
mod toy;

use regulus_game::{Random, World};

use super::ngrams::Table;
use crate::component::Chosen;
use crate::parameter::{Component, Field, Value, words};

pub use one_plus_one::ActionChoice;
pub(crate) use random::any;
pub use stgp::{Generation, Stgp};
#[cfg(test)]
pub(crate) use toy::Toy;

/// What is played below the tree.
#[derive(Clone, PartialEq, Debug)]
pub enum Playout {
    /// Any action.
    Random,
    /// The action with the best mean; with probability epsilon any.
    Mast {
        /// The probability.
        epsilon: f64,
    },
    /// The action that continues the best sequences of some length; with probability epsilon any.
    Nst {
        /// The probability.
        epsilon: f64,
    },
    /// Weights of features, changed a little for every play-out (Algorithm 4.2).
    OnePlusOne {
        /// The probability of any action.
        epsilon: f64,
        /// How an action is chosen by what it is worth.
        choice: ActionChoice,
        /// How long the fitness of the best individual counts.
        fitness: Span,
    },
    /// Strongly typed genetic programming (Algorithms 4.1 and 4.3 to 4.5, Tables 4.1 and 4.2).
    Stgp(Stgp),
}

impl Playout {
    /// The (1 + 1) EA as Algorithm 4.2 prints it.
    pub const fn one_plus_one(epsilon: f64) -> Self {
        Playout::OnePlusOne { epsilon, choice: ActionChoice::Greedy, fitness: Span::Game }
    }
}

/// How long something that was seen counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// For the whole game.
    Game,
    /// Until the next action of the game.
    Tick,
}

words!(Span { Game = "game", Tick = "tick" });

impl Span {
    /// The number of its word.
    fn number(self) -> f64 {
        f64::from(u8::from(self == Span::Tick))
    }

    fn of(part: &Chosen, key: &str) -> Self {
        if part.flag(key) { Span::Tick } else { Span::Game }
    }
}

/// All play-outs. A new one is a file of this folder, a variant of [`Playout`] and a line here.
pub(super) const REGISTRY: &[Component] =
    &[random::COMPONENT, mast::MAST, mast::NST, one_plus_one::COMPONENT, stgp::COMPONENT];

impl Field for Playout {
    fn load(&self) -> Option<Value> {
        Some(Value::Component(match self {
            Playout::Random => Chosen::new(random::COMPONENT.name, &[]),
            Playout::Mast { epsilon } => Chosen::new(mast::MAST.name, &[("epsilon", *epsilon)]),
            Playout::Nst { epsilon } => Chosen::new(mast::NST.name, &[("epsilon", *epsilon)]),
            Playout::OnePlusOne { epsilon, choice, fitness } => Chosen::new(
                one_plus_one::COMPONENT.name,
                &[
                    ("epsilon", *epsilon),
                    ("choice", choice.number()),
                    ("fitness", fitness.number()),
                ],
            ),
            Playout::Stgp(stgp) => stgp.values(),
        }))
    }

    fn store(&mut self, value: Value) {
        let Value::Component(part) = value else { return };
        let epsilon = part.number("epsilon");
        *self = match part.name {
            "mast" => Playout::Mast { epsilon },
            "nst" => Playout::Nst { epsilon },
            "one_plus_one" => Playout::OnePlusOne {
                epsilon,
                choice: ActionChoice::of(&part),
                fitness: Span::of(&part, "fitness"),
            },
            "stgp" => Playout::Stgp(Stgp::of(&part)),
            _ => Playout::Random,
        };
    }
}

/// What a play-out can look at besides the state.
pub(crate) struct Surroundings<'a> {
    /// The numbers of the actions since the root of the tree, in order. It grows by one with every tick, so that
    /// within an iteration its length names the state.
    pub path: &'a [usize],
    /// Statistics of actions.
    pub ngrams: &'a Table,
    /// The least and the greatest value of an iteration so far, in this game or in this tick, see [`Stgp::bounds`]; nothing
    /// before the first.
    pub bounds: Option<(f64, f64)>,
}

/// Chooses actions below the tree, and learns from what comes of it.
///
/// Every tick of the game calls `begin_tick`. An iteration calls `begin_iteration`, then `value` while it selects
/// (only for selection by evolution), then `begin_playout`, `choose` for every tick, and `end_playout`.
pub(crate) trait Guide<W: World>: Send {
    /// A new tick of the game: what iterations are worth cannot be compared with those before.
    fn begin_tick(&mut self) {}

    /// A new iteration.
    fn begin_iteration(&mut self, _random: &mut Random) {}

    /// What an action is worth in a state, if this guide has an opinion of its own.
    fn value(&mut self, _world: &W, _action: W::Action, _around: &Surroundings<'_>) -> Option<f64> {
        None
    }

    /// A play-out begins; `worth` is what its first state is worth by the score of the search.
    fn begin_playout(&mut self, _worth: f64) {}

    /// The next action. There is always one to choose from.
    fn choose(&mut self, world: &W, around: &Surroundings<'_>, random: &mut Random) -> W::Action;

    /// The play-out is over; `worth` is what its last state is worth.
    fn end_playout(&mut self, _worth: f64, _random: &mut Random) {}
}

/// The guide of a configuration, at the beginning of a game.
pub(crate) fn guide<W: World>(playout: &Playout) -> Box<dyn Guide<W>> {
    match playout {
        Playout::Random => Box::new(random::Uniform),
        Playout::Mast { epsilon } => Box::new(mast::Mast { epsilon: *epsilon }),
        Playout::Nst { epsilon } => Box::new(mast::Nst { epsilon: *epsilon }),
        Playout::OnePlusOne { epsilon, choice, fitness } => {
            Box::new(one_plus_one::OnePlusOne::new(*epsilon, *choice, *fitness, W::ACTIONS))
        }
        Playout::Stgp(config) => Box::new(stgp::Evolved::new(config)),
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::Category;

    use super::toy::{Move, Toy, iterate};
    use super::*;

    fn all() -> [Playout; 6] {
        let epsilon = 0.4;
        [
            Playout::Random,
            Playout::Mast { epsilon },
            Playout::Nst { epsilon },
            Playout::one_plus_one(epsilon),
            Playout::OnePlusOne {
                epsilon: 0.0,
                choice: ActionChoice::Softmax,
                fitness: Span::Tick,
            },
            Playout::Stgp(Stgp { population: 20, ..Stgp::default() }),
        ]
    }

    fn world() -> Toy {
        Toy::new()
            .with(Category::Npc, 3, (3.0, 1.0))
            .with(Category::Resource, 4, (-1.0, 0.0))
            .with(Category::Resource, 4, (0.0, -2.0))
            .with(Category::Portal, 7, (2.0, 2.0))
            .paid(Move::Up, 0.25)
    }

    /// What is played in several ticks of a game.
    fn played(playout: &Playout, seed: u64) -> Vec<Move> {
        let mut random = Random::new(seed);
        let mut guide = guide::<Toy>(playout);
        (0..3).flat_map(|_| iterate(&mut *guide, &world(), 50, &mut random)).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_play() {
        for playout in all() {
            assert_eq!(played(&playout, 7), played(&playout, 7), "{playout:?}");
            assert_ne!(played(&playout, 7), played(&playout, 8), "{playout:?}");
        }
    }

    #[test]
    fn guides_that_learn_do_better_than_chance() {
        let share = |playout: &Playout| {
            let played = played(playout, 7);
            let paid = played.iter().filter(|action| **action == Move::Up).count();
            paid as f64 / played.len() as f64
        };
        let [random, guided @ ..] = all();
        let chance = share(&random);
        assert!((0.2..0.3).contains(&chance), "{chance}");
        for playout in guided {
            assert!(share(&playout) > chance + 0.05, "{playout:?} {}", share(&playout));
        }
    }

    #[test]
    fn without_anything_to_see_or_to_do_nothing_breaks() {
        let mut nowhere = Toy::new();
        nowhere.avatar = None;
        let mut over = Toy::new();
        over.end(false);
        for playout in all() {
            let mut random = Random::new(1);
            let mut guide = guide::<Toy>(&playout);
            assert_eq!(iterate(&mut *guide, &nowhere, 30, &mut random).len(), 300);
            assert_eq!(iterate(&mut *guide, &over, 30, &mut random).len(), 0);
            // A search never asks for an action after the end, but an answer is better than none.
            let ngrams = Table::new(super::super::config::Ngrams::default(), Toy::ACTIONS);
            let around = Surroundings { path: &[], ngrams: &ngrams, bounds: None };
            assert_eq!(guide.choose(&over, &around, &mut random), Move::Nil);
        }
    }
}
