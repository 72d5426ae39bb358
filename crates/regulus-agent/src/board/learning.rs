//! Learned playout policies: heuristics PPA, PPAF, MASTK, MASTKF, NST and LGR in files, their words in names of
//! agents, and what they mean.

use regulus_search::config::{
    Config, Decay, Features, Learning, Method, Policy, Replies, SimulationDesign,
};
use serde_json::{Value, json};

use super::reader::decay;
use super::writer::write_decay;
use crate::problem::Problem;
use crate::section::Section;

/// Reads a policy.
pub(super) fn read(name: &str, section: &Section<'_>) -> Result<Learning, Problem> {
    let method = match name {
        "NST" => return read_nst(section),
        "PPA" | "PPAF" => {
            section.refuse(&["k"], "PPA has k = 1; only MASTK and MASTKF have another")?;
            Method::Ppa { alpha: section.number("alpha") }
        }
        _ => {
            section.refuse(&["alpha"], "only PPA and PPAF have it")?;
            Method::Mast { k: section.number("k") }
        }
    };
    let features = match (name.ends_with('F'), section.word("features").as_str()) {
        (true, "neighbours") => Features::Neighbours,
        (true, _) => Features::Cells,
        _ => {
            let reason = format!("{name} looks at moves only: use {name}F");
            section.refuse(&["features"], &reason)?;
            Features::None
        }
    };
    Ok(Learning { method, features, keep: section.flag("keep") })
}

fn read_nst(section: &Section<'_>) -> Result<Learning, Problem> {
    let policy = match section.word("policy").as_str() {
        "gibbs" => {
            section.refuse(&["epsilon"], "only the policy epsilon_greedy has an epsilon")?;
            Policy::Gibbs { temperature: section.number("temperature") }
        }
        _ => {
            section.refuse(&["temperature"], "only the policy gibbs has a temperature")?;
            Policy::EpsilonGreedy { epsilon: section.number("epsilon") }
        }
    };
    let (length, threshold) = (section.count("length") as u32, section.count("threshold") as u32);
    Ok(nst(Method::Nst { length, threshold, policy, decay: decay(section)? }))
}

/// NST forgets by decay alone.
fn nst(method: Method) -> Learning {
    Learning { method, features: Features::None, keep: true }
}

/// Reads LGR.
pub(super) fn read_replies(section: &Section<'_>) -> Replies {
    Replies {
        length: section.count("length") as u32,
        forgetting: section.flag("forgetting"),
        in_playouts: section.flag("in_playouts"),
        in_expansion: section.flag("in_expansion"),
        keep: section.flag("keep"),
    }
}

/// The heuristic of a file.
pub(super) fn write(learning: &Learning) -> Value {
    let (name, mut parameters) = match learning.method {
        Method::Ppa { alpha } => ("PPA", json!({ "alpha": alpha })),
        Method::Mast { k } => ("MASTK", json!({ "k": k })),
        Method::Nst { length, threshold, policy, decay } => {
            let mut parameters = json!({ "length": length, "threshold": threshold });
            match policy {
                Policy::Gibbs { temperature } => {
                    parameters["policy"] = json!("gibbs");
                    parameters["temperature"] = json!(temperature);
                }
                other => parameters["epsilon"] = json!(other.name_and_parameter().1),
            }
            write_decay(decay, &mut |key, value| parameters[key] = value);
            return json!({ "name": "NST", "parameters": parameters });
        }
    };
    let features = match learning.features {
        Features::None => "",
        Features::Cells => "cells",
        Features::Neighbours => "neighbours",
    };
    let mut name = name.to_owned();
    if !features.is_empty() {
        name.push('F');
        parameters["features"] = json!(features);
    }
    if learning.keep {
        parameters["keep"] = json!(true);
    }
    json!({ "name": name, "parameters": parameters })
}

