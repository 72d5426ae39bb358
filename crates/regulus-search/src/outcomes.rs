//! What a score of one player leaves to the others, by the rules.

use regulus_game::Engine;

use crate::tree::Bound;

/// With which scores the game can end, if the rules tell.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outcomes {
    players: usize,
    /// Those of all players for the first end, then for the next.
    scores: Vec<u32>,
}

impl Outcomes {
    /// Those of a game.
    pub(crate) fn of<E: Engine>(engine: &E) -> Self {
        Outcomes::new(engine.players(), &engine.terminal_scores().unwrap_or_default())
    }

    /// These ends; none if they are not known.
    pub(crate) fn new(players: usize, ends: &[Vec<u32>]) -> Self {
        Outcomes { players, scores: ends.concat() }
    }

    /// Leaves out of the bounds of all players what no end has: who is sure to win leaves to the others only what
    /// they have in ends that he wins.
    pub(crate) fn narrow(&self, bounds: &mut [Bound]) {
        let fits = |end: &[u32]| end.iter().zip(bounds.iter()).all(|(s, b)| b.contains(*s));
        let mut ends = self.scores.chunks_exact(self.players.max(1)).filter(|end| fits(end));
        let Some(first) = ends.next() else { return };
        let mut hull: Vec<Bound> = first.iter().copied().map(Bound::exact).collect();
        for end in ends {
            hull.iter_mut()
                .zip(end)
                .for_each(|(bound, score)| *bound = bound.or(Bound::exact(*score)));
        }
        bounds.copy_from_slice(&hull);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(low: u32, high: u32) -> Bound {
        Bound { low, high }
    }

    #[test]
    fn a_win_leaves_nothing_if_there_is_one_winner() {
        let ends = [vec![0, 0, 100], vec![0, 50, 50], vec![0, 100, 0], vec![100, 0, 0]];
        let outcomes = Outcomes::new(3, &ends);
        let mut bounds = [bound(0, 100), bound(100, 100), bound(0, 100)];
        outcomes.narrow(&mut bounds);
        assert_eq!(bounds, [bound(0, 0), bound(100, 100), bound(0, 0)]);
        let mut bounds = [bound(0, 100), bound(10, 100), bound(0, 100)];
        outcomes.narrow(&mut bounds);
        assert_eq!(bounds, [bound(0, 0), bound(50, 100), bound(0, 50)]);
    }

    #[test]
    fn nothing_follows_from_rules_that_do_not_tell() {
        let mut bounds = [bound(0, 100), bound(100, 100)];
        Outcomes::new(2, &[]).narrow(&mut bounds);
        assert_eq!(bounds, [bound(0, 100), bound(100, 100)]);
    }
}
