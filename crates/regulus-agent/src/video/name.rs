//! Names of agents for video games. A name is a shorthand for a file: its words say what stands there, and the
//! reader says what is wrong with it.

use serde_json::{Map, Value, json};

use crate::agent::VideoAgent;
use crate::file::read_video;
use crate::parameter::video::{
    CLOSED_LOOP_MCTS, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, RANDOM, ROLLING_HORIZON,
};

/// How names are made. What is not said is as in GVGAI-THESIS: UCT with C = 0.6, random expansion, random play-outs, the
/// score of the framework.
pub const VIDEO_PATTERN: &str = "vg-(random|one-step|mcts|ol-mcts|rhea|microbial)[_<selection>][_<playout>][_<score>][_<expansion>]";

/// Agents for video games: one of every algorithm, and all of GVGAI-THESIS tables 5.2 to 5.7 and figure 5.1.
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
];

/// A word of a name.
struct Word {
    word: &'static str,
    /// The key of `algorithm.parameters` that it is about.
    key: &'static str,
    /// Its value there.
    value: fn() -> Value,
    /// What a number behind the word is; a key of the value, or nothing for the value itself.
    number: Option<&'static str>,
    /// What statistics of actions are like if nothing else is said.
    ngrams: fn() -> Value,
}

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
    word("uct", "selection", || json!({ "name": "uct" }), Some("c")),
    word("adaptive", "selection", || json!({ "name": "adaptive_c" }), Some("c")),
    word("ucb1t", "selection", || json!("ucb1_tuned"), None),
    word("ph", "selection", || json!({ "name": "progressive_history" }), Some("c")),
    word("single", "selection", || json!({ "name": "single_player" }), Some("c")),
    word("greedy", "selection", || json!({ "name": "epsilon_greedy" }), Some("epsilon")),
    word("decreasing", "selection", || json!("decreasing_epsilon"), None),
    word("uniform", "selection", || json!("random"), None),
    word("evo", "selection", || json!({ "name": "evo" }), Some("epsilon")),
    word("greedyexpand", "expansion", || json!({ "name": "epsilon_greedy" }), Some("epsilon")),
    Word {
        ngrams: || json!({ "length": 1 }),
        ..word("actionexpand", "expansion", || json!({ "name": "action_based" }), Some("epsilon"))
    },
    word("allexpand", "expansion", || json!("all_children"), None),
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
    let algorithm = match head {
        "vg-random" => RANDOM,
        "vg-one-step" => ONE_STEP,
        "vg-mcts" => CLOSED_LOOP_MCTS,
        "vg-ol-mcts" => OPEN_LOOP_MCTS,
        "vg-rhea" => ROLLING_HORIZON,
        "vg-microbial" => MICROBIAL_GA,
        _ => return Err(wrong(name, &format!("there is no algorithm `{head}`"))),
    };
    let mut parameters = Map::new();
    let searches = [OPEN_LOOP_MCTS.name, CLOSED_LOOP_MCTS.name].contains(&algorithm.name);
    if searches && words.is_empty() {
        // The sample players of the framework.
        let c = std::f64::consts::SQRT_2;
        parameters.insert("selection".to_owned(), json!({ "name": "uct", "c": c }));
        parameters.insert("final_choice".to_owned(), json!("most_visited"));
    }
    let mut defaults: Vec<usize> = Vec::new();
    let mut ngrams = Map::new();
    for part in words {
        let (key, value) = match option(part) {
            Some((key, value)) => {
                if ngrams.insert(key.to_owned(), value).is_some() {
                    return Err(wrong(name, &format!("it says twice what the {key} is")));
                }
                continue;
            }
            None => {
                let (index, value) = meaning(part).map_err(|what| wrong(name, &what))?;
                defaults.push(index);
                (WORDS[index].key, value)
            }
        };
        if parameters.insert(key.to_owned(), value).is_some() {
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
        parameters.insert("ngrams".to_owned(), statistics.into());
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
    let mut value = (WORDS[index].value)();
    value[key] = number;
    Ok((index, value))
}
