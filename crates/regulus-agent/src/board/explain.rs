//! A configuration for board games in words.

use std::fmt::Write as _;

use regulus_rbg::split::Strategy;
use regulus_search::config::{
    Config, Decay, FinalSelection, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};
use regulus_search::part::Selection;

use super::allocation::{self, SEQUENTIAL_HALVING};
use super::learning;
use super::nested;
use super::parallel;
use super::shot;
use super::tree_policy;
use crate::agent::Agent;

/// What an agent does, as sentences.
pub(crate) fn explain(agent: &Agent) -> String {
    if let Some(design) = agent.nested {
        return nested::explain(agent, design);
    }
    if agent.shot {
        return shot::explain(agent);
    }
    let search = &agent.search;
    let mut text = format!("{}: Monte-Carlo tree search.\n", agent.name);
    let mut say = |sentence: String| {
        let _ = writeln!(text, "- {sentence}");
    };
    if let Some(split) = agent.split {
        say(split_words(split));
    }
    let expansion = |nodal: bool| {
        if nodal { "a whole move at a time" } else { "one semimove at a time" }
    };
    say(match search.tree {
        TreeDesign::Orthodox => "The tree has an edge per legal move.".to_owned(),
        TreeDesign::Semisplit { nodal } => {
            format!("The tree has an edge per semimove and grows {}.", expansion(nodal))
        }
        TreeDesign::Rollup { nodal, min_simulations_factor, min_score_diff } => format!(
            "The tree has an edge per semimove and grows {}; a node with all its children and at \
             least {min_simulations_factor} iterations for each is replaced by them{}.",
            expansion(nodal),
            if min_score_diff > 0.0 {
                format!(", if their means differ by {min_score_diff} hundredths or more")
            } else {
                String::new()
            }
        ),
    });
    let usual = Selection::Uct { c: search.exploration };
    let selection = search.tree_policy.selection.as_ref().unwrap_or(&usual);
    say(format!(
        "Selection is {}{}.",
        tree_policy::selection_words(selection),
        search.rave.as_ref().map_or(String::new(), rave)
    ));
    if search.transpositions {
        say("A position has one node, whatever way leads to it.".to_owned());
    }
    if !search.keep_tree {
        say("Every turn begins with an empty tree.".to_owned());
    }
    tree_policy::explain(&search.tree_policy).into_iter().for_each(&mut say);
    allocation::explain(search).into_iter().for_each(&mut say);
    say(simulation_words(search));
    if let Some(heuristic) = &search.mast {
        mast(heuristic).into_iter().for_each(&mut say);
    }
    if let Some(learning) = &search.learning {
        learning::explain(learning).into_iter().for_each(&mut say);
    }
    if let Some(replies) = &search.replies {
        say(learning::explain_replies(replies));
    }
    say(match search.final_selection {
        FinalSelection::Greedy if search.allocation.name == SEQUENTIAL_HALVING => {
            "It plays the move that is left.".to_owned()
        }
        FinalSelection::Greedy => {
            "It plays the move with the best mean; more iterations break ties.".to_owned()
        }
        FinalSelection::Rollup { factor } => format!(
            "It plays the whole move with the best mean among those with at least {factor} times the \
             iterations of the one that is best level by level."
        ),
        FinalSelection::MostVisited => "It plays the move with the most iterations.".to_owned(),
        FinalSelection::RobustMax { extension } => format!(
            "It plays the move that is best by mean and by iterations, searching up to {extension} times \
             longer until there is one."
        ),
    });
    parallel::explain(search.parallel).into_iter().for_each(&mut say);
    manners(agent).into_iter().for_each(&mut say);
    text
}

/// How moves are split.
pub(super) fn split_words(split: Strategy) -> String {
    format!("Moves are split into semimoves by {split}.")
}

/// What simulations draw.
pub(super) fn simulation_words(search: &Config) -> String {
    format!(
        "Simulations draw {}.",
        match search.simulation {
            SimulationDesign::Orthodox => "legal moves",
            SimulationDesign::Semisplit => "semimoves, and go back where those lead to no move",
        }
    )
}

/// How a search is used in a game.
pub(super) fn manners(agent: &Agent) -> Vec<String> {
    let search = &agent.search;
    let mut sentences = Vec::new();
    if search.reasoning_overhead > 1 {
        sentences.push(format!("All reasoning is repeated {} times.", search.reasoning_overhead));
    }
    if agent.thinks_on_others_time {
        sentences.push("It goes on searching while others think.".to_owned());
    }
    sentences.push(format!(
        "It keeps {} ms of its time back and uses at most {} MB.",
        agent.buffer.as_millis(),
        search.memory >> 20
    ));
    sentences
}

fn subject(variant: Variant) -> String {
    match variant {
        Variant::Standard => "what is drawn".to_owned(),
        Variant::Split => "single semimoves".to_owned(),
        Variant::Join => "whole moves".to_owned(),
        Variant::Context => "semimoves in the context of those before them".to_owned(),
        Variant::Mix { threshold } => {
            format!("semimoves in context where there are {threshold} samples, else without it")
        }
        Variant::Registered(name) => name.to_owned(),
    }
}

pub(super) fn mast(mast: &Mast) -> Vec<String> {
    let phases = match (mast.in_playouts, mast.in_expansion) {
        (true, true) => "Simulations and expansion prefer",
        (true, false) => "Simulations prefer",
        _ => "Expansion prefers",
    };
    let policy = match mast.policy {
        Policy::EpsilonGreedy { epsilon } => format!("the best, except with probability {epsilon}"),
        Policy::Gibbs { temperature } => {
            format!("good ones by Gibbs sampling with temperature {temperature}")
        }
        Policy::Roulette => "good ones in proportion to their mean".to_owned(),
        Policy::Registered { name, .. } => format!("by the policy {name}"),
    };
    let samples = if mast.tree_only { " in the tree" } else { "" };
    let mut sentences = vec![format!(
        "{phases} actions that did well{samples} (MAST over {}): {policy}.",
        subject(mast.variant)
    )];
    match mast.decay {
        Decay::None => {}
        Decay::Move { factor } => {
            sentences.push(format!("After every move old samples weigh {factor} times as much."));
        }
        Decay::Batch { factor, simulations } => sentences.push(format!(
            "After every {simulations} simulations old samples weigh {factor} times as much."
        )),
        Decay::Simulation { factor } => sentences
            .push(format!("After every simulation old samples weigh {factor} times as much.")),
    }
    sentences
}

fn rave(rave: &Rave) -> String {
    let borrowed = match rave.reference {
        0 => String::new(),
        n => format!("; nodes with at most {n} iterations borrow from an ancestor (TGRAVE)"),
    };
    format!(
        ", helped by the means of iterations in which an action came later (RAVE over {}; {} iterations \
         weigh as much{borrowed})",
        subject(rave.variant),
        rave.equivalence
    )
}
