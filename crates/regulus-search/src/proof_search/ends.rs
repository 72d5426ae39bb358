//! Questions about scores, and what their answers say.
//!
//! A question is whether a player reaches a score, whatever the other does. Yes gives him at least the lowest of
//! such scores that games were seen to end with, since all ends behind an answer were seen. No means that the other
//! has a way to ends where it is not reached, and so at least the lowest that he has in one of those. That is all: what
//! a player *can* do says nothing about what he wants. So for two players an upper bound comes from the rules alone
//! (`outcomes.rs`).

use crate::outcomes::Outcomes;
use crate::tree::Bound;

/// The scores of one end, or bounds; the second is not used in games for one player.
pub(super) type Both<T> = [T; 2];

/// Whether a player reaches a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    /// The player, counted from 0.
    pub(super) who: usize,
    pub(super) score: u32,
}

impl Question {
    /// A number for each question.
    pub(super) fn number(self) -> u64 {
        u64::from(self.score) * 2 + self.who as u64
    }
}

/// How many different ends are told apart.
const MOST_SEEN: usize = 1024;

/// What scores games end with.
pub(super) struct Ends {
    players: usize,
    most: Both<u32>,
    /// Those that were seen.
    seen: Vec<Both<u32>>,
    /// All that there can be, if the rules tell.
    outcomes: Outcomes,
}

impl Ends {
    /// For a game with one or two players, the highest score of each, and the ends that there can be.
    pub(super) fn new(most: &[u32], outcomes: Outcomes) -> Self {
        let players = most.len();
        let most = [most.first().copied().unwrap_or(0), most.get(1).copied().unwrap_or(0)];
        Ends { players, most, seen: Vec::new(), outcomes }
    }

    /// A game has ended with these scores. False if there are too many different ones to go on.
    pub(super) fn see(&mut self, end: Both<u32>) -> bool {
        if !self.seen.contains(&end) {
            self.seen.push(end);
        }
        self.seen.len() <= MOST_SEEN
    }

    /// The bounds of whom nothing is known about.
    pub(super) fn nothing_known(&self) -> Both<Bound> {
        self.within(self.most.map(|high| Bound { low: 0, high }))
    }

    /// The next question about a position where a player is to move, until his score is known; one that can say more
    /// than these bounds and was not asked. About who is to move, the highest score that is open is asked for; about the other, the lowest.
    pub(super) fn question(
        &self,
        bounds: Both<Bound>,
        asked: &[Question],
        mover: usize,
    ) -> Option<Question> {
        if bounds[mover].is_exact() {
            return None;
        }
        (0..self.players).find_map(|who| {
            let seen = self.seen.iter().map(|end| end[who]).chain([self.most[who]]);
            let open = seen
                .filter(|score| bounds[who].low < *score && *score <= bounds[who].high)
                .filter(|score| !asked.contains(&Question { who, score: *score }));
            let score = if who == mover { open.max() } else { open.min() };
            score.map(|score| Question { who, score })
        })
    }

    /// What an answer says.
    pub(super) fn bounds(&self, question: Question, answer: bool) -> Both<Bound> {
        let Question { who, score } = question;
        let other = 1 - who;
        let mut bounds = self.most.map(|high| Bound { low: 0, high });
        let reached = |wanted: bool| self.seen.iter().filter(move |e| (e[who] >= score) == wanted);
        if answer {
            bounds[who].low = reached(true).map(|end| end[who]).min().unwrap_or(score);
        } else if self.players > 1 {
            bounds[other].low = reached(false).map(|end| end[other]).min().unwrap_or(0);
        } else {
            // Who is alone wants nothing else.
            bounds[who].high = reached(false).map(|end| end[who]).max().unwrap_or(0);
        }
        self.within(bounds)
    }

