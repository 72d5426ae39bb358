//! Names of agents for video games. A name is a shorthand for a file: its words say what stands there, and the
//! reader says what is wrong with it.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;

use regulus_search::video::{Algorithm, Evolution, Mcts};
use serde_json::{Map, Value, json};

use super::writer;
use crate::agent::VideoAgent;
use crate::file::read_video;

/// How names are made. A search without further words is the sample player of the framework; with words, what they
/// do not say is as GVGAI-THESIS begins with it: UCT with C = 0.6, random expansion and play-outs, the score of the
/// framework.
pub const VIDEO_PATTERN: &str = "vg-(random|one-step|mcts|ol-mcts|rhea|microbial)[_<selection>][_<playout>][_<score>][_<expansion>][_<modification>]...";

/// Agents for video games: one of every algorithm, and all of GVGAI-THESIS tables 5.2 to 5.7 and figure 5.1,
/// and one with every modification of SLIDES.
pub const VIDEO_COLLECTION: &[&str] = &[
    "vg-random",
    "vg-one-step",
    "vg-mcts",
    "vg-ol-mcts",
    "vg-rhea",
    "vg-microbial",
    "vg-ol-mcts_adaptive",
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
    "vg-ol-mcts_uct_greedyexpand",
    "vg-ol-mcts_uct_gvgaidepth",
    "vg-ol-mcts_uct_mast_qb",
    "vg-ol-mcts_uct_normal",
    "vg-ol-mcts_uct_nst_qb",
    "vg-ol-mcts_uct_qb",
    "vg-ol-mcts_uct_qbboth",
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
    "vg-ol-mcts_mixmax0.1",
    "vg-ol-mcts_mixmax0.1_macro3_partial_reversal_roulette",
    "vg-ol-mcts_partial",
    "vg-ol-mcts_pb",
    "vg-ol-mcts_reversal",
    "vg-ol-mcts_roulette",
    "vg-ol-mcts_unprune",
    "vg-ol-mcts_widen",
];

/// A word of a name.
struct Word {
    word: &'static str,
    /// The key of `algorithm.parameters` that it is about.
    key: &'static str,
    /// Its value there.
    value: fn() -> Value,
    /// What a number behind the word is: a key of the value, or [`ITSELF`].
    number: Option<&'static str>,
    /// What statistics of actions are like if nothing else is said.
    ngrams: fn() -> Value,
}

/// The number behind a word is the value.
const ITSELF: &str = "";

const fn word(
    word: &'static str,
    key: &'static str,
    value: fn() -> Value,
    number: Option<&'static str>,
) -> Word {
    Word { word, key, value, number, ngrams: || json!({}) }
}

/// All words; of two that set the same statistics the later one counts.
const WORDS: &[Word] = &[
    word("uct", "selection", || json!({ "name": "uct", "c": 0.6 }), Some("c")),
    word("adaptive", "selection", || json!({ "name": "adaptive_c", "c": 0.6 }), Some("c")),
    word("ucb1t", "selection", || json!("ucb1_tuned"), None),
    word("ph", "selection", || json!({ "name": "progressive_history", "c": 0.6 }), Some("c")),
    word("single", "selection", || json!({ "name": "single_player", "c": 0.6 }), Some("c")),
    word("greedy", "selection", || json!({ "name": "epsilon_greedy" }), Some("epsilon")),
    word("decreasing", "selection", || json!("decreasing_epsilon"), None),
    word("uniform", "selection", || json!("random"), None),
    word("evo", "selection", || json!({ "name": "evo" }), Some("epsilon")),
    word("pb", "selection", || json!({ "name": "progressive_bias", "c": 0.6 }), Some("c")),
    word("greedyexpand", "expansion", || json!({ "name": "epsilon_greedy" }), Some("epsilon")),
    Word {
        ngrams: || json!({ "length": 1 }),
        ..word("actionexpand", "expansion", || json!({ "name": "action_based" }), Some("epsilon"))
    },
    word("allexpand", "expansion", || json!("all_children"), None),
    Word {
        ngrams: || json!({ "length": 1 }),
        ..word("roulette", "expansion", || json!({ "name": "roulette_wheel" }), Some("floor"))
    },
    Word {
        ngrams: || json!({ "decay": 0.1 }),
        ..word("mast", "playout", || json!({ "name": "mast" }), Some("epsilon"))
    },
    Word {
        ngrams: || json!({ "length": 3, "decay": 0.0 }),
        ..word("nst", "playout", || json!({ "name": "nst" }), Some("epsilon"))
    },
    word("ea", "playout", || json!({ "name": "one_plus_one" }), Some("epsilon")),
    word("stgp", "playout", || json!({ "name": "stgp" }), Some("epsilon")),
    word("winloss", "score", || json!("win_loss"), None),
    word("gvgai", "score", || json!("gvgai"), None),
    // A hundredth of the bonus, so that ten ticks are seen but do not outweigh it.
    word("gvgaidepth", "score", || json!({ "name": "gvgai", "depth": 1e5 }), Some("depth")),
    word("normal", "score", || json!({ "name": "normalised" }), Some("k")),
    word("qb", "score", || quality(0.9, 0.6, false), None),
    word("qbnone", "score", || quality(0.0, 0.0, false), None),
    word("qbrelative", "score", || quality(0.25, 0.0, false), Some("relative")),
    word("qbquality", "score", || quality(0.0, 0.25, false), Some("qualitative")),
    word("qbboth", "score", || quality(0.25, 0.25, false), None),
    word("qbseparated", "score", || quality(0.25, 0.25, true), None),
    word("mixmax", "mixmax", || json!(0.1), Some(ITSELF)),
    word("macro", "macro_length", || json!(3), Some(ITSELF)),
    // C of UCB1 that is the 0.6 of equation 3.1: 0.6 divided by the root of 2.
    word(
        "partial",
        "urgency",
        || json!({ "name": "partial_expansion", "c": 0.6 * FRAC_1_SQRT_2 }),
        Some("k"),
    ),
    word("fpu", "urgency", || json!({ "name": "first_play" }), Some("value")),
    word("reversal", "reversal", || json!({ "name": "last_positions" }), Some("factor")),
    // Games have five actions at most and nodes few visits: the published parameters, for Go, would do nothing.
    word(
        "unprune",
        "widening",
        || json!({ "name": "unpruning", "threshold": 10, "k_init": 2, "a": 10, "b": 1.3 }),
        Some("k_init"),
    ),
    word("widen", "widening", || json!({ "name": "widening", "a": 2, "b": 1.4 }), Some("a")),
    word("lgr1", "replies", || json!({ "name": "lgr1", "forgetting": false }), None),
    word("lgr2", "replies", || json!({ "name": "lgr2", "forgetting": false }), None),
    word("lgrf1", "replies", || json!("lgr1"), None),
    word("lgrf2", "replies", || json!("lgr2"), None),
    word("halving", "allocation", || json!("sequential_halving"), None),
    word("anytime", "allocation", || json!("anytime_halving"), None),
];

