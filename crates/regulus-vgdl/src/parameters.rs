//! The `key=value` words of a line.

use crate::diagnostic::{Code, Diagnostics, Place};
use crate::direction::Direction;
use crate::text::Token;
use crate::value::Value;

/// One `key=value`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'a> {
    pub key: &'a str,
    pub text: &'a str,
    pub value: Value,
    pub place: Place,
}

/// All of a line, or of a sprite and its parents. Of several with the same key the last counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters<'a> {
    list: Vec<Parameter<'a>>,
}

impl<'a> Parameters<'a> {
    /// Adds the word if it is a parameter; says whether it was one.
    pub fn take(&mut self, token: Token<'a>, diagnostics: &mut Diagnostics) -> bool {
        let Some((key, rest)) = token.text.split_once('=') else { return false };
        let text = rest.split('=').next().unwrap_or("");
        if key.is_empty() || text.is_empty() {
            let message = format!("`{}` should be `key=value`", token.text);
            diagnostics.push(Code::BadLine, token.place, message);
            return true;
        }
        let value = Value::parse(key, text);
        self.list.push(Parameter { key, text, value, place: token.place });
        true
    }

    /// The parameters of a parent, overridden by these.
    pub fn inherit(&self, parent: &Parameters<'a>) -> Parameters<'a> {
        let list = parent.list.iter().chain(&self.list).cloned().collect();
        Parameters { list }
    }

    pub fn get(&self, key: &str) -> Option<&Parameter<'a>> {
        self.list.iter().rev().find(|parameter| parameter.key == key)
    }

    /// Reads typed values.
    pub fn reader<'p>(&'p self, diagnostics: &'p mut Diagnostics) -> Reader<'p, 'a> {
        Reader { parameters: self, diagnostics }
    }

    /// Warns about keys that are not known.
    pub fn warn_unknown(&self, known: &[&str], of: &str, diagnostics: &mut Diagnostics) {
        for parameter in &self.list {
            if !known.contains(&parameter.key) {
                let message =
                    format!("`{}` is not a parameter of {of}; it is ignored", parameter.key);
                let (code, known) = (Code::UnknownParameter, known.iter().copied());
                diagnostics.unknown(code, parameter.place, message, parameter.key, known);
            }
        }
    }
}

/// Typed access; complains about values of the wrong type and then gives the default.
pub(crate) struct Reader<'p, 'a> {
    parameters: &'p Parameters<'a>,
    pub diagnostics: &'p mut Diagnostics,
}

impl<'p, 'a> Reader<'p, 'a> {
    fn mismatch(&mut self, parameter: &Parameter<'_>, expected: &str) {
        let number = matches!(parameter.value, Value::Double(_)) && expected == "a whole number";
        let code = if number { Code::IgnoredValue } else { Code::WrongParameterType };
        let found = parameter.value.kind();
        let mut message =
            format!("`{}` takes {expected}, and `{}` is {found}", parameter.key, parameter.text);
        if number {
            message.push_str("; the default is kept");
        }
        self.diagnostics.push(code, parameter.place, message);
    }

    pub fn get(&self, key: &str) -> Option<&'p Parameter<'a>> {
        self.parameters.get(key)
    }

    pub fn int(&mut self, key: &str, default: i32) -> i32 {
        match self.get(key) {
            None => default,
            Some(Parameter { value: Value::Int(number), .. }) => *number,
            Some(other) => {
                self.mismatch(other, "a whole number");
                default
            }
        }
    }

    pub fn double(&mut self, key: &str, default: f64) -> f64 {
        match self.get(key) {
            None => default,
            Some(Parameter { value: Value::Int(number), .. }) => f64::from(*number),
            Some(Parameter { value: Value::Double(number), .. }) => *number,
            Some(other) => {
                self.mismatch(other, "a number");
                default
            }
        }
    }

    pub fn bool(&mut self, key: &str, default: bool) -> bool {
        match self.get(key) {
            None => default,
            Some(Parameter { value: Value::Bool(value), .. }) => *value,
            Some(other) => {
                self.mismatch(other, "true or false");
                default
            }
        }
    }

    pub fn direction(&mut self, key: &str, default: Direction) -> Direction {
        match self.get(key) {
            None => default,
            Some(Parameter { value: Value::Direction(direction), .. }) => *direction,
            Some(other) => {
                self.mismatch(other, "a direction");
                default
            }
        }
    }

    /// A name or a list of names.
    pub fn text(&mut self, key: &str) -> Option<&'p Parameter<'a>> {
        let parameter = self.get(key)?;
        if parameter.value == Value::Text {
            return Some(parameter);
        }
        self.mismatch(parameter, "a name");
        None
    }

    /// A score: whole numbers separated by commas, one per player; the first counts.
    pub fn score(&mut self, key: &str) -> i32 {
        let Some(parameter) = self.get(key) else { return 0 };
        let first = parameter.text.split(',').next().unwrap_or("");
        first.parse().unwrap_or_else(|_| {
            let message = format!("`{key}` takes a whole number, not `{}`", parameter.text);
            self.diagnostics.push(Code::WrongParameterType, parameter.place, message);
            0
        })
    }
}
