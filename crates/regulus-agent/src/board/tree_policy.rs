//! Parts of the tree policy in configurations for board games: read, written, named and explained.

use regulus_search::config::{
    Bias, Config, Decisive, Heuristic, Reversal, TreePolicy, Urgency, Widening,
};
use regulus_search::video::Selection;
use serde_json::{Map, Value, json};

use crate::parameter::Parts;
use crate::problem::Problem;
use crate::section::Section;
use crate::video::{reader, writer};

/// Reads the keys of the parts.
pub(super) fn read(parameters: &Section<'_>) -> Result<TreePolicy, Problem> {
    let mut policy = TreePolicy {
        mixmax: parameters.number("mixmax"),
        solver: parameters.flag("solver"),
        decisive: match parameters.word("decisive").as_str() {
            "wins" => Decisive::Wins,
            "wins_and_blocks" => Decisive::WinsAndBlocks,
            _ => Decisive::Off,
        },
        ..TreePolicy::default()
    };
    if parameters.has("selection") {
        policy.selection = Some(reader::selection(parameters)?);
    }
    let weight = parameters.number("bias_weight");
    if weight > 0.0 {
        let heuristic = match parameters.word("bias_heuristic").as_str() {
            "score" => Heuristic::Score,
            _ => Heuristic::Mast,
        };
        policy.bias = Some(Bias { heuristic, weight });
    } else {
        parameters.refuse(&["bias_heuristic"], "there is no bias: give bias_weight")?;
    }
    let positions = parameters.count("reversal_positions") as u32;
    if positions > 0 {
        let factor = parameters.number("reversal_factor");
        policy.reversal = Some(Reversal { positions, factor });
    } else {
        let reason = "no positions are remembered: give reversal_positions";
        parameters.refuse(&["reversal_factor"], reason)?;
    }
    let value = parameters.number("urgency_value");
    policy.urgency = match parameters.word("urgency").as_str() {
        "first_play" => Some(Urgency::FirstPlay { value }),
        "partial" => Some(Urgency::Partial { value }),
        _ => {
            parameters.refuse(&["urgency_value"], "there is no urgency: give urgency")?;
            None
        }
    };
    let (a, b) = (parameters.number("widening_a"), parameters.number("widening_b"));
    let unpruning_only = ["widening_threshold", "widening_initial"];
    policy.widening = match parameters.word("widening").as_str() {
        "unpruning" => Some(Widening::Unpruning {
            threshold: parameters.count("widening_threshold") as u32,
            initial: parameters.count("widening_initial") as u32,
            a,
            b,
        }),
        "widening" => {
            parameters.refuse(&unpruning_only, "only unpruning has it")?;
            Some(Widening::Widening { a, b })
        }
        _ => {
            let reason = "all children are considered: give widening";
            parameters.refuse(&unpruning_only, reason)?;
            parameters.refuse(&["widening_a", "widening_b"], reason)?;
            None
        }
    };
    Ok(policy)
}

/// Adds the keys of the parts that are not as usual.
pub(super) fn write(policy: &TreePolicy, parameters: &mut Map<String, Value>) {
    let mut set = |key: &str, value: Value| {
        parameters.insert(key.to_owned(), value);
    };
    if let Some(selection) = &policy.selection {
        set("selection", writer::part(Parts::Selections, selection.name_and_parameters()));
    }
    if let Some(bias) = policy.bias {
        set("bias_weight", json!(bias.weight));
        set("bias_heuristic", json!(bias.heuristic.name()));
    }
    if policy.mixmax > 0.0 {
        set("mixmax", json!(policy.mixmax));
    }
    if let Some(reversal) = policy.reversal {
        set("reversal_positions", json!(reversal.positions));
        set("reversal_factor", json!(reversal.factor));
    }
    match policy.urgency {
        Some(Urgency::FirstPlay { value }) => {
            set("urgency", json!("first_play"));
            set("urgency_value", json!(value));
        }
        Some(Urgency::Partial { value }) => {
            set("urgency", json!("partial"));
            set("urgency_value", json!(value));
        }
        None => {}
    }
    match policy.widening {
        Some(Widening::Unpruning { threshold, initial, a, b }) => {
            set("widening", json!("unpruning"));
            set("widening_threshold", json!(threshold));
            set("widening_initial", json!(initial));
            set("widening_a", json!(a));
            set("widening_b", json!(b));
        }
        Some(Widening::Widening { a, b }) => {
            set("widening", json!("widening"));
            set("widening_a", json!(a));
            set("widening_b", json!(b));
        }
        None => {}
    }
    if policy.decisive != Decisive::Off {
        set("decisive", json!(policy.decisive.name()));
    }
    if policy.solver {
        set("solver", json!(true));
    }
}

