//! Writing configurations for video games.

use regulus_search::video::{
    Algorithm, Evolution, EvolutionKind, Expansion, FinalChoice, Generation, Mcts, Playout, Score,
    Selection, Tree,
};
use serde_json::{Value, json};

use super::{uses_sequences, uses_statistics};
use crate::agent::VideoAgent;
use crate::parameter::video::{
    CLOSED_LOOP_MCTS, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, RANDOM, ROLLING_HORIZON,
};

/// The configuration of an agent as the text of a file.
pub(crate) fn write(agent: &VideoAgent) -> String {
    let (algorithm, parameters) = parameters(&agent.config.algorithm);
    let mut general = json!({ "buffer_time": agent.buffer.as_millis() as u64 });
    if agent.config.seed != 0 {
        general["seed"] = json!(agent.config.seed);
    }
    let whole = json!({
        "general": general,
        "algorithm": { "name": algorithm.name, "parameters": parameters },
    });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// What a file says of an algorithm: its declaration, and the values of its keys.
pub(super) fn parameters(algorithm: &Algorithm) -> (&'static crate::parameter::Algorithm, Value) {
    match algorithm {
        Algorithm::Random => (&RANDOM, json!({})),
        Algorithm::OneStep { score: of } => (&ONE_STEP, json!({ "score": score(*of) })),
        Algorithm::Mcts(search) => match search.tree {
            Tree::Open => (&OPEN_LOOP_MCTS, self::search(search)),
            Tree::Closed => (&CLOSED_LOOP_MCTS, self::search(search)),
        },
        Algorithm::Evolution(of) => evolution(of),
    }
}

fn search(search: &Mcts) -> Value {
    let mut parameters = json!({
        "selection": selection(search.selection),
        "expansion": expansion(search.expansion),
        "playout": playout(&search.playout),
        "score": score(search.score),
        "depth": search.depth,
        "final_choice": match search.final_choice {
            FinalChoice::Mean => "mean",
            FinalChoice::MostVisited => "most_visited",
        },
        "max_nodes": search.max_nodes,
    });
    if uses_statistics(search) {
        let mut ngrams = json!({ "decay": search.ngrams.decay });
        if uses_sequences(search) {
            ngrams["length"] = json!(search.ngrams.length);
            if search.ngrams.length > 1 {
                ngrams["threshold"] = json!(search.ngrams.threshold);
            }
        }
        parameters["ngrams"] = ngrams;
    }
    parameters
}

fn selection(selection: Selection) -> Value {
    match selection {
        Selection::Uct { c } => json!({ "name": "uct", "c": c }),
        Selection::AdaptiveC { c } => json!({ "name": "adaptive_c", "c": c }),
        Selection::Ucb1Tuned => json!("ucb1_tuned"),
        Selection::ProgressiveHistory { c, w } => {
            json!({ "name": "progressive_history", "c": c, "w": w })
        }
        Selection::SinglePlayer { c, d } => json!({ "name": "single_player", "c": c, "d": d }),
        Selection::EpsilonGreedy { epsilon } => {
            json!({ "name": "epsilon_greedy", "epsilon": epsilon })
        }
        Selection::DecreasingEpsilon => json!("decreasing_epsilon"),
        Selection::Random => json!("random"),
        Selection::Evo { epsilon } => json!({ "name": "evo", "epsilon": epsilon }),
    }
}

fn expansion(expansion: Expansion) -> Value {
    match expansion {
        Expansion::Random => json!("random"),
        Expansion::EpsilonGreedy { epsilon } => {
            json!({ "name": "epsilon_greedy", "epsilon": epsilon })
        }
        Expansion::ActionBased { epsilon } => json!({ "name": "action_based", "epsilon": epsilon }),
        Expansion::AllChildren => json!("all_children"),
    }
}

fn playout(playout: &Playout) -> Value {
    match playout {
        Playout::Random => json!("random"),
        Playout::Mast { epsilon } => json!({ "name": "mast", "epsilon": epsilon }),
        Playout::Nst { epsilon } => json!({ "name": "nst", "epsilon": epsilon }),
        Playout::OnePlusOne { epsilon } => json!({ "name": "one_plus_one", "epsilon": epsilon }),
        Playout::Stgp(stgp) => json!({
            "name": "stgp",
            "epsilon": stgp.epsilon,
            "population": stgp.population,
            "initial_depth": stgp.initial_depth,
            "max_depth": stgp.max_depth,
            "generation": match stgp.generation {
                Generation::Full => "full",
                Generation::Grow => "grow",
            },
            "crossover": stgp.crossover,
            "mutation": stgp.mutation,
            "tournament": stgp.tournament,
            "winners": stgp.winners,
            "action_evaluation": stgp.action_evaluation,
        }),
    }
}

fn score(score: Score) -> Value {
    match score {
        Score::WinLoss => json!("win_loss"),
        Score::Gvgai { bonus, depth } => {
            json!({ "name": "gvgai", "bonus": bonus, "depth": depth })
        }
        Score::Normalised { k } => json!({ "name": "normalised", "k": k }),
        Score::QualityBased { relative, qualitative, k, separated } => json!({
            "name": "quality_based",
            "relative": relative,
            "qualitative": qualitative,
            "k": k,
            "separated": separated,
        }),
    }
}

fn evolution(evolution: &Evolution) -> (&'static crate::parameter::Algorithm, Value) {
    let mut parameters = json!({
        "population": evolution.population,
        "horizon": evolution.horizon,
        "mutation": evolution.mutation,
        "trials": evolution.trials,
        "shift": evolution.shift,
        "score": score(evolution.score),
    });
    match evolution.kind {
        EvolutionKind::RollingHorizon { elite, tournament } => {
            parameters["elite"] = json!(elite);
            parameters["tournament"] = json!(tournament);
            (&ROLLING_HORIZON, parameters)
        }
        EvolutionKind::Microbial { recombination } => {
            parameters["recombination"] = json!(recombination);
            (&MICROBIAL_GA, parameters)
        }
    }
}
