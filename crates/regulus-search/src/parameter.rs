//! What a parameter is. Every parameter is declared once, beside the part that it belongs to: as a [`Parameter`] of a
//! part of a registry, or as a [`Setting`] of a structure. Files, their schema, refusals, explanations, words in names of
//! agents and the tables of the documentation all come from there.

use crate::config::Refusal;
use crate::config::refusal::refuse;
use crate::part::Chosen;

/// The largest number of what has no other bound.
pub const MANY: u64 = u32::MAX as u64;

/// The value of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
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
    Part(PartValue),
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
            Value::Word(_) | Value::Part(_) | Value::Empty => 0.0,
        }
    }

    /// A word; nothing if it is none.
    pub fn word(self) -> &'static str {
        match self {
            Value::Word(word) => word,
            Value::Part(part) => part.name,
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
            Value::Word(_) | Value::Part(_) | Value::Empty => f.write_str(self.word()),
        }
    }
}

/// A part that was chosen, and the values of its parameters in the order in which they are declared: a flag is 0 or
/// 1, a word is its number among the words that there can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartValue {
    /// The name of the part.
    pub name: &'static str,
    /// The values; what the part does not declare is not looked at.
    pub numbers: [f64; 10],
}

impl PartValue {
    /// A part with its values.
    pub fn new(name: &'static str, values: &[f64]) -> Self {
        let mut numbers = [0.0; 10];
        numbers.iter_mut().zip(values).for_each(|(slot, value)| *slot = *value);
        PartValue { name, numbers }
    }
}

