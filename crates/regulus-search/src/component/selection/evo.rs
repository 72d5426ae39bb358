//! The child whose action an evolutionary play-out prefers (3.3.1, chapter 4).

use super::{Child, ComponentWord, Entry, Parameter, Select};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "evo",
    summary: "the child whose action the evolutionary play-out prefers; with probability epsilon any",
    parameters: &[Parameter::epsilon("selection.epsilon", 0.4)],
    words: &[ComponentWord::video("evo").number("epsilon")],
    make: |values| Box::new(Evo { epsilon: values.number("epsilon") }),
};

struct Evo {
    epsilon: f64,
}

impl Select for Evo {
    fn value(&self, child: &Child) -> f64 {
        child.opinion
    }

    fn goes_by_mean(&self) -> bool {
        false
    }

    fn any(&self, _: u64) -> f64 {
        self.epsilon
    }

    fn asks_guide(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn the_opinion_of_the_play_out_counts() {
        check(&ENTRY, &[("epsilon", 0.4)], 3.0);
    }
}
