//! Move-average sampling (GVGAI-THESIS 3.2.3) and n-gram selection (3.3.2).

use regulus_game::{Random, World};

use super::greedy::{at_random, best};
use super::{Guide, Surroundings, any};
use crate::parameter::{Component, ComponentWord, Parameter};

pub(super) const MAST: Component = Component {
    name: "mast",
    help: "the action with the best mean, or any",
    keys: &[Parameter::epsilon("playout.epsilon", 0.5)],
    words: &[ComponentWord::video("mast").number("epsilon").ngrams(&[("decay", 0.1)])],
};

pub(super) const NST: Component = Component {
    name: "nst",
    help: "the action that continues the best sequences, or any",
    keys: &[Parameter::epsilon("playout.epsilon", 0.5)],
    words: &[ComponentWord::video("nst")
        .number("epsilon")
        .ngrams(&[("length", 3.0), ("decay", 0.0)])],
};

/// MAST: the action with the best mean; with probability epsilon any. Actions never tried come first.
pub(super) struct Mast {
    pub epsilon: f64,
}

impl<W: World> Guide<W> for Mast {
    fn choose(&mut self, world: &W, around: &Surroundings<'_>, random: &mut Random) -> W::Action {
        if at_random(self.epsilon, random) {
            return any(world, random);
        }
        best(world, random, |action| around.ngrams.mean(W::number(action)).unwrap_or(f64::INFINITY))
    }
}

/// NST: the action that continues the best sequences; with probability epsilon any. Actions never tried come
/// first: their "high default score" is infinite.
pub(super) struct Nst {
    pub epsilon: f64,
}

impl<W: World> Guide<W> for Nst {
    fn choose(&mut self, world: &W, around: &Surroundings<'_>, random: &mut Random) -> W::Action {
        if at_random(self.epsilon, random) {
            return any(world, random);
        }
        best(world, random, |action| around.ngrams.score(around.path, W::number(action)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::{Move, Toy};
    use super::*;
    use crate::config::Decay;
    use crate::video::config::Ngrams;
    use crate::video::ngrams::Table;

    const LEFT: usize = Move::Left as usize;
    const RIGHT: usize = Move::Right as usize;
    const UP: usize = Move::Up as usize;
    const DOWN: usize = Move::Down as usize;

    fn table() -> Table {
        let mut table = Table::new(
            Ngrams { length: 2, threshold: 2, decay: Decay::Move { factor: 0.0 } },
            Toy::ACTIONS,
        );
        for action in [LEFT, UP, DOWN] {
            table.record(&[action], 1.0);
        }
        table
    }

    /// How often each action is chosen in 1000 ticks.
    fn counts(mut guide: impl Guide<Toy>, path: &[usize], ngrams: &Table) -> [u32; 5] {
        let mut random = Random::new(3);
        let mut counts = [0; 5];
        for _ in 0..1000 {
            let around = Surroundings { path, ngrams, bounds: None };
            counts[Toy::number(guide.choose(&Toy::new(), &around, &mut random))] += 1;
        }
        counts
    }

    #[test]
    fn what_was_never_tried_comes_first_and_then_the_best() {
        let mut table = table();
        assert_eq!(counts(Mast { epsilon: 0.0 }, &[], &table)[RIGHT], 1000);
        assert_eq!(counts(Nst { epsilon: 0.0 }, &[], &table)[RIGHT], 1000);
        table.record(&[RIGHT], 0.5);
        table.record(&[UP], 1.5);
        assert_eq!(counts(Mast { epsilon: 0.0 }, &[], &table)[UP], 1000);
        assert_eq!(counts(Nst { epsilon: 0.0 }, &[], &table)[UP], 1000);
    }

    #[test]
    fn sequences_count_where_they_were_played() {
        let mut table = table();
        // Down is bad on the whole, mean (1 + 4 - 17) / 4 = -3, but good after left: (-3 + 2) / 2 = -0.5.
        table.record(&[LEFT, DOWN], 2.0);
        table.record(&[LEFT, DOWN], 2.0);
        table.record(&[UP, DOWN], -17.0);
        table.record(&[UP, RIGHT], -1.0);
        table.record(&[UP, UP], -20.0);
        table.record(&[LEFT, LEFT], -20.0);
        // Means: left (1 + 2 + 2 - 40) / 5 = -7, up (1 - 17 - 1 - 40) / 5 = -11.4, right -1, down -3.
        assert_eq!(counts(Mast { epsilon: 0.0 }, &[LEFT], &table)[RIGHT], 1000);
        assert_eq!(counts(Nst { epsilon: 0.0 }, &[RIGHT, LEFT], &table)[DOWN], 1000);
        assert_eq!(counts(Nst { epsilon: 0.0 }, &[LEFT, UP], &table)[RIGHT], 1000);
    }

    #[test]
    fn with_probability_epsilon_any_action() {
        let mut table = table();
        table.record(&[RIGHT], 9.0);
        // 0.6 + 0.4 / 4 = 0.7 of the ticks; standard deviation 14.5.
        for counts in
            [counts(Mast { epsilon: 0.4 }, &[], &table), counts(Nst { epsilon: 0.4 }, &[], &table)]
        {
            assert!(counts[RIGHT].abs_diff(700) < 70, "{counts:?}");
            assert!([LEFT, UP, DOWN].iter().all(|&other| counts[other] > 50), "{counts:?}");
        }
    }
}
