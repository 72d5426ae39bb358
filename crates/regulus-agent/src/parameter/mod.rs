//! All keys of configuration files: declared once, for reading, for error messages, for the schema and
//! for explanations. [`board`] has those of agents for board games, [`shot`] those of halving in the whole tree,
//! [`nested`] those for board games with one player, [`video`] those for video games.

pub mod board;
pub mod nested;
pub mod shot;
pub mod video;

use regulus_search::{policy, statistic};

/// What a value must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// true or false.
    Flag,
    /// A whole number in a range.
    Count(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of one of [`ALGORITHMS`].
    Algorithm,
    /// A policy of the search's registry.
    Policy,
    /// A statistic of the search's registry that has no name of its own among the heuristics, or nothing.
    Statistic,
    /// One of these parts: its name, or an object with `name` and the keys of the part.
    Part(Parts),
    /// An object with these keys.
    Object(&'static [Parameter]),
}

/// A key.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What it is if the key is missing.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
    /// False for keys that the original agent does not know.
    pub original: bool,
}

/// What can be chosen for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// The registry of selections.
    Selections,
    /// The registry of expansions.
    Expansions,
    /// Play-outs.
    Playouts,
    /// The registry of scores.
    Scores,
    /// The registry of urgencies, or none.
    Urgencies,
    /// The registry of widenings, or none.
    Widenings,
    /// The registry of reversal penalties, or none.
    Reversals,
    /// The registry of replies, or none.
    Replies,
    /// The registry of allocations, or none.
    Allocations,
    /// Ways to use several threads, or none.
    Parallels,
}

/// One of several that can be chosen for a key, with the keys that only it has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Its own keys.
    pub keys: &'static [Parameter],
}

/// An algorithm that files can ask for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Algorithm {
    /// Its name, in `algorithm.name`.
    pub name: &'static str,
    /// What it plays.
    pub games: Games,
    /// What it does.
    pub help: &'static str,
    /// Keys of its `algorithm.parameters`.
    pub keys: &'static [Parameter],
}

/// What an agent plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Games {
    /// Board games.
    Board,
    /// Video games.
    Video,
}

impl Games {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Games::Board => "board games",
            Games::Video => "video games",
        }
    }

    /// Why an agent for these games is refused by what is for the others.
    pub fn refusal(self) -> &'static str {
        match self {
            Games::Board => "plays board games, not video games",
            Games::Video => "plays video games, not board games",
        }
    }
}

/// All algorithms.
pub const ALGORITHMS: &[Algorithm] = &[
    board::MCTS,
    shot::SHOT,
    nested::NMCS,
    nested::NRPA,
    video::RANDOM,
    video::ONE_STEP,
    video::OPEN_LOOP_MCTS,
    video::CLOSED_LOOP_MCTS,
    video::ROLLING_HORIZON,
    video::MICROBIAL_GA,
];

/// Of trees of board games and of video games.
const URGENCY: Parameter = ours(
    "urgency",
    Kind::Part(Parts::Urgencies),
    "none",
    "when a child is added although there are children to select from",
);

/// The same.
const WIDENING: Parameter = ours(
    "widening",
    Kind::Part(Parts::Widenings),
    "none",
    "how many children of a node count: few at first, then more",
);

/// `algorithm.name`, the only key that all files have.
pub const NAME: Parameter = original("name", Kind::Algorithm, "MCTS", "the algorithm");

const fn original(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter { key, kind, default, help, original: true }
}

const fn ours(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter { key, kind, default, help, original: false }
}

/// The largest number of anything that is counted.
const MANY: u64 = u32::MAX as u64;

/// A name of the registry as files spell it.
pub(crate) fn word(name: &str) -> String {
    name.replace('-', "_")
}

impl Kind {
    /// What is expected, in words.
    pub fn expected(self) -> String {
        match self {
            Kind::Flag => "true or false".to_owned(),
            Kind::Count(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::Choice(_) | Kind::Algorithm | Kind::Policy | Kind::Statistic => {
                format!("one of {}", quoted(&self.words()))
            }
            Kind::Part(_) => {
                format!("one of {}, or an object with its name and keys", quoted(&self.words()))
            }
            Kind::Object(_) => "an object".to_owned(),
        }
    }

    /// The words that a value can be; none if it is no word.
    pub fn words(self) -> Vec<String> {
        match self {
            Kind::Choice(words) => words.iter().map(|w| (*w).to_owned()).collect(),
            Kind::Algorithm => ALGORITHMS.iter().map(|a| a.name.to_owned()).collect(),
            Kind::Policy => policy::REGISTRY.iter().map(|e| word(e.name)).collect(),
            Kind::Statistic => {
                let known = ["split", "join", "context", "mix"];
                let new = statistic::REGISTRY.iter().filter(|e| !known.contains(&e.name));
                std::iter::once(String::new()).chain(new.map(|e| word(e.name))).collect()
            }
            Kind::Part(parts) => parts.all().iter().map(|p| p.name.to_owned()).collect(),
            Kind::Flag | Kind::Count(..) | Kind::Number(..) | Kind::Object(_) => Vec::new(),
        }
    }
}

fn quoted(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
    quoted.join(", ")
}

impl Parameter {
    /// The default as a value of a file.
    pub fn default_value(&self) -> serde_json::Value {
        match self.kind {
            Kind::Flag | Kind::Count(..) | Kind::Number(..) => {
                self.default.parse().unwrap_or_default()
            }
            Kind::Object(_) => serde_json::Map::new().into(),
            _ => self.default.into(),
        }
    }
}
