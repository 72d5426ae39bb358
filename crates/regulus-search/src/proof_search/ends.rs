//! What scores games end with, as far as they were seen.

use crate::tree::Bound;

/// The scores of ends, in the order of those of the first player. For two players they are opposed: who has more
/// than in another end leaves less to the other.
#[derive(Default)]
pub(super) struct Ends {
    seen: Vec<(u32, u32)>,
}

impl Ends {
    /// An end with these scores was seen (0 for a second player who does not exist). False if scores are not
    /// opposed.
    pub(super) fn see(&mut self, first: u32, second: u32, players: usize) -> bool {
        if self.seen.contains(&(first, second)) {
            return true;
        }
        let opposed =
            |(a, b): &(u32, u32)| (*a < first && *b > second) || (*a > first && *b < second);
        if players > 1 && !self.seen.iter().all(opposed) {
            return false;
        }
        let place = self.seen.partition_point(|(a, _)| *a < first);
        self.seen.insert(place, (first, second));
        true
    }

    /// The next score of the first player that can be asked for if his score is within bounds: the highest, or the
    /// lowest of those that are more than what is sure.
    pub(super) fn question(&self, bound: Bound, most: u32, highest: bool) -> Option<u32> {
        let seen = self.seen.iter().map(|(first, _)| *first).chain([most]);
        let open = seen.filter(|score| bound.low < *score && *score <= bound.high);
        if highest { open.max() } else { open.min() }
    }

    /// What an answer says about the score of the first player: it is one that was seen, since all ends behind an
    /// answer were.
    pub(super) fn bound(&self, asked: u32, answer: bool, most: u32) -> Bound {
        let mut scores = self.seen.iter().map(|(first, _)| *first);
        if answer {
            return Bound { low: scores.find(|s| *s >= asked).unwrap_or(asked), high: most };
        }
        let below = scores.rfind(|s| *s < asked);
        Bound { low: 0, high: below.unwrap_or(asked.saturating_sub(1)) }
    }

    /// The bounds of all players, where those of the first are known.
    pub(super) fn all(&self, first: Bound, most: &[u32]) -> Vec<Bound> {
        let mut bounds = vec![first];
        if let Some(most) = most.get(1) {
            let other = |score| self.seen.iter().find(|(a, _)| *a == score).map(|(_, b)| *b);
            bounds.push(Bound {
                low: other(first.high).unwrap_or(0),
                high: other(first.low).unwrap_or(*most),
            });
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_about_scores_that_exist() {
        let mut ends = Ends::default();
        let all = Bound { low: 0, high: 100 };
        assert_eq!(ends.question(all, 100, false), Some(100));
        assert!(ends.see(0, 100, 2) && ends.see(50, 50, 2) && ends.see(0, 100, 2));
        assert_eq!(ends.question(all, 100, false), Some(50));
        assert_eq!(ends.question(all, 100, true), Some(100));
        let drawn = ends.bound(100, false, 100);
        assert_eq!(drawn, Bound { low: 0, high: 50 });
        assert_eq!(ends.question(drawn, 100, true), Some(50));
        assert_eq!(ends.all(drawn, &[100, 100]), [drawn, Bound { low: 50, high: 100 }]);
        assert_eq!(ends.bound(50, true, 100), Bound { low: 50, high: 100 });
        assert_eq!(ends.question(Bound { low: 50, high: 50 }, 100, true), None);
        assert!(!ends.see(50, 0, 2) && !ends.see(60, 50, 2) && !ends.see(100, 100, 2));
        assert!(ends.see(100, 0, 2) && ends.see(70, 0, 1));
    }
}
