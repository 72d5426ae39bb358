//! What the value of a parameter must be.

use super::{Component, MANY, Parameter, Value};
use crate::config::Refusal;
use crate::config::refusal::refuse;

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// true or false.
    Flag,
    /// A whole number in a range.
    Count(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of the names of a registry.
    Named(fn() -> Vec<&'static str>),
    /// One of these parts: its name, or an object with `name` and the keys of the part.
    Component(fn() -> Vec<Component>),
    /// An object with these keys.
    Object(fn() -> Vec<Parameter>),
}

impl Kind {
    /// What is expected, in words.
    pub fn expected(self) -> String {
        let quoted = || {
            let words: Vec<String> = self.words().iter().map(|w| format!("\"{w}\"")).collect();
            words.join(", ")
        };
        match self {
            Kind::Flag => "true or false".to_owned(),
            Kind::Count(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::Choice(_) | Kind::Named(_) => format!("one of {}", quoted()),
            Kind::Component(_) => {
                format!("one of {}, or an object with its name and keys", quoted())
            }
            Kind::Object(_) => "an object".to_owned(),
        }
    }

    /// The words that a value can be; none if it is no word.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Kind::Choice(words) => words.to_vec(),
            Kind::Named(names) => names(),
            Kind::Component(parts) => parts().iter().map(|part| part.name).collect(),
            Kind::Flag | Kind::Count(..) | Kind::Number(..) | Kind::Object(_) => Vec::new(),
        }
    }

    /// Refuses a value that is out of range, or a part that does not exist or whose parameters are out of range.
    pub(super) fn validate(self, path: &'static str, value: Value) -> Result<(), Refusal> {
        let outside = |low: &dyn ToString, high: &dyn ToString| {
            let range = format!("must lie between {} and {}", low.to_string(), high.to_string());
            refuse(path, value, range)
        };
        match (self, value) {
            (Kind::Count(low, MANY), Value::Count(count)) if count < low => {
                refuse(path, count, format!("must be at least {low}"))
            }
            (Kind::Count(low, high), Value::Count(count)) if !(low..=high).contains(&count) => {
                outside(&low, &high)
            }
            (Kind::Number(low, high), Value::Number(number)) if !(low..=high).contains(&number) => {
                outside(&low, &high)
            }
            (Kind::Named(names), Value::Word(word)) if !names().contains(&word) => {
                refuse(path, word, format!("must be one of {}", names().join(", ")))
            }
            (Kind::Component(parts), Value::Component(chosen)) => {
                let parts = parts();
                match parts.iter().find(|part| part.name == chosen.name) {
                    Some(part) => part.validate(&chosen),
                    None => {
                        let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
                        refuse(path, chosen.name, format!("must be one of {}", names.join(", ")))
                    }
                }
            }
            _ => Ok(()),
        }
    }
}
