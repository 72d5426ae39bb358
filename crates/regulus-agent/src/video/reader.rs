//! Reading configurations for video games.

use std::time::Duration;

use regulus_search::video::{
    Algorithm, Chosen, Config, Evolution, EvolutionKind, Expansion, FinalChoice, Generation, Mcts,
    Modifications, Ngrams, Normalisation, Parameters, Playout, Score, Selection, Stgp, Tree,
};

use super::{uses_sequences, uses_statistics};
use crate::agent::VideoAgent;
use crate::file::Layout;
use crate::parameter::video::{
    ALGORITHM, CLOSED_LOOP_MCTS, GENERAL, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, ROLLING_HORIZON,
};
use crate::problem::{Problem, problem};
use crate::section::Section;

/// Reads a configuration.
pub(crate) fn read(name: &str, file: &Layout) -> Result<VideoAgent, Problem> {
    if let Some(heuristics) = file.get("heuristics") {
        let reason = "agents for video games have none: their parts are in algorithm.parameters";
        return Err(problem("heuristics", Some(heuristics), reason));
    }
    let general = file.general(GENERAL)?;
    file.algorithm(ALGORITHM)?;
    let parameters = file.parameters()?;
    let chosen = file.algorithm.name;
    let algorithm = if chosen == ONE_STEP.name {
        Algorithm::OneStep { score: score(&parameters)? }
    } else if chosen == OPEN_LOOP_MCTS.name {
        Algorithm::Mcts(Box::new(search(Tree::Open, &parameters)?))
    } else if chosen == CLOSED_LOOP_MCTS.name {
        Algorithm::Mcts(Box::new(search(Tree::Closed, &parameters)?))
    } else if chosen == ROLLING_HORIZON.name {
        let elite = parameters.count("elite") as u32;
        let tournament = parameters.count("tournament") as u32;
        evolution(EvolutionKind::RollingHorizon { elite, tournament }, &parameters)?
    } else if chosen == MICROBIAL_GA.name {
        let recombination = parameters.number("recombination");
        evolution(EvolutionKind::Microbial { recombination }, &parameters)?
    } else {
        Algorithm::Random
    };
    let config = Config { algorithm, seed: general.count("seed") };
    config.validate().map_err(|refusal| Problem {
        key: format!("algorithm.parameters.{}", refusal.parameter),
        value: Some(refusal.value),
        message: refusal.reason,
    })?;
    let buffer = Duration::from_millis(general.count("buffer_time"));
    Ok(VideoAgent { name: name.to_owned(), config, buffer })
}

fn search(tree: Tree, parameters: &Section<'_>) -> Result<Mcts, Problem> {
    let mut search = Mcts {
        tree,
        selection: selection(parameters)?,
        expansion: expansion(parameters)?,
        playout: playout(parameters)?,
        ngrams: Ngrams::default(),
        score: score(parameters)?,
        normalisation: match parameters.word("normalisation").as_str() {
            "tick" => Normalisation::Tick,
            "node" => Normalisation::Node,
            _ => Normalisation::Game,
        },
        depth: parameters.count("depth") as u32,
        final_choice: match parameters.word("final_choice").as_str() {
            "most_visited" => FinalChoice::MostVisited,
            _ => FinalChoice::Mean,
        },
        max_nodes: parameters.count("max_nodes") as usize,
        modifications: modifications(parameters)?,
    };
    search.ngrams = ngrams(&search, parameters)?;
    Ok(search)
}

fn modifications(parameters: &Section<'_>) -> Result<Modifications, Problem> {
    let chosen = |key: &str| chosen(parameters, key);
    Ok(Modifications {
        mixmax: parameters.number("mixmax"),
        macro_length: parameters.count("macro_length") as u32,
        urgency: chosen("urgency")?,
        widening: chosen("widening")?,
        reversal: chosen("reversal")?,
        replies: chosen("replies")?,
        allocation: chosen("allocation")?,
    })
}

/// The part of a registry that a key asks for, or none.
pub(crate) fn chosen(parameters: &Section<'_>, key: &str) -> Result<Chosen, Problem> {
    let (name, keys) = parameters.part(key)?;
    Ok(Chosen { name, parameters: registered(&keys) })
}

/// The parameters of a registered part.
fn registered(keys: &Section<'_>) -> Parameters {
    let mut parameters = Parameters::default();
    parameters.iter_mut().zip(keys.numbers()).for_each(|(slot, value)| *slot = value);
    parameters
}

