//! Reading configurations for board games: JSON with the keys of THESIS 4.1 and a few of our own.

use std::time::Duration;

use regulus_rbg::split::Strategy;
use regulus_search::config::{
    Config, Decay, FinalSelection, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};
use regulus_search::{policy, statistic};
use serde_json::Value;

use super::allocation;
use super::learning;
use super::parallel;
use super::tree_policy;
use crate::agent::{Agent, needs_split};
use crate::file::Layout;
use crate::parameter::board::{
    ALGORITHM, GENERAL, LEARNING, LEARNING_NAMES, LGR, LGR_NAMES, MAST, MAST_NAMES, NST, NST_NAMES,
    RAVE, RAVE_NAMES,
};
use crate::parameter::word;
use crate::problem::{Problem, nearest, problem};
use crate::section::{Owner, Section};

/// Reads a configuration.
pub(crate) fn read(name: &str, file: &Layout) -> Result<Agent, Problem> {
    let general = file.general(GENERAL)?;
    let parameters = file.parameters()?;
    let algorithm = file.algorithm(ALGORITHM)?;
    let mut search = Config {
        tree: tree(&algorithm, &parameters)?,
        simulation: match algorithm.word("simulation_strategy").as_str() {
            "semisplit" => SimulationDesign::Semisplit,
            _ => SimulationDesign::Orthodox,
        },
        exploration: parameters.number("exploration_constant"),
        max_semidepth: parameters.count("max_semidepth") as u32,
        tree_policy: tree_policy::read(&parameters)?,
        allocation: allocation::read(&parameters)?,
        transpositions: parameters.flag("transpositions"),
        keep_tree: parameters.flag("keep_tree"),
        final_selection: final_selection(&parameters)?,
        mast: None,
        rave: None,
        learning: None,
        replies: None,
        parallel: parallel::read(&parameters)?,
        reasoning_overhead: general.count("reasoning_overhead") as u32,
        memory: (general.count("memory_mb") as usize) << 20,
        seed: general.count("seed"),
    };
    if search.tree.is_orthodox() && matches!(search.final_selection, FinalSelection::Rollup { .. })
    {
        // The edges of an orthodox tree are whole moves already.
        search.final_selection = FinalSelection::Greedy;
    }
    heuristics(file, &mut search)?;
    search.validate().map_err(|refusal| Problem {
        key: refusal.parameter.to_owned(),
        value: Some(refusal.value),
        message: refusal.reason,
    })?;
    let split = split_strategy(&algorithm, &search)?;
    Ok(Agent {
        name: name.to_owned(),
        search,
        nested: None,
        shot: false,
        split,
        buffer: Duration::from_millis(general.count("buffer_time")),
        thinks_on_others_time: general.flag("simulate_during_opp_turn"),
    })
}

/// Adds the heuristics of a file.
pub(super) fn heuristics(file: &Layout, search: &mut Config) -> Result<(), Problem> {
    let heuristics = match file.get("heuristics") {
        None => &Vec::new(),
        Some(Value::Array(heuristics)) => heuristics,
        Some(other) => return Err(problem("heuristics", Some(other), "must be an array")),
    };
    for (i, heuristic) in heuristics.iter().enumerate() {
        self::heuristic(search, heuristic, &format!("heuristics[{i}]"))?;
    }
    Ok(())
}

/// How moves are split; nothing if nothing in the search works on semimoves.
pub(super) fn split_strategy(
    algorithm: &Section<'_>,
    search: &Config,
) -> Result<Option<Strategy>, Problem> {
    Ok(match algorithm.word("split_strategy").as_str() {
        _ if !needs_split(search) => {
            algorithm.refuse(
                &["split_strategy"],
                "neither the tree nor simulations are semisplit, so no move is split",
            )?;
            None
        }
        "ModPlus" => Some(Strategy::ModPlus),
        "ModShift" => Some(Strategy::ModShift),
        "ModPlusShift" => Some(Strategy::ModPlusShift),
        _ => Some(Strategy::Mod),
    })
}

