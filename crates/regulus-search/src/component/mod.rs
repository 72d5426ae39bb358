//! Parts that trees of board games and of video games can have, each kind with a registry: selections
//! ([`selection::REGISTRY`]), urgencies ([`urgency::REGISTRY`]), widenings ([`widening::REGISTRY`]), penalties for going
//! back ([`reversal::REGISTRY`]), allocations at the root ([`allocation::REGISTRY`]).
//!
//! Here is what all registries have in common: a part is one file, or a few lines, that declares its name, its
//! parameters and how it is made, and one line in the registry of its kind.

pub mod allocation;
pub mod reversal;
pub mod selection;
pub mod urgency;
pub mod widening;

pub use selection::Selection;

use crate::parameter::Component;
pub use crate::parameter::{ComponentWord, Parameter};

/// A part of some kind.
pub struct Entry<P: ?Sized + 'static> {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What can be set, in order.
    pub parameters: &'static [Parameter],
    /// What it is called in names of agents.
    pub words: &'static [ComponentWord],
    /// Makes it; all its parameters have values.
    pub make: fn(values: &Chosen) -> Box<P>,
}

impl<P: ?Sized> Entry<P> {
    /// Its declaration.
    pub fn part(&self) -> Component {
        let Entry { name, summary: help, parameters: keys, words, .. } = *self;
        Component { name, help, keys, words }
    }

    /// The one that was chosen.
    pub fn build(&self, chosen: &Chosen) -> Box<P> {
        (self.make)(&self.part().complete(chosen))
    }
}

/// The declarations of a registry.
pub fn parts<P: ?Sized>(registry: &[Entry<P>]) -> Vec<Component> {
    registry.iter().map(Entry::part).collect()
}

/// The same, and that there is none of them.
pub fn optional<P: ?Sized>(without: &'static str, registry: &[Entry<P>]) -> Vec<Component> {
    let none = Component::new(Chosen::NONE.name, without, &[]);
    std::iter::once(none).chain(parts(registry)).collect()
}

/// The most parameters that a part has.
const MOST: usize = 11;

/// A part of a registry that was chosen, and the values of its parameters by their keys: a flag is 0 or 1, a word is its
/// number among the words that there can be. What nothing is said about is as the part declares it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chosen {
    /// The name.
    pub name: &'static str,
    values: [(&'static str, f64); MOST],
}

impl Chosen {
    /// Nothing is added.
    pub const NONE: Chosen = Chosen::new("none", &[]);

    /// A part with some of its parameters.
    pub const fn new(name: &'static str, values: &[(&'static str, f64)]) -> Self {
        let mut chosen = Chosen { name, values: [("", 0.0); MOST] };
        let mut place = 0;
        while place < values.len() {
            chosen.values[place] = values[place];
            place += 1;
        }
        chosen
    }

    /// The same with another value.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: f64) -> Self {
        let place = self.values.iter_mut().find(|(said, _)| *said == key || said.is_empty());
        *place.expect("no part has more parameters") = (key, value);
        self
    }

    /// What is said about a parameter.
    pub fn get(&self, key: &str) -> Option<f64> {
        self.values.iter().find(|(said, _)| *said == key).map(|(_, value)| *value)
    }

    /// The value of a parameter; 0 if nothing is said about it.
    pub fn number(&self, key: &str) -> f64 {
        self.get(key).unwrap_or_default()
    }

    /// A whole number.
    pub fn count(&self, key: &str) -> u32 {
        self.number(key) as u32
    }

    /// Whether something is on.
    pub fn flag(&self, key: &str) -> bool {
        self.number(key) != 0.0
    }

    /// Whether nothing is added.
    pub fn is_none(&self) -> bool {
        self.name == Chosen::NONE.name
    }
}

/// Finds a part by its name.
pub fn find<P: ?Sized>(registry: &'static [Entry<P>], name: &str) -> Option<&'static Entry<P>> {
    registry.iter().find(|entry| entry.name == name)
}

/// The part that was chosen, if any.
pub(crate) fn chosen<P: ?Sized>(registry: &'static [Entry<P>], chosen: &Chosen) -> Option<Box<P>> {
    find(registry, chosen.name).map(|entry| entry.build(chosen))
}