impl From<PartValue> for Chosen {
    fn from(part: PartValue) -> Self {
        Chosen::new(part.name, &part.numbers)
    }
}

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
    Part(fn() -> Vec<Part>),
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
            Kind::Part(_) => format!("one of {}, or an object with its name and keys", quoted()),
            Kind::Object(_) => "an object".to_owned(),
        }
    }

    /// The words that a value can be; none if it is no word.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Kind::Choice(words) => words.to_vec(),
            Kind::Named(names) => names(),
            Kind::Part(parts) => parts().iter().map(|part| part.name).collect(),
            Kind::Flag | Kind::Count(..) | Kind::Number(..) | Kind::Object(_) => Vec::new(),
        }
    }

    /// Refuses a value that is out of range, or a part that does not exist or whose parameters are out of range.
    fn validate(self, path: &'static str, value: Value) -> Result<(), Refusal> {
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
            (Kind::Part(parts), Value::Part(chosen)) => {
                let parts = parts();
                match parts.iter().find(|part| part.name == chosen.name) {
                    Some(part) => part.validate(&chosen.numbers),
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

/// A key of a file.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Where it stands in a configuration: `selection.c`. The last word is the key.
    pub path: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What it is if nothing is said.
    pub default: Value,
    /// What it means.
    pub help: &'static str,
    /// The value that a paper gives, and what it says about it; nothing if there is none.
    pub published: &'static str,
}

impl Parameter {
    /// A number from `least` to `greatest`.
    pub const fn number(
        path: &'static str,
        help: &'static str,
        (least, greatest): (f64, f64),
        default: f64,
    ) -> Self {
        let kind = Kind::Number(least, greatest);
        Parameter { path, kind, default: Value::Number(default), help, published: "" }
    }

    /// A whole number from `least` to `greatest`.
    pub const fn count(
        path: &'static str,
        help: &'static str,
        (least, greatest): (u64, u64),
        default: u64,
    ) -> Self {
        let kind = Kind::Count(least, greatest);
        Parameter { path, kind, default: Value::Count(default), help, published: "" }
    }

    /// True or false.
    pub const fn flag(path: &'static str, help: &'static str, default: bool) -> Self {
        Parameter { path, kind: Kind::Flag, default: Value::Flag(default), help, published: "" }
    }

    /// A probability.
    pub const fn epsilon(path: &'static str, default: f64) -> Self {
        Parameter::number(path, "the probability of any action", (0.0, 1.0), default)
    }

    /// The same with what a paper says.
    pub const fn published(self, published: &'static str) -> Self {
        Parameter { published, ..self }
    }

    /// Its name in a file.
    pub fn key(&self) -> &'static str {
        key(self.path)
    }
}

fn key(path: &'static str) -> &'static str {
    path.rsplit('.').next().unwrap_or(path)
}

/// One of several parts that can be chosen, with the keys that only it has.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// Its own keys, in order.
    pub keys: &'static [Parameter],
    /// What it is called in names of agents.
    pub words: &'static [PartWord],
}

impl Part {
    /// A part that names of agents have no word for.
    pub const fn new(name: &'static str, help: &'static str, keys: &'static [Parameter]) -> Self {
        Part { name, help, keys, words: &[] }
    }

    /// The part with the values of its parameters in their order.
    pub fn validate(&self, values: &[f64]) -> Result<(), Refusal> {
        for (parameter, number) in self.keys.iter().zip(values) {
            let value = match parameter.kind {
                Kind::Number(..) => Value::Number(*number),
                _ if number.fract() != 0.0 => {
                    return refuse(parameter.path, number, "must be a whole number");
                }
                Kind::Choice(_) => continue,
                Kind::Flag if *number == 0.0 || *number == 1.0 => continue,
                Kind::Flag => return refuse(parameter.path, number, "must be 0 or 1"),
                // Negative ones become 0, which may be out of range as well: they are shown as they are.
                Kind::Count(low, _) if *number < low as f64 => {
                    let path = parameter.path;
                    return parameter
                        .kind
                        .validate(path, Value::Count(0))
                        .map_err(|refusal| Refusal { value: number.to_string(), ..refusal });
                }
                _ => Value::Count(*number as u64),
            };
            parameter.kind.validate(parameter.path, value)?;
        }
        Ok(())
    }

    /// A word for it in names of agents.
    pub fn word(&self, games: Games, word: &str) -> Option<&'static PartWord> {
        self.words.iter().find(|w| w.games == games && w.word == word)
    }

    /// The part with its defaults.
    pub fn usual(&self) -> PartValue {
        let mut value = PartValue::new(self.name, &[]);
        for parameter in self.keys {
            value = self.with(value, parameter.key(), parameter.default);
        }
        value
    }

    /// The part that a word of a name stands for; nothing if what stands behind it is no number, or nothing can.
    fn named(&self, word: &PartWord, number: &str) -> Option<PartValue> {
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
    pub fn with(&self, mut part: PartValue, key: &str, value: Value) -> PartValue {
        let Some(index) = self.keys.iter().position(|parameter| parameter.key() == key) else {
            return part;
        };
        part.numbers[index] = match (self.keys[index].kind, value) {
            (Kind::Choice(words), Value::Word(word)) => {
                words.iter().position(|w| *w == word).unwrap_or_default() as f64
            }
            (_, value) => value.number(),
        };
        part
    }

    /// The values of its keys.
    pub fn values(&self, part: &PartValue) -> Vec<(&'static Parameter, Value)> {
        let value = |(parameter, number): (&'static Parameter, f64)| {
            let value = match parameter.kind {
                Kind::Flag => Value::Flag(number != 0.0),
                Kind::Count(..) => Value::Count(number as u64),
                Kind::Choice(words) => Value::Word(words.get(number as usize).unwrap_or(&"")),
                _ => Value::Number(number),
            };
            (parameter, value)
        };
        self.keys.iter().zip(part.numbers).map(value).collect()
    }

    /// What the part does, with the values of its parameters.
    pub fn sentence(&self, values: &[f64]) -> String {
        let values = self.keys.iter().zip(values);
        let values: Vec<String> =
            values.map(|(p, value)| format!("{} = {value}", p.key())).collect();
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
pub struct PartWord {
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

impl PartWord {
    /// A word in names of agents for board games.
    pub const fn board(word: &'static str) -> Self {
        PartWord { word, games: Games::Board, values: &[], number: None, ngrams: &[] }
    }

    /// A word in names of agents for video games.
    pub const fn video(word: &'static str) -> Self {
        PartWord { games: Games::Video, ..PartWord::board(word) }
    }

    /// With values that are not as usual.
    pub const fn with(self, values: &'static [(&'static str, f64)]) -> Self {
        PartWord { values, ..self }
    }

    /// A number can stand behind it.
    pub const fn number(self, key: &'static str) -> Self {
        PartWord { number: Some(key), ..self }
    }

    /// What statistics of actions are like if nothing else is said.
    pub const fn ngrams(self, ngrams: &'static [(&'static str, f64)]) -> Self {
        PartWord { ngrams, ..self }
    }
}

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
            Kind::Part(parts) => parts().iter().find_map(|part| {
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
                (self.access.set)(structure, Value::Part(value));
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

/// What a parameter is kept in.
pub trait Field {
    /// Its value; nothing if it has none.
    fn load(&self) -> Option<Value>;

    /// Changes it; a value of another kind changes nothing.
    fn store(&mut self, value: Value);
}

impl Field for bool {
    fn load(&self) -> Option<Value> {
        Some(Value::Flag(*self))
    }

    fn store(&mut self, value: Value) {
        *self = value.flag();
    }
}

impl Field for f64 {
    fn load(&self) -> Option<Value> {
        Some(Value::Number(*self))
    }

    fn store(&mut self, value: Value) {
        *self = value.number();
    }
}

impl Field for Chosen {
    fn load(&self) -> Option<Value> {
        Some(Value::Part(PartValue::new(self.name, &self.parameters)))
    }

    fn store(&mut self, value: Value) {
        if let Value::Part(part) = value {
            *self = part.into();
        }
    }
}

macro_rules! counts {
    ($($type:ty),+) => { $(
        impl Field for $type {
            fn load(&self) -> Option<Value> {
                Some(Value::Count(*self as u64))
            }

            fn store(&mut self, value: Value) {
                *self = value.count() as $type;
            }
        }
    )+ };
}

counts!(u32, u64, usize);

/// A parameter that is a field of a structure: `field!(tree_policy.solver)`; or of a variant of one: `field!(playout,
/// Playout::Mast { epsilon })`; `field!(= Playout::Mast { epsilon })` if the structure itself has variants.
macro_rules! field {
    ($($name:ident).+) => {
        $crate::parameter::Access {
            get: |of| $crate::parameter::Field::load(&of.$($name).+),
            set: |of, value| $crate::parameter::Field::store(&mut of.$($name).+, value),
        }
    };
    ($place:ident, $($variant:path)|+ { $name:ident }) => {
        $crate::parameter::Access {
            get: |of| match &of.$place {
                $($variant { $name, .. })|+ => $crate::parameter::Field::load($name),
                #[allow(unreachable_patterns)]
                _ => None,
            },
            set: |of, value| match &mut of.$place {
                $($variant { $name, .. })|+ => $crate::parameter::Field::store($name, value),
                #[allow(unreachable_patterns)]
                _ => {}
            },
        }
    };
    (= $($variant:path)|+ { $name:ident }) => {
        $crate::parameter::Access {
            get: |of| match of {
                $($variant { $name, .. })|+ => $crate::parameter::Field::load($name),
                #[allow(unreachable_patterns)]
                _ => None,
            },
            set: |of, value| match of {
                $($variant { $name, .. })|+ => $crate::parameter::Field::store($name, value),
                #[allow(unreachable_patterns)]
                _ => {}
            },
        }
    };
}

/// The words of an enumeration: `words!(Decisive { Off = "off", Wins = "wins" })`.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// The words of files.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its name in files.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }

        impl $crate::parameter::Field for $type {
            fn load(&self) -> Option<$crate::parameter::Value> {
                Some($crate::parameter::Value::Word(self.name()))
            }

            fn store(&mut self, value: $crate::parameter::Value) {
                match value.word() {
                    $($word => *self = $type::$variant,)+
                    _ => {}
                }
            }
        }
    };
}

pub(crate) use {field, words};

/// The example of the documentation is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/new-part.md")]
struct NewPart;
