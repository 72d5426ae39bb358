//! Last good replies (SLIDES, after Tak, Winands and Björnsson 2012): the move that answered the last one or two
//! moves when that went well is played again.
//!
//! After an iteration, the replies of those with the best score (winning or a draw) are kept. With forgetting, a
//! reply that did not go well is removed. The reply to the last two moves comes first, then that to the last
//! one; if neither is known and possible, the default policy chooses.

use regulus_game::Step;

use super::played::Played;
use super::rule::Outcome;
use crate::action::{Actions, NODAL, extended};
use crate::config::Replies as Settings;

/// No reply.
const NONE: u32 = u32::MAX;

/// Replies by what they answer.
pub(super) struct Replies {
    pub(super) settings: Settings,
    /// To one move, by its code.
    one: Vec<u32>,
    /// To two moves.
    pairs: Actions,
    two: Vec<u32>,
    frozen: bool,
}

fn pair_key(before: u32, last: u32) -> u64 {
    let step = |code: u32| Step { action: code as i32, vertex: 0 };
    extended(extended(NODAL, step(before)), step(last))
}

impl Replies {
    pub(super) fn new(settings: Settings) -> Self {
        let (one, two) = (Vec::new(), Vec::new());
        Replies { settings, one, pairs: Actions::default(), two, frozen: false }
    }

    /// The replies to the end of a history: to two moves, to one.
    pub(super) fn known(&self, history: &[u32]) -> [Option<u32>; 2] {
        let two = match history {
            [.., before, last] if self.settings.length > 1 => {
                let number = self.pairs.find(pair_key(*before, *last));
                number.map(|number| self.two[number as usize])
            }
            _ => None,
        };
        let one = history.last().and_then(|last| self.one.get(*last as usize)).copied();
        [two.filter(|reply| *reply != NONE), one.filter(|reply| *reply != NONE)]
    }

    /// The index of a reply among possible moves.
    pub(super) fn answer(&self, history: &[u32], possible: &[u32]) -> Option<usize> {
        let known = self.known(history).into_iter().flatten();
        known.filter_map(|reply| possible.iter().position(|code| *code == reply)).next()
    }

    /// Learns from an iteration.
    pub(super) fn learn(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let highest = outcome.values[1..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let history = &played.history;
        for i in 1..history.len() {
            let (reply, last) = (history[i], history[i - 1]);
            let good = outcome.values[usize::from(played.plies[i].player)] == highest;
            if self.one.len() <= last as usize && good {
                self.one.resize(last as usize + 1, NONE);
            }
            let forgetting = self.settings.forgetting;
            if let Some(known) = self.one.get_mut(last as usize) {
                update(known, reply, good, forgetting);
            }
            if i < 2 || self.settings.length < 2 {
                continue;
            }
            let key = pair_key(history[i - 2], last);
            let number = match good && !self.frozen {
                true => Some(self.pairs.number(key)),
                false => self.pairs.find(key),
            };
            if let Some(number) = number {
                self.two.resize(self.pairs.len(), NONE);
                update(&mut self.two[number as usize], reply, good, forgetting);
            }
        }
    }

    pub(super) fn forget(&mut self) {
        self.one.clear();
        self.two.fill(NONE);
    }

    pub(super) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    pub(super) fn bytes(&self) -> usize {
        (self.one.capacity() + self.two.capacity()) * 4 + self.pairs.bytes()
    }
}

fn update(known: &mut u32, reply: u32, good: bool, forgetting: bool) {
    if good {
        *known = reply;
    } else if forgetting && *known == reply {
        *known = NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(length: u32, forgetting: bool) -> Replies {
        Replies::new(Settings { length, forgetting, ..Settings::default() })
    }

    /// Players take turns.
    fn play(replies: &mut Replies, codes: &[u32], values: &[f64]) {
        let mut played = Played::default();
        for (i, code) in codes.iter().enumerate() {
            played.begin(i % 2 + 1);
            played.codes.push(*code);
            played.choose(0, 0.0);
        }
        replies.learn(&played, &Outcome { values, nameless: 0 });
    }

    const FIRST_WINS: [f64; 3] = [0.0, 1.0, 0.0];
    const SECOND_WINS: [f64; 3] = [0.0, 0.0, 1.0];

    #[test]
    fn replies_of_winners_are_kept_and_those_of_losers_forgotten() {
        for forgetting in [false, true] {
            let mut r = replies(2, forgetting);
            play(&mut r, &[1, 5, 2, 6, 3], &FIRST_WINS);
            // Player 1 answered 5 by 2, 6 by 3; 1 5 by 2 and (2 6) by 3.
            assert_eq!(r.known(&[5]), [None, Some(2)]);
            assert_eq!(r.known(&[2, 6]), [Some(3), Some(3)]);
            assert_eq!(r.known(&[1]), [None, None]);
            // The same reply to 5 loses; player 2 learns to answer 1 by 5 and 2 by 7.
            play(&mut r, &[4, 5, 2, 7], &SECOND_WINS);
            let kept = (!forgetting).then_some(2);
            assert_eq!(r.known(&[9, 5]), [None, kept]);
            assert_eq!(r.known(&[4]), [None, Some(5)]);
            assert_eq!(r.known(&[5, 2]), [Some(7), Some(7)]);
            // The pair was not played again.
            assert_eq!(r.known(&[1, 5]), [Some(2), kept]);
        }
    }

    #[test]
    fn two_moves_come_before_one_and_impossible_replies_are_passed_over() {
        let mut r = replies(2, true);
        play(&mut r, &[1, 5, 2], &FIRST_WINS);
        play(&mut r, &[3, 5, 4], &FIRST_WINS);
        assert_eq!(r.answer(&[1, 5], &[4, 2]), Some(1));
        assert_eq!(r.answer(&[1, 5], &[9, 4]), Some(1));
        assert_eq!(r.answer(&[1, 5], &[9, 8]), None);
        let mut short = replies(1, true);
        play(&mut short, &[1, 5, 2], &[0.0, 0.5, 0.5]);
        // A draw is good enough, and only the last move counts.
        assert_eq!(short.known(&[1, 5]), [None, Some(2)]);
        assert_eq!(short.known(&[1]), [None, Some(5)]);
    }
}