pub(crate) fn selection(parameters: &Section<'_>) -> Result<Selection, Problem> {
    let (name, keys) = parameters.part("selection")?;
    let c = keys.number("c");
    let epsilon = keys.number("epsilon");
    Ok(match name {
        "adaptive_c" => Selection::AdaptiveC { c },
        "ucb1_tuned" => Selection::Ucb1Tuned,
        "progressive_history" => Selection::ProgressiveHistory { c, w: keys.number("w") },
        "single_player" => Selection::SinglePlayer { c, d: keys.number("d") },
        "epsilon_greedy" => Selection::EpsilonGreedy { epsilon },
        "decreasing_epsilon" => Selection::DecreasingEpsilon,
        "random" => Selection::Random,
        "evo" => Selection::Evo { epsilon },
        "uct" => Selection::Uct { c },
        name => Selection::Registered { name, parameters: registered(&keys) },
    })
}

fn expansion(parameters: &Section<'_>) -> Result<Expansion, Problem> {
    let (name, keys) = parameters.part("expansion")?;
    let epsilon = keys.number("epsilon");
    Ok(match name {
        "epsilon_greedy" => Expansion::EpsilonGreedy { epsilon },
        "action_based" => Expansion::ActionBased { epsilon },
        "all_children" => Expansion::AllChildren,
        "random" => Expansion::Random,
        name => Expansion::Registered { name, parameters: registered(&keys) },
    })
}

fn playout(parameters: &Section<'_>) -> Result<Playout, Problem> {
    let (name, keys) = parameters.part("playout")?;
    let epsilon = keys.number("epsilon");
    Ok(match name {
        "mast" => Playout::Mast { epsilon },
        "nst" => Playout::Nst { epsilon },
        "one_plus_one" => Playout::OnePlusOne { epsilon },
        "stgp" => Playout::Stgp(Stgp {
            epsilon,
            population: keys.count("population") as u32,
            initial_depth: keys.count("initial_depth") as u32,
            max_depth: keys.count("max_depth") as u32,
            generation: match keys.word("generation").as_str() {
                "full" => Generation::Full,
                _ => Generation::Grow,
            },
            crossover: keys.number("crossover"),
            mutation: keys.number("mutation"),
            tournament: keys.count("tournament") as u32,
            winners: keys.count("winners") as u32,
            action_evaluation: keys.count("action_evaluation") as u32,
        }),
        _ => Playout::Random,
    })
}

/// Statistics of actions, if the parts of a search use them.
fn ngrams(search: &Mcts, parameters: &Section<'_>) -> Result<Ngrams, Problem> {
    if !uses_statistics(search) {
        parameters.refuse(
            &["ngrams"],
            "no part uses them: only the play-outs mast and nst, the selections progressive_history and \
             progressive_bias and the expansions action_based and roulette_wheel do",
        )?;
        return Ok(Ngrams::default());
    }
    let keys = parameters.object("ngrams")?;
    let mut ngrams = Ngrams { decay: keys.number("decay"), ..Ngrams::default() };
    if uses_sequences(search) {
        ngrams.length = keys.count("length") as u32;
    } else {
        let reason = "only the play-out nst and the expansions action_based and roulette_wheel use more than single actions";
        keys.refuse(&["length", "threshold"], reason)?;
    }
    if ngrams.length > 1 {
        ngrams.threshold = keys.count("threshold") as u32;
    } else {
        keys.refuse(&["threshold"], "single actions have none: it is for a length of 2 or more")?;
    }
    Ok(ngrams)
}

fn score(parameters: &Section<'_>) -> Result<Score, Problem> {
    let (name, keys) = parameters.part("score")?;
    let k = keys.number("k");
    Ok(match name {
        "win_loss" => Score::WinLoss,
        "normalised" => Score::Normalised { k },
        "quality_based" => Score::QualityBased {
            relative: keys.number("relative"),
            qualitative: keys.number("qualitative"),
            k,
            separated: keys.flag("separated"),
            delta: keys.number("delta"),
        },
        "gvgai" => Score::Gvgai { bonus: keys.number("bonus"), depth: keys.number("depth") },
        name => Score::Registered { name, parameters: registered(&keys) },
    })
}

fn evolution(kind: EvolutionKind, parameters: &Section<'_>) -> Result<Algorithm, Problem> {
    Ok(Algorithm::Evolution(Evolution {
        kind,
        population: parameters.count("population") as u32,
        horizon: parameters.count("horizon") as u32,
        mutation: parameters.number("mutation"),
        trials: parameters.count("trials") as u32,
        shift: parameters.flag("shift"),
        score: score(parameters)?,
    }))
}
