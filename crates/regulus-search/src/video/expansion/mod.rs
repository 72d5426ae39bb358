//! Which of the untried actions of a node is added to the tree (GVGAI-THESIS 3.2.2).
//!
//! A new expansion implements [`Expand`] and has one line in [`REGISTRY`]; a configuration asks for it by
//! [`Expansion::Registered`].

mod roulette;

use regulus_game::Random;

use super::config::Expansion;
use crate::component::selection::greatest;
use crate::component::{self, Chosen};
pub use crate::component::{ComponentWord, Entry, Parameter};
use crate::numeric::unit;
use crate::parameter::{Field, Kind, Value};

/// The untried actions of a node.
pub trait Candidates {
    /// How many there are, at least one.
    fn count(&self) -> usize;

    /// What the state behind one is worth; this costs a tick of the forward model.
    fn state(&mut self, index: usize) -> f64;

    /// What the statistics of actions say about one.
    fn action(&self, index: usize) -> f64;

    /// The same, scaled to the range from 0 to 1 as selection scales means; 1 for what was never played.
    fn scaled(&self, index: usize) -> f64;

    /// The number of one among all actions of the game.
    fn number(&self, index: usize) -> usize;
}

/// Chooses what is added to the tree.
pub trait Expand: Send {
    /// Where the play-out begins.
    fn choose(&mut self, candidates: &mut dyn Candidates, random: &mut Random) -> usize;

    /// Whether all candidates are added, and not only the chosen one.
    fn adds_all(&self) -> bool {
        false
    }

    /// Whether statistics of actions are looked at.
    fn asks_actions(&self) -> bool {
        false
    }
}

/// All expansions.
pub const REGISTRY: &[Entry<dyn Expand>] =
    &[RANDOM, EPSILON_GREEDY, ACTION_BASED, ALL_CHILDREN, roulette::LEARNED, roulette::GIVEN];

const RANDOM: Entry<dyn Expand> = Entry {
    name: "random",
    summary: "any untried action",
    parameters: &[],
    words: &[],
    make: |_| Box::new(Any { all: false }),
};

const EPSILON_GREEDY: Entry<dyn Expand> = Entry {
    name: "epsilon_greedy",
    summary: "the untried action with the best next state; with probability epsilon any",
    parameters: &[Parameter::epsilon("expansion.epsilon", 0.5)],
    words: &[ComponentWord::video("greedyexpand").number("epsilon")],
    make: |values| Box::new(Greedy::new(values.number("epsilon"), true)),
};

const ACTION_BASED: Entry<dyn Expand> = Entry {
    name: "action_based",
    summary: "the untried action with the best statistics; with probability epsilon any",
    parameters: &[Parameter::epsilon("expansion.epsilon", 0.4)],
    words: &[ComponentWord::video("actionexpand").number("epsilon").ngrams(&[("length", 1.0)])],
    make: |values| Box::new(Greedy::new(values.number("epsilon"), false)),
};

const ALL_CHILDREN: Entry<dyn Expand> = Entry {
    name: "all_children",
    summary: "all untried actions at once; the play-out begins at any of them",
    parameters: &[],
    words: &[ComponentWord::video("allexpand")],
    make: |_| Box::new(Any { all: true }),
};

/// Which expansion.
pub(super) const KIND: Kind = Kind::Component(|| component::parts(REGISTRY));

/// Finds an expansion by its name.
pub fn find(name: &str) -> Option<&'static Entry<dyn Expand>> {
    component::find(REGISTRY, name)
}

impl Expansion {
    /// The part of the registry.
    pub fn chosen(&self) -> Chosen {
        match *self {
            Expansion::Random => Chosen::new(RANDOM.name, &[]),
            Expansion::EpsilonGreedy { epsilon } => {
                Chosen::new(EPSILON_GREEDY.name, &[("epsilon", epsilon)])
            }
            Expansion::ActionBased { epsilon } => {
                Chosen::new(ACTION_BASED.name, &[("epsilon", epsilon)])
            }
            Expansion::AllChildren => Chosen::new(ALL_CHILDREN.name, &[]),
            Expansion::Registered(chosen) => chosen,
        }
    }
}

impl Field for Expansion {
    fn load(&self) -> Option<Value> {
        Some(Value::Component(self.chosen()))
    }

