//! Keys of agents for video games. Parts, equations and, where nothing else is said, defaults are those of
//! GVGAI-THESIS (chapters 3 and 4, and 5.2 for what was found to be best).

use super::{Algorithm, Games, Kind, MANY, NAME, Parameter, Part, original, ours};

/// Keys of `general`.
pub const GENERAL: &[Parameter] = &[
    original(
        "buffer_time",
        Kind::Count(0, 3_600_000),
        "5",
        "milliseconds kept back of the time for an action",
    ),
    ours("seed", Kind::Count(0, u64::MAX), "0", "the seed of all random numbers"),
];

/// Keys of `algorithm`, besides `parameters`.
pub const ALGORITHM: &[Parameter] = &[NAME];

const fn algorithm(
    name: &'static str,
    help: &'static str,
    keys: &'static [Parameter],
) -> Algorithm {
    Algorithm { name, games: Games::Video, help, keys }
}

const fn part(name: &'static str, help: &'static str, keys: &'static [Parameter]) -> Part {
    Part { name, help, keys }
}

/// Any action.
pub const RANDOM: Algorithm = algorithm("RANDOM", "any action", &[]);

/// One-step look-ahead.
pub const ONE_STEP: Algorithm =
    algorithm("ONE_STEP", "the action whose next state is best", &[SCORE]);

/// Open-loop search.
pub const OPEN_LOOP_MCTS: Algorithm = algorithm(
    "OPEN_LOOP_MCTS",
    "Monte-Carlo tree search whose nodes have no states: every iteration plays its actions anew from the root",
    SEARCH,
);

/// Closed-loop search.
pub const CLOSED_LOOP_MCTS: Algorithm = algorithm(
    "CLOSED_LOOP_MCTS",
    "Monte-Carlo tree search whose nodes keep the state that was found when they were added",
    SEARCH,
);

/// Rolling horizon evolution.
pub const ROLLING_HORIZON: Algorithm = algorithm(
    "ROLLING_HORIZON",
    "evolution of plans: the best are kept, others are made from two parents by uniform crossover",
    &[
        POPULATION,
        HORIZON,
        MUTATION,
        TRIALS,
        SHIFT,
        ours("elite", Kind::Count(0, 10_000), "1", "how many of the best plans are kept"),
        ours(
            "tournament",
            Kind::Count(1, 10_000),
            "2",
            "how many plans are compared to find a parent",
        ),
        SCORE,
    ],
);

/// Microbial evolution.
pub const MICROBIAL_GA: Algorithm = algorithm(
    "MICROBIAL_GA",
    "microbial evolution of plans: of two that are compared, the loser takes actions from the winner",
    &[
        POPULATION,
        HORIZON,
        MUTATION,
        TRIALS,
        SHIFT,
        ours(
            "recombination",
            Kind::Number(0.0, 1.0),
            "0.1",
            "the probability that the loser takes an action",
        ),
        SCORE,
    ],
);

const POPULATION: Parameter =
    ours("population", Kind::Count(2, 10_000), "10", "how many plans there are");
const HORIZON: Parameter =
    ours("horizon", Kind::Count(1, 10_000), "10", "how many ticks a plan has");
const MUTATION: Parameter = ours(
    "mutation",
    Kind::Number(0.0, 1.0),
    "0.1",
    "the probability that an action of a plan is changed",
);
const TRIALS: Parameter =
    ours("trials", Kind::Count(1, 10_000), "1", "how often a plan is tried before it is judged");
const SHIFT: Parameter = ours(
    "shift",
    Kind::Flag,
    "true",
    "whether plans are kept for the next tick, without their first action",
);

/// Keys of the searches.
const SEARCH: &[Parameter] = &[
    original(
        "selection",
        Kind::Part(SELECTIONS),
        "uct",
        "how a child is selected when all were tried",
    ),
    original(
        "expansion",
        Kind::Part(EXPANSIONS),
        "random",
        "which of the untried actions is added to the tree",
    ),
    original("playout", Kind::Part(PLAYOUTS), "random", "what is played below the tree"),
    original(
        "ngrams",
        Kind::Object(NGRAMS),
        "",
        "statistics of sequences of actions, for the parts that use them",
    ),
    SCORE,
    original(
        "depth",
        Kind::Count(1, 10_000),
        "10",
        "how many ticks an iteration looks ahead, tree and play-out together",
    ),
    original(
        "final_choice",
        Kind::Choice(&["mean", "most_visited"]),
        "mean",
        "what the action that is played has most of; the other one breaks ties",
    ),
    ours(
        "max_nodes",
        Kind::Count(1, 1 << 26),
        "100000",
        "how many nodes the tree may have; then the search goes on without expansion",
    ),
];

const C: Parameter = original("c", Kind::Number(0.0, 100.0), "0.6", "C, for exploration");

const fn epsilon(default: &'static str) -> Parameter {
    original("epsilon", Kind::Number(0.0, 1.0), default, "the probability of any other")
}

