//! All keys of configuration files: declared once, for reading, for error messages and for the
//! schema.

use regulus_search::{policy, statistic};

/// What a value must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// true or false.
    Flag,
    /// A whole number in a range.
    Count(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A policy of the search's registry.
    Policy,
    /// A statistic of the search's registry that has no name of its own among the heuristics, or nothing.
    Statistic,
}

/// A key.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What it is if the key is missing.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
    /// False for keys that the original agent does not know.
    pub original: bool,
}

const fn original(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter { key, kind, default, help, original: true }
}

const fn ours(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter { key, kind, default, help, original: false }
}

/// The largest number of anything that is counted.
const MANY: u64 = u32::MAX as u64;

/// Keys of `general`.
pub const GENERAL: &[Parameter] = &[
    original(
        "buffer_time",
        Kind::Count(0, 3_600_000),
        "100",
        "milliseconds kept back of the time for a move",
    ),
    original("simulate_during_opp_turn", Kind::Flag, "false", "go on searching while others think"),
    original(
        "reasoning_overhead",
        Kind::Count(1, 1_000_000),
        "1",
        "repeat all reasoning so often, to emulate a slower engine",
    ),
    ours(
        "memory_mb",
        Kind::Count(1, 1 << 20),
        "2048",
        "megabytes for tree and statistics; when they are full the search goes on without expansion",
    ),
    ours("seed", Kind::Count(0, u64::MAX), "0", "the seed of all random numbers"),
];

/// Keys of `algorithm`, besides `parameters`.
pub const ALGORITHM: &[Parameter] = &[
    original("name", Kind::Choice(&["MCTS"]), "MCTS", "the algorithm"),
    original(
        "tree_strategy",
        Kind::Choice(&["orthodox", "semisplit", "rollup"]),
        "orthodox",
        "the design of selection and expansion",
    ),
    original(
        "simulation_strategy",
        Kind::Choice(&["orthodox", "semisplit"]),
        "orthodox",
        "the design of simulations",
    ),
    original(
        "split_strategy",
        Kind::Choice(&["", "Mod", "ModPlus", "ModShift", "ModPlusShift"]),
        "",
        "where moves are split; nothing is Mod",
    ),
];

/// Keys of `algorithm.parameters`.
pub const PARAMETERS: &[Parameter] = &[
    original("exploration_constant", Kind::Number(0.0, 100.0), "0.4", "C of UCT"),
    original("max_semidepth", Kind::Count(1, MANY), "50", "the longest move, in modifiers"),
    original("is_nodal", Kind::Flag, "true", "expansion adds all nodes up to the next nodal state"),
    original("greedy_choice", Kind::Flag, "true", "the final move is the best, level by level"),
    original(
        "final_rollup_factor",
        Kind::Number(0.0, 1e9),
        "1.0",
        "FRF: without greedy_choice, how many of the greedy move's iterations a move needs to be chosen",
    ),
    original(
        "min_simulations_factor",
        Kind::Number(0.0, 1e9),
        "1.0",
        "MSF: iterations per child before a node is rolled up",
    ),
    original(
        "min_score_diff",
        Kind::Number(0.0, 100.0),
        "0.0",
        "difference of means before a node is rolled up, in hundredths",
    ),
    ours(
        "final_selection",
        Kind::Choice(&["mean", "most_visited", "robust_max"]),
        "mean",
        "how the final move is chosen; `mean` looks at greedy_choice",
    ),
    ours(
        "robust_extension",
        Kind::Number(0.0, 100.0),
        "0.5",
        "robust_max: how much longer the search may become",
    ),
];

/// Keys of a MAST heuristic.
pub const MAST: &[Parameter] = &[
    original("epsilon", Kind::Number(0.0, 1.0), "0.4", "the probability of a random action"),
    original(
        "decay_factor",
        Kind::Number(0.0, 1.0),
        "0.2",
        "what weights of samples are multiplied by",
    ),
    original("tree_only", Kind::Flag, "false", "only actions in the tree are samples"),
    original(
        "mastmix_threshold",
        Kind::Count(0, MANY),
        "7",
        "MASTMIX: samples from which on the context counts",
    ),
    ours("policy", Kind::Policy, "epsilon_greedy", "how scores become a choice"),
    ours(
        "policy_parameter",
        Kind::Number(-1e9, 1e9),
        "1.0",
        "the parameter of a policy that has no key of its own for it",
    ),
    ours(
        "statistic",
        Kind::Statistic,
        "",
        "MAST: what scores are kept for, if it is none of the usual",
    ),
    ours(
        "temperature",
        Kind::Number(1e-3, 1e3),
        "1.0",
        "gibbs: high is nearly uniform, low nearly greedy",
    ),
    ours("in_playouts", Kind::Flag, "true", "use it in simulations"),
    ours("in_expansion", Kind::Flag, "true", "use it in expansion"),
    ours(
        "decay",
        Kind::Choice(&["none", "move", "batch", "simulation"]),
        "move",
        "when weights are multiplied",
    ),
    ours("batch_size", Kind::Count(1, MANY), "1000", "decay in batches of so many simulations"),
];

/// Keys of a RAVE heuristic.
pub const RAVE: &[Parameter] = &[
    original(
        "equivalence_parameter",
        Kind::Number(0.0, 1e12),
        "250",
        "E: so many iterations weigh as much as AMAF",
    ),
    original(
        "ref",
        Kind::Count(0, MANY),
        "0",
        "TGRAVE: nodes with at most so many iterations borrow from an ancestor; 0 is RAVE",
    ),
    original(
        "ravemix_threshold",
        Kind::Count(0, MANY),
        "7",
        "RAVEMIX: samples from which on the context counts",
    ),
];

/// Names of heuristics that choose actions in simulations and expansion.
pub const MAST_NAMES: &[&str] = &["MAST", "MASTSPLIT", "MASTJOIN", "MASTCONTEXT", "MASTMIX"];

/// Names of heuristics that help selection.
pub const RAVE_NAMES: &[&str] =
    &["RAVE", "TGRAVE", "RAVESPLIT", "RAVEJOIN", "RAVECONTEXT", "RAVEMIX"];

/// A name of the registry as files spell it.
pub(crate) fn word(name: &str) -> String {
    name.replace('-', "_")
}

impl Kind {
    /// What is expected, in words.
    pub fn expected(self) -> String {
        match self {
            Kind::Flag => "true or false".to_owned(),
            Kind::Count(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::Choice(_) | Kind::Policy | Kind::Statistic => {
                let quoted: Vec<String> = self.words().iter().map(|w| format!("\"{w}\"")).collect();
                format!("one of {}", quoted.join(", "))
            }
        }
    }

    /// The words that a value can be; none if it is no word.
    pub fn words(self) -> Vec<String> {
        match self {
            Kind::Choice(words) => words.iter().map(|w| (*w).to_owned()).collect(),
            Kind::Policy => policy::REGISTRY.iter().map(|e| word(e.name)).collect(),
            Kind::Statistic => {
                let known = ["split", "join", "context", "mix"];
                let new = statistic::REGISTRY.iter().filter(|e| !known.contains(&e.name));
                std::iter::once(String::new()).chain(new.map(|e| word(e.name))).collect()
            }
            Kind::Flag | Kind::Count(..) | Kind::Number(..) => Vec::new(),
        }
    }
}
