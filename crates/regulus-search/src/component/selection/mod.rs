//! How a child is selected (GVGAI-THESIS 3.2.1 and 3.3.1).
//!
//! A new selection is one file in this folder that implements [`Select`], and one line in [`REGISTRY`]; a
//! configuration asks for it by [`Selection::Registered`].

mod adaptive_c;
mod epsilon_greedy;
mod evo;
mod progressive_bias;
mod progressive_history;
mod random;
mod single_player;
mod ucb1_tuned;
mod uct;

use std::f64::consts::SQRT_2;

use regulus_game::Random;

use super::{Chosen, parts};
pub use super::{ComponentWord, Entry, Parameter};
use crate::parameter::{Field, Kind, Value};

/// How a child is selected when all were tried.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied where searches are made, not while they run"
)]
pub enum Selection {
    /// Equation 3.1.
    Uct {
        /// C.
        c: f64,
    },
    /// Equation 3.3: C times the range of scores.
    AdaptiveC {
        /// C.
        c: f64,
        /// Whether the range is that of all scores, and not that of the scores of the child.
        global: bool,
    },
    /// Equation 3.4.
    Ucb1Tuned,
    /// Equation 3.5: the mean of the action in all iterations counts for children with few visits.
    ProgressiveHistory {
        /// C.
        c: f64,
        /// W.
        w: f64,
    },
    /// Equation 3.6.
    SinglePlayer {
        /// C.
        c: f64,
        /// D.
        d: f64,
    },
    /// The best mean among those that were tried; with probability epsilon any action, tried or not.
    EpsilonGreedy {
        /// The probability.
        epsilon: f64,
    },
    /// The same with epsilon = 1 / n in iteration n of the tick.
    DecreasingEpsilon,
    /// Any child.
    Random,
    /// The child whose action the individual of an evolutionary play-out prefers; with probability epsilon any.
    Evo {
        /// The probability.
        epsilon: f64,
    },
    /// A part of [`REGISTRY`] by its name.
    Registered(Chosen),
}

/// What a selection knows about a child. All values are scaled to the range from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    /// n_i: its visits, at least 1.
    pub visits: f64,
    /// n_p: the visits of its parent.
    pub parent_visits: f64,
    /// ln(n_p), the same for all children.
    pub parent_logarithm: f64,
    /// The mean of its values; with MixMax backups mixed with the greatest of them.
    pub mean: f64,
    /// The sum of the squares of its values. With MixMax backups it is such that `squares` / `visits` minus the
    /// square of `mean` is still the variance of the values.
    pub squares: f64,
    /// Its greatest value minus its least.
    pub range: f64,
    /// The greatest value of the game so far minus the least, in the same scale: 1 if that is what values are scaled by.
    pub global_range: f64,
    /// X_a / n_a: the mean of all iterations in which its action was played; only for
    /// [`Select::asks_actions`].
    pub action_mean: f64,
    /// What an evolutionary play-out thinks of its action; only for [`Select::asks_guide`].
    pub opinion: f64,
}

/// Selects the child with the greatest value; sometimes any.
pub trait Select: Send {
    /// The value of a child.
    fn value(&self, child: &Child) -> f64;

    /// The value of a child that was never visited, which only an expansion of all children leaves behind:
    /// it is visited first.
    fn unvisited(&self) -> f64 {
        f64::INFINITY
    }

    /// The probability of any child in an iteration of this tick; the first has the number 1.
    fn any(&self, _iteration: u64) -> f64 {
        0.0
    }

    /// Whether all actions of a node are tried before any is selected again. If not, a random choice is among
    /// all actions, and a node is expanded when it hits one that was not tried.
    fn tries_all(&self) -> bool {
        true
    }

    /// Whether values are from 0 up and go by [`Child::mean`], so that they can be compared with others and
    /// changed a little.
    fn goes_by_mean(&self) -> bool {
        true
    }

