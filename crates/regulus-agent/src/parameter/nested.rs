//! Keys of agents for board games with one player.

use regulus_search::nested::MAX_LEVEL;

use super::{Algorithm, Games, Kind, NAME, Parameter, board, ours};

/// Nested Monte-Carlo Search.
pub const NMCS: Algorithm = Algorithm {
    name: "NMCS",
    games: Games::Board,
    help: "nested Monte-Carlo search, for games with one player",
    keys: &[LEVEL],
};

/// Nested Rollout Policy Adaptation.
pub const NRPA: Algorithm = Algorithm {
    name: "NRPA",
    games: Games::Board,
    help: "nested rollout policy adaptation (PPA, Algorithms 1 and 2), for games with one player",
    keys: &[
        LEVEL,
        ours(
            "iterations",
            Kind::Count(1, 1_000_000),
            "100",
            "N: how many searches of the level below a search makes",
        ),
        ours(
            "alpha",
            Kind::Number(1e-3, 100.0),
            "1.0",
            "how far a policy moves towards the best sequence in one adaptation",
        ),
    ],
};

const LEVEL: Parameter = ours(
    "level",
    Kind::Count(1, MAX_LEVEL as u64),
    "3",
    "how many searches are inside each other; a search of level 0 is a random game",
);

/// Keys of `general`: those of MCTS that mean something here.
pub const GENERAL: &[Parameter] = &[
    board::GENERAL[0],
    ours(
        "memory_mb",
        Kind::Count(1, 1 << 20),
        "2048",
        "megabytes for policies; when they are full, moves not met before keep the weight 0",
    ),
    ours("seed", Kind::Count(0, u64::MAX), "0", "the seed of all random numbers"),
];

/// Keys of `algorithm`, besides `parameters`.
pub const ALGORITHM: &[Parameter] = &[NAME];

/// True for the algorithms of this file.
pub fn is_nested(algorithm: &Algorithm) -> bool {
    [NMCS.name, NRPA.name].contains(&algorithm.name)
}
