//! Parts of the tree policy in configurations for board games: read, written, named and explained. Parts of
//! registries have the keys that they have in agents for video games.

use regulus_search::config::{Config, Decisive, TreePolicy};
use regulus_search::part::{Chosen, Entry, Selection, reversal, selection, urgency, widening};
use serde_json::{Map, Value, json};

use crate::parameter::Parts;
use crate::problem::Problem;
use crate::section::Section;
use crate::video::{reader, writer};

/// Reads the keys of the parts.
pub(super) fn read(parameters: &Section<'_>) -> Result<TreePolicy, Problem> {
    let selection =
        parameters.has("selection").then(|| reader::selection(parameters)).transpose()?;
    Ok(TreePolicy {
        selection,
        score_bias: parameters.number("score_bias"),
        mixmax: parameters.number("mixmax"),
        reversal: reader::chosen(parameters, "reversal")?,
        urgency: reader::chosen(parameters, "urgency")?,
        widening: reader::chosen(parameters, "widening")?,
        decisive: match parameters.word("decisive").as_str() {
            "wins" => Decisive::Wins,
            "wins_and_blocks" => Decisive::WinsAndBlocks,
            _ => Decisive::Off,
        },
        solver: parameters.flag("solver"),
        proof_bias: parameters.number("proof_bias"),
        endgame: parameters.count("endgame") as u32,
        proof_search: parameters.count("proof_search") as u32,
    })
}

/// Adds the keys of the parts that are not as usual.
pub(super) fn write(policy: &TreePolicy, parameters: &mut Map<String, Value>) {
    let mut set = |key: &str, value: Value| {
        parameters.insert(key.to_owned(), value);
    };
    if let Some(selection) = &policy.selection {
        set("selection", writer::part(Parts::Selections, selection.name_and_parameters()));
    }
    let numbers = [
        ("score_bias", policy.score_bias),
        ("mixmax", policy.mixmax),
        ("proof_bias", policy.proof_bias),
    ];
    for (key, value) in numbers {
        if value > 0.0 {
            set(key, json!(value));
        }
    }
    for (key, parts, chosen) in [
        ("reversal", Parts::Reversals, policy.reversal),
        ("urgency", Parts::Urgencies, policy.urgency),
        ("widening", Parts::Widenings, policy.widening),
    ] {
        if !chosen.is_none() {
            set(key, writer::part(parts, (chosen.name, chosen.parameters)));
        }
    }
    if policy.decisive != Decisive::Off {
        set("decisive", json!(policy.decisive.name()));
    }
    if policy.endgame > 0 {
        set("endgame", json!(policy.endgame));
    }
    if policy.proof_search > 0 {
        set("proof_search", json!(policy.proof_search));
    }
    if policy.solver {
        set("solver", json!(true));
    }
}

/// A part of a registry with its defaults, and the first parameter as a name says.
fn part<P: ?Sized>(
    registry: &'static [Entry<P>],
    name: &str,
    first: Option<f64>,
) -> Option<Chosen> {
    let entry = registry.iter().find(|entry| entry.name == name)?;
    let mut values: Vec<f64> = entry.parameters.iter().map(|parameter| parameter.default).collect();
    if let (Some(slot), Some(first)) = (values.first_mut(), first) {
        *slot = first;
    }
    Some(Chosen::new(entry.name, &values))
}

/// Adds a part by its name in names of agents; false if there is none of this name.
pub(super) fn add(search: &mut Config, word: &str, number: Option<f64>) -> bool {
    let c = search.exploration;
    let policy = &mut search.tree_policy;
    match (word, number) {
        ("solver", None) => policy.solver = true,
        ("pn", _) => {
            policy.solver = true;
            policy.proof_bias = number.unwrap_or(1.0);
        }
        ("endgame", _) => {
            policy.solver = true;
            policy.endgame = number.unwrap_or(200.0) as u32;
        }
        ("proof", _) => {
            policy.solver = true;
            policy.proof_search = number.unwrap_or(1000.0) as u32;
        }
        ("transpositions", None) => search.transpositions = true,
        ("freshTree", None) => search.keep_tree = false,
        ("decisive", None) => policy.decisive = Decisive::Wins,
        ("antidecisive", None) => policy.decisive = Decisive::WinsAndBlocks,
        ("tuned", None) => policy.selection = Some(Selection::Ucb1Tuned),
        ("adaptivec", None) => policy.selection = Some(Selection::AdaptiveC { c }),
        ("single", None) => policy.selection = Some(Selection::SinglePlayer { c, d: 1.0 }),
        ("history", _) => {
            let w = number.unwrap_or(1.0);
            policy.selection = Some(Selection::ProgressiveHistory { c, w });
        }
        ("bias", _) => {
            let weight = number.unwrap_or(1.0);
            let chosen = part(selection::REGISTRY, "progressive_bias", Some(c));
            policy.selection = chosen.map(|Chosen { name, mut parameters }| {
                parameters[1] = weight;
                Selection::Registered { name, parameters }
            });
        }
        ("scorebias", _) => policy.score_bias = number.unwrap_or(1.0),
        ("mixmax", _) => policy.mixmax = number.unwrap_or(0.1),
        _ => {
            let (slot, chosen) = match (word, number) {
                ("reversal", None) => {
                    (&mut policy.reversal, part(reversal::REGISTRY, "last_positions", None))
                }
                ("fpu", _) => (&mut policy.urgency, part(urgency::REGISTRY, "first_play", number)),
                ("partial", _) => {
                    (&mut policy.urgency, part(urgency::REGISTRY, "partial_expansion", number))
                }
                ("widening", None) => {
                    (&mut policy.widening, part(widening::REGISTRY, "widening", None))
                }
                ("unpruning", None) => {
                    (&mut policy.widening, part(widening::REGISTRY, "unpruning", None))
                }
                _ => return false,
            };
            let Some(chosen) = chosen else { return false };
            *slot = chosen;
        }
    }
    true
}

