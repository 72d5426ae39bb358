//! Configuration files: JSON with the keys of THESIS 4.1 and a few of our own.

use std::fmt;
use std::time::Duration;

use regulus_rbg::split::Strategy;
use regulus_search::config::{
    Config, Decay, FinalSelection, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};
use regulus_search::{policy, statistic};
use serde_json::{Map, Value, json};

use crate::agent::{Agent, needs_split};
use crate::parameter::{
    ALGORITHM, GENERAL, Kind, MAST, MAST_NAMES, PARAMETERS, Parameter, RAVE, RAVE_NAMES, word,
};

/// What is wrong with a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The key, by its path from the outermost object.
    pub key: String,
    /// The value, as JSON; nothing if the key itself is wrong.
    pub value: Option<String>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} = {value}: {}", self.key, self.message),
            None => write!(f, "{}: {}", self.key, self.message),
        }
    }
}

impl std::error::Error for Problem {}

fn problem(key: &str, value: Option<&Value>, message: impl Into<String>) -> Problem {
    Problem { key: key.to_owned(), value: value.map(Value::to_string), message: message.into() }
}

/// The word that is most like another, if any is.
fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let folded = word.to_lowercase();
    known
        .map(|k| (strsim::damerau_levenshtein(&folded, &k.to_lowercase()), k))
        .filter(|(distance, k)| *distance <= 1 + k.len() / 3)
        .min()
        .map(|(_, k)| k)
}

/// An object whose keys are declared. Missing keys have their defaults.
struct Section<'j> {
    path: String,
    object: Option<&'j Map<String, Value>>,
    parameters: &'static [Parameter],
}

