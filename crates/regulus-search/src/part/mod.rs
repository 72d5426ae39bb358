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

use crate::parameter::Part;
pub use crate::parameter::{Parameter, PartWord};

/// A part of some kind.
pub struct Entry<P: ?Sized + 'static> {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What can be set, in order.
    pub parameters: &'static [Parameter],
    /// What it is called in names of agents.
    pub words: &'static [PartWord],
    /// Makes it. There are at least as many values as parameters.
    pub make: fn(values: &[f64]) -> Box<P>,
}

impl<P: ?Sized> Entry<P> {
    /// Its declaration.
    pub fn part(&self) -> Part {
        let Entry { name, summary: help, parameters: keys, words, .. } = *self;
        Part { name, help, keys, words }
    }
}

/// The declarations of a registry.
pub fn parts<P: ?Sized>(registry: &[Entry<P>]) -> Vec<Part> {
    registry.iter().map(Entry::part).collect()
}

/// The same, and that there is none of them.
pub fn optional<P: ?Sized>(without: &'static str, registry: &[Entry<P>]) -> Vec<Part> {
    let none = Part::new(Chosen::NONE.name, without, &[]);
    std::iter::once(none).chain(parts(registry)).collect()
}

/// The parameters of a registered part, in the order in which it declares them; the rest is not looked at.
pub type Parameters = [f64; 6];

/// An optional part of a registry: its name, and its parameters in the order in which it declares them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chosen {
    /// The name.
    pub name: &'static str,
    /// The parameters; what the part does not declare is not looked at.
    pub parameters: Parameters,
}

impl Chosen {
    /// Nothing is added.
    pub const NONE: Chosen = Chosen { name: "none", parameters: [0.0; 6] };

    /// A part with its parameters; more than there can be are left off.
    pub fn new(name: &'static str, parameters: &[f64]) -> Self {
        let mut chosen = Chosen { name, ..Chosen::NONE };
        chosen.parameters.iter_mut().zip(parameters).for_each(|(slot, value)| *slot = *value);
        chosen
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
    find(registry, chosen.name).map(|entry| (entry.make)(&chosen.parameters))
}