fn quality(relative: f64, qualitative: f64, separated: bool) -> Value {
    let name = "quality_based";
    json!({ "name": name, "relative": relative, "qualitative": qualitative, "separated": separated })
}

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
        "vg-rhea" => Algorithm::Evolution(Evolution::sample_rolling_horizon()),
        "vg-microbial" => Algorithm::Evolution(Evolution::sample_microbial()),
        _ => return Err(wrong(name, &format!("there is no algorithm `{head}`"))),
    };
    let (algorithm, mut parameters) = writer::parameters(&algorithm);
    let mut said = BTreeSet::new();
    let mut defaults: Vec<usize> = Vec::new();
    let mut ngrams = Map::new();
    for part in words {
        let key = if let Some((key, value)) = option(part) {
            ngrams.insert(key.to_owned(), value);
            key
        } else {
            let (index, value) = meaning(part).map_err(|what| wrong(name, &what))?;
            defaults.push(index);
            parameters[WORDS[index].key] = value;
            WORDS[index].key
        };
        if !said.insert(key) {
            return Err(wrong(name, &format!("it says twice what the {key} is")));
        }
    }
    defaults.sort_unstable();
    let mut statistics = Map::new();
    for index in defaults {
        statistics.extend((WORDS[index].ngrams)().as_object().cloned().unwrap_or_default());
    }
    statistics.extend(ngrams);
    if !statistics.is_empty() {
        parameters["ngrams"] = statistics.into();
    }
    let file = json!({ "algorithm": { "name": algorithm.name, "parameters": parameters } });
    read_video(name, &file.to_string()).map_err(|problem| wrong(name, &problem.to_string()))
}

/// A word and the number behind it.
fn with_number(part: &str) -> (&str, &str) {
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    (word, &part[word.len()..])
}

/// A key of the statistics of actions with its value.
fn option(part: &str) -> Option<(&'static str, Value)> {
    let (word, number) = with_number(part);
    let key = match word {
        "decay" => "decay",
        "grams" => "length",
        _ => return None,
    };
    Some((key, number.parse().ok()?))
}

/// Which of [`WORDS`] a part of a name is, and its value.
fn meaning(part: &str) -> Result<(usize, Value), String> {
    if let Some(index) = WORDS.iter().position(|w| w.word == part) {
        return Ok((index, (WORDS[index].value)()));
    }
    let nothing = || format!("`{part}` means nothing");
    let (word, number) = with_number(part);
    let index = WORDS.iter().position(|w| w.word == word).ok_or_else(nothing)?;
    let key = WORDS[index].number.ok_or_else(|| format!("`{word}` has no number"))?;
    let number: Value = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    if key == ITSELF {
        return Ok((index, number));
    }
    let mut value = (WORDS[index].value)();
    value[key] = number;
    Ok((index, value))
}
