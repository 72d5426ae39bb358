//! Objects of a file whose keys are declared.

use serde_json::{Map, Value};

use crate::parameter::{Kind, Parameter, Parts};
use crate::problem::{Problem, nearest, problem};

/// An object whose keys are declared and whose values were checked. Missing keys have their defaults.
pub(crate) struct Section<'j> {
    path: String,
    object: Option<&'j Map<String, Value>>,
    keys: &'static [Parameter],
}

/// Whose keys an object has, and what else could have been meant: for errors about a key that others have.
pub(crate) struct Owner<'o> {
    pub name: &'o str,
    pub others: Vec<(&'static str, &'static [Parameter])>,
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
        keys: &'static [Parameter],
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
            match keys.iter().find(|p| p.key == key) {
                Some(parameter) => section.check(parameter, value)?,
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
        let has = |keys: &[Parameter]| keys.iter().any(|p| p.key == key);
        let users: Vec<&str> =
            owner.others.iter().filter(|(_, keys)| has(keys)).map(|(name, _)| *name).collect();
        if !users.is_empty() {
            let reason = format!("{} does not use it, only {}", owner.name, listed(&users, "and"));
            return problem(&path, Some(value), reason);
        }
        let inside = self.keys.iter().filter(|p| match p.kind {
            Kind::Part(parts) => parts.all().iter().any(|part| has(part.keys)),
            Kind::Object(keys) => has(keys),
            _ => false,
        });
        let inside: Vec<&str> = inside.map(|p| p.key).collect();
        if !inside.is_empty() {
            let reason = format!("unknown key here; it belongs into {}", listed(&inside, "or"));
            return problem(&path, None, reason);
        }
        let known = self.keys.iter().map(|p| p.key).chain(also.iter().copied());
        let all: Vec<&str> = known.clone().collect();
        let hint = match nearest(key, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all.is_empty() => "there are no keys here".to_owned(),
            None => format!("the keys here are {}", all.join(", ")),
        };
        problem(&path, None, format!("unknown key; {hint}"))
    }

    fn check(&self, parameter: &Parameter, value: &Value) -> Result<(), Problem> {
        let fits = match parameter.kind {
            Kind::Flag => value.is_boolean(),
            Kind::Count(low, high) => value.as_u64().is_some_and(|n| (low..=high).contains(&n)),
            Kind::Number(low, high) => value.as_f64().is_some_and(|n| (low..=high).contains(&n)),
            Kind::Choice(_) | Kind::Algorithm | Kind::Policy | Kind::Statistic => {
                value.as_str().is_some_and(|w| parameter.kind.words().iter().any(|word| word == w))
            }
            Kind::Part(parts) => return self.chosen(parameter, parts, value).map(|_| ()),
            Kind::Object(keys) => {
                return Section::new(
                    &self.key(parameter.key),
                    Some(value),
                    keys,
                    &[],
                    &Owner::only(),
                )
                .map(|_| ());
            }
        };
        if fits { Ok(()) } else { Err(misfit(&self.key(parameter.key), parameter.kind, value)) }
    }

    /// The part that a value asks for, and its keys.
    fn chosen<'v>(
        &self,
        parameter: &Parameter,
        parts: Parts,
        value: &'v Value,
    ) -> Result<(&'static str, Section<'v>), Problem> {
        let path = self.key(parameter.key);
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
        let Some(part) = parts.all().iter().find(|part| Some(part.name) == name.as_str()) else {
            return Err(misfit(&name_path, parameter.kind, name));
        };
        let others = parts.all().iter().map(|part| (part.name, part.keys)).collect();
        let owner = Owner { name: part.name, others };
        Ok((part.name, Section::new(&path, object, part.keys, &["name"], &owner)?))
    }

    /// The part of a key, and its section.
    pub fn part(&self, key: &str) -> Result<(&'static str, Section<'j>), Problem> {
        let missing = || problem(&self.key(key), None, "is not declared as a part");
        let parameter = self.keys.iter().find(|p| p.key == key).ok_or_else(missing)?;
        let Kind::Part(parts) = parameter.kind else { return Err(missing()) };
        if let Some(value) = self.object.and_then(|o| o.get(key)) {
            return self.chosen(parameter, parts, value);
        }
        let part =
            parts.all().iter().find(|part| part.name == parameter.default).ok_or_else(missing)?;
        Ok((part.name, Section { path: self.key(key), object: None, keys: part.keys }))
    }

    /// The object of a key.
    pub fn object(&self, key: &str) -> Result<Section<'j>, Problem> {
        let missing = || problem(&self.key(key), None, "is not declared as an object");
        let parameter = self.keys.iter().find(|p| p.key == key).ok_or_else(missing)?;
        let Kind::Object(keys) = parameter.kind else { return Err(missing()) };
        let value = self.object.and_then(|o| o.get(key));
        Section::new(&self.key(key), value, keys, &[], &Owner::only())
    }

    pub fn has(&self, key: &str) -> bool {
        self.object.is_some_and(|o| o.contains_key(key))
    }

    /// The value of a declared key, its default if it is missing.
    fn value(&self, key: &str) -> Value {
        if let Some(value) = self.object.and_then(|o| o.get(key)) {
            return value.clone();
        }
        let declared = self.keys.iter().find(|p| p.key == key);
        declared.map_or(Value::Null, Parameter::default_value)
    }

    pub fn flag(&self, key: &str) -> bool {
        self.value(key).as_bool().unwrap_or_default()
    }

    pub fn count(&self, key: &str) -> u64 {
        self.value(key).as_u64().unwrap_or_default()
    }

    pub fn number(&self, key: &str) -> f64 {
        self.value(key).as_f64().unwrap_or_default()
    }

    pub fn word(&self, key: &str) -> String {
        self.value(key).as_str().unwrap_or_default().to_owned()
    }

    /// All values as numbers, in the order of declaration.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        self.keys.iter().map(|p| match p.kind {
            Kind::Flag => f64::from(u8::from(self.flag(p.key))),
            _ => self.number(p.key),
        })
    }

    /// Refuses keys that mean nothing in this setting.
    pub fn refuse(&self, keys: &[&str], reason: &str) -> Result<(), Problem> {
        match keys.iter().find(|key| self.has(key)) {
            Some(key) => Err(problem(&self.key(key), Some(&self.value(key)), reason)),
            None => Ok(()),
        }
    }
}

/// A value that is not what it must be.
pub(crate) fn misfit(path: &str, kind: Kind, value: &Value) -> Problem {
    let mut message = format!("must be {}", kind.expected());
    let words = kind.words();
    if let Some(word) = value.as_str()
        && let Some(near) =
            nearest(word, words.iter().map(String::as_str).filter(|w| !w.is_empty()))
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