/// What the parts do, as sentences. Registered parts speak for themselves.
pub(super) fn explain(policy: &TreePolicy) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut say = |sentence: String| sentences.push(sentence);
    if policy.score_bias > 0.0 {
        let weight = policy.score_bias;
        say(format!(
            "Children with few iterations are preferred by the score after their move (weight {weight})."
        ));
    }
    if policy.mixmax > 0.0 {
        let q = policy.mixmax;
        say(format!("The greatest score of a child counts as {q} of its mean (MixMax)."));
    }
    let summaries = [
        ("Reversal", summary(reversal::REGISTRY, &policy.reversal)),
        ("Urgency", summary(urgency::REGISTRY, &policy.urgency)),
        ("Widening", summary(widening::REGISTRY, &policy.widening)),
    ];
    for (kind, summary) in summaries {
        if let Some(summary) = summary {
            say(format!("{kind}: {summary}."));
        }
    }
    match policy.decisive {
        Decisive::Off => {}
        Decisive::Wins => say("Where a move wins at once no other is considered.".to_owned()),
        Decisive::WinsAndBlocks => say(
            "Where a move wins at once no other is considered, and none that lets the next player win at once \
             if there is another."
                .to_owned(),
        ),
    }
    if policy.solver {
        say("Scores that are proven count instead of means, and end the search when the best move is known."
            .to_owned());
    }
    if policy.proof_bias > 0.0 {
        let weight = policy.proof_bias;
        say(format!("Children whose score is cheap to prove are preferred (weight {weight})."));
    }
    if policy.endgame > 0 {
        let states = policy.endgame;
        say(format!("Positions near the end are tried out, with up to {states} states each."));
    }
    if policy.proof_search > 0 {
        let states = policy.proof_search;
        say(format!("A search for a proof goes on by {states} states in every iteration."));
    }
    sentences
}

/// What a part says about itself, with its parameters.
fn summary<P: ?Sized>(registry: &'static [Entry<P>], chosen: &Chosen) -> Option<String> {
    let entry = registry.iter().find(|entry| entry.name == chosen.name)?;
    let values = entry.parameters.iter().zip(chosen.parameters);
    let values: Vec<String> = values.map(|(p, value)| format!("{} = {value}", p.name())).collect();
    Some(format!("{} ({})", entry.summary, values.join(", ")))
}

/// The name of a selection, in words.
pub(super) fn selection_words(selection: &Selection) -> String {
    match *selection {
        Selection::Uct { c } => format!("UCT with exploration constant {c}"),
        Selection::AdaptiveC { c } => {
            format!("UCT with {c} times the range of scores of the child")
        }
        Selection::Ucb1Tuned => "UCB1-Tuned".to_owned(),
        Selection::ProgressiveHistory { c, w } => {
            format!("UCT with exploration constant {c} and progressive history with W = {w}")
        }
        Selection::SinglePlayer { c, d } => {
            format!("single-player UCT with exploration constant {c} and D = {d}")
        }
        Selection::EpsilonGreedy { epsilon } => {
            format!("greedy by means, except with probability {epsilon}")
        }
        Selection::DecreasingEpsilon => "greedy by means, except with probability 1/n".to_owned(),
        Selection::Random => "random".to_owned(),
        Selection::Evo { .. } => "by an evolutionary play-out".to_owned(),
        Selection::Registered { name, .. } => format!("by {name}"),
    }
}
