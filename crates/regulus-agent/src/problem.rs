//! What is wrong with a configuration.

use std::fmt;

use serde_json::Value;

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

pub(crate) fn problem(key: &str, value: Option<&Value>, message: impl Into<String>) -> Problem {
    Problem { key: key.to_owned(), value: value.map(Value::to_string), message: message.into() }
}
