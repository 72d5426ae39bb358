//! Several processors for one search.

use regulus_game::Random;

use super::refusal::refuse;
use super::validation::MIN_MEMORY;
use super::{Config, FinalSelection, Limits, Refusal, TreeDesign, Untried};
use crate::component::Chosen;
use crate::parameter::{Component, Field, Kind, Number, Parameter, Setting, Value, Word, field};

/// The most trees or threads that one search can have.
pub const MAX_PARALLEL: u32 = 256;

/// How a search is divided among threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// It is not: one tree, one thread.
    #[default]
    Off,
    /// Several trees, each searched by itself; what they know about the moves of the position is added up in
    /// the end. How many threads work on them makes no difference to the result.
    Root {
        /// How many trees.
        trees: u32,
    },
    /// One tree for several threads, which see the iterations of the others that are under way (WU-UCT). Only
    /// with one thread the same search gives the same result again.
    Tree {
        /// How many threads.
        threads: u32,
    },
}

const COMPONENTS: &[Component] = &[
    Component::new("none", "one tree, one thread", &[]),
    Component::new(
        "root",
        "several trees, whose results are added up; threads make no difference to the result",
        &[Parameter::count("parallel.trees", "how many trees", (1, MAX_PARALLEL as u64), 2)],
    ),
    Component::new(
        "tree",
        "several threads on one tree (WU-UCT); only one thread gives the same result again",
        &[Parameter::count("parallel.threads", "how many threads", (1, MAX_PARALLEL as u64), 2)],
    ),
];

/// How a search is divided among threads.
pub(super) const SETTINGS: &[Setting<Config>] = &[Setting {
    sentence: |config| match config.parallel {
        Parallel::Off => None,
        Parallel::Root { trees } => Some(format!(
            "It searches {trees} trees side by side, on as many processors as there are, and adds up what they \
             know about the moves."
        )),
        Parallel::Tree { threads } => Some(format!(
            "{threads} threads search one tree; iterations under way count in selection (WU-UCT)."
        )),
    },
    words: &[
        Word {
            word: "root",
            number: Number::Whole(None),
            apply: |config, trees| {
                config.parallel = Parallel::Root { trees: trees as u32 };
                true
            },
        },
        Word {
            word: "tree",
            number: Number::Whole(None),
            apply: |config, threads| {
                config.parallel = Parallel::Tree { threads: threads as u32 };
                true
            },
        },
    ],
    once: true,
    ..Setting::new(
        "parallel",
        Kind::Component(|| COMPONENTS.to_vec()),
        "whether several threads work on a search",
        field!(parallel),
    )
}];

impl Field for Parallel {
    fn load(&self) -> Option<Value> {
        let chosen = Chosen::new(self.name(), &[]);
        Some(Value::Component(match *self {
            Parallel::Off => chosen,
            Parallel::Root { trees } => chosen.with("trees", f64::from(trees)),
            Parallel::Tree { threads } => chosen.with("threads", f64::from(threads)),
        }))
    }

    fn store(&mut self, value: Value) {
        let Value::Component(part) = value else { return };
        *self = match part.name {
            "root" => Parallel::Root { trees: part.count("trees") },
            "tree" => Parallel::Tree { threads: part.count("threads") },
            _ => Parallel::Off,
        };
    }
}

impl Parallel {
    /// How many threads can work on it at once.
    pub fn most_threads(self) -> usize {
        match self {
            Parallel::Off => 1,
            Parallel::Root { trees: count } | Parallel::Tree { threads: count } => count as usize,
        }
    }

    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Parallel::Off => "none",
            Parallel::Root { .. } => "root",
            Parallel::Tree { .. } => "tree",
        }
    }

    /// Refuses numbers out of range and searches that cannot be divided so.
    pub(super) fn validate(self, config: &Config) -> Result<(), Refusal> {
        if self != Parallel::Off && !config.allocation.is_none() {
            return refuse(
                "parallel",
                self.name(),
                "rounds of halving need all iterations of the root in one place: use one tree with one thread",
            );
        }
        match self {
            Parallel::Off => Ok(()),
            Parallel::Root { trees } => {
                if config.memory / (trees as usize) < MIN_MEMORY {
                    return refuse(
                        "parallel.trees",
                        trees,
                        format!("each tree needs at least {MIN_MEMORY} bytes of the memory"),
                    );
                }
                Ok(())
            }
            Parallel::Tree { .. } => {
                let Some(why) = unshareable(config) else { return Ok(()) };
                refuse(
                    "parallel",
                    "tree",
                    format!(
                        "{why}, and threads that share a tree cannot: use several trees (root)"
                    ),
                )
            }
        }
    }

    /// Refuses limits that such a search cannot obey.
    pub(super) fn validate_limits(self, limits: &Limits) -> Result<(), Refusal> {
        if self == Parallel::Off || !limits.no_catching_up {
            return Ok(());
        }
        refuse(
            "no_catching_up",
            "true",
            "who is ahead is known only when the threads have come together, at the end",
        )
    }
}

