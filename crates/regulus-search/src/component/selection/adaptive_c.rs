//! UCT with a C that grows with the range of values of the child (Schepers 2012).

use super::uct::confidence;
use super::{Child, ComponentWord, Entry, Select, exploration};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "adaptive_c",
    summary: "UCT with C times the range of values of the child (equation 3.3)",
    parameters: &[exploration()],
    words: &[
        ComponentWord::board("adaptivec").with(&[("c", 0.4)]),
        ComponentWord::video("adaptive").with(&[("c", 0.6)]).number("c"),
    ],
    make: |values| Box::new(AdaptiveC { c: values.number("c") }),
};

struct AdaptiveC {
    c: f64,
}

impl Select for AdaptiveC {
    fn value(&self, child: &Child) -> f64 {
        child.mean + self.c * child.range * confidence(child)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn by_hand() {
        // 0.5 + 0.6 * 0.75 * 0.697480.
        check(&ENTRY, &[("c", 0.6)], 0.813_866);
    }
}
