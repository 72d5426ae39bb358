//! Writing configurations for video games.

use regulus_search::video::{
    Algorithm, Evolution, EvolutionKind, FinalChoice, Generation, Mcts, Normalisation, Parameters,
    Playout, Score, Tree,
};
use serde_json::{Value, json};

use super::{uses_sequences, uses_statistics};
use crate::agent::VideoAgent;
use crate::parameter::video::{
    CLOSED_LOOP_MCTS, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, RANDOM, ROLLING_HORIZON,
};
use crate::parameter::{Kind, Parts};

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
        Algorithm::OneStep { score: of } => (&ONE_STEP, json!({ "score": score(of) })),
        Algorithm::Mcts(search) => match search.tree {
            Tree::Open => (&OPEN_LOOP_MCTS, self::search(search)),
            Tree::Closed => (&CLOSED_LOOP_MCTS, self::search(search)),
        },
        Algorithm::Evolution(of) => evolution(of),
    }
}

fn search(search: &Mcts) -> Value {
    let mut parameters = json!({
        "selection": part(Parts::Selections, search.selection.name_and_parameters()),
        "expansion": part(Parts::Expansions, search.expansion.name_and_parameters()),
        "playout": playout(&search.playout),
        "score": score(&search.score),
        "normalisation": match search.normalisation {
            Normalisation::Game => "game",
            Normalisation::Tick => "tick",
            Normalisation::Node => "node",
        },
        "depth": search.depth,
        "final_choice": match search.final_choice {
            FinalChoice::Mean => "mean",
            FinalChoice::MostVisited => "most_visited",
        },
        "max_nodes": search.max_nodes,
    });
    let added = &search.modifications;
    if added.mixmax > 0.0 {
        parameters["mixmax"] = json!(added.mixmax);
    }
    if added.macro_length > 1 {
        parameters["macro_length"] = json!(added.macro_length);
    }
    for (key, parts, chosen) in [
        ("urgency", Parts::Urgencies, added.urgency),
        ("widening", Parts::Widenings, added.widening),
        ("reversal", Parts::Reversals, added.reversal),
        ("replies", Parts::Replies, added.replies),
        ("allocation", Parts::Allocations, added.allocation),
    ] {
        if !chosen.is_none() {
            parameters[key] = part(parts, (chosen.name, chosen.parameters));
        }
    }
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

/// A part of a registry: a word if it has no parameters.
pub(crate) fn part(parts: Parts, (name, values): (&'static str, Parameters)) -> Value {
    let known = parts.all().iter().find(|part| part.name == name);
    let keys = known.map_or(&[][..], |part| part.keys);
    if keys.is_empty() {
        return json!(name);
    }
    let mut object = json!({ "name": name });
    for (parameter, value) in keys.iter().zip(values) {
        object[parameter.key] = match parameter.kind {
            Kind::Flag => json!(value != 0.0),
            Kind::Count(..) => json!(value as u64),
            _ => json!(value),
        };
    }
    object
}

fn score(score: &Score) -> Value {
    part(Parts::Scores, score.name_and_parameters())
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

fn evolution(evolution: &Evolution) -> (&'static crate::parameter::Algorithm, Value) {
    let mut parameters = json!({
        "population": evolution.population,
        "horizon": evolution.horizon,
        "mutation": evolution.mutation,
        "trials": evolution.trials,
        "shift": evolution.shift,
        "score": score(&evolution.score),
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
