//! Single-player MCTS: a term for the deviation of values (Schadd et al. 2008).

use super::uct::confidence;
use super::{Child, ComponentWord, Entry, Parameter, Select, exploration};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "single_player",
    summary: "UCT, and the deviation of values (equation 3.6)",
    parameters: &[
        exploration(),
        Parameter::number(
            "selection.d",
            "D: how much children with few visits are preferred",
            (0.0, 1e9),
            1.0,
        )
        .published("for scores of one game (M. Schadd et al. 2008); scores are from 0 to 1 here"),
    ],
    words: &[
        ComponentWord::board("single").with(&[("c", 0.4)]),
        ComponentWord::video("single").with(&[("c", 0.6)]).number("c"),
    ],
    make: |values| Box::new(SinglePlayer { c: values.number("c"), d: values.number("d") }),
};

struct SinglePlayer {
    c: f64,
    d: f64,
}

impl Select for SinglePlayer {
    fn value(&self, child: &Child) -> f64 {
        // The thesis prints n times the mean where Schadd et al. have n times the square of the mean. With
        // values from 0 to 1 the printed difference is never positive, and the root often not real; only the
        // original is the deviation that the text speaks of.
        let n = child.visits;
        let deviation = (child.squares - n * child.mean * child.mean).max(0.0);
        child.mean + self.c * confidence(child) + ((deviation + self.d) / n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn by_hand() {
        // 0.5 + 0.6 * 0.697480 + sqrt((1.5 - 4 * 0.25 + 0.5) / 4).
        check(&ENTRY, &[("c", 0.6), ("d", 0.5)], 1.418_488);
        // sqrt(0.5 / 4) = 0.353553.
        check(&ENTRY, &[("c", 0.0), ("d", 0.0)], 0.853_553);
    }
}
