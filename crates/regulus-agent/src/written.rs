//! Writing files from declarations.

use regulus_search::component::Chosen;
use regulus_search::parameter::{Kind, Section, Setting, Value as Declared};
use serde_json::{Map, Value, json};

/// The sections of a file that is written.
#[derive(Default)]
pub(crate) struct Written {
    general: Map<String, Value>,
    algorithm: Map<String, Value>,
    parameters: Map<String, Value>,
}

impl Written {
    /// Adds what there is to say about a structure.
    pub fn add<C: 'static>(
        &mut self,
        settings: impl IntoIterator<Item = &'static Setting<C>>,
        structure: &C,
        usual: &C,
    ) {
        for setting in settings {
            let section = match setting.section {
                Section::General => &mut self.general,
                Section::Algorithm => &mut self.algorithm,
                Section::Parameters => &mut self.parameters,
            };
            if let Some(value) = setting.written(structure, usual) {
                section.insert(setting.key().to_owned(), json(setting.kind, value));
            }
        }
    }

    /// The parameters of the algorithm.
    pub fn parameters(&mut self) -> &mut Map<String, Value> {
        &mut self.parameters
    }

    /// The file for an algorithm.
    pub fn file(mut self, algorithm: &str) -> Value {
        self.algorithm.insert("name".to_owned(), algorithm.into());
        self.algorithm.insert("parameters".to_owned(), self.parameters.into());
        json!({ "general": self.general, "algorithm": self.algorithm })
    }
}

/// An object with what there is to say about a structure.
pub(crate) fn object<C>(settings: &[Setting<C>], structure: &C, usual: &C) -> Value {
    let written = |setting: &Setting<C>| {
        let value = setting.written(structure, usual)?;
        Some((setting.key().to_owned(), json(setting.kind, value)))
    };
    Value::Object(settings.iter().filter_map(written).collect())
}

/// A value as files have it.
pub(crate) fn json(kind: Kind, value: Declared) -> Value {
    match value {
        Declared::Flag(flag) => flag.into(),
        Declared::Count(count) => count.into(),
        Declared::Number(number) => number.into(),
        Declared::Word(word) => word.into(),
        Declared::Component(value) => part(kind, &value),
        Declared::Empty => Map::new().into(),
    }
}

/// A part: a word if it has no parameters.
fn part(kind: Kind, value: &Chosen) -> Value {
    let parts = match kind {
        Kind::Component(parts) => parts(),
        _ => Vec::new(),
    };
    let values = parts.iter().find(|part| part.name == value.name).map(|part| part.values(value));
    let values = values.unwrap_or_default();
    if values.is_empty() {
        return value.name.into();
    }
    let mut object = json!({ "name": value.name });
    for (parameter, value) in values {
        object[parameter.key()] = json(parameter.kind, value);
    }
    object
}
