//! The value of a parameter.

use crate::component::Chosen;

/// The value of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied where searches are made, not while they run"
)]
pub enum Value {
    /// true or false.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// Any number.
    Number(f64),
    /// One of several words.
    Word(&'static str),
    /// One of several parts, with its own parameters.
    Component(Chosen),
    /// An object without keys.
    Empty,
}

impl Value {
    /// Whether it is true; false if it is no flag.
    pub fn flag(self) -> bool {
        self == Value::Flag(true)
    }

    /// A whole number; 0 if it is none.
    pub fn count(self) -> u64 {
        match self {
            Value::Count(count) => count,
            _ => 0,
        }
    }

    /// A number; a flag is 0 or 1.
    pub fn number(self) -> f64 {
        match self {
            Value::Flag(flag) => f64::from(u8::from(flag)),
            Value::Count(count) => count as f64,
            Value::Number(number) => number,
            Value::Word(_) | Value::Component(_) | Value::Empty => 0.0,
        }
    }

    /// A word; nothing if it is none.
    pub fn word(self) -> &'static str {
        match self {
            Value::Word(word) => word,
            Value::Component(part) => part.name,
            _ => "",
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Flag(flag) => flag.fmt(f),
            Value::Count(count) => count.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Word(_) | Value::Component(_) | Value::Empty => f.write_str(self.word()),
        }
    }
}
