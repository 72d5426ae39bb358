//! Writing configurations for board games.

use regulus_rbg::split::Strategy;
use regulus_search::config::{
    Config, Decay, FinalSelection, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};
use serde_json::{Map, Value, json};

use super::allocation;
use super::learning;
use super::nested;
use super::parallel;
use super::shot;
use super::tree_policy;
use crate::agent::Agent;
use crate::parameter::word;

/// The configuration of an agent as the text of a file.
pub(crate) fn write(agent: &Agent) -> String {
    if let Some(design) = agent.nested {
        return nested::write(agent, design);
    }
    if agent.shot {
        return shot::write(agent);
    }
    let search = &agent.search;
    let mut parameters = Map::new();
    parameters.insert("exploration_constant".to_owned(), json!(search.exploration));
    tree_policy::write(&search.tree_policy, &mut parameters);
    allocation::write(search, &mut parameters);
    if search.transpositions {
        parameters.insert("transpositions".to_owned(), json!(true));
    }
    if !search.keep_tree {
        parameters.insert("keep_tree".to_owned(), json!(false));
    }
    parallel::write(search.parallel, &mut parameters);
    let mut algorithm = json!({
        "name": "MCTS",
        "tree_strategy": "orthodox",
        "simulation_strategy": match search.simulation {
            SimulationDesign::Orthodox => "orthodox",
            SimulationDesign::Semisplit => "semisplit",
        },
    });
    if let Some(split) = agent.split {
        algorithm["split_strategy"] = split_json(split);
        parameters.insert("max_semidepth".to_owned(), json!(search.max_semidepth));
    }
    match search.tree {
        TreeDesign::Orthodox => {}
        TreeDesign::Semisplit { nodal } => {
            algorithm["tree_strategy"] = json!("semisplit");
            parameters.insert("is_nodal".to_owned(), json!(nodal));
        }
        TreeDesign::Rollup { nodal, min_simulations_factor, min_score_diff } => {
            algorithm["tree_strategy"] = json!("rollup");
            parameters.insert("is_nodal".to_owned(), json!(nodal));
            parameters.insert("min_simulations_factor".to_owned(), json!(min_simulations_factor));
            parameters.insert("min_score_diff".to_owned(), json!(min_score_diff));
        }
    }
    match search.final_selection {
        FinalSelection::Greedy if search.tree.is_orthodox() => {}
        FinalSelection::Greedy => {
            parameters.insert("greedy_choice".to_owned(), json!(true));
        }
        FinalSelection::Rollup { factor } => {
            parameters.insert("greedy_choice".to_owned(), json!(false));
            parameters.insert("final_rollup_factor".to_owned(), json!(factor));
        }
        FinalSelection::MostVisited => {
            parameters.insert("final_selection".to_owned(), json!("most_visited"));
        }
        FinalSelection::RobustMax { extension } => {
            parameters.insert("final_selection".to_owned(), json!("robust_max"));
            parameters.insert("robust_extension".to_owned(), json!(extension));
        }
    }
    algorithm["parameters"] = Value::Object(parameters);
    let mut heuristics = Vec::new();
    heuristics.extend(search.mast.as_ref().map(mast_json));
    heuristics.extend(search.rave.as_ref().map(rave_json));
    heuristics.extend(search.learning.as_ref().map(learning::write));
    heuristics.extend(search.replies.as_ref().map(learning::write_replies));
    let general = general(agent);
    let whole = json!({ "general": general, "algorithm": algorithm, "heuristics": heuristics });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// The section `general`.
pub(super) fn general(agent: &Agent) -> Value {
    let search = &agent.search;
    let mut general = json!({
        "buffer_time": agent.buffer.as_millis() as u64,
        "simulate_during_opp_turn": agent.thinks_on_others_time,
        "reasoning_overhead": search.reasoning_overhead,
    });
    let defaults = Config::default();
    if search.memory != defaults.memory {
        general["memory_mb"] = json!(search.memory >> 20);
    }
    if search.seed != defaults.seed {
        general["seed"] = json!(search.seed);
    }
    general
}

/// A split strategy; Mod is nothing.
pub(super) fn split_json(split: Strategy) -> Value {
    json!(if split == Strategy::Mod { "" } else { split.name() })
}

pub(super) fn mast_json(mast: &Mast) -> Value {
    let mut parameters = Map::new();
    let mut set = |key: &str, value: Value| {
        parameters.insert(key.to_owned(), value);
    };
    let name = match mast.variant {
        Variant::Split => "MASTSPLIT",
        Variant::Join => "MASTJOIN",
        Variant::Context => "MASTCONTEXT",
        Variant::Mix { threshold } => {
            set("mastmix_threshold", json!(threshold));
            "MASTMIX"
        }
        Variant::Registered(name) => {
            set("statistic", json!(word(name)));
            "MAST"
        }
        Variant::Standard => "MAST",
    };
    match mast.policy {
        Policy::EpsilonGreedy { epsilon } => set("epsilon", json!(epsilon)),
        Policy::Gibbs { temperature } => {
            set("policy", json!("gibbs"));
            set("temperature", json!(temperature));
        }
        Policy::Roulette => set("policy", json!("roulette")),
        Policy::Registered { name, parameter } => {
            set("policy", json!(word(name)));
            set("policy_parameter", json!(parameter));
        }
    }
    write_decay(mast.decay, &mut set);
    set("tree_only", json!(mast.tree_only));
    if !mast.in_playouts {
        set("in_playouts", json!(false));
    }
    if !mast.in_expansion {
        set("in_expansion", json!(false));
    }
    json!({ "name": name, "parameters": parameters })
}

/// Sets the keys of a decay.
pub(super) fn write_decay(decay: Decay, set: &mut dyn FnMut(&str, Value)) {
    let name = match decay {
        Decay::None => "none",
        Decay::Move { factor } => {
            set("decay_factor", json!(factor));
            "move"
        }
        Decay::Batch { factor, simulations } => {
            set("decay_factor", json!(factor));
            set("batch_size", json!(simulations));
            "batch"
        }
        Decay::Simulation { factor } => {
            set("decay_factor", json!(factor));
            "simulation"
        }
    };
    if name != "move" {
        set("decay", json!(name));
    }
}

fn rave_json(rave: &Rave) -> Value {
    let mut parameters = json!({ "equivalence_parameter": rave.equivalence });
    let name = match rave.variant {
        Variant::Split => "RAVESPLIT",
        Variant::Join => "RAVEJOIN",
        Variant::Context => "RAVECONTEXT",
        Variant::Mix { threshold } => {
            parameters["ravemix_threshold"] = json!(threshold);
            "RAVEMIX"
        }
        _ => "RAVE",
    };
    parameters["ref"] = json!(rave.reference);
    json!({ "name": name, "parameters": parameters })
}
