//! Keys of agents for video games. Selections, expansions and scores and their keys come from the registries of the
//! search. Numbers of equations and algorithms are those of GVGAI-THESIS.

use std::sync::LazyLock;

use regulus_search::video::{
    Entry, Form, allocation, expansion, reply, reversal, score, selection, urgency, widening,
};

use super::{
    Algorithm, Games, Kind, MANY, NAME, Parameter, Part, Parts, URGENCY, WIDENING, original, ours,
};

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
    &search("100000"),
);

/// Closed-loop search.
pub const CLOSED_LOOP_MCTS: Algorithm = algorithm(
    "CLOSED_LOOP_MCTS",
    "Monte-Carlo tree search whose nodes keep the state that was found when they were added",
    // A state takes some kilobytes.
    &search("5000"),
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
    ours("population", Kind::Count(1, 10_000), "10", "how many plans there are");
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

/// Keys of the searches; `max_nodes` is the default of the key of this name.
const fn search(max_nodes: &'static str) -> [Parameter; 16] {
    [
        original(
            "selection",
            Kind::Part(Parts::Selections),
            "uct",
            "how a child is selected when all were tried",
        ),
        original(
            "expansion",
            Kind::Part(Parts::Expansions),
            "random",
            "which of the untried actions is added to the tree",
        ),
        original("playout", Kind::Part(Parts::Playouts), "random", "what is played below the tree"),
        original(
            "ngrams",
            Kind::Object(NGRAMS),
            "",
            "statistics of sequences of actions, for the parts that use them",
        ),
        SCORE,
        original(
            "normalisation",
            Kind::Choice(&["game", "tick", "node"]),
            "game",
            "selection scales by the least and greatest value of the whole game so far, of the tick, or of the node",
        ),
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
            "whether the best mean or most visits decide what is played; the other one breaks ties",
        ),
        ours(
            "max_nodes",
            Kind::Count(16, 100_000_000),
            max_nodes,
            "how many nodes the tree may have; then the search goes on without expansion",
        ),
        ours(
            "mixmax",
            Kind::Number(0.0, 1.0),
            "0",
            "q of MixMax backups: the part of a child's value that is the greatest below it and not the mean",
        ),
        ours(
            "macro_length",
            Kind::Count(1, 1000),
            "1",
            "how often an action is repeated before a child is made",
        ),
        URGENCY,
        WIDENING,
        ours(
            "reversal",
            Kind::Part(Parts::Reversals),
            "none",
            "what going back to where the avatar was shortly before costs",
        ),
        ours(
            "replies",
            Kind::Part(Parts::Replies),
            "none",
            "whether replies that were good last time are played again",
        ),
        ours(
            "allocation",
            Kind::Part(Parts::Allocations),
            "none",
            "how iterations are shared out among the actions of the root, if selection does not decide that",
        ),
    ]
}

impl Parts {
    /// All of them.
    pub fn all(self) -> &'static [Part] {
        type Made = LazyLock<Vec<Part>>;
        static SELECTIONS: Made = LazyLock::new(|| registered(selection::REGISTRY));
        static EXPANSIONS: Made = LazyLock::new(|| registered(expansion::REGISTRY));
        static SCORES: Made = LazyLock::new(|| registered(score::REGISTRY));
        static URGENCIES: Made =
            LazyLock::new(|| optional("all actions of a node are tried first", urgency::REGISTRY));
        static WIDENINGS: Made =
            LazyLock::new(|| optional("all children count", widening::REGISTRY));
        static REVERSALS: Made =
            LazyLock::new(|| optional("going back costs nothing", reversal::REGISTRY));
        static REPLIES: Made =
            LazyLock::new(|| optional("replies are not remembered", reply::REGISTRY));
        static ALLOCATIONS: Made =
            LazyLock::new(|| optional("selection decides", allocation::REGISTRY));
        match self {
            Parts::Selections => &SELECTIONS,
            Parts::Expansions => &EXPANSIONS,
            Parts::Playouts => PLAYOUTS,
            Parts::Scores => &SCORES,
            Parts::Urgencies => &URGENCIES,
            Parts::Widenings => &WIDENINGS,
            Parts::Reversals => &REVERSALS,
            Parts::Replies => &REPLIES,
            Parts::Allocations => &ALLOCATIONS,
            Parts::Parallels => super::board::PARALLELS,
        }
    }
}

/// The parts of a registry. They are made once and last as long as the program.
fn registered<P: ?Sized>(registry: &'static [Entry<P>]) -> Vec<Part> {
    let key = |parameter: &regulus_search::video::Parameter| {
        let (least, greatest) = (parameter.least, parameter.greatest);
        let (kind, default) = match parameter.form {
            Form::Flag => (Kind::Flag, (parameter.default != 0.0).to_string()),
            Form::Count => {
                (Kind::Count(least as u64, greatest as u64), parameter.default.to_string())
            }
            Form::Number => (Kind::Number(least, greatest), parameter.default.to_string()),
        };
        let help = parameter.summary.trim_start_matches("1: ");
        original(parameter.name(), kind, default.leak(), help)
    };
    let keys = |entry: &Entry<P>| -> Vec<Parameter> { entry.parameters.iter().map(key).collect() };
    registry.iter().map(|entry| part(entry.name, entry.summary, keys(entry).leak())).collect()
}

/// The parts of a registry, or none of them.
fn optional<P: ?Sized>(without: &'static str, registry: &'static [Entry<P>]) -> Vec<Part> {
    let mut all = vec![part("none", without, &[])];
    all.append(&mut registered(registry));
    all
}

const fn epsilon(default: &'static str) -> Parameter {
    original("epsilon", Kind::Number(0.0, 1.0), default, "the probability of any action")
}

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
            original("initial_depth", Kind::Count(1, 16), "5", "the deepest program at first"),
            original("max_depth", Kind::Count(1, 16), "10", "the deepest program"),
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

const SCORE: Parameter =
    original("score", Kind::Part(Parts::Scores), "gvgai", "what a state is worth");