    /// Whether [`Child::action_mean`] is looked at.
    fn asks_actions(&self) -> bool {
        false
    }

    /// Whether [`Child::opinion`] is looked at.
    fn asks_guide(&self) -> bool {
        false
    }
}

/// All selections.
pub const REGISTRY: &[Entry<dyn Select>] = &[
    uct::ENTRY,
    adaptive_c::ENTRY,
    ucb1_tuned::ENTRY,
    progressive_history::ENTRY,
    single_player::ENTRY,
    epsilon_greedy::FIXED,
    epsilon_greedy::DECREASING,
    random::ENTRY,
    evo::ENTRY,
    progressive_bias::ENTRY,
];

/// Which selection.
pub(crate) const KIND: Kind = Kind::Component(|| parts(REGISTRY));

/// Finds a selection by its name.
pub fn find(name: &str) -> Option<&'static Entry<dyn Select>> {
    super::find(REGISTRY, name)
}

impl Selection {
    /// What it is, in words.
    pub fn words(&self) -> String {
        match *self {
            Selection::Uct { c } => format!("UCT with exploration constant {c}"),
            Selection::AdaptiveC { c, global: false } => {
                format!("UCT with {c} times the range of scores of the child")
            }
            Selection::AdaptiveC { c, global: true } => {
                format!("UCT with {c} times the range of all scores")
            }
            Selection::Ucb1Tuned => "UCB1-Tuned".to_owned(),
            Selection::ProgressiveHistory { c, w } => {
                format!("UCT with exploration constant {c} and progressive history with W = {w}")
            }
            Selection::SinglePlayer { c, d } => {
                format!("single-player UCT with exploration constant {c} and D = {d}")
            }
            Selection::EpsilonGreedy { epsilon } => {
                format!("greedy by means, except with probability {epsilon}")
            }
            Selection::DecreasingEpsilon => {
                "greedy by means, except with probability 1/n".to_owned()
            }
            Selection::Random => "random".to_owned(),
            Selection::Evo { .. } => "by an evolutionary play-out".to_owned(),
            Selection::Registered(chosen) => format!("by {}", chosen.name),
        }
    }

    /// The part of the registry.
    pub fn chosen(&self) -> Chosen {
        match *self {
            Selection::Uct { c } => Chosen::new(uct::ENTRY.name, &[("c", c)]),
            Selection::AdaptiveC { c, global } => Chosen::new(
                adaptive_c::ENTRY.name,
                &[("c", c), ("range", f64::from(u8::from(global)))],
            ),
            Selection::Ucb1Tuned => Chosen::new(ucb1_tuned::ENTRY.name, &[]),
            Selection::ProgressiveHistory { c, w } => {
                Chosen::new(progressive_history::ENTRY.name, &[("c", c), ("w", w)])
            }
            Selection::SinglePlayer { c, d } => {
                Chosen::new(single_player::ENTRY.name, &[("c", c), ("d", d)])
            }
            Selection::EpsilonGreedy { epsilon } => {
                Chosen::new(epsilon_greedy::FIXED.name, &[("epsilon", epsilon)])
            }
            Selection::DecreasingEpsilon => Chosen::new(epsilon_greedy::DECREASING.name, &[]),
            Selection::Random => Chosen::new(random::ENTRY.name, &[]),
            Selection::Evo { epsilon } => Chosen::new(evo::ENTRY.name, &[("epsilon", epsilon)]),
            Selection::Registered(chosen) => chosen,
        }
    }
}

impl Field for Selection {
    fn load(&self) -> Option<Value> {
        Some(Value::Component(self.chosen()))
    }

    fn store(&mut self, value: Value) {
        if let Value::Component(part) = value {
            *self = part.into();
        }
    }
}

impl Field for Option<Selection> {
    fn load(&self) -> Option<Value> {
        self.as_ref().and_then(Field::load)
    }

    fn store(&mut self, value: Value) {
        if let Value::Component(part) = value {
            *self = Some(part.into());
        }
    }
}

