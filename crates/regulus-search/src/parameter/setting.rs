//! Parameters that are fields of a structure.

use super::{Games, Kind, Parameter, Value, key};
use crate::config::Refusal;

/// In which object of a file a key stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// `general`.
    General,
    /// `algorithm`.
    Algorithm,
    /// `algorithm.parameters`, or `parameters` of a heuristic.
    Parameters,
}

/// A parameter of a structure.
pub struct Setting<C: 'static> {
    /// Where it stands in a configuration; the last word is the key.
    pub path: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What it means.
    pub help: &'static str,
    /// How it is read and changed.
    pub access: Access<C>,
    /// The value that a paper gives; nothing if there is none.
    pub published: &'static str,
    /// The object of a file that it stands in.
    pub section: Section,
    /// The default of what exists only in some structures, and not in that by default.
    pub default: Option<Value>,
    /// Why it means nothing here; nothing if it does mean something.
    pub unused: fn(&C) -> Option<String>,
    /// Whether files have it even if it is as usual.
    pub always: fn(&C) -> bool,
    /// What it does, if there is anything to say.
    pub sentence: fn(&C) -> Option<String>,
    /// Words in names of agents.
    pub words: &'static [Word<C>],
    /// Whether a name can say it only once.
    pub once: bool,
}

/// How a parameter is read and changed.
pub struct Access<C: 'static> {
    /// Its value; nothing if there is no place for it.
    pub get: fn(&C) -> Option<Value>,
    /// Changes it; does nothing if there is no place for it.
    pub set: fn(&mut C, Value),
}

/// A word in names of agents.
pub struct Word<C: 'static> {
    /// The word.
    pub word: &'static str,
    /// What stands behind it.
    pub number: Number,
    /// Changes the structure; false if the word means nothing there.
    pub apply: fn(&mut C, f64) -> bool,
}

impl<C> Word<C> {
    /// A word without a number.
    pub const fn new(word: &'static str, apply: fn(&mut C, f64) -> bool) -> Self {
        Word { word, number: Number::No, apply }
    }

    /// Changes what it says with the number behind it; false if it means nothing.
    pub fn say(&self, structure: &mut C, number: &str) -> bool {
        self.number.read(number).is_some_and(|number| (self.apply)(structure, number))
    }
}

/// What stands behind a word; if it can be missing, what it is then.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Nothing.
    No,
    /// A whole number.
    Whole(Option<u32>),
    /// Any number.
    Any(Option<f64>),
}

impl Number {
    /// What was meant by what stands behind a word.
    fn read(self, text: &str) -> Option<f64> {
        match self {
            Number::No => text.is_empty().then_some(0.0),
            Number::Whole(usual) if text.is_empty() => usual.map(f64::from),
            Number::Whole(_) => text.parse::<u32>().ok().map(f64::from),
            Number::Any(usual) if text.is_empty() => usual,
            Number::Any(_) => text.parse().ok(),
        }
    }
}

impl<C> Setting<C> {
    /// A parameter that is declared with its key, its range, its meaning and its place. It has no word in names and
    /// nothing to say, and files have it if it is not as usual.
    pub const fn new(
        path: &'static str,
        kind: Kind,
        help: &'static str,
        access: Access<C>,
    ) -> Self {
        Setting {
            path,
            kind,
            help,
            access,
            published: "",
            section: Section::Parameters,
            default: None,
            unused: |_| None,
            always: |_| false,
            sentence: |_| None,
            words: &[],
            once: false,
        }
    }

    /// Its name in a file.
    pub fn key(&self) -> &'static str {
        key(self.path)
    }

    /// The value if nothing is said; `usual` is the structure then.
    pub fn usual(&self, usual: &C) -> Value {
        self.default.or_else(|| (self.access.get)(usual)).unwrap_or(Value::Empty)
    }

    /// Without the structure.
    pub fn parameter(&self, usual: &C) -> Parameter {
        let Setting { path, kind, help, published, .. } = *self;
        Parameter { path, kind, default: self.usual(usual), help, published }
    }

    /// What a file says of it; nothing if it is as usual or means nothing.
    pub fn written(&self, structure: &C, usual: &C) -> Option<Value> {
        if (self.unused)(structure).is_some() {
            return None;
        }
        let value = (self.access.get)(structure)?;
        ((self.always)(structure) || value != self.usual(usual)).then_some(value)
    }

    /// Changes what a part of a name of an agent for board games says; nothing if it is about something else.
    /// False if it means nothing; `usual` is the structure if nothing is said.
    pub fn add_word(&self, structure: &mut C, usual: &C, part: &str) -> Option<bool> {
        let (word, number) = word_and_number(part);
        let value = match self.kind {
            Kind::Component(parts) => parts().iter().find_map(|part| {
                let word = part.word(Games::Board, word)?;
                Some(part.named(word, number))
            }),
            _ => None,
        };
        let own = self.words.iter().find(|own| own.word == word);
        if value.is_none() && own.is_none() {
            return None;
        }
        if self.once && (self.access.get)(structure) != (self.access.get)(usual) {
            return Some(false);
        }
        match (value, own) {
            (Some(Some(value)), _) => {
                (self.access.set)(structure, Value::Component(value));
                Some(true)
            }
            (None, Some(own)) => Some(own.say(structure, number)),
            _ => Some(false),
        }
    }
}

/// Refuses values out of range.
pub fn validate<C>(settings: &[Setting<C>], structure: &C) -> Result<(), Refusal> {
    for setting in settings {
        if let Some(value) = (setting.access.get)(structure) {
            setting.kind.validate(setting.path, value)?;
        }
    }
    Ok(())
}

/// What there is to say about a structure.
pub fn sentences<C>(settings: &[Setting<C>], structure: &C) -> Vec<String> {
    settings.iter().filter_map(|setting| (setting.sentence)(structure)).collect()
}

/// A part of a name: a word, and the number behind it.
pub fn word_and_number(part: &str) -> (&str, &str) {
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    (word, &part[word.len()..])
}
