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

use crate::config::Refusal;
use crate::config::refusal::{in_range, refuse};

/// What a parameter is in a file; in a search all are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Any number in its range.
    Number,
    /// A whole number.
    Count,
    /// 1 for true, 0 for false.
    Flag,
}

/// A parameter of a part, declared once: files, refusals and help read it from here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Where it stands in a configuration: `selection.c`.
    pub path: &'static str,
    /// What it is.
    pub form: Form,
    /// What it means.
    pub summary: &'static str,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// The value if nothing is said.
    pub default: f64,
}

impl Parameter {
    /// Its name within the part: `c`.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// A number from `least` to `greatest`.
    pub(crate) const fn number(
        path: &'static str,
        summary: &'static str,
        (least, greatest): (f64, f64),
        default: f64,
    ) -> Self {
        Parameter { path, form: Form::Number, summary, least, greatest, default }
    }

    /// A whole number from `least` to `greatest`.
    pub(crate) const fn count(
        path: &'static str,
        summary: &'static str,
        range: (f64, f64),
        default: f64,
    ) -> Self {
        Parameter { form: Form::Count, ..Parameter::number(path, summary, range, default) }
    }

    /// True or false.
    pub(crate) const fn flag(path: &'static str, summary: &'static str, default: bool) -> Self {
        let default = if default { 1.0 } else { 0.0 };
        Parameter { form: Form::Flag, ..Parameter::number(path, summary, (0.0, 1.0), default) }
    }

    /// A probability.
    pub(crate) const fn epsilon(path: &'static str, default: f64) -> Self {
        Parameter::number(path, "the probability of any action", (0.0, 1.0), default)
    }
}

/// A part of some kind.
pub struct Entry<P: ?Sized + 'static> {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What can be set, in order.
    pub parameters: &'static [Parameter],
    /// Makes it. There are at least as many values as parameters.
    pub make: fn(values: &[f64]) -> Box<P>,
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

/// The name of a part is known and its parameters are in range.
pub(crate) fn validate_part<P: ?Sized>(
    kind: &'static str,
    registry: &'static [Entry<P>],
    (name, values): (&'static str, Parameters),
) -> Result<(), Refusal> {
    let Some(entry) = find(registry, name) else {
        let names: Vec<&str> = registry.iter().map(|entry| entry.name).collect();
        return refuse(kind, name, format!("must be one of {}", names.join(", ")));
    };
    for (parameter, value) in entry.parameters.iter().zip(values) {
        in_range(parameter.path, value, parameter.least, parameter.greatest)?;
        if parameter.form != Form::Number && value.fract() != 0.0 {
            return refuse(parameter.path, value, "must be a whole number");
        }
    }
    Ok(())
}

/// The same for a part that need not be there.
pub(crate) fn validate_optional<P: ?Sized>(
    kind: &'static str,
    registry: &'static [Entry<P>],
    chosen: &Chosen,
) -> Result<(), Refusal> {
    if chosen.is_none() {
        return Ok(());
    }
    validate_part(kind, registry, (chosen.name, chosen.parameters))
}
