//! When a child is added although children that exist could be selected: how urgent it is to try something new.
//!
//! Without urgency every action of a node is tried before any is selected again. With it a node is expanded only
//! if the urgency is greater than the values of all its children, so that the search goes deeper where there are
//! many actions.

use std::f64::consts::FRAC_1_SQRT_2;

use super::optional;
pub use super::{ComponentWord, Entry, Parameter};
use crate::numeric::ln;
use crate::parameter::Kind;

/// Says how urgent it is to try something new; on the scale of selection, from 0 to 1 and a bit more.
pub trait Urge: Send {
    /// The urgency of a new child of a node with `visits` visits and `children` children.
    fn value(&self, visits: f64, children: f64) -> f64;

    /// The value of a child that was never visited, which only an expansion of all children leaves behind;
    /// nothing if there can be no such child.
    fn unvisited(&self) -> Option<f64> {
        None
    }
}

/// All kinds of urgency.
pub const REGISTRY: &[Entry<dyn Urge>] = &[PARTIAL_EXPANSION, FIRST_PLAY];

/// Which urgency.
pub(crate) const KIND: Kind =
    Kind::Component(|| optional("all actions of a node are tried first", REGISTRY));

/// What an urgency is for.
pub(crate) const HELP: &str = "when a child is added although there are children to select from";

/// Its name is asked for where parts are put together.
pub(crate) const PARTIAL_EXPANSION: Entry<dyn Urge> = Entry {
    name: "partial_expansion",
    summary: "a child is added when k + C sqrt(2 ln N / (1 + children)) exceeds the values of all children",
    parameters: &[
        Parameter::number(
            "urgency.k",
            "k: the reward that a child which does not exist is given",
            (0.0, 1.0),
            0.5,
        )
        .published("0.5 (SLIDES)"),
        Parameter::number("urgency.c", "C: how much is explored", (0.0, 100.0), 1.0),
    ],
    words: &[
        ComponentWord::board("partial").number("k"),
        // C of UCB1 that is the 0.6 of equation 3.1: 0.6 divided by the root of 2.
        ComponentWord::video("partial").with(&[("c", 0.6 * FRAC_1_SQRT_2)]).number("k"),
    ],
    make: |values| Box::new(PartialExpansion { k: values.number("k"), c: values.number("c") }),
};

const FIRST_PLAY: Entry<dyn Urge> = Entry {
    name: "first_play",
    summary: "first-play urgency: an untried action has this value, and is tried when no child has more",
    parameters: &[Parameter::number(
        "urgency.value",
        "the value of what was never tried",
        (0.0, 1e6),
        1.0,
    )
    .published("tuned for Go (S. Gelly, Y. Wang 2006)")],
    words: &[
        ComponentWord::board("fpu").number("value"),
        ComponentWord::video("fpu").number("value"),
    ],
    make: |values| Box::new(FirstPlay { value: values.number("value") }),
};

/// SLIDES, partial expansion. C is the one of UCB1, where it stands before the root of 2 ln N / n: that is the C
/// of equation 3.1 of GVGAI-THESIS divided by the root of 2.
struct PartialExpansion {
    k: f64,
    c: f64,
}

impl Urge for PartialExpansion {
    fn value(&self, visits: f64, children: f64) -> f64 {
        self.k + self.c * (2.0 * ln(visits.max(1.0)) / (1.0 + children)).sqrt()
    }
}

/// Gelly and Wang, *Exploration exploitation in Go: UCT for Monte-Carlo Go* (2006).
struct FirstPlay {
    value: f64,
}

impl Urge for FirstPlay {
    fn value(&self, _: f64, _: f64) -> f64 {
        self.value
    }

    fn unvisited(&self) -> Option<f64> {
        Some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;

    #[test]
    fn by_hand() {
        let partial =
            PARTIAL_EXPANSION.build(&Chosen::new("partial_expansion", &[("k", 0.5), ("c", 0.7)]));
        // ln 1 = 0.
        assert_eq!(partial.value(1.0, 1.0), 0.5);
        // 0.5 + 0.7 * sqrt(2 * 1.945910 / 4) = 0.5 + 0.7 * 0.986386.
        assert!((partial.value(7.0, 3.0) - 1.190_470).abs() < 1e-6);
        let first = FIRST_PLAY.build(&Chosen::new("first_play", &[("value", 1.1)]));
        assert_eq!((first.value(7.0, 3.0), first.unvisited()), (1.1, Some(1.1)));
    }
}