/// What a search does that needs the tree for itself.
fn unshareable(config: &Config) -> Option<&'static str> {
    let rolls_up = matches!(config.tree, TreeDesign::Rollup { .. });
    let parts = [
        (rolls_up, "rolling up moves edges from node to node"),
        (config.rave.is_some(), "RAVE changes all edges of a node in every iteration"),
        (config.learning.is_some(), "a learned policy follows the iteration through the tree"),
        (config.replies.is_some(), "replies follow the iteration through the tree"),
        (
            config.untried == Untried::Listed,
            "the order of the list needs one iteration after the other",
        ),
        (config.transpositions, "a position with several ways to it changes all of them"),
        (!config.tree_policy.is_plain(), "parts of selection keep more of an edge than its sum"),
    ];
    parts.iter().find(|(used, _)| *used).map(|(_, why)| *why)
}

impl Config {
    /// The configuration of a part of a parallel search, with this part of the memory. The first has the seed that a
    /// search by itself would have.
    pub(crate) fn part(&self, number: usize, parts: usize) -> Config {
        let seed = match number {
            0 => self.seed,
            _ => Random::new(self.seed).fork(number as u64).state(),
        };
        let memory = (self.memory / parts.max(1)).max(MIN_MEMORY);
        Config { parallel: Parallel::Off, seed, memory, ..self.clone() }
    }

    /// The first part of the limits, if the search may end before them.
    pub(crate) fn first_part(&self) -> Option<f64> {
        match self.final_selection {
            FinalSelection::RobustMax { extension } => Some(1.0 / (1.0 + extension)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mast, Rave, TreePolicy};

    #[test]
    fn what_cannot_be_shared_is_refused_with_the_reason() {
        let tree = Config { parallel: Parallel::Tree { threads: 2 }, ..Config::default() };
        let why = |config: Config| config.validate().expect_err("refused").to_string();
        assert_eq!(tree.validate(), Ok(()));
        let mast = Config { mast: Some(Mast::default()), ..tree.clone() };
        assert_eq!(mast.validate(), Ok(()));
        let rave = Config { rave: Some(Rave::default()), ..tree.clone() };
        assert_eq!(
            why(rave.clone()),
            "parallel = tree: RAVE changes all edges of a node in every iteration, and threads that share \
             a tree cannot: use several trees (root)"
        );
        let root = Parallel::Root { trees: 4 };
        assert_eq!(Config { parallel: root, ..rave }.validate(), Ok(()));
        assert!(why(Config { transpositions: true, ..tree.clone() }).contains("several ways"));
        let solver = TreePolicy { solver: true, ..TreePolicy::default() };
        assert!(why(Config { tree_policy: solver, ..tree.clone() }).contains("more of an edge"));
        let none = Config { parallel: Parallel::Tree { threads: 0 }, ..tree.clone() };
        assert_eq!(why(none), "parallel.threads = 0: must lie between 1 and 256");
        let many = Config { parallel: Parallel::Root { trees: 257 }, ..tree.clone() };
        assert!(why(many).contains("between 1 and 256"));
        let small = Config { parallel: root, memory: 2 * MIN_MEMORY, ..tree };
        assert!(why(small).contains("each tree needs at least"));
    }

    #[test]
    fn catching_up_is_known_at_the_end_only() {
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        let by_visits =
            Config { final_selection: FinalSelection::MostVisited, ..Config::default() };
        assert_eq!(limits.validate(&by_visits), Ok(()));
        let parallel = Config { parallel: Parallel::Root { trees: 2 }, ..by_visits };
        assert!(limits.validate(&parallel).is_err());
    }
}
