//! Equation 3.8: the score through a sigmoid.

use super::{ComponentWord, Ending, Entry, Heuristic, Parameter, sigmoid};

pub(super) const ENTRY: Entry<dyn Heuristic> = Entry {
    name: "normalised",
    summary: "1 for a win, -1 for a loss, otherwise the score through a sigmoid (equation 3.8)",
    parameters: &[Parameter::number("score.k", "how steep the sigmoid is", (0.0, 1e6), 1.0)],
    words: &[ComponentWord::video("normal").number("k")],
    make: |values| Box::new(Normalised { k: values.number("k") }),
};

struct Normalised {
    k: f64,
}

impl Heuristic for Normalised {
    fn worth(&self, ending: &Ending) -> f64 {
        match ending.won {
            Some(true) => 1.0,
            Some(false) => -1.0,
            None => sigmoid(self.k, ending.score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ending;
    use super::*;

    #[test]
    fn scores_lie_between_loss_and_win() {
        let score = Normalised { k: 0.5 };
        assert_eq!(score.worth(&ending(Some(true), 3.0, 7)), 1.0);
        assert_eq!(score.worth(&ending(Some(false), 3.0, 7)), -1.0);
        // k * score = 1, see the sigmoid.
        assert!((score.worth(&ending(None, 2.0, 7)) - 0.462_117_157_26).abs() < 1e-10);
        assert_eq!(score.worth(&ending(None, 0.0, 7)), 0.0);
    }
}