fn tree(algorithm: &Section<'_>, parameters: &Section<'_>) -> Result<TreeDesign, Problem> {
    let nodal = parameters.flag("is_nodal");
    let rollup_only = ["min_simulations_factor", "min_score_diff"];
    match algorithm.word("tree_strategy").as_str() {
        "rollup" => Ok(TreeDesign::Rollup {
            nodal,
            min_simulations_factor: parameters.number("min_simulations_factor"),
            min_score_diff: parameters.number("min_score_diff"),
        }),
        "semisplit" => {
            parameters.refuse(&rollup_only, "only a rollup tree rolls up")?;
            Ok(TreeDesign::Semisplit { nodal })
        }
        _ => {
            parameters.refuse(&rollup_only, "only a rollup tree rolls up")?;
            parameters.refuse(&["is_nodal"], "an orthodox tree has nodal states only")?;
            Ok(TreeDesign::Orthodox)
        }
    }
}

fn final_selection(parameters: &Section<'_>) -> Result<FinalSelection, Problem> {
    match parameters.word("final_selection").as_str() {
        "most_visited" => Ok(FinalSelection::MostVisited),
        "robust_max" => {
            Ok(FinalSelection::RobustMax { extension: parameters.number("robust_extension") })
        }
        _ => {
            parameters.refuse(
                &["robust_extension"],
                "only robust_max has it: set final_selection to \"robust_max\"",
            )?;
            // The original agent ignores the factor when the choice is greedy.
            Ok(match parameters.flag("greedy_choice") {
                true => FinalSelection::Greedy,
                false => {
                    FinalSelection::Rollup { factor: parameters.number("final_rollup_factor") }
                }
            })
        }
    }
}

fn heuristic(search: &mut Config, value: &Value, path: &str) -> Result<(), Problem> {
    let Value::Object(object) = value else {
        return Err(problem(path, Some(value), "must be an object"));
    };
    if let Some(key) = object.keys().find(|k| !["name", "parameters"].contains(&k.as_str())) {
        let message = "unknown key; the keys here are name, parameters";
        return Err(problem(&format!("{path}.{key}"), None, message));
    }
    let name = object.get("name").unwrap_or(&Value::Null);
    let names = || {
        let learned = LEARNING_NAMES.iter().chain(NST_NAMES).chain(LGR_NAMES);
        MAST_NAMES.iter().chain(RAVE_NAMES).chain(learned).copied()
    };
    let Some(known) = name.as_str().and_then(|n| names().find(|k| *k == n)) else {
        let all: Vec<&str> = names().collect();
        let mut message = format!("must be one of {}", all.join(", "));
        if let Some(near) = name.as_str().and_then(|n| nearest(n, names())) {
            message = format!("{message}; did you mean {near}?");
        }
        return Err(problem(&format!("{path}.name"), Some(name), message));
    };
    let path_of_parameters = format!("{path}.parameters");
    let parameters = object.get("parameters");
    let others =
        vec![("MAST", MAST), ("RAVE", RAVE), ("PPA", LEARNING), ("NST", NST), ("LGR", LGR)];
    let owner = Owner { name: known, others };
    if MAST_NAMES.contains(&known) {
        let section = Section::new(&path_of_parameters, parameters, MAST, &[], &owner)?;
        if search.mast.is_some() {
            return Err(problem(&format!("{path}.name"), Some(name), "there is a MAST already"));
        }
        search.mast = Some(mast(known, &section)?);
    } else if LGR_NAMES.contains(&known) {
        let section = Section::new(&path_of_parameters, parameters, LGR, &[], &owner)?;
        if search.replies.is_some() {
            return Err(problem(&format!("{path}.name"), Some(name), "there is an LGR already"));
        }
        search.replies = Some(learning::read_replies(&section));
    } else if LEARNING_NAMES.contains(&known) || NST_NAMES.contains(&known) {
        let keys = if NST_NAMES.contains(&known) { NST } else { LEARNING };
        let section = Section::new(&path_of_parameters, parameters, keys, &[], &owner)?;
        if search.learning.is_some() {
            let message = "there is a learned playout policy already";
            return Err(problem(&format!("{path}.name"), Some(name), message));
        }
        search.learning = Some(learning::read(known, &section)?);
    } else {
        let section = Section::new(&path_of_parameters, parameters, RAVE, &[], &owner)?;
        if search.rave.is_some() {
            return Err(problem(&format!("{path}.name"), Some(name), "there is a RAVE already"));
        }
        search.rave = Some(rave(known, &section, search.tree)?);
    }
    Ok(())
}

