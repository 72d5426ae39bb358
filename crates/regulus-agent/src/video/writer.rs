//! Writing configurations for video games.

use regulus_search::video::{Algorithm, Config, EvolutionKind, Mcts, Score, Tree};

use crate::agent::VideoAgent;
use crate::parameter;
use crate::parameter::{
    CLOSED_LOOP_MCTS, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, RANDOM, ROLLING_HORIZON, VIDEO,
};
use crate::written::{Written, object};

/// The configuration of an agent as the text of a file.
pub(crate) fn write(agent: &VideoAgent) -> String {
    let (algorithm, mut written) = written(&agent.config.algorithm);
    written.add(VIDEO, agent, &VideoAgent::usual());
    serde_json::to_string_pretty(&written.file(algorithm.name)).unwrap_or_default()
}

/// What a file says of an algorithm: its declaration, and the values of its keys.
pub(super) fn written(algorithm: &Algorithm) -> (parameter::Algorithm, Written) {
    let mut written = Written::default();
    let declared = match algorithm {
        Algorithm::Random => RANDOM,
        Algorithm::OneStep { score } => {
            written.add(Config::ONE_STEP, score, &Score::default());
            ONE_STEP
        }
        Algorithm::Mcts(search) => {
            let usual = Mcts::default();
            written.add(Mcts::settings(), search, &usual);
            if search.uses_statistics() {
                let ngrams = object(Mcts::NGRAMS, search, &usual);
                written.parameters().insert("ngrams".to_owned(), ngrams);
            }
            match search.tree {
                Tree::Open => OPEN_LOOP_MCTS,
                Tree::Closed => CLOSED_LOOP_MCTS,
            }
        }
        Algorithm::Evolution(evolution) => {
            written.add(regulus_search::video::Evolution::SETTINGS, evolution, evolution);
            match evolution.kind {
                EvolutionKind::RollingHorizon { .. } => ROLLING_HORIZON,
                EvolutionKind::Microbial { .. } => MICROBIAL_GA,
            }
        }
    };
    (declared, written)
}