/// Adds a part by its name in names of agents, with the published parameters; false if there is none of this name.
pub(super) fn add(search: &mut Config, word: &str, number: Option<f64>) -> bool {
    let c = search.exploration;
    let policy = &mut search.tree_policy;
    let selects = |selection| Some(selection);
    match (word, number) {
        ("solver", None) => policy.solver = true,
        ("transpositions", None) => search.transpositions = true,
        ("decisive", None) => policy.decisive = Decisive::Wins,
        ("antidecisive", None) => policy.decisive = Decisive::WinsAndBlocks,
        ("tuned", None) => policy.selection = selects(Selection::Ucb1Tuned),
        ("adaptivec", None) => policy.selection = selects(Selection::AdaptiveC { c }),
        ("single", None) => policy.selection = selects(Selection::SinglePlayer { c, d: 1.0 }),
        ("history", _) => {
            let w = number.unwrap_or(1.0);
            policy.selection = selects(Selection::ProgressiveHistory { c, w });
        }
        ("bias", _) => {
            let heuristic = Heuristic::Mast;
            policy.bias = Some(Bias { heuristic, weight: number.unwrap_or(1.0) });
        }
        ("scorebias", _) => {
            let heuristic = Heuristic::Score;
            policy.bias = Some(Bias { heuristic, weight: number.unwrap_or(1.0) });
        }
        ("mixmax", _) => policy.mixmax = number.unwrap_or(0.1),
        ("reversal", None) => policy.reversal = Some(Reversal { positions: 5, factor: 0.95 }),
        ("fpu", _) => {
            policy.urgency = Some(Urgency::FirstPlay { value: number.unwrap_or(1.0) });
        }
        ("partial", _) => {
            policy.urgency = Some(Urgency::Partial { value: number.unwrap_or(0.5) });
        }
        ("widening", None) => policy.widening = Some(Widening::Widening { a: 40.0, b: 1.4 }),
        ("unpruning", None) => {
            policy.widening =
                Some(Widening::Unpruning { threshold: 30, initial: 5, a: 50.0, b: 1.3 });
        }
        _ => return false,
    }
    true
}

/// What the parts do, as sentences.
pub(super) fn explain(policy: &TreePolicy) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut say = |sentence: String| sentences.push(sentence);
    if let Some(bias) = policy.bias {
        let by = match bias.heuristic {
            Heuristic::Mast => "what MAST thinks of their move",
            Heuristic::Score => "the score after their move",
        };
        let weight = bias.weight;
        say(format!("Children with few iterations are preferred by {by} (weight {weight})."));
    }
    if policy.mixmax > 0.0 {
        let q = policy.mixmax;
        say(format!("The greatest score of a child counts as {q} of its mean (MixMax)."));
    }
    if let Some(Reversal { positions, factor }) = policy.reversal {
        say(format!(
            "Children that lead back to one of the last {positions} positions are worth {factor} times as much."
        ));
    }
    match policy.urgency {
        Some(Urgency::FirstPlay { value }) => say(format!(
            "An untried child is worth {value}, so that good ones are visited again first."
        )),
        Some(Urgency::Partial { value }) => say(format!(
            "A child is added when it is more urgent than the best of those there are (default reward {value})."
        )),
        None => {}
    }
    match policy.widening {
        Some(Widening::Unpruning { threshold, initial, a, b }) => say(format!(
            "After {threshold} iterations only the {initial} best children are considered, one more after \
             {a} x {b}^k."
        )),
        Some(Widening::Widening { a, b }) => say(format!(
            "Children are added one by one, the next {a} x {b}^k iterations after the last."
        )),
        None => {}
    }
    match policy.decisive {
        Decisive::Off => {}
        Decisive::Wins => say("Where a move wins at once no other is considered.".to_owned()),
        Decisive::WinsAndBlocks => {
            say("Where a move wins at once no other is considered, and none that lets \
                                        the next player win at once if there is another."
                .to_owned())
        }
    }
    if policy.solver {
        say("Scores that are proven count instead of means, and end the search when the best move is known."
            .to_owned());
    }
    sentences
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
