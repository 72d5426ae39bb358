//! Keys of agents that halve in the whole tree.

use super::{Algorithm, Games, Kind, NAME, Parameter, board, original};

/// Sequential halving applied to trees.
pub const SHOT: Algorithm = Algorithm {
    name: "SHOT",
    games: Games::Board,
    help: "sequential halving applied to trees (SLIDES; T. Cazenave 2015)",
    keys: &[original(
        "max_semidepth",
        Kind::Count(1, super::MANY),
        "50",
        "modifiers of a move that memory is set aside for; moves may be longer",
    )],
};

/// Keys of `algorithm`, besides `parameters`: those of MCTS, without roll-up.
pub const ALGORITHM: &[Parameter] = &[
    NAME,
    original(
        "tree_strategy",
        Kind::Choice(&["orthodox", "semisplit"]),
        "orthodox",
        "whether moves or semimoves are halved",
    ),
    board::ALGORITHM[2],
    board::ALGORITHM[3],
];

/// True for the algorithm of this file.
pub fn is_shot(algorithm: &Algorithm) -> bool {
    algorithm.name == SHOT.name
}