impl From<Chosen> for Selection {
    fn from(chosen: Chosen) -> Self {
        let [c, w, d, epsilon] = ["c", "w", "d", "epsilon"].map(|key| chosen.number(key));
        match chosen.name {
            "adaptive_c" => Selection::AdaptiveC { c, global: chosen.flag("range") },
            "ucb1_tuned" => Selection::Ucb1Tuned,
            "progressive_history" => Selection::ProgressiveHistory { c, w },
            "single_player" => Selection::SinglePlayer { c, d },
            "epsilon_greedy" => Selection::EpsilonGreedy { epsilon },
            "decreasing_epsilon" => Selection::DecreasingEpsilon,
            "random" => Selection::Random,
            "evo" => Selection::Evo { epsilon },
            "uct" => Selection::Uct { c },
            _ => Selection::Registered(chosen),
        }
    }
}

/// The selection of a configuration; random if there is no such selection, which validation has excluded.
pub(crate) fn make(selection: &Selection) -> Box<dyn Select> {
    let chosen = selection.chosen();
    find(chosen.name).unwrap_or(&random::ENTRY).build(&chosen)
}

/// The index of the greatest value; of several, any.
pub(crate) fn greatest(values: &[f64], random: &mut Random) -> usize {
    let mut best = 0;
    let mut equal = 1;
    for index in 1..values.len() {
        if values[index] > values[best] {
            (best, equal) = (index, 1);
        } else if values[index] == values[best] {
            equal += 1;
            if random.below(equal) == 0 {
                best = index;
            }
        }
    }
    best
}

/// The declaration of C.
const fn exploration() -> Parameter {
    Parameter::number("selection.c", "C: how much is explored", (0.0, 100.0), SQRT_2)
        .published("0.6 for video games (GVGAI-THESIS)")
}

/// The declaration of W, for what is known about actions.
const fn action_weight() -> Parameter {
    Parameter::number("selection.w", "W: how much the mean of the action counts", (0.0, 1e6), 1.0)
        .published("1 (GVGAI-THESIS)")
}

#[cfg(test)]
const CHILD: Child = Child {
    visits: 4.0,
    parent_visits: 7.0,
    parent_logarithm: 1.945_910_149_055_313,
    mean: 0.5,
    squares: 1.5,
    range: 0.75,
    global_range: 0.9,
    action_mean: 0.6,
    opinion: 3.0,
};

#[cfg(test)]
fn check(entry: &Entry<dyn Select>, values: &[(&'static str, f64)], expected: f64) {
    let value = entry.build(&Chosen::new(entry.name, values)).value(&CHILD);
    assert!((value - expected).abs() < 1e-6, "{}: {value} is not {expected}", entry.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_greatest_values_each_is_chosen_equally_often() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 5];
        for _ in 0..3000 {
            counts[greatest(&[1.0, 3.0, 3.0, 2.0, 3.0], &mut random)] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        assert!([1, 2, 4].iter().all(|i| (900..1100).contains(&counts[*i])), "{counts:?}");
    }

    #[test]
    fn names_lead_to_their_selections() {
        let selections = [
            Selection::Uct { c: 1.0 },
            Selection::AdaptiveC { c: 1.0, global: false },
            Selection::Ucb1Tuned,
            Selection::ProgressiveHistory { c: 1.0, w: 1.0 },
            Selection::SinglePlayer { c: 1.0, d: 1.0 },
            Selection::EpsilonGreedy { epsilon: 0.1 },
            Selection::DecreasingEpsilon,
            Selection::Random,
            Selection::Evo { epsilon: 0.1 },
            Selection::Registered(Chosen::new("progressive_bias", &[("c", 1.0), ("w", 1.0)])),
        ];
        for (selection, entry) in selections.iter().zip(REGISTRY) {
            assert_eq!(selection.chosen().name, entry.name);
        }
        assert_eq!(selections.len(), REGISTRY.len());
    }
}
