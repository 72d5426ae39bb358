//! Names of agents for video games. A name is a shorthand for a file: its words say what stands there, and the
//! reader says what is wrong with it.

use std::collections::BTreeSet;

use regulus_search::parameter::{Setting, word_and_number};
use regulus_search::video::{Algorithm, Evolution, Mcts};
use serde_json::{Map, Value, json};

use super::writer;
use crate::agent::VideoAgent;
use crate::file::read_video;
use crate::parameter::{Games, Kind, Parameter};
use crate::written;

/// How names are made. A search without further words is the sample player of the framework; with words, what they
/// do not say is as GVGAI-THESIS begins with it: UCT with C = 0.6, random expansion and play-outs, the score of the
/// framework.
pub const VIDEO_PATTERN: &str = "vg-(random|one-step|mcts|ol-mcts|fast-evo|rhea|microbial)[_<selection>][_<playout>][_<score>][_<expansion>][_<modification>]...";

/// Agents for video games: one of every algorithm, and all of GVGAI-THESIS tables 5.2 to 5.7 and figure 5.1,
/// and one with every modification of SLIDES.
pub const VIDEO_COLLECTION: &[&str] = &[
    "vg-random",
    "vg-one-step",
    "vg-mcts",
    "vg-ol-mcts",
    "vg-rhea",
    "vg-microbial",
    "vg-fast-evo",
    "vg-ol-mcts_adaptive",
    "vg-ol-mcts_adaptiveglobal",
    "vg-ol-mcts_decreasing",
    "vg-ol-mcts_evo_ea",
    "vg-ol-mcts_greedy",
    "vg-ol-mcts_ph",
    "vg-ol-mcts_ph_mast_qb",
    "vg-ol-mcts_ph_nst_qb",
    "vg-ol-mcts_ph_nst_decay0.15",
    "vg-ol-mcts_ph_nst_qb_decay0.15",
    "vg-ol-mcts_single",
    "vg-ol-mcts_ucb1t",
    "vg-ol-mcts_ucb1t_ea",
    "vg-ol-mcts_ucb1t_mast",
    "vg-ol-mcts_ucb1t_nst",
    "vg-ol-mcts_ucb1t_stgp",
    "vg-ol-mcts_uct",
    "vg-ol-mcts_uct1.4",
    "vg-ol-mcts_uct_actionexpand",
    "vg-ol-mcts_uct_allexpand",
    "vg-ol-mcts_uct_ea_qb",
    "vg-ol-mcts_uct_easoftmax",
    "vg-ol-mcts_uct_greedyexpand",
    "vg-ol-mcts_uct_gvgaidepth",
    "vg-ol-mcts_uct_mast_qb",
    "vg-ol-mcts_uct_normal",
    "vg-ol-mcts_uct_nst_qb",
    "vg-ol-mcts_uct_qb",
    "vg-ol-mcts_uct_qbboth",
    "vg-ol-mcts_uct_qbestimated",
    "vg-ol-mcts_uct_qbnone",
    "vg-ol-mcts_uct_qbquality",
    "vg-ol-mcts_uct_qbrelative",
    "vg-ol-mcts_uct_qbseparated",
    "vg-ol-mcts_uct_stgp",
    "vg-ol-mcts_uct_winloss",
    "vg-ol-mcts_uniform",
    "vg-ol-mcts_anytime",
    "vg-ol-mcts_fpu",
    "vg-ol-mcts_halving",
    "vg-ol-mcts_lgr1",
    "vg-ol-mcts_lgr2",
    "vg-ol-mcts_lgrf1",
    "vg-ol-mcts_lgrf2",
    "vg-ol-mcts_macro3",
    "vg-ol-mcts_macro3_macrofallback",
    "vg-ol-mcts_mixmax0.1",
    "vg-ol-mcts_mixmax0.1_macro3_partial_reversal_roulette",
    "vg-ol-mcts_noreversal",
    "vg-ol-mcts_partial",
    "vg-ol-mcts_pb",
    "vg-ol-mcts_reversal",
    "vg-ol-mcts_roulette",
    "vg-ol-mcts_unprune",
    "vg-ol-mcts_widen",
];

/// Why a name is none.
pub(crate) fn wrong(name: &str, what: &str) -> String {
    format!("`{name}` is no agent: {what}; names are {VIDEO_PATTERN}")
}

