//! Progressive history: how good an action was anywhere counts for children with few visits (Nijssen and
//! Winands 2011).

use super::uct::confidence;
use super::{Child, ComponentWord, Entry, Select, action_weight, exploration};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "progressive_history",
    summary: "UCT, and the mean of the action for children with few visits (equation 3.5)",
    parameters: &[exploration(), action_weight()],
    words: &[
        ComponentWord::board("history").with(&[("c", 0.4)]).number("w"),
        ComponentWord::video("ph").with(&[("c", 0.6)]).number("c"),
    ],
    make: |values| Box::new(ProgressiveHistory { c: values.number("c"), w: values.number("w") }),
};

struct ProgressiveHistory {
    c: f64,
    w: f64,
}

impl Select for ProgressiveHistory {
    fn value(&self, child: &Child) -> f64 {
        // X_i is a sum here: the bias fades with every visit that was not a complete success.
        let failures = child.visits - child.visits * child.mean;
        child.mean + self.c * confidence(child) + child.action_mean * self.w / (failures + 1.0)
    }

    fn asks_actions(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn by_hand() {
        // 0.5 + 0.6 * 0.697480 + 0.6 * 5 / (4 - 2 + 1).
        check(&ENTRY, &[("c", 0.6), ("w", 5.0)], 1.918_488);
        check(&ENTRY, &[("c", 0.6), ("w", 0.0)], 0.918_488);
    }
}
