//! The best mean; with some probability any action, "amongst them unknown states" (3.2.1).

use super::{Child, ComponentWord, Entry, Parameter, Select};

pub(super) const FIXED: Entry<dyn Select> = Entry {
    name: "epsilon_greedy",
    summary: "the best mean; with probability epsilon any action",
    parameters: &[Parameter::epsilon("selection.epsilon", 0.6)],
    words: &[ComponentWord::video("greedy").number("epsilon")],
    make: |values| Box::new(EpsilonGreedy { epsilon: Some(values.number("epsilon")) }),
};

pub(super) const DECREASING: Entry<dyn Select> = Entry {
    name: "decreasing_epsilon",
    summary: "the best mean; in iteration n with probability 1 / n any action",
    parameters: &[],
    words: &[ComponentWord::video("decreasing")],
    make: |_| Box::new(EpsilonGreedy { epsilon: None }),
};

struct EpsilonGreedy {
    /// Nothing: 1 / n.
    epsilon: Option<f64>,
}

impl Select for EpsilonGreedy {
    fn value(&self, child: &Child) -> f64 {
        child.mean
    }

    fn unvisited(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn any(&self, iteration: u64) -> f64 {
        self.epsilon.unwrap_or(1.0 / iteration as f64)
    }

    fn tries_all(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::component::Chosen;

    #[test]
    fn the_mean_counts_and_epsilon_falls() {
        check(&FIXED, &[("epsilon", 0.3)], 0.5);
        assert_eq!(FIXED.build(&Chosen::new(FIXED.name, &[("epsilon", 0.3)])).any(50), 0.3);
        let decreasing = DECREASING.build(&Chosen::NONE);
        assert_eq!((decreasing.any(1), decreasing.any(4)), (1.0, 0.25));
    }
}
