//! Objects of a file whose keys are declared.

use regulus_diagnostic::did_you_mean;
use regulus_search::component::Chosen;
use regulus_search::parameter::{Setting, Value as Declared};
use serde_json::{Map, Value};

use crate::parameter::{Component, Kind, Parameter};
use crate::problem::{Problem, problem};

/// An object whose keys are declared and whose values were checked. Missing keys have their defaults.
pub(crate) struct Section<'j> {
    path: String,
    object: Option<&'j Map<String, Value>>,
    keys: Vec<Parameter>,
}

/// Whose keys an object has, and what else could have been meant: for errors about a key that others have.
pub struct Owner<'o> {
    pub(crate) name: &'o str,
    pub(crate) others: Vec<(&'static str, Vec<Parameter>)>,
}

impl Owner<'_> {
    /// Nobody else could have been meant.
    pub fn only() -> Self {
        Owner { name: "", others: Vec::new() }
    }
}

impl<'j> Section<'j> {
    /// Checks keys and values. `also` has keys that are read by themselves.
    pub fn new(
        path: &str,
        value: Option<&'j Value>,
        keys: Vec<Parameter>,
        also: &[&str],
        owner: &Owner<'_>,
    ) -> Result<Self, Problem> {
        let object = match value {
            None => None,
            Some(Value::Object(object)) => Some(object),
            Some(other) => return Err(problem(path, Some(other), "must be an object")),
        };
        let section = Section { path: path.to_owned(), object, keys };
        for (key, value) in object.into_iter().flatten() {
            if also.contains(&key.as_str()) {
                continue;
            }
            match section.keys.iter().find(|p| p.key() == key) {
                Some(parameter) => {
                    section.value(parameter, value)?;
                }
                None => return Err(section.unknown(key, value, also, owner)),
            }
        }
        Ok(section)
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Why a key is wrong here.
    fn unknown(&self, key: &str, value: &Value, also: &[&str], owner: &Owner<'_>) -> Problem {
        let path = self.key(key);
        let has = |keys: &[Parameter]| keys.iter().any(|p| p.key() == key);
        let users: Vec<&str> =
            owner.others.iter().filter(|(_, keys)| has(keys)).map(|(name, _)| *name).collect();
        if !users.is_empty() {
            let reason = format!("{} does not use it, only {}", owner.name, listed(&users, "and"));
            return problem(&path, Some(value), reason);
        }
        let inside = self.keys.iter().filter(|p| match p.kind {
            Kind::Component(parts) => parts().iter().any(|part| has(part.keys)),
            Kind::Object(keys) => has(&keys()),
            _ => false,
        });
        let inside: Vec<&str> = inside.map(Parameter::key).collect();
        if !inside.is_empty() {
            let reason = format!("unknown key here; it belongs into {}", listed(&inside, "or"));
            return problem(&path, None, reason);
        }
        let known = self.keys.iter().map(|p| -> &str { p.key() }).chain(also.iter().copied());
        let all: Vec<&str> = known.clone().collect();
        let hint = match did_you_mean(key, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all.is_empty() => "there are no keys here".to_owned(),
            None => format!("the keys here are {}", all.join(", ")),
        };
        problem(&path, None, format!("unknown key; {hint}"))
    }

    /// The value of a key, if it is what it must be.
    fn value(&self, parameter: &Parameter, value: &Value) -> Result<Declared, Problem> {
        let found = match parameter.kind {
            Kind::Flag => value.as_bool().map(Declared::Flag),
            Kind::Count(low, high) => {
                value.as_u64().filter(|n| (low..=high).contains(n)).map(Declared::Count)
            }
            Kind::Number(low, high) => {
                value.as_f64().filter(|n| (low..=high).contains(n)).map(Declared::Number)
            }
            Kind::Choice(_) | Kind::Named(_) => {
                let words = parameter.kind.words();
                words.into_iter().find(|w| Some(*w) == value.as_str()).map(Declared::Word)
            }
            Kind::Component(parts) => {
                return self.part(parameter, &parts(), value).map(Declared::Component);
            }
            Kind::Object(keys) => {
                let path = self.key(parameter.key());
                Section::new(&path, Some(value), keys(), &[], &Owner::only())?;
                Some(Declared::Empty)
            }
        };
        found.ok_or_else(|| misfit(&self.key(parameter.key()), parameter.kind, value))
    }

    /// The part that a value asks for, with its parameters.
    fn part(
        &self,
        parameter: &Parameter,
        parts: &[Component],
        value: &Value,
    ) -> Result<Chosen, Problem> {
        let path = self.key(parameter.key());
        let (name, name_path, object) = match value {
            Value::Object(object) => match object.get("name") {
                Some(name) => (name, format!("{path}.name"), Some(value)),
                None => {
                    let words = parameter.kind.words().join(", ");
                    let message = format!("is missing; it can be {words}");
                    return Err(problem(&format!("{path}.name"), None, message));
                }
            },
            word => (word, path.clone(), None),
        };
        let Some(part) = parts.iter().find(|part| Some(part.name) == name.as_str()) else {
            return Err(misfit(&name_path, parameter.kind, name));
        };
        let others = parts.iter().map(|part| (part.name, part.keys.to_vec())).collect();
        let owner = Owner { name: part.name, others };
        let section = Section::new(&path, object, part.keys.to_vec(), &["name"], &owner)?;
        let mut chosen = part.usual();
        for parameter in part.keys {
            if let Some(value) = section.get(parameter.key()) {
                chosen = part.with(chosen, parameter.key(), section.value(parameter, value)?);
            }
        }
        Ok(chosen)
    }

    /// The object of a key, if there is one.
    pub fn object(&self, key: &str, keys: Vec<Parameter>) -> Result<Section<'j>, Problem> {
        Section::new(&self.key(key), self.get(key), keys, &[], &Owner::only())
    }

    fn get(&self, key: &str) -> Option<&'j Value> {
        self.object.and_then(|object| object.get(key))
    }

    /// Sets what is said about a structure; what means nothing there is refused.
    pub fn apply<C>(&self, setting: &Setting<C>, structure: &mut C) -> Result<(), Problem> {
        let value = self.get(setting.key());
        if let Some(reason) = (setting.unused)(structure) {
            return match value {
                Some(value) => Err(problem(&self.key(setting.key()), Some(value), reason)),
                None => Ok(()),
            };
        }
        let parameter = self.keys.iter().find(|parameter| parameter.path == setting.path);
        let value = match (parameter, value) {
            (Some(parameter), Some(value)) => Some(self.value(parameter, value)?),
            // What the usual structure has no place for is not there yet.
            _ => setting.default.filter(|_| (setting.access.get)(structure).is_some()),
        };
        if let Some(value) = value {
            (setting.access.set)(structure, value);
        }
        Ok(())
    }
}

/// A value that is not what it must be.
pub(crate) fn misfit(path: &str, kind: Kind, value: &Value) -> Problem {
    let mut message = format!("must be {}", kind.expected());
    if let Some(word) = value.as_str()
        && let Some(near) = did_you_mean(word, kind.words().into_iter().filter(|w| !w.is_empty()))
    {
        message = format!("{message}; did you mean \"{near}\"?");
    }
    problem(path, Some(value), message)
}

/// Words with commas, and one before the last.
fn listed(words: &[&str], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}
