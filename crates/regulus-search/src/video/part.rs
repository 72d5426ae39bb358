//! What the registries of selections, expansions and scores have in common: a part is one file that declares
//! its name, its parameters and how it is made, and one line in the registry of its kind.

/// A parameter of a part, declared once: files, refusals and help read it from here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Where it stands in a configuration: `selection.c`.
    pub path: &'static str,
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

    /// A probability.
    pub(crate) const fn epsilon(path: &'static str, default: f64) -> Self {
        let summary = "the probability of any action";
        Parameter { path, summary, least: 0.0, greatest: 1.0, default }
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

/// Finds a part by its name.
pub fn find<P: ?Sized>(registry: &'static [Entry<P>], name: &str) -> Option<&'static Entry<P>> {
    registry.iter().find(|entry| entry.name == name)
}
