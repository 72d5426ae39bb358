//! Progressive bias: what is known about an action counts for children with few visits (SLIDES; Chaslot et al.
//! 2008).

use super::uct::confidence;
use super::{Child, ComponentWord, Entry, Select, action_weight, exploration};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "progressive_bias",
    summary: "UCT, and W H / (n + 1), where H is the mean of the action in all iterations",
    parameters: &[exploration(), action_weight()],
    words: &[
        ComponentWord::board("bias").with(&[("c", 0.4)]).number("w"),
        ComponentWord::video("pb").with(&[("c", 0.6)]).number("c"),
    ],
    make: |values| Box::new(ProgressiveBias { c: values.number("c"), w: values.number("w") }),
};

struct ProgressiveBias {
    c: f64,
    w: f64,
}

impl Select for ProgressiveBias {
    fn value(&self, child: &Child) -> f64 {
        // f(v) = H(v) / (N(v) + 1); H is learned online, as for MAST.
        let bias = self.w * child.action_mean / (child.visits + 1.0);
        child.mean + self.c * confidence(child) + bias
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
        // 0.5 + 0.6 * 0.697480 + 2 * 0.6 / (4 + 1).
        check(&ENTRY, &[("c", 0.6), ("w", 2.0)], 1.158_488);
        check(&ENTRY, &[("c", 0.6), ("w", 0.0)], 0.918_488);
    }
}
