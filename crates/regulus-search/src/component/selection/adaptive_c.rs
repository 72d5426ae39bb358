//! UCT with a C that grows with the range of values (Schepers 2012): "the maximum and minimum scores can be obtained by
//! looking at global scores or scores of one child" (GVGAI-THESIS 3.3.1).
//!
//! Equation 3.3 has the child's. With the global ones the values of children keep their order when all scores are
//! multiplied by a number: where scores are scaled by the same range, that is plain UCT.

use super::uct::confidence;
use super::{Child, ComponentWord, Entry, Parameter, Select, exploration};
use crate::parameter::{Kind, Value};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "adaptive_c",
    summary: "UCT with C times the range of values (equation 3.3)",
    parameters: &[
        exploration(),
        Parameter {
            path: "selection.range",
            kind: Kind::Choice(&["child", "global"]),
            default: Value::Word("child"),
            help: "whether it is the range of the values of the child, or of all values of the game so far",
            published: "child (GVGAI-THESIS equation 3.3)",
        },
    ],
    words: &[
        ComponentWord::board("adaptivec").with(&[("c", 0.4)]),
        ComponentWord::video("adaptive").with(&[("c", 0.6)]).number("c"),
        ComponentWord::video("adaptiveglobal").with(&[("c", 0.6), ("range", 1.0)]).number("c"),
    ],
    make: |values| Box::new(AdaptiveC { c: values.number("c"), global: values.flag("range") }),
};

struct AdaptiveC {
    c: f64,
    global: bool,
}

impl Select for AdaptiveC {
    fn value(&self, child: &Child) -> f64 {
        let range = if self.global { child.global_range } else { child.range };
        child.mean + self.c * range * confidence(child)
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
        // 0.5 + 0.6 * 0.9 * 0.697480.
        check(&ENTRY, &[("c", 0.6), ("range", 1.0)], 0.876_639);
    }
}