/// LGR of a file.
pub(super) fn write_replies(replies: &Replies) -> Value {
    json!({ "name": "LGR", "parameters": {
        "length": replies.length,
        "forgetting": replies.forgetting,
        "in_playouts": replies.in_playouts,
        "in_expansion": replies.in_expansion,
        "keep": replies.keep,
    } })
}

/// What a policy does, as sentences.
pub(super) fn explain(learning: &Learning) -> Vec<String> {
    let method = match learning.method {
        Method::Ppa { alpha } => format!(
            "Simulations follow a policy that learns to play like those who won (PPA with alpha {alpha})"
        ),
        Method::Mast { k } => format!(
            "Simulations prefer actions with good means by Gibbs sampling (MAST with k {k})"
        ),
        Method::Nst { length, threshold, policy, .. } => format!(
            "Simulations prefer actions that end good sequences of up to {length} moves, if these were \
             seen {threshold} times (NST, {} {})",
            policy.name_and_parameter().0,
            policy.name_and_parameter().1
        ),
    };
    let features = match learning.features {
        Features::None => "",
        Features::Cells => "; what stands on the cells that a move changes tells moves apart",
        Features::Neighbours => {
            "; what stands on the cells that a move changes and on their neighbours tells moves apart"
        }
    };
    let kept = match (learning.keep, learning.method) {
        (true, Method::Nst { decay: Decay::Move { factor }, .. }) => {
            format!("After every move old samples weigh {factor} times as much.")
        }
        (true, _) => "What was learned is kept from turn to turn.".to_owned(),
        (false, _) => "Every turn learns anew.".to_owned(),
    };
    vec![format!("{method}{features}."), kept]
}

/// What replies do, as a sentence.
pub(super) fn explain_replies(replies: &Replies) -> String {
    let phases = match (replies.in_playouts, replies.in_expansion) {
        (true, true) => "Simulations and expansion begin",
        (true, false) => "Simulations begin",
        _ => "Expansion begins",
    };
    let moves = if replies.length > 1 { "two moves, or to the last one," } else { "move" };
    let forgetting = if replies.forgetting { ", as long as it does" } else { "" };
    format!(
        "{phases} with the reply to the last {moves} that went well before{forgetting} (LGR-{}).",
        replies.length
    )
}

/// Adds what a word of a name means, with the number behind it; false if it means nothing.
pub(super) fn add_word(search: &mut Config, part: &str) -> bool {
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &part[word.len()..];
    if let Some(forgetting) = word.strip_prefix("lgr") {
        let (Ok(length @ 1..=2), "" | "f") = (number.parse(), forgetting) else { return false };
        // The edges of other trees are semimoves, and replies whole moves.
        let in_expansion =
            search.tree.is_orthodox() || search.simulation == SimulationDesign::Semisplit;
        let forgetting = forgetting == "f";
        let replies = Replies { length, forgetting, in_expansion, ..Replies::default() };
        return search.replies.replace(replies).is_none();
    }
    if word == "nst" {
        let number = if number.is_empty() { Ok(3) } else { number.parse() };
        let Ok(length) = number else { return false };
        let policy = Policy::EpsilonGreedy { epsilon: 0.4 };
        let decay = Decay::Move { factor: 0.2 };
        let method = Method::Nst { length, threshold: 7, policy, decay };
        return search.learning.replace(nst(method)).is_none();
    }
    let Ok(number) = number.parse() else { return false };
    let (ppa, mast) = (Method::Ppa { alpha: number }, Method::Mast { k: number });
    let (method, features) = match word {
        "ppa" => (ppa, Features::None),
        "ppaf" => (ppa, Features::Cells),
        "ppan" => (ppa, Features::Neighbours),
        "mastk" => (mast, Features::None),
        "mastkf" => (mast, Features::Cells),
        "mastkn" => (mast, Features::Neighbours),
        _ => return false,
    };
    search.learning.replace(Learning { method, features, keep: false }).is_none()
}