    fn store(&mut self, value: Value) {
        let Value::Component(part) = value else { return };
        let epsilon = part.number("epsilon");
        *self = match part.name {
            "random" => Expansion::Random,
            "epsilon_greedy" => Expansion::EpsilonGreedy { epsilon },
            "action_based" => Expansion::ActionBased { epsilon },
            "all_children" => Expansion::AllChildren,
            _ => Expansion::Registered(part),
        };
    }
}

/// The expansion of a configuration; random if there is no such expansion, which validation has excluded.
pub(crate) fn make(expansion: &Expansion) -> Box<dyn Expand> {
    let chosen = expansion.chosen();
    find(chosen.name).unwrap_or(&RANDOM).build(&chosen)
}

struct Any {
    all: bool,
}

impl Expand for Any {
    fn choose(&mut self, candidates: &mut dyn Candidates, random: &mut Random) -> usize {
        random.below(candidates.count() as u64) as usize
    }

    fn adds_all(&self) -> bool {
        self.all
    }
}

struct Greedy {
    epsilon: f64,
    by_state: bool,
    /// Of the candidates at hand.
    values: Vec<f64>,
}

impl Greedy {
    fn new(epsilon: f64, by_state: bool) -> Self {
        Greedy { epsilon, by_state, values: Vec::new() }
    }
}

impl Expand for Greedy {
    fn choose(&mut self, candidates: &mut dyn Candidates, random: &mut Random) -> usize {
        if unit(random) < self.epsilon {
            return Any { all: false }.choose(candidates, random);
        }
        self.values.clear();
        for index in 0..candidates.count() {
            let by_state = self.by_state;
            let value = if by_state { candidates.state(index) } else { candidates.action(index) };
            self.values.push(value);
        }
        greatest(&self.values, random)
    }

    fn asks_actions(&self) -> bool {
        !self.by_state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed {
        states: [f64; 3],
        actions: [f64; 3],
        ticks: u32,
    }

    impl Candidates for Fixed {
        fn count(&self) -> usize {
            3
        }

        fn state(&mut self, index: usize) -> f64 {
            self.ticks += 1;
            self.states[index]
        }

        fn action(&self, index: usize) -> f64 {
            self.actions[index]
        }

        fn scaled(&self, index: usize) -> f64 {
            self.actions[index].min(3.0) / 3.0
        }

        fn number(&self, index: usize) -> usize {
            [4, 0, 2][index]
        }
    }

    fn choices(expansion: Expansion) -> ([u32; 3], u32) {
        let mut fixed =
            Fixed { states: [1.0, 5.0, 2.0], actions: [1.0, 2.0, f64::INFINITY], ticks: 0 };
        let mut expand = make(&expansion);
        let mut random = Random::new(3);
        let mut counts = [0; 3];
        for _ in 0..3000 {
            counts[expand.choose(&mut fixed, &mut random)] += 1;
        }
        (counts, fixed.ticks)
    }

    #[test]
    fn each_expansion_chooses_by_its_criterion() {
        assert_eq!(choices(Expansion::EpsilonGreedy { epsilon: 0.0 }), ([0, 3000, 0], 9000));
        assert_eq!(choices(Expansion::ActionBased { epsilon: 0.0 }), ([0, 0, 3000], 0));
        for expansion in [
            Expansion::Random,
            Expansion::AllChildren,
            Expansion::EpsilonGreedy { epsilon: 1.0 },
            Expansion::ActionBased { epsilon: 1.0 },
        ] {
            let (counts, ticks) = choices(expansion);
            assert_eq!(ticks, 0);
            assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        }
        assert!(make(&Expansion::AllChildren).adds_all());
        // Weights 1/3, 2/3 and 1: 500, 1000 and 1500 expected.
        let learned = Expansion::Registered(Chosen::new("roulette_wheel", &[("floor", 0.0)]));
        // Actions 4, 0 and 2 have weights 3, 0 and 1: 2250, 0 and 750.
        let weights =
            [("nil", 0.0), ("up", 9.0), ("left", 1.0), ("down", 9.0), ("right", 3.0), ("use", 9.0)];
        let given = Expansion::Registered(Chosen::new("weighted_wheel", &weights));
        for (wheel, expected) in [(learned, [500, 1000, 1500]), (given, [2250, 0, 750u32])] {
            let (counts, ticks) = choices(wheel);
            assert_eq!(ticks, 0);
            for (count, expected) in counts.iter().zip(expected) {
                assert!(count.abs_diff(expected) < 120, "{counts:?}");
            }
        }
        let half = choices(Expansion::EpsilonGreedy { epsilon: 0.5 }).0;
        assert!((1900..2100).contains(&half[1]), "{half:?}");
    }
}
