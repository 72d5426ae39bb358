//! How many children of a node count: few at first, more with every visit (SLIDES, progressive unpruning and
//! widening; Chaslot et al. 2008, Coulom 2007).

use super::optional;
pub use super::{ComponentWord, Entry, Parameter};
use crate::parameter::Kind;

/// Says how many children of a node count.
pub trait Widen: Send {
    /// After `visits` visits of their parent, which has `count`.
    fn children(&self, visits: u32, count: usize) -> usize;

    /// The visits of the parent from which on only the best children count, in the order of their means at that
    /// time; before, all are tried. Nothing: children are added one by one, in the order of the expansion.
    fn threshold(&self) -> Option<u32>;
}

/// All kinds of widening.
pub const REGISTRY: &[Entry<dyn Widen>] = &[UNPRUNING, WIDENING];

/// Which widening.
pub(crate) const KIND: Kind = Kind::Component(|| optional("all children count", REGISTRY));

/// What a widening is for.
pub(crate) const HELP: &str = "how many children of a node count: few at first, then more";

const UNPRUNING: Entry<dyn Widen> = Entry {
    name: "unpruning",
    summary: "after T visits only the k_init best children count; the k-th again after A B^(k - k_init) visits",
    parameters: &[
        Parameter::count(
            "widening.threshold",
            "T: the visits of a node after which its children are pruned",
            (1, 1_000_000_000),
            50,
        ),
        Parameter::count("widening.k_init", "how many children are left", (1, 64), 5)
            .published("5 for Go (SLIDES)"),
        Parameter::number("widening.a", "A", (0.0, 1e9), 50.0).published("50 for Go (SLIDES)"),
        Parameter::number("widening.b", "B", (1.0, 1e3), 1.3).published("1.3 for Go (SLIDES)"),
    ],
    words: &[
        ComponentWord::board("unpruning"),
        // Video games have five actions at most and nodes few visits: the published parameters, for Go, would do
        // nothing.
        ComponentWord::video("unprune")
            .with(&[("threshold", 10.0), ("k_init", 2.0), ("a", 10.0), ("b", 1.3)])
            .number("k_init"),
    ],
    make: |values| {
        Box::new(Unpruning {
            threshold: values.count("threshold"),
            k_init: values.count("k_init"),
            a: values.number("a"),
            b: values.number("b"),
        })
    },
};

/// Its name is asked for where parts are put together.
pub(crate) const WIDENING: Entry<dyn Widen> = Entry {
    name: "widening",
    summary: "the k-th child is added after t_(k-1) visits, where t_0 = 0 and t_(k+1) = t_k + A B^k",
    parameters: &[
        Parameter::number("widening.a", "A", (0.0, 1e9), 40.0).published("40 for Go (SLIDES)"),
        Parameter::number("widening.b", "B", (1.0, 1e3), 1.4).published("1.4 for Go (SLIDES)"),
    ],
    words: &[
        ComponentWord::board("widening"),
        ComponentWord::video("widen").with(&[("a", 2.0), ("b", 1.4)]).number("a"),
    ],
    make: |values| Box::new(Widening { a: values.number("a"), b: values.number("b") }),
};

struct Unpruning {
    threshold: u32,
    k_init: u32,
    a: f64,
    b: f64,
}

impl Widen for Unpruning {
    fn children(&self, visits: u32, count: usize) -> usize {
        let (mut children, mut t) = (self.k_init as usize, self.a * self.b);
        while children < count && f64::from(visits) > t {
            children += 1;
            t *= self.b;
        }
        children.min(count)
    }

    fn threshold(&self) -> Option<u32> {
        Some(self.threshold)
    }
}

struct Widening {
    a: f64,
    b: f64,
}

impl Widen for Widening {
    fn children(&self, visits: u32, count: usize) -> usize {
        let (mut children, mut t, mut step) = (1, self.a, self.a);
        while children < count && f64::from(visits) >= t {
            children += 1;
            step *= self.b;
            t += step;
        }
        children.min(count)
    }

    fn threshold(&self) -> Option<u32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;

    #[test]
    fn by_hand() {
        let unpruning = UNPRUNING.build(&Chosen::new(
            "unpruning",
            &[("threshold", 20.0), ("k_init", 2.0), ("a", 50.0), ("b", 2.0)],
        ));
        assert_eq!(unpruning.threshold(), Some(20));
        // The third after 50 * 2, the fourth after 50 * 4, the fifth after 50 * 8.
        let counts =
            [20, 100, 101, 200, 201, 400, 401].map(|visits| unpruning.children(visits, 40));
        assert_eq!(counts, [2, 2, 3, 3, 4, 4, 5]);
        let widening = WIDENING.build(&Chosen::new("widening", &[("a", 40.0), ("b", 2.0)]));
        assert_eq!(widening.threshold(), None);
        // t_1 = 40, t_2 = 40 + 80 = 120, t_3 = 120 + 160 = 280.
        let counts = [0, 39, 40, 119, 120, 279, 280].map(|visits| widening.children(visits, 40));
        assert_eq!(counts, [1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn there_is_an_end() {
        assert_eq!(
            UNPRUNING
                .build(&Chosen::new(
                    "unpruning",
                    &[("threshold", 1.0), ("k_init", 1.0), ("a", 0.0), ("b", 1.0)]
                ))
                .children(9, 70),
            70
        );
        assert_eq!(
            WIDENING.build(&Chosen::new("widening", &[("a", 0.0), ("b", 1.0)])).children(9, 70),
            70
        );
        assert_eq!(
            UNPRUNING
                .build(&Chosen::new(
                    "unpruning",
                    &[("threshold", 1.0), ("k_init", 5.0), ("a", 50.0), ("b", 1.3)]
                ))
                .children(9, 3),
            3
        );
    }
}
