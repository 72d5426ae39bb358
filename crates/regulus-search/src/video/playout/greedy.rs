//! The action that is worth most, or any (GVGAI-THESIS 3.2.1).

use regulus_game::{Random, World};

use crate::numeric::unit;

/// Whether this time any action is taken: with probability `epsilon`.
pub(super) fn at_random(epsilon: f64, random: &mut Random) -> bool {
    unit(random) < epsilon
}

/// The action of a state that is worth most; of equals any.
pub(super) fn best<W: World>(
    world: &W,
    random: &mut Random,
    mut worth: impl FnMut(W::Action) -> f64,
) -> W::Action {
    let mut best = W::NIL;
    let mut most = f64::NEG_INFINITY;
    let mut equals = 0;
    for &action in world.actions() {
        let worth = worth(action);
        if equals == 0 || worth > most {
            (best, most, equals) = (action, worth, 1);
        } else if worth == most {
            equals += 1;
            if random.below(equals) == 0 {
                best = action;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::toy::{Move, Toy};
    use super::*;

    #[test]
    fn equals_are_chosen_equally_often() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 5];
        for _ in 0..30_000 {
            let chosen = best(&Toy::new(), &mut random, |action| match action {
                Move::Down => 0.0,
                _ => 1.0,
            });
            counts[Toy::number(chosen)] += 1;
        }
        assert_eq!((counts[0], counts[Move::Down as usize]), (0, 0));
        // 10,000 expected, standard deviation 82.
        for action in [Move::Left, Move::Right, Move::Up] {
            assert!(counts[action as usize].abs_diff(10_000) < 400, "{counts:?}");
        }
    }

    #[test]
    fn without_actions_nothing_is_done() {
        let mut over = Toy::new();
        over.end(true);
        assert_eq!(best(&over, &mut Random::new(1), |_| 1.0), Move::Nil);
    }
}