const SELECTIONS: &[Part] = &[
    part("uct", "UCT (equation 3.1)", &[C]),
    part("adaptive_c", "UCT with C times the range of scores of the child (equation 3.3)", &[C]),
    part("ucb1_tuned", "UCB1-Tuned (equation 3.4)", &[]),
    part(
        "progressive_history",
        "UCT, and for children with few visits the mean of their action in all iterations (equation 3.5)",
        &[C, original("w", Kind::Number(0.0, 1e6), "1", "W, the weight of that mean")],
    ),
    part(
        "single_player",
        "UCT and the deviation of the scores of the child (equation 3.6)",
        // The paper gives no D.
        &[C, original("d", Kind::Number(0.0, 1e12), "1", "D, for children with few visits")],
    ),
    part("epsilon_greedy", "the child with the best mean, or any", &[epsilon("0.6")]),
    part(
        "decreasing_epsilon",
        "the child with the best mean, or in iteration n with probability 1 / n any",
        &[],
    ),
    part("random", "any child", &[]),
    part(
        "evo",
        "the child whose action the individual of the evolutionary play-out prefers, or any",
        &[epsilon("0.4")],
    ),
];

const EXPANSIONS: &[Part] = &[
    part("random", "any", &[]),
    part(
        "epsilon_greedy",
        "the one whose next state has the best score, or any",
        &[epsilon("0.5")],
    ),
    part("action_based", "the one with the best statistics, or any", &[epsilon("0.4")]),
    part("all_children", "all at once; the play-out begins at any of them", &[]),
];

const PLAYOUTS: &[Part] = &[
    part("random", "any action", &[]),
    part("mast", "the action with the best mean, or any", &[epsilon("0.5")]),
    part("nst", "the action that continues the best sequences, or any", &[epsilon("0.5")]),
    part(
        "one_plus_one",
        "the action that weighted features prefer, or any; weights evolve with every play-out (Algorithm 4.2)",
        &[epsilon("0.4")],
    ),
    part(
        "stgp",
        "the action that an evolved program prefers, or any (strongly typed genetic programming, \
         Algorithms 4.1, 4.3 to 4.5)",
        &[
            epsilon("0.4"),
            original("population", Kind::Count(2, 10_000), "100", "how many programs there are"),
            original("initial_depth", Kind::Count(1, 10), "5", "the deepest program at first"),
            original("max_depth", Kind::Count(1, 20), "10", "the deepest program"),
            original(
                "generation",
                Kind::Choice(&["grow", "full"]),
                "grow",
                "whether leaves of the first programs are anywhere or at the greatest depth",
            ),
            original(
                "crossover",
                Kind::Number(0.0, 1.0),
                "0.8",
                "the probability that two programs are crossed",
            ),
            original(
                "mutation",
                Kind::Number(0.0, 1.0),
                "0.2",
                "the probability that a program is mutated",
            ),
            original(
                "tournament",
                Kind::Count(1, 10_000),
                "2",
                "how many programs are compared for places in the next population",
            ),
            original("winners", Kind::Count(1, 10_000), "1", "how many of them get one"),
            original(
                "action_evaluation",
                Kind::Count(0, 1000),
                "0",
                "how many actions are compared in a tick; 0 is all",
            ),
        ],
    ),
];

const NGRAMS: &[Parameter] = &[
    original("length", Kind::Count(1, 6), "3", "N, the longest sequence"),
    original(
        "threshold",
        Kind::Count(0, MANY),
        "7",
        "k, visits from which on sequences of more than one action count",
    ),
    original(
        "decay",
        Kind::Number(0.0, 1.0),
        "0",
        "what the statistics are multiplied by after an action of the game; 0 forgets all",
    ),
];

const SCORE: Parameter = original("score", Kind::Part(SCORES), "gvgai", "what a state is worth");

// The paper gives neither k, nor what a tick is worth.
const K: Parameter = original("k", Kind::Number(0.0, 1000.0), "1", "k, how steep the sigmoid is");

const SCORES: &[Part] = &[
    part("win_loss", "1 for a win, -1 for a loss, else 0 (equation 3.2)", &[]),
    part(
        "gvgai",
        "the score of the game, and a bonus for a win or a penalty for a loss (equation 3.7)",
        &[
            original("bonus", Kind::Number(0.0, 1e12), "10000000", "the bonus, and the penalty"),
            original(
                "depth",
                Kind::Number(0.0, 1e12),
                "0",
                "what a tick that a win comes earlier, or a loss later, is worth",
            ),
        ],
    ),
    part(
        "normalised",
        "1 for a win, -1 for a loss, else the score through a sigmoid (equation 3.8)",
        &[K],
    ),
    part(
        "quality_based",
        "1 for a win, -1 for a loss, else 0, and bonuses for length and score (equations 3.9 to 3.14)",
        &[
            original("relative", Kind::Number(0.0, 100.0), "0.25", "a of the bonus for length"),
            original("qualitative", Kind::Number(0.0, 100.0), "0.25", "a of the bonus for score"),
            K,
            original(
                "separated",
                Kind::Flag,
                "false",
                "whether won games and others have separate means and deviations",
            ),
        ],
    ),
];
