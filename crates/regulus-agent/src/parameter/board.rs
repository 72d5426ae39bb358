//! Keys of agents for board games: those of THESIS 4.1 and a few of our own.

use regulus_search::config::MAX_PARALLEL;

use super::{
    Algorithm, Games, Kind, MANY, NAME, Parameter, Part, Parts, URGENCY, WIDENING, original, ours,
};

/// The search for board games.
pub const MCTS: Algorithm = Algorithm {
    name: "MCTS",
    games: Games::Board,
    help: "Monte-Carlo tree search with split moves",
    keys: PARAMETERS,
};

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
    NAME,
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
    original(
        "max_semidepth",
        Kind::Count(1, MANY),
        "50",
        "modifiers of a move that memory is set aside for; moves may be longer",
    ),
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
    ours(
        "selection",
        Kind::Part(Parts::Selections),
        "uct",
        "what a child is worth, if it is not UCT with exploration_constant",
    ),
    ours(
        "score_bias",
        Kind::Number(0.0, 1e6),
        "0.0",
        "progressive bias: how much the score after a move counts for children with few iterations",
    ),
    ours(
        "mixmax",
        Kind::Number(0.0, 1.0),
        "0.0",
        "q of MixMax backups: the part of a child's value that is its greatest score and not the mean",
    ),
    ours(
        "reversal",
        Kind::Part(Parts::Reversals),
        "none",
        "what going back to one of the last positions costs",
    ),
    URGENCY,
    WIDENING,
    ours(
        "decisive",
        Kind::Choice(&["off", "wins", "wins_and_blocks"]),
        "off",
        "moves that win at once are the only ones; those that let the next player do so are left out",
    ),
    ours("solver", Kind::Flag, "false", "proven scores count instead of means"),
    ours(
        "allocation",
        Kind::Part(Parts::Allocations),
        "none",
        "how iterations are shared out among the edges of the root, instead of selection",
    ),
    ours(
        "proof_bias",
        Kind::Number(0.0, 1e6),
        "0",
        "how much children are preferred whose score is cheap to prove; needs solver",
    ),
    ours(
        "endgame",
        Kind::Count(0, 1_000_000),
        "0",
        "states of an exhaustive search at a new position near the end of the game; needs solver",
    ),
    ours(
        "proof_search",
        Kind::Count(0, 1_000_000),
        "0",
        "states by which a search for a proof from the root goes on in every iteration; needs solver",
    ),
    ours(
        "transpositions",
        Kind::Flag,
        "false",
        "a position has one node, whatever way leads to it",
    ),
    ours(
        "keep_tree",
        Kind::Flag,
        "true",
        "what the tree has below the move that was played is kept for the next turn",
    ),
    ours(
        "parallel",
        Kind::Part(Parts::Parallels),
        "none",
        "whether several threads work on a search",
    ),
];

/// How a search can be divided among threads.
pub const PARALLELS: &[Part] = &[
    Part { name: "none", help: "one tree, one thread", keys: &[] },
    Part {
        name: "root",
        help: "several trees, whose results are added up; threads make no difference to the result",
        keys: &[ours("trees", Kind::Count(1, MAX_PARALLEL as u64), "2", "how many trees")],
    },
    Part {
        name: "tree",
        help: "several threads on one tree (WU-UCT); only one thread gives the same result again",
        keys: &[ours("threads", Kind::Count(1, MAX_PARALLEL as u64), "2", "how many threads")],
    },
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

/// Keys of a learned playout policy.
pub const LEARNING: &[Parameter] = &[
    ours(
        "alpha",
        Kind::Number(1e-6, 100.0),
        "0.32",
        "PPA, PPAF: how much a move of the winner gains; published from 0.005 to 10.24",
    ),
    ours(
        "k",
        Kind::Number(1e-3, 10_000.0),
        "4",
        "MASTK, MASTKF: high is nearly greedy, low nearly uniform; published from 0.5 to 4096",
    ),
    ours(
        "features",
        Kind::Choice(&["cells", "neighbours"]),
        "cells",
        "PPAF, MASTKF: what tells moves apart, the contents of the cells they change or of their neighbours, too",
    ),
    ours("keep", Kind::Flag, "false", "keep what was learned from turn to turn"),
];

/// Names of learned playout policies.
pub const LEARNING_NAMES: &[&str] = &["PPA", "PPAF", "MASTK", "MASTKF"];

/// Keys of NST.
pub const NST: &[Parameter] = &[
    ours("length", Kind::Count(2, 10), "3", "N: the longest sequences of moves"),
    ours(
        "threshold",
        Kind::Count(1, MANY),
        "7",
        "k: how often a sequence of two or more moves must have been seen to count",
    ),
    ours(
        "policy",
        Kind::Choice(&["epsilon_greedy", "gibbs"]),
        "epsilon_greedy",
        "how scores become a choice",
    ),
    ours("epsilon", Kind::Number(0.0, 1.0), "0.4", "the probability of a random action"),
    ours(
        "temperature",
        Kind::Number(1e-3, 1e3),
        "1.0",
        "gibbs: high is nearly uniform, low nearly greedy",
    ),
    ours(
        "decay",
        Kind::Choice(&["none", "move", "batch", "simulation"]),
        "move",
        "when weights are multiplied",
    ),
    ours(
        "decay_factor",
        Kind::Number(0.0, 1.0),
        "0.2",
        "what weights of samples are multiplied by",
    ),
    ours("batch_size", Kind::Count(1, MANY), "1000", "decay in batches of so many simulations"),
];

/// Names of NST.
pub const NST_NAMES: &[&str] = &["NST"];

/// Keys of last good replies.
pub const LGR: &[Parameter] = &[
    ours("length", Kind::Count(1, 2), "2", "replies to so many moves (LGR-1, LGR-2)"),
    ours("forgetting", Kind::Flag, "true", "remove replies that did not go well"),
    ours("in_playouts", Kind::Flag, "true", "use them in simulations"),
    ours("in_expansion", Kind::Flag, "true", "use them in expansion"),
    ours("keep", Kind::Flag, "true", "keep what was learned from turn to turn"),
];

/// Names of last good replies.
pub const LGR_NAMES: &[&str] = &["LGR"];

/// Names of heuristics that choose actions in simulations and expansion.
pub const MAST_NAMES: &[&str] = &["MAST", "MASTSPLIT", "MASTJOIN", "MASTCONTEXT", "MASTMIX"];

/// Names of heuristics that help selection.
pub const RAVE_NAMES: &[&str] =
    &["RAVE", "TGRAVE", "RAVESPLIT", "RAVEJOIN", "RAVECONTEXT", "RAVEMIX"];