impl<'j> Section<'j> {
    /// Checks keys and values. `also` has keys that are objects themselves.
    fn new(
        path: &str,
        value: Option<&'j Value>,
        parameters: &'static [Parameter],
        also: &[&str],
    ) -> Result<Self, Problem> {
        let object = match value {
            None => None,
            Some(Value::Object(object)) => Some(object),
            Some(other) => return Err(problem(path, Some(other), "must be an object")),
        };
        let section = Section { path: path.to_owned(), object, parameters };
        for (key, value) in object.into_iter().flatten() {
            if also.contains(&key.as_str()) {
                continue;
            }
            let Some(parameter) = parameters.iter().find(|p| p.key == key) else {
                let known = parameters.iter().map(|p| p.key).chain(also.iter().copied());
                let all: Vec<&str> = known.clone().collect();
                let hint = match nearest(key, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys here are {}", all.join(", ")),
                };
                return Err(problem(&section.key(key), None, format!("unknown key; {hint}")));
            };
            section.check(parameter, value)?;
        }
        Ok(section)
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn check(&self, parameter: &Parameter, value: &Value) -> Result<(), Problem> {
        let fits = match parameter.kind {
            Kind::Flag => value.is_boolean(),
            Kind::Count(low, high) => value.as_u64().is_some_and(|n| (low..=high).contains(&n)),
            Kind::Number(low, high) => value.as_f64().is_some_and(|n| (low..=high).contains(&n)),
            Kind::Choice(_) | Kind::Policy | Kind::Statistic => {
                value.as_str().is_some_and(|w| parameter.kind.words().iter().any(|word| word == w))
            }
        };
        if fits {
            return Ok(());
        }
        let mut message = format!("must be {}", parameter.kind.expected());
        let words = parameter.kind.words();
        if let Some(word) = value.as_str()
            && let Some(near) =
                nearest(word, words.iter().map(String::as_str).filter(|w| !w.is_empty()))
        {
            message = format!("{message}; did you mean \"{near}\"?");
        }
        Err(problem(&self.key(parameter.key), Some(value), message))
    }

    fn has(&self, key: &str) -> bool {
        self.object.is_some_and(|o| o.contains_key(key))
    }

    /// The value of a declared key, its default if it is missing.
    fn value(&self, key: &str) -> Value {
        if let Some(value) = self.object.and_then(|o| o.get(key)) {
            return value.clone();
        }
        let declared = self.parameters.iter().find(|p| p.key == key);
        let default = declared.map_or("null", |p| p.default);
        match declared.map(|p| p.kind) {
            Some(Kind::Choice(_) | Kind::Policy | Kind::Statistic) => Value::from(default),
            _ => default.parse().unwrap_or(Value::Null),
        }
    }

    fn flag(&self, key: &str) -> bool {
        self.value(key).as_bool().unwrap_or_default()
    }

    fn count(&self, key: &str) -> u64 {
        self.value(key).as_u64().unwrap_or_default()
    }

    fn number(&self, key: &str) -> f64 {
        self.value(key).as_f64().unwrap_or_default()
    }

    fn word(&self, key: &str) -> String {
        self.value(key).as_str().unwrap_or_default().to_owned()
    }

    /// Refuses keys that mean nothing in this setting.
    fn refuse(&self, keys: &[&str], reason: &str) -> Result<(), Problem> {
        match keys.iter().find(|key| self.has(key)) {
            Some(key) => Err(problem(&self.key(key), Some(&self.value(key)), reason)),
            None => Ok(()),
        }
    }
}

/// Reads a configuration.
pub fn read(name: &str, text: &str) -> Result<Agent, Problem> {
    let whole: Value = serde_json::from_str(text)
        .map_err(|e| problem("the file", None, format!("is not JSON: {e}")))?;
    Section::new("", Some(&whole), &[], &["general", "algorithm", "heuristics"]).map_err(|p| {
        if p.key.is_empty() { problem("the file", None, "must be one object") } else { p }
    })?;
    let general = Section::new("general", whole.get("general"), GENERAL, &[])?;
    let Some(algorithm) = whole.get("algorithm") else {
        return Err(problem("algorithm", None, "is missing"));
    };
    let parameters =
        Section::new("algorithm.parameters", algorithm.get("parameters"), PARAMETERS, &[])?;
    let algorithm = Section::new("algorithm", Some(algorithm), ALGORITHM, &["parameters"])?;
    let mut search = Config {
        tree: tree(&algorithm, &parameters)?,
        simulation: match algorithm.word("simulation_strategy").as_str() {
            "semisplit" => SimulationDesign::Semisplit,
            _ => SimulationDesign::Orthodox,
        },
        exploration: parameters.number("exploration_constant"),
        max_semidepth: parameters.count("max_semidepth") as u32,
        final_selection: final_selection(&parameters)?,
        mast: None,
        rave: None,
        reasoning_overhead: general.count("reasoning_overhead") as u32,
        memory: (general.count("memory_mb") as usize) << 20,
        seed: general.count("seed"),
    };
    if search.tree.is_orthodox() && matches!(search.final_selection, FinalSelection::Rollup { .. })
    {
        // The edges of an orthodox tree are whole moves already.
        search.final_selection = FinalSelection::Greedy;
    }
    let heuristics = match whole.get("heuristics") {
        None => &Vec::new(),
        Some(Value::Array(heuristics)) => heuristics,
        Some(other) => return Err(problem("heuristics", Some(other), "must be an array")),
    };
    for (i, heuristic) in heuristics.iter().enumerate() {
        self::heuristic(&mut search, heuristic, &format!("heuristics[{i}]"))?;
    }
    search.validate().map_err(|refusal| Problem {
        key: refusal.parameter.to_owned(),
        value: Some(refusal.value),
        message: refusal.reason,
    })?;
    let split = match algorithm.word("split_strategy").as_str() {
        _ if !needs_split(&search) => {
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
    };
    Ok(Agent {
        name: name.to_owned(),
        search,
        split,
        buffer: Duration::from_millis(general.count("buffer_time")),
        thinks_on_others_time: general.flag("simulate_during_opp_turn"),
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
    let names = || MAST_NAMES.iter().chain(RAVE_NAMES).copied();
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
    if MAST_NAMES.contains(&known) {
        let section = Section::new(&path_of_parameters, parameters, MAST, &[])?;
        if search.mast.is_some() {
            return Err(problem(&format!("{path}.name"), Some(name), "there is a MAST already"));
        }
        search.mast = Some(mast(known, &section)?);
    } else {
        let section = Section::new(&path_of_parameters, parameters, RAVE, &[])?;
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
    Ok(Mast {
        variant,
        policy,
        in_playouts: section.flag("in_playouts"),
        in_expansion: section.flag("in_expansion"),
        tree_only: section.flag("tree_only"),
        decay,
    })
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

/// The configuration of an agent as the text of a file.
pub fn write(agent: &Agent) -> String {
    let search = &agent.search;
    let mut parameters = Map::new();
    parameters.insert("exploration_constant".to_owned(), json!(search.exploration));
    let mut algorithm = json!({
        "name": "MCTS",
        "tree_strategy": "orthodox",
        "simulation_strategy": match search.simulation {
            SimulationDesign::Orthodox => "orthodox",
            SimulationDesign::Semisplit => "semisplit",
        },
    });
    if let Some(split) = agent.split {
        algorithm["split_strategy"] = json!(if split == Strategy::Mod { "" } else { split.name() });
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
    let whole = json!({ "general": general, "algorithm": algorithm, "heuristics": heuristics });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

fn mast_json(mast: &Mast) -> Value {
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
    let decay = match mast.decay {
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
    if decay != "move" {
        set("decay", json!(decay));
    }
    set("tree_only", json!(mast.tree_only));
    if !mast.in_playouts {
        set("in_playouts", json!(false));
    }
    if !mast.in_expansion {
        set("in_expansion", json!(false));
    }
    json!({ "name": name, "parameters": parameters })
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
