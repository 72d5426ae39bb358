//! Last good replies (SLIDES; Drake 2009, Baier and Drake 2010 with forgetting; Tak, Winands and Björnsson 2012).
//!
//! A reply is the action that followed one action, or two, in a good iteration; the newest counts. With one
//! player the previous moves are his own previous actions, since the root. Nobody wins most iterations of a video
//! game, so an iteration is good if its value is above the mean of the iterations of the tick before it;
//! otherwise, with forgetting, the replies that it played are removed. Where no reply is known, or none that is
//! possible, the play-out and the expansion of the search decide.

use crate::component::{Chosen, optional};
pub use crate::component::{ComponentWord, Entry, Parameter};
use crate::parameter::Kind;

/// Remembers replies.
pub trait Reply: Send {
    /// At the beginning of a game with `actions` different actions.
    fn begin_game(&mut self, actions: usize);

    /// A new tick of the game: what iterations are worth cannot be compared with those before.
    fn begin_tick(&mut self);

    /// An iteration played these actions, and was worth `value`.
    fn record(&mut self, played: &[usize], value: f64);

    /// The reply to what was played since the root, among the actions that are possible.
    fn find(&self, played: &[usize], possible: &dyn Fn(usize) -> bool) -> Option<usize>;

    /// Whether play-outs ask for replies.
    fn in_playouts(&self) -> bool;

    /// Whether expansion asks for replies.
    fn in_expansion(&self) -> bool;
}

/// All kinds of replies.
pub const REGISTRY: &[Entry<dyn Reply>] = &[LGR1, LGR2];

/// Which replies.
pub(super) const KIND: Kind = Kind::Component(|| optional("replies are not remembered", REGISTRY));

const PARAMETERS: &[Parameter] = &[
    Parameter::flag("replies.forgetting", "whether replies of bad iterations are forgotten", true),
    Parameter::flag("replies.playout", "whether play-outs use them", true),
    Parameter::flag("replies.expansion", "whether expansion uses them", true),
];

const LGR1: Entry<dyn Reply> = Entry {
    name: "lgr1",
    summary: "the last good reply to the action before (LGR-1)",
    parameters: PARAMETERS,
    words: &[
        ComponentWord::video("lgr1").with(&[("forgetting", 0.0)]),
        ComponentWord::video("lgrf1"),
    ],
    make: |values| Box::new(LastGoodReply::new(1, values)),
};

const LGR2: Entry<dyn Reply> = Entry {
    name: "lgr2",
    summary: "the last good reply to the two actions before, otherwise to the one before (LGR-2)",
    parameters: PARAMETERS,
    words: &[
        ComponentWord::video("lgr2").with(&[("forgetting", 0.0)]),
        ComponentWord::video("lgrf2"),
    ],
    make: |values| Box::new(LastGoodReply::new(2, values)),
};

struct LastGoodReply {
    forgetting: bool,
    in_playouts: bool,
    in_expansion: bool,
    actions: usize,
    /// For every length, beginning with 1, the reply to a sequence: its actions are the digits of its number.
    replies: Vec<Vec<Option<usize>>>,
    /// Of the iterations of this tick.
    count: f64,
    sum: f64,
}

impl LastGoodReply {
    fn new(length: usize, values: &Chosen) -> Self {
        let replies = vec![Vec::new(); length];
        LastGoodReply {
            forgetting: values.flag("forgetting"),
            in_playouts: values.flag("playout"),
            in_expansion: values.flag("expansion"),
            actions: 0,
            replies,
            count: 0.0,
            sum: 0.0,
        }
    }

    fn number(&self, sequence: &[usize]) -> usize {
        sequence.iter().fold(0, |number, action| number * self.actions + action)
    }
}

impl Reply for LastGoodReply {
    fn begin_game(&mut self, actions: usize) {
        self.actions = actions;
        let mut size = 1;
        for replies in &mut self.replies {
            size *= actions;
            *replies = vec![None; size];
        }
    }

    fn begin_tick(&mut self) {
        (self.count, self.sum) = (0.0, 0.0);
    }

    fn record(&mut self, played: &[usize], value: f64) {
        // The first iteration can be compared with nothing.
        let good = (self.count > 0.0).then_some(value * self.count > self.sum);
        self.count += 1.0;
        self.sum += value;
        let Some(good) = good else { return };
        for length in 1..=self.replies.len() {
            for sequence in played.windows(length + 1) {
                let (before, reply) = sequence.split_at(length);
                let number = self.number(before);
                let known = &mut self.replies[length - 1][number];
                if good {
                    *known = Some(reply[0]);
                } else if self.forgetting && *known == Some(reply[0]) {
                    *known = None;
                }
            }
        }
    }

    fn find(&self, played: &[usize], possible: &dyn Fn(usize) -> bool) -> Option<usize> {
        let longest = self.replies.len().min(played.len());
        (1..=longest).rev().find_map(|length| {
            let number = self.number(&played[played.len() - length..]);
            self.replies[length - 1][number].filter(|reply| possible(*reply))
        })
    }

    fn in_playouts(&self) -> bool {
        self.in_playouts
    }

    fn in_expansion(&self) -> bool {
        self.in_expansion
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(entry: &Entry<dyn Reply>, forgetting: f64) -> Box<dyn Reply> {
        let mut replies = entry.build(&Chosen::new(
            entry.name,
            &[("forgetting", forgetting), ("playout", 1.0), ("expansion", 0.0)],
        ));
        replies.begin_game(4);
        replies.begin_tick();
        assert!(replies.in_playouts() && !replies.in_expansion());
        // Nothing to compare the first with.
        replies.record(&[0, 3], 1.0);
        replies.record(&[0, 1, 2], 2.0);
        replies
    }

    #[test]
    fn two_actions_count_more_than_one() {
        let mut replies = replies(&LGR2, 1.0);
        replies.record(&[3, 1, 3], 4.0);
        let find = |played: &[usize], not: usize| replies.find(played, &|action| action != not);
        assert_eq!(find(&[0], 9), Some(1));
        assert_eq!(find(&[0, 1], 9), Some(2));
        // Not possible: the newest reply to the action before. That one not, either: nothing.
        assert_eq!(
            (find(&[0, 1], 2), find(&[2, 1], 9), find(&[2, 1], 3)),
            (Some(3), Some(3), None)
        );
        assert_eq!((find(&[], 9), find(&[2], 9)), (None, None));
    }

    #[test]
    fn one_action_only() {
        let replies = replies(&LGR1, 1.0);
        assert_eq!(replies.find(&[3, 1], &|_| true), Some(2));
        assert_eq!(replies.find(&[0, 1], &|action| action != 2), None);
    }

    #[test]
    fn bad_iterations_are_forgotten_if_they_shall_be() {
        for (forgetting, expected) in [(1.0, None), (0.0, Some(2))] {
            let mut replies = replies(&LGR2, forgetting);
            // The mean so far is 1.5. The reply to 0 was another one, and stays.
            replies.record(&[1, 2], 1.5);
            replies.record(&[0, 3], 0.0);
            assert_eq!(replies.find(&[3, 1], &|_| true), expected);
            assert_eq!(replies.find(&[0], &|_| true), Some(1));
            // The sequence 0 1 was not played.
            assert_eq!(replies.find(&[0, 1], &|_| true), Some(2));
        }
    }
}