    /// What bounds say together with the ends that there can be.
    pub(super) fn within(&self, bounds: Both<Bound>) -> Both<Bound> {
        let mut narrowed = bounds;
        self.outcomes.narrow(&mut narrowed[..self.players]);
        narrowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPPOSED: [[u32; 2]; 4] = [[0, 0], [0, 100], [50, 50], [100, 0]];

    fn ends(possible: Option<&[[u32; 2]]>, seen: &[[u32; 2]]) -> Ends {
        let possible: Vec<Vec<u32>> =
            possible.into_iter().flatten().map(|end| end.to_vec()).collect();
        let mut ends = Ends::new(&[100, 100], Outcomes::new(2, &possible));
        assert!(seen.iter().all(|end| ends.see(*end)));
        ends
    }

    fn bound(low: u32, high: u32) -> Bound {
        Bound { low, high }
    }

    #[test]
    fn questions_are_about_scores_that_exist() {
        let none = ends(Some(&OPPOSED), &[]);
        let all = none.nothing_known();
        let first = |score| Some(Question { who: 0, score });
        assert_eq!(none.question(all, &[], 1), first(100));
        let some = ends(Some(&OPPOSED), &[[0, 100], [50, 50], [0, 100]]);
        assert_eq!(some.question(all, &[], 1), first(50));
        assert_eq!(some.question(all, &[], 0), first(100));
        let lost = some.bounds(Question { who: 0, score: 100 }, false);
        assert_eq!(lost, [bound(0, 50), bound(50, 100)]);
        assert_eq!(some.question(lost, &[], 0), first(50));
        let drawn = [bound(50, 50), bound(50, 50)];
        assert_eq!(some.question(drawn, &[], 0), None);
        assert_eq!(
            some.bounds(Question { who: 0, score: 50 }, true),
            [bound(50, 100), bound(0, 50)]
        );
    }

    /// A win of both can be, though none was seen: that the other can win does not say that he leaves nothing.
    #[test]
    fn a_win_of_one_is_a_loss_of_the_other_only_by_the_rules() {
        let seen = [[0, 100], [100, 0]];
        let no = Question { who: 0, score: 100 };
        for possible in [None, Some([[0, 0], [0, 100], [100, 0], [100, 100]].as_slice())] {
            let ends = ends(possible, &seen);
            assert_eq!(ends.bounds(no, false), [bound(0, 100), bound(100, 100)]);
            assert_eq!(ends.bounds(no, true), [bound(100, 100), bound(0, 100)]);
            // Whether the second player can win is open when the first can.
            let bounds = ends.bounds(no, true);
            let second = Question { who: 1, score: 100 };
            assert_eq!(ends.question(bounds, &[no], 1), Some(second));
            assert_eq!(ends.question(bounds, &[no, second], 1), None);
            assert_eq!(ends.question(bounds, &[], 0), None);
        }
        assert_eq!(ends(Some(&OPPOSED), &seen).bounds(no, false), [bound(0, 0), bound(100, 100)]);
    }

    /// To keep the other from winning is no use where oneself may have nothing, too.
    #[test]
    fn an_end_without_a_winner_gives_nothing() {
        let ends = ends(Some(&OPPOSED), &[[0, 100], [0, 0]]);
        let no = Question { who: 0, score: 100 };
        assert_eq!(ends.bounds(no, false), [bound(0, 100), bound(0, 100)]);
        assert_eq!(
            ends.question(ends.nothing_known(), &[no], 0),
            Some(Question { who: 1, score: 100 })
        );
    }

    #[test]
    fn who_is_alone_wants_what_he_can_have() {
        let mut ends = Ends::new(&[100], Outcomes::default());
        assert!(ends.see([30, 0]) && ends.see([70, 0]));
        let question = Question { who: 0, score: 100 };
        assert_eq!(ends.bounds(question, false)[0], bound(0, 70));
        assert_eq!(ends.bounds(Question { who: 0, score: 40 }, true)[0], bound(70, 100));
    }

    #[test]
    fn too_many_ends_are_given_up() {
        let mut ends = Ends::new(&[100_000], Outcomes::default());
        assert!((0..MOST_SEEN as u32).all(|score| ends.see([score, 0])));
        assert!(!ends.see([MOST_SEEN as u32, 0]));
    }
}
