//! What a search is made of: the complete configuration as plain data, and which combinations exist
//! (THESIS Table 2.1).
//!
//! [`Config::validate`] refuses a combination that is impossible or useless and says why;
//! [`Config::variants`] enumerates all that are accepted.

mod allocation;
mod availability;
mod heuristic;
mod learning;
mod limits;
mod mast;
mod parallel;
mod rave;
pub(crate) mod refusal;
mod replies;
mod sampling;
mod tree_policy;
mod untried;
mod validation;
mod variants;

pub use availability::{Availability, mast_availability, rave_availability};
pub use heuristic::{Heuristic, Variant};
pub use learning::{ADAPTATION, Features, Learning, Method, NST};
pub use limits::Limits;
pub use mast::{MAST, Mast};
pub use parallel::{MAX_PARALLEL, Parallel};
pub use rave::{RAVE, Rave};
pub use refusal::Refusal;
pub use replies::{LGR, Replies};
pub use sampling::{Decay, Policy};
pub use tree_policy::{Decisive, TreePolicy};
pub use untried::Untried;
pub use validation::MIN_MEMORY;

use crate::component::allocation::SEQUENTIAL_HALVING;
use crate::component::{Chosen, Selection, selection};
use crate::parameter::{Access, Kind, MANY, Number, Section, Setting, Value, Word, field, words};

/// How the tree grows: what selection and expansion work on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreeDesign {
    /// A node per nodal state, an edge per legal move.
    Orthodox,
    /// A node per nodal or intermediate state, an edge per semimove (THESIS Algorithm 2).
    Semisplit {
        /// Expansion adds all nodes up to the next nodal state (Algorithm 3) instead of one.
        nodal: bool,
    },
    /// Semisplit, but intermediate nodes that are fully expanded are replaced by their children
    /// (Algorithm 4).
    Rollup {
        /// As in [`TreeDesign::Semisplit`].
        nodal: bool,
        /// MSF: a node is rolled up when it has at least this many iterations per child.
        min_simulations_factor: f64,
        /// A node with several children is rolled up only if the means of the best and the worst of
        /// them differ by this many hundredths of the score bound; 0 asks for nothing.
        min_score_diff: f64,
    },
}

impl TreeDesign {
    /// True if edges are moves from the beginning.
    pub fn is_orthodox(self) -> bool {
        self == TreeDesign::Orthodox
    }

    /// True for roll-up.
    pub fn is_rollup(self) -> bool {
        matches!(self, TreeDesign::Rollup { .. })
    }

    /// True if expansion adds a whole move: always so in the orthodox design.
    pub fn is_nodal(self) -> bool {
        match self {
            TreeDesign::Orthodox => true,
            TreeDesign::Semisplit { nodal } | TreeDesign::Rollup { nodal, .. } => nodal,
        }
    }

    fn name(self) -> &'static str {
        match self {
            TreeDesign::Orthodox => "orthodox",
            TreeDesign::Semisplit { .. } => "semisplit",
            TreeDesign::Rollup { .. } => "roll-up",
        }
    }
}

/// What simulations draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimulationDesign {
    /// Whole legal moves.
    Orthodox,
    /// Semimoves, with backtracking out of dead states (THESIS Algorithm 1).
    Semisplit,
}

words!(SimulationDesign { Orthodox = "orthodox", Semisplit = "semisplit" });

/// How the move to play is chosen when the search is over (THESIS 2.2.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FinalSelection {
    /// The best mean, more iterations breaking ties, level by level to the next nodal state.
    Greedy,
    /// The best mean of a whole move among those whose last semimove has at least `factor` (FRF) times
    /// the iterations of the greedy choice.
    Rollup {
        /// FRF.
        factor: f64,
    },
    /// Most iterations, the better mean breaking ties, level by level.
    MostVisited,
    /// The move that is best by mean and by iterations. The search stops early, at 1 / (1 + `extension`)
    /// of its limits; as long as no move is both, it goes on up to the limits, and then takes the most
    /// visited.
    RobustMax {
        /// How much longer than the first part the search may become: 0.5 is half as long again.
        extension: f64,
    },
}