/// The agent of a name.
pub(crate) fn by_name(name: &str) -> Result<VideoAgent, String> {
    let mut parts = name.split('_');
    let head = parts.next().unwrap_or_default();
    let words: Vec<&str> = parts.collect();
    let sample = words.is_empty();
    let algorithm = match head {
        "vg-random" => Algorithm::Random,
        "vg-one-step" => Algorithm::OneStep { score: Mcts::sample_open_loop().score },
        "vg-mcts" if sample => Algorithm::Mcts(Box::new(Mcts::sample_closed_loop())),
        "vg-mcts" => {
            let Mcts { tree, max_nodes, .. } = Mcts::sample_closed_loop();
            Algorithm::Mcts(Box::new(Mcts { tree, max_nodes, ..Mcts::thesis() }))
        }
        "vg-ol-mcts" if sample => Algorithm::Mcts(Box::new(Mcts::sample_open_loop())),
        "vg-ol-mcts" => Algorithm::Mcts(Box::new(Mcts::thesis())),
        "vg-fast-evo" => Algorithm::Mcts(Box::new(Mcts::fast_evo())),
        "vg-rhea" => Algorithm::Evolution(Evolution::sample_rolling_horizon()),
        "vg-microbial" => Algorithm::Evolution(Evolution::sample_microbial()),
        _ => return Err(wrong(name, &format!("there is no algorithm `{head}`"))),
    };
    let (algorithm, mut written) = writer::written(&algorithm);
    let parameters = written.parameters();
    let mut said = BTreeSet::new();
    let (mut usual, mut ngrams) = (Vec::new(), Map::new());
    for part in words {
        let key = if let Some((key, value)) = statistic(part) {
            ngrams.insert(key.to_owned(), value);
            key
        } else {
            let Meaning { index, key, value, statistics } =
                meaning(part).map_err(|what| wrong(name, &what))?;
            usual.push((index, statistics));
            parameters.insert(key.to_owned(), value);
            key
        };
        if !said.insert(key) {
            return Err(wrong(name, &format!("it says twice what the {key} is")));
        }
    }
    // Of two that say what statistics are like the later in the order of declaration counts.
    usual.sort_by_key(|(index, _)| *index);
    let mut statistics = Map::new();
    usual.into_iter().for_each(|(_, said)| statistics.extend(said));
    statistics.extend(ngrams);
    if !statistics.is_empty() {
        parameters.insert("ngrams".to_owned(), statistics.into());
    }
    let file = written.file(algorithm.name);
    read_video(name, &file.to_string()).map_err(|problem| wrong(name, &problem.to_string()))
}

/// A key of the statistics of actions with its value.
fn statistic(part: &str) -> Option<(&'static str, Value)> {
    let (word, number) = word_and_number(part);
    let has = |setting: &&Setting<Mcts>| setting.words.iter().any(|own| own.word == word);
    let setting = Mcts::NGRAMS.iter().find(has)?;
    Some((setting.key(), number.parse().ok()?))
}

/// What a part of a name says.
struct Meaning {
    /// The number of the key in the order of declaration.
    index: usize,
    key: &'static str,
    value: Value,
    /// What statistics of actions are like if nothing else is said.
    statistics: Map<String, Value>,
}

fn meaning(text: &str) -> Result<Meaning, String> {
    // Some words end with a digit.
    let whole = Mcts::settings().enumerate().find_map(|setting| of_part(setting, text, ""));
    if let Some(meaning) = whole {
        return meaning;
    }
    let (word, number) = word_and_number(text);
    let mut settings = Mcts::settings().enumerate();
    let found = settings.find_map(|setting| {
        of_part(setting, word, number).or_else(|| of_setting(setting, word, number))
    });
    found.unwrap_or_else(|| Err(format!("`{text}` means nothing")))
}

/// What a word for a part says.
fn of_part(
    (index, setting): (usize, &Setting<Mcts>),
    word: &str,
    number: &str,
) -> Option<Result<Meaning, String>> {
    let Kind::Component(parts) = setting.kind else { return None };
    let parts = parts();
    let mut named = parts.iter().filter_map(|part| Some((part, part.word(Games::Video, word)?)));
    let (part, word) = named.next()?;
    let mut value = json!({ "name": part.name });
    if word.values.is_empty() && word.number.is_none() {
        value = part.name.into();
    }
    for (key, number) in word.values {
        value[*key] = of_kind(part.keys, key, *number);
    }
    if !number.is_empty() {
        let Some(key) = word.number else {
            return Some(Err(format!("`{}` has no number", word.word)));
        };
        let Ok(number) = number.parse::<Value>() else {
            return Some(Err(format!("`{number}` is no number")));
        };
        value[key] = number;
    }
    let statistics = Mcts::NGRAMS.iter().filter_map(|setting| {
        let key = setting.key();
        let (_, number) = word.ngrams.iter().find(|(of, _)| *of == key)?;
        Some((key.to_owned(), of_number(setting.kind, *number)))
    });
    Some(Ok(Meaning { index, key: setting.key(), value, statistics: statistics.collect() }))
}

/// What a word for a number says.
fn of_setting(
    (index, setting): (usize, &Setting<Mcts>),
    word: &str,
    number: &str,
) -> Option<Result<Meaning, String>> {
    let own = setting.words.iter().find(|own| own.word == word)?;
    let value = if number.is_empty() {
        let mut search = Mcts::default();
        let said = own.say(&mut search, number).then(|| (setting.access.get)(&search)).flatten();
        said.map(|value| written::json(setting.kind, value))
    } else {
        number.parse().ok()
    };
    let key = setting.key();
    let meaning = |value| Meaning { index, key, value, statistics: Map::new() };
    Some(value.map(meaning).ok_or_else(|| format!("`{number}` is no number")))
}

/// A number as a key of a part has it.
fn of_kind(keys: &[Parameter], key: &str, number: f64) -> Value {
    let parameter = keys.iter().find(|parameter| parameter.key() == key);
    parameter.map_or(Value::Null, |parameter| of_number(parameter.kind, number))
}

fn of_number(kind: Kind, number: f64) -> Value {
    match kind {
        Kind::Flag => (number != 0.0).into(),
        Kind::Count(..) => (number as u64).into(),
        Kind::Choice(words) => words.get(number as usize).copied().into(),
        _ => number.into(),
    }
}
