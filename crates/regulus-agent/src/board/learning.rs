//! Learned playout policies: heuristics PPA, PPAF, MASTK, MASTKF in files, their words in names of agents, and
//! what they mean.

use regulus_search::config::{Config, Features, Learning, Method};
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::section::Section;

/// Reads a heuristic.
pub(super) fn read(name: &str, section: &Section<'_>) -> Result<Learning, Problem> {
    let method = match name {
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

/// The heuristic of a file.
pub(super) fn write(learning: &Learning) -> Value {
    let (name, mut parameters) = match learning.method {
        Method::Ppa { alpha } => ("PPA", json!({ "alpha": alpha })),
        Method::Mast { k } => ("MASTK", json!({ "k": k })),
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

/// What it does, as sentences.
pub(super) fn explain(learning: &Learning) -> Vec<String> {
    let method = match learning.method {
        Method::Ppa { alpha } => format!(
            "Simulations follow a policy that learns to play like those who won (PPA with alpha {alpha})"
        ),
        Method::Mast { k } => format!(
            "Simulations prefer actions with good means by Gibbs sampling (MAST with k {k})"
        ),
    };
    let features = match learning.features {
        Features::None => "",
        Features::Cells => "; what stands on the cells that a move changes tells moves apart",
        Features::Neighbours => {
            "; what stands on the cells that a move changes and on their neighbours tells moves apart"
        }
    };
    let kept = match learning.keep {
        true => "What was learned is kept from turn to turn.",
        false => "Every turn learns anew.",
    };
    vec![format!("{method}{features}."), kept.to_owned()]
}

/// Adds the policy that a word of a name means, with the number behind it; false if there is none.
pub(super) fn add_word(search: &mut Config, part: &str) -> bool {
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Ok(number) = part[word.len()..].parse::<f64>() else { return false };
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
    if search.learning.is_some() {
        return false;
    }
    search.learning = Some(Learning { method, features, keep: false });
    true
}