/// A complete search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Selection and expansion.
    pub tree: TreeDesign,
    /// Simulation.
    pub simulation: SimulationDesign,
    /// C of UCT.
    pub exploration: f64,
    /// How many modifiers of a move semisplit design sets memory aside for. Longer moves are made, too, and make more
    /// room: what is legal is up to the rules alone.
    pub max_semidepth: u32,
    /// Parts that change selection and expansion.
    pub tree_policy: TreePolicy,
    /// How iterations are shared out among the edges of the root, instead of selection:
    /// [`allocation::REGISTRY`](crate::component::allocation::REGISTRY).
    pub allocation: Chosen,
    /// A position has one node, whatever way leads to it (PPA Algorithm 7). In a tree of semimoves that holds for
    /// nodal positions.
    pub transpositions: bool,
    /// What the tree has below the move that was played is kept for the next turn. Without it every turn begins with
    /// an empty tree, as PPA Algorithm 6 does.
    pub keep_tree: bool,
    /// Which of the untried moves of a node is tried first.
    pub untried: Untried,
    /// Which move is played in the end.
    pub final_selection: FinalSelection,
    /// Statistics for simulations and expansion.
    pub mast: Option<Mast>,
    /// Statistics for selection.
    pub rave: Option<Rave>,
    /// A learned policy for simulations.
    pub learning: Option<Learning>,
    /// Replies for simulations and expansion; without one, the other heuristics choose.
    pub replies: Option<Replies>,
    /// Whether several threads work on it.
    pub parallel: Parallel,
    /// How often reasoning is repeated, to emulate a slower engine: 1 is no overhead.
    pub reasoning_overhead: u32,
    /// How many bytes tree and statistics may take; when they are full the search goes on without
    /// expansion.
    pub memory: usize,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Config {
    /// Plain orthodox search with the parameters of THESIS 5.1.1.
    fn default() -> Self {
        Config {
            tree: TreeDesign::Orthodox,
            simulation: SimulationDesign::Orthodox,
            exploration: 0.4,
            max_semidepth: 50,
            tree_policy: TreePolicy::default(),
            allocation: Chosen::NONE,
            transpositions: false,
            keep_tree: true,
            untried: Untried::Random,
            final_selection: FinalSelection::Greedy,
            mast: None,
            rave: None,
            learning: None,
            replies: None,
            parallel: Parallel::Off,
            reasoning_overhead: 1,
            memory: 2 << 30,
            seed: 0,
        }
    }
}

impl Config {
    /// All parameters but those of heuristics that are explained before them, in the order in which they are explained.
    pub const BEFORE_HEURISTICS: &'static [&'static [Setting<Config>]] =
        &[TREE, tree_policy::SETTINGS, allocation::SETTINGS, SIMULATION];

    /// The others.
    pub const AFTER_HEURISTICS: &'static [&'static [Setting<Config>]] =
        &[FINAL_SELECTION, parallel::SETTINGS, GENERAL];

    /// All parameters but those of heuristics.
    pub fn settings() -> impl Iterator<Item = &'static Setting<Config>> {
        Self::BEFORE_HEURISTICS.iter().chain(Self::AFTER_HEURISTICS).copied().flatten()
    }

    /// True if some part of the search works on semimoves.
    pub fn splits(&self) -> bool {
        !self.tree.is_orthodox() || self.simulation == SimulationDesign::Semisplit
    }
}

const ROLLUP_ONLY: fn(&Config) -> Option<String> =
    |config| (!config.tree.is_rollup()).then(|| "only a rollup tree rolls up".to_owned());

