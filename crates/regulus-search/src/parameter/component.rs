//! Parts of a registry: their parameters, and how names of agents say that one is chosen.

use super::{Kind, Parameter, Value};
use crate::component::Chosen;
use crate::config::Refusal;
use crate::config::refusal::refuse;

/// One of several parts that can be chosen, with the keys that only it has.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// Its own keys, in order.
    pub keys: &'static [Parameter],
    /// What it is called in names of agents.
    pub words: &'static [ComponentWord],
}

impl Component {
    /// A part that names of agents have no word for.
    pub const fn new(name: &'static str, help: &'static str, keys: &'static [Parameter]) -> Self {
        Component { name, help, keys, words: &[] }
    }

    /// Refuses values of its parameters that are out of range.
    pub fn validate(&self, chosen: &Chosen) -> Result<(), Refusal> {
        for parameter in self.keys {
            let Some(number) = chosen.get(parameter.key()) else { continue };
            let value = match parameter.kind {
                Kind::Number(..) => Value::Number(number),
                _ if number.fract() != 0.0 => {
                    return refuse(parameter.path, number, "must be a whole number");
                }
                Kind::Choice(_) => continue,
                Kind::Flag if number == 0.0 || number == 1.0 => continue,
                Kind::Flag => return refuse(parameter.path, number, "must be 0 or 1"),
                // Negative ones become 0, which may be out of range as well: they are shown as they are.
                Kind::Count(low, _) if number < low as f64 => {
                    let path = parameter.path;
                    return parameter
                        .kind
                        .validate(path, Value::Count(0))
                        .map_err(|refusal| Refusal { value: number.to_string(), ..refusal });
                }
                _ => Value::Count(number as u64),
            };
            parameter.kind.validate(parameter.path, value)?;
        }
        Ok(())
    }

    /// A word for it in names of agents.
    pub fn word(&self, games: Games, word: &str) -> Option<&'static ComponentWord> {
        self.words.iter().find(|w| w.games == games && w.word == word)
    }

    /// The part with its defaults.
    pub fn usual(&self) -> Chosen {
        let mut value = Chosen::new(self.name, &[]);
        for parameter in self.keys {
            value = self.with(value, parameter.key(), parameter.default);
        }
        value
    }

    /// The part with its defaults for what nothing is said about.
    pub fn complete(&self, chosen: &Chosen) -> Chosen {
        let keys = self.keys.iter().map(Parameter::key);
        let said = keys.filter_map(|key| Some((key, chosen.get(key)?)));
        said.fold(self.usual(), |part, (key, value)| part.with(key, value))
    }

    /// The part that a word of a name stands for; nothing if what stands behind it is no number, or nothing can.
    pub(super) fn named(&self, word: &ComponentWord, number: &str) -> Option<Chosen> {
        let mut value = self.usual();
        for (key, number) in word.values {
            value = self.with(value, key, Value::Number(*number));
        }
        if number.is_empty() {
            return Some(value);
        }
        Some(self.with(value, word.number?, Value::Number(number.parse().ok()?)))
    }

    /// The part with another value of a key; one that it does not declare is not there.
    pub fn with(&self, part: Chosen, key: &str, value: Value) -> Chosen {
        let Some(parameter) = self.keys.iter().find(|parameter| parameter.key() == key) else {
            return part;
        };
        let number = match (parameter.kind, value) {
            (Kind::Choice(words), Value::Word(word)) => {
                words.iter().position(|w| *w == word).unwrap_or_default() as f64
            }
            (_, value) => value.number(),
        };
        part.with(parameter.key(), number)
    }

    /// The values of its keys.
    pub fn values(&self, part: &Chosen) -> Vec<(&'static Parameter, Value)> {
        let part = self.complete(part);
        let value = |parameter: &'static Parameter| {
            let number = part.number(parameter.key());
            let value = match parameter.kind {
                Kind::Flag => Value::Flag(number != 0.0),
                Kind::Count(..) => Value::Count(number as u64),
                Kind::Choice(words) => Value::Word(words.get(number as usize).unwrap_or(&"")),
                _ => Value::Number(number),
            };
            (parameter, value)
        };
        self.keys.iter().map(value).collect()
    }

    /// What the part does, with the values of its parameters.
    pub fn sentence(&self, chosen: &Chosen) -> String {
        let chosen = self.complete(chosen);
        let keys = self.keys.iter().map(Parameter::key);
        let values: Vec<String> =
            keys.map(|key| format!("{key} = {}", chosen.number(key))).collect();
        format!("{} ({})", self.help, values.join(", "))
    }
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

/// What a part is called in names of agents.
#[derive(Clone, Copy, Debug)]
pub struct ComponentWord {
    /// The word.
    pub word: &'static str,
    /// In whose names it stands.
    pub games: Games,
    /// Values that are not as usual.
    pub values: &'static [(&'static str, f64)],
    /// The key that a number behind the word is for.
    pub number: Option<&'static str>,
    /// What statistics of actions are like if nothing else is said.
    pub ngrams: &'static [(&'static str, f64)],
}

impl ComponentWord {
    /// A word in names of agents for board games.
    pub const fn board(word: &'static str) -> Self {
        ComponentWord { word, games: Games::Board, values: &[], number: None, ngrams: &[] }
    }

    /// A word in names of agents for video games.
    pub const fn video(word: &'static str) -> Self {
        ComponentWord { games: Games::Video, ..ComponentWord::board(word) }
    }

    /// With values that are not as usual.
    pub const fn with(self, values: &'static [(&'static str, f64)]) -> Self {
        ComponentWord { values, ..self }
    }

    /// A number can stand behind it.
    pub const fn number(self, key: &'static str) -> Self {
        ComponentWord { number: Some(key), ..self }
    }

    /// What statistics of actions are like if nothing else is said.
    pub const fn ngrams(self, ngrams: &'static [(&'static str, f64)]) -> Self {
        ComponentWord { ngrams, ..self }
    }
}