fn mast(name: &str, section: &Section<'_>) -> Result<Mast, Problem> {
    let variant = match name {
        "MASTSPLIT" => Variant::Split,
        "MASTJOIN" => Variant::Join,
        "MASTCONTEXT" => Variant::Context,
        "MASTMIX" => Variant::Mix { threshold: section.count("mastmix_threshold") as u32 },
        _ => {
            let statistic = section.word("statistic");
            let found = statistic::REGISTRY.iter().find(|entry| word(entry.name) == statistic);
            found.map_or(Variant::Standard, |entry| Variant::Registered(entry.name))
        }
    };
    if name != "MAST" {
        section.refuse(&["statistic"], "the name of the heuristic says which it is")?;
    }
    if name != "MASTMIX" {
        section.refuse(&["mastmix_threshold"], "only MASTMIX has a threshold")?;
    }
    let chosen = section.word("policy");
    let policy = match chosen.as_str() {
        "epsilon_greedy" => Policy::EpsilonGreedy { epsilon: section.number("epsilon") },
        "gibbs" => Policy::Gibbs { temperature: section.number("temperature") },
        "roulette" => Policy::Roulette,
        other => {
            let found = policy::REGISTRY.iter().find(|entry| word(entry.name) == other);
            let name = found.map_or("", |entry| entry.name);
            Policy::Registered { name, parameter: section.number("policy_parameter") }
        }
    };
    if !matches!(policy, Policy::Registered { .. }) {
        let reason = format!("the policy {chosen} has a key of its own for its parameter, or none");
        section.refuse(&["policy_parameter"], &reason)?;
    }
    if !matches!(policy, Policy::Gibbs { .. }) {
        section.refuse(&["temperature"], "only the policy gibbs has a temperature")?;
    }
    if !matches!(policy, Policy::EpsilonGreedy { .. }) {
        section.refuse(&["epsilon"], "only the policy epsilon_greedy has an epsilon")?;
    }
    let decay = decay(section)?;
    Ok(Mast {
        variant,
        policy,
        in_playouts: section.flag("in_playouts"),
        in_expansion: section.flag("in_expansion"),
        tree_only: section.flag("tree_only"),
        decay,
    })
}

/// When old samples lose weight.
pub(super) fn decay(section: &Section<'_>) -> Result<Decay, Problem> {
    let factor = section.number("decay_factor");
    let decay = match section.word("decay").as_str() {
        "none" => Decay::None,
        "batch" => Decay::Batch { factor, simulations: section.count("batch_size") as u32 },
        "simulation" => Decay::Simulation { factor },
        _ => Decay::Move { factor },
    };
    if !matches!(decay, Decay::Batch { .. }) {
        section.refuse(&["batch_size"], "only decay in batches has a batch size")?;
    }
    Ok(decay)
}

fn rave(name: &str, section: &Section<'_>, tree: TreeDesign) -> Result<Rave, Problem> {
    let variant = match name {
        "RAVESPLIT" => Variant::Split,
        "RAVEJOIN" => Variant::Join,
        "RAVECONTEXT" => Variant::Context,
        "RAVEMIX" => Variant::Mix { threshold: section.count("ravemix_threshold") as u32 },
        // What the edges of the tree are.
        _ if tree.is_orthodox() => Variant::Join,
        _ => Variant::Split,
    };
    if name != "RAVEMIX" {
        section.refuse(&["ravemix_threshold"], "only RAVEMIX has a threshold")?;
    }
    Ok(Rave {
        variant,
        equivalence: section.number("equivalence_parameter"),
        reference: section.count("ref") as u32,
    })
}