/// What the tree is.
const TREE: &[Setting<Config>] = &[
    Setting {
        section: Section::Algorithm,
        always: |_| true,
        sentence: |config| Some(tree_sentence(config.tree)),
        ..Setting::new(
            "tree_strategy",
            Kind::Choice(&["orthodox", "semisplit", "rollup"]),
            "the design of selection and expansion",
            Access {
                get: |config| {
                    Some(Value::Word(match config.tree {
                        TreeDesign::Orthodox => "orthodox",
                        TreeDesign::Semisplit { .. } => "semisplit",
                        TreeDesign::Rollup { .. } => "rollup",
                    }))
                },
                set: |config, value| {
                    let nodal = true;
                    config.tree = match value.word() {
                        "semisplit" => TreeDesign::Semisplit { nodal },
                        "rollup" => TreeDesign::Rollup {
                            nodal,
                            min_simulations_factor: 0.0,
                            min_score_diff: 0.0,
                        },
                        _ => TreeDesign::Orthodox,
                    };
                },
            },
        )
    },
    Setting {
        default: Some(Value::Number(1.0)),
        always: |_| true,
        unused: ROLLUP_ONLY,
        ..Setting::new(
            "tree.min_simulations_factor",
            Kind::Number(0.0, 1e9),
            "MSF: iterations per child before a node is rolled up",
            field!(tree, TreeDesign::Rollup { min_simulations_factor }),
        )
    },
    Setting {
        default: Some(Value::Number(0.0)),
        always: |_| true,
        unused: ROLLUP_ONLY,
        ..Setting::new(
            "tree.min_score_diff",
            Kind::Number(0.0, 100.0),
            "difference of means before a node is rolled up, in hundredths",
            field!(tree, TreeDesign::Rollup { min_score_diff }),
        )
    },
    Setting {
        default: Some(Value::Flag(true)),
        always: |_| true,
        unused: |config| {
            let orthodox = config.tree.is_orthodox();
            orthodox.then(|| "an orthodox tree has nodal states only".to_owned())
        },
        ..Setting::new(
            "tree.is_nodal",
            Kind::Flag,
            "expansion adds all nodes up to the next nodal state",
            field!(tree, TreeDesign::Semisplit | TreeDesign::Rollup { nodal }),
        )
    },
    Setting {
        always: Config::splits,
        ..Setting::new(
            "max_semidepth",
            Kind::Count(1, MANY),
            "modifiers of a move that memory is set aside for; moves may be longer",
            field!(max_semidepth),
        )
    },
    Setting {
        always: |_| true,
        published: "0.4 (THESIS 5.1.1)",
        ..Setting::new(
            "exploration_constant",
            Kind::Number(0.0, 100.0),
            "C of UCT",
            field!(exploration),
        )
    },
    Setting {
        default: Some(Value::Word("uct")),
        sentence: |config| Some(selection_sentence(config)),
        ..Setting::new(
            "selection",
            selection::KIND,
            "what a child is worth, if it is not UCT with exploration_constant",
            field!(tree_policy.selection),
        )
    },
    Setting {
        sentence: |config| {
            let said = "A position has one node, whatever way leads to it.";
            config.transpositions.then(|| said.to_owned())
        },
        words: &[Word::new("transpositions", |config, _| {
            config.transpositions = true;
            true
        })],
        ..Setting::new(
            "transpositions",
            Kind::Flag,
            "a position has one node, whatever way leads to it",
            field!(transpositions),
        )
    },
    Setting {
        published: "false (PPA Algorithm 6)",
        sentence: |config| {
            (!config.keep_tree).then(|| "Every turn begins with an empty tree.".to_owned())
        },
        words: &[Word::new("freshTree", |config, _| {
            config.keep_tree = false;
            true
        })],
        ..Setting::new(
            "keep_tree",
            Kind::Flag,
            "what the tree has below the move that was played is kept for the next turn",
            field!(keep_tree),
        )
    },
    untried::SETTING,
];

/// What simulations draw.
const SIMULATION: &[Setting<Config>] = &[Setting {
    section: Section::Algorithm,
    always: |_| true,
    sentence: |config| {
        let drawn = match config.simulation {
            SimulationDesign::Orthodox => "legal moves",
            SimulationDesign::Semisplit => "semimoves, and go back where those lead to no move",
        };
        Some(format!("Simulations draw {drawn}."))
    },
    ..Setting::new(
        "simulation_strategy",
        Kind::Choice(SimulationDesign::WORDS),
        "the design of simulations",
        field!(simulation),
    )
}];

/// Which move is played.
const FINAL_SELECTION: &[Setting<Config>] = &[
    Setting {
        sentence: |config| Some(final_sentence(config)),
        words: &[
            Word {
                word: "finalRollup",
                number: Number::Whole(Some(1)),
                apply: |config, factor| {
                    config.final_selection = FinalSelection::Rollup { factor };
                    true
                },
            },
            Word::new("mostVisited", |config, _| {
                config.final_selection = FinalSelection::MostVisited;
                true
            }),
        ],
        ..Setting::new(
            "final_selection",
            Kind::Choice(&["mean", "most_visited", "robust_max"]),
            "how the final move is chosen; `mean` looks at greedy_choice",
            Access {
                get: |config| {
                    Some(Value::Word(match config.final_selection {
                        FinalSelection::Greedy | FinalSelection::Rollup { .. } => "mean",
                        FinalSelection::MostVisited => "most_visited",
                        FinalSelection::RobustMax { .. } => "robust_max",
                    }))
                },
                set: |config, value| {
                    config.final_selection = match value.word() {
                        "most_visited" => FinalSelection::MostVisited,
                        "robust_max" => FinalSelection::RobustMax { extension: 0.0 },
                        _ => FinalSelection::Greedy,
                    };
                },
            },
        )
    },
    Setting {
        default: Some(Value::Flag(true)),
        always: |_| true,
        ..Setting::new(
            "final_selection.greedy_choice",
            Kind::Flag,
            "the final move is the best, level by level",
            Access {
                // The edges of an orthodox tree are whole moves already: there both are the same.
                get: |config| match config.final_selection {
                    _ if config.tree.is_orthodox() => None,
                    FinalSelection::Greedy => Some(Value::Flag(true)),
                    FinalSelection::Rollup { .. } => Some(Value::Flag(false)),
                    FinalSelection::MostVisited | FinalSelection::RobustMax { .. } => None,
                },
                set: |config, value| {
                    let greedy = config.final_selection == FinalSelection::Greedy;
                    if greedy && !value.flag() && !config.tree.is_orthodox() {
                        config.final_selection = FinalSelection::Rollup { factor: 0.0 };
                    }
                },
            },
        )
    },
    Setting {
        default: Some(Value::Number(1.0)),
        always: |_| true,
        // The original agent ignores the factor when the choice is greedy.
        ..Setting::new(
            "final_selection.final_rollup_factor",
            Kind::Number(0.0, 1e9),
            "FRF: without greedy_choice, how many of the greedy move's iterations a move needs to be chosen",
            field!(final_selection, FinalSelection::Rollup { factor }),
        )
    },
    Setting {
        default: Some(Value::Number(0.5)),
        always: |_| true,
        unused: |config| {
            let has = matches!(config.final_selection, FinalSelection::RobustMax { .. });
            let reason = "only robust_max has it: set final_selection to \"robust_max\"";
            (!has && config.final_selection != FinalSelection::MostVisited)
                .then(|| reason.to_owned())
        },
        ..Setting::new(
            "final_selection.robust_extension",
            Kind::Number(0.0, 100.0),
            "robust_max: how much longer the search may become",
            field!(final_selection, FinalSelection::RobustMax { extension }),
        )
    },
];

