//! Equation 3.7: the score with a large bonus for a win and a large penalty for a loss.
//!
//! The printed penalty has a digit more than the bonus; the sample players of the framework have 10,000,000
//! for both, and so has this.

use super::{ComponentWord, Ending, Entry, Heuristic, Parameter};

pub(super) const ENTRY: Entry<dyn Heuristic> = Entry {
    name: "gvgai",
    summary: "the score, with a large bonus for a win and penalty for a loss (equation 3.7)",
    parameters: &[
        Parameter::number("score.bonus", "what a win is worth, and a loss costs", (0.0, 1e12), 1e7),
        Parameter::number(
            "score.depth",
            "what a win is worth more for every tick that it comes earlier, and everything else for \
                      every tick that it comes later",
            (0.0, 1e9),
            0.0,
        ),
    ],
    words: &[
        ComponentWord::video("gvgai"),
        // A hundredth of the bonus, so that ten ticks are seen but do not outweigh it.
        ComponentWord::video("gvgaidepth").with(&[("depth", 1e5)]).number("depth"),
    ],
    make: |values| Box::new(Gvgai { bonus: values.number("bonus"), depth: values.number("depth") }),
};

struct Gvgai {
    bonus: f64,
    depth: f64,
}

impl Heuristic for Gvgai {
    fn worth(&self, ending: &Ending) -> f64 {
        // Section 5.2.3: the depth bonus favours short games in case of a win and otherwise long games; the
        // depth is scaled and added to the score. Normalisation comes with the selection.
        let depth = self.depth * f64::from(ending.depth);
        match ending.won {
            Some(true) => ending.score + self.bonus - depth,
            Some(false) => ending.score - self.bonus + depth,
            None => ending.score + depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ending;
    use super::*;

    #[test]
    fn a_win_is_worth_more_than_any_score() {
        let score = Gvgai { bonus: 1e7, depth: 0.0 };
        assert_eq!(score.worth(&ending(Some(true), 3.0, 7)), 10_000_003.0);
        assert_eq!(score.worth(&ending(Some(false), 3.0, 7)), -9_999_997.0);
        assert_eq!(score.worth(&ending(None, 3.0, 7)), 3.0);
    }

    #[test]
    fn the_depth_bonus_likes_short_wins_and_long_losses() {
        let score = Gvgai { bonus: 100.0, depth: 0.5 };
        assert_eq!(score.worth(&ending(Some(true), 3.0, 4)), 101.0);
        assert_eq!(score.worth(&ending(Some(false), 3.0, 4)), -95.0);
        assert_eq!(score.worth(&ending(None, 3.0, 10)), 8.0);
    }
}
