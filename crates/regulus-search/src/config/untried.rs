//! Which of several untried moves is tried first.

use super::refusal::refuse;
use super::{Config, FinalSelection, Refusal};
use crate::parameter::{Kind, Setting, Word, field, words};

/// Which of the untried moves of a node is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untried {
    /// Any of them, or by MAST and replies.
    Random,
    /// As PPA Algorithm 7 is printed. An untried move is worth more than any other and `value > bestValue` takes the first
    /// of several that are worth the same: untried moves, and later those of equal value, in the order of the list. A
    /// position is entered when a simulation first begins there, and that one counts: the first of a turn begins at the
    /// root, and with transpositions a second way to a position goes on from what is known.
    Listed,
}

words!(Untried { Random = "random", Listed = "listed" });

pub(super) const SETTING: Setting<Config> = Setting {
    published: "listed (PPA Algorithm 7)",
    sentence: |config| {
        let said = "Untried moves, and those of equal value, are taken in the order of the list.";
        (config.untried == Untried::Listed).then(|| said.to_owned())
    },
    words: &[
        Word::new("listed", |config, _| {
            config.untried = Untried::Listed;
            true
        }),
        // PPA Algorithms 6 and 7 as printed.
        Word::new("ppaTree", |config, _| {
            config.untried = Untried::Listed;
            config.transpositions = true;
            config.keep_tree = false;
            config.final_selection = FinalSelection::MostVisited;
            true
        }),
    ],
    ..Setting::new(
        "untried",
        Kind::Choice(Untried::WORDS),
        "which untried move is tried first, and which of several that are worth the same is followed: any, or the \
         first of the list; then the first simulation of a turn begins at the root",
        field!(untried),
    )
};

impl Config {
    pub(super) fn validate_untried(&self) -> Result<(), Refusal> {
        if self.untried == Untried::Random {
            return Ok(());
        }
        let mast = self.mast.is_some_and(|mast| mast.in_expansion);
        let replies = self.replies.is_some_and(|replies| replies.in_expansion);
        let conflicts = [
            (
                !self.tree.is_orthodox(),
                "PPA Algorithm 7 is about whole moves: use an orthodox tree",
            ),
            (mast, "MAST chooses among untried moves: switch off mast.in_expansion"),
            (replies, "replies are tried first: switch off replies.in_expansion"),
            (self.rave.is_some(), "PPA Algorithm 7 selects by UCT alone: leave out RAVE"),
            (!self.tree_policy.is_plain(), "other parts of selection have an order of their own"),
            (!self.allocation.is_none(), "halving shares out the moves of the root by itself"),
        ];
        match conflicts.iter().find(|(is_so, _)| *is_so) {
            Some((_, why)) => refuse("untried", self.untried.name(), *why),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mast, Rave, Replies, TreeDesign, TreePolicy};

    #[test]
    fn what_has_an_order_of_its_own_is_refused() {
        let listed = Config { untried: Untried::Listed, ..Config::default() };
        assert_eq!(listed.validate(), Ok(()));
        let mast = Mast { in_expansion: false, ..Mast::default() };
        assert_eq!(Config { mast: Some(mast), ..listed.clone() }.validate(), Ok(()));
        let solver = TreePolicy { solver: true, ..TreePolicy::default() };
        let refused = [
            Config { mast: Some(Mast::default()), ..listed.clone() },
            Config { replies: Some(Replies::default()), ..listed.clone() },
            Config { rave: Some(Rave::default()), ..listed.clone() },
            Config { tree: TreeDesign::Semisplit { nodal: true }, ..listed.clone() },
            Config { tree_policy: solver, ..listed },
        ];
        for config in refused {
            let refusal = config.validate().expect_err("there is another order");
            assert_eq!(refusal.parameter, "untried", "{refusal}");
        }
    }
}