/// What a search may take.
const GENERAL: &[Setting<Config>] = &[
    Setting {
        section: Section::General,
        always: |_| true,
        sentence: |config| {
            let times = config.reasoning_overhead;
            (times > 1).then(|| format!("All reasoning is repeated {times} times."))
        },
        words: &[Word {
            word: "overhead",
            number: Number::Whole(None),
            apply: |config, times| {
                config.reasoning_overhead = times as u32;
                times > 0.0
            },
        }],
        ..Setting::new(
            "reasoning_overhead",
            Kind::Count(1, 1_000_000),
            "how often all reasoning is done, to emulate a slower engine",
            field!(reasoning_overhead),
        )
    },
    memory(
        "megabytes for tree and statistics; when they are full the search goes on without expansion",
        Access {
            get: |config| Some(megabytes(config.memory)),
            set: |config, value| config.memory = bytes(value),
        },
    ),
    seed(field!(seed)),
];

/// Where random numbers come from.
pub const fn seed<C>(access: Access<C>) -> Setting<C> {
    Setting {
        section: Section::General,
        ..Setting::new("seed", Kind::Count(0, u64::MAX), "the seed of all random numbers", access)
    }
}

/// How much memory a search may take.
pub(crate) const fn memory<C>(help: &'static str, access: Access<C>) -> Setting<C> {
    Setting {
        section: Section::General,
        ..Setting::new("memory_mb", Kind::Count(1, MOST_MEMORY), help, access)
    }
}

/// In megabytes; searches that no file describes may have more.
const MOST_MEMORY: u64 = 1 << 20;

/// Bytes as files have them.
pub(crate) fn megabytes(bytes: usize) -> Value {
    Value::Count(((bytes >> 20) as u64).clamp(1, MOST_MEMORY))
}

/// Megabytes of a file.
pub(crate) fn bytes(megabytes: Value) -> usize {
    (megabytes.count() as usize) << 20
}

fn tree_sentence(tree: TreeDesign) -> String {
    let expansion =
        if tree.is_nodal() { "a whole move at a time" } else { "one semimove at a time" };
    match tree {
        TreeDesign::Orthodox => "The tree has an edge per legal move.".to_owned(),
        TreeDesign::Semisplit { .. } => {
            format!("The tree has an edge per semimove and grows {expansion}.")
        }
        TreeDesign::Rollup { min_simulations_factor, min_score_diff, .. } => format!(
            "The tree has an edge per semimove and grows {expansion}; a node with all its children and at \
             least {min_simulations_factor} iterations for each is replaced by them{}.",
            if min_score_diff > 0.0 {
                format!(", if their means differ by {min_score_diff} hundredths or more")
            } else {
                String::new()
            }
        ),
    }
}

fn selection_sentence(config: &Config) -> String {
    let usual = Selection::Uct { c: config.exploration };
    let selection = config.tree_policy.selection.as_ref().unwrap_or(&usual);
    let helped = config.rave.as_ref().map_or(String::new(), rave::sentence);
    format!("Selection is {}{helped}.", selection.words())
}

fn final_sentence(config: &Config) -> String {
    match config.final_selection {
        FinalSelection::Greedy if config.allocation.name == SEQUENTIAL_HALVING.name => {
            "It plays the move that is left.".to_owned()
        }
        FinalSelection::Greedy => {
            "It plays the move with the best mean; more iterations break ties.".to_owned()
        }
        FinalSelection::Rollup { factor } => format!(
            "It plays the whole move with the best mean among those with at least {factor} times the \
             iterations of the one that is best level by level."
        ),
        FinalSelection::MostVisited => "It plays the move with the most iterations.".to_owned(),
        FinalSelection::RobustMax { extension } => format!(
            "It plays the move that is best by mean and by iterations, searching up to {extension} times \
             longer until there is one."
        ),
    }
}
