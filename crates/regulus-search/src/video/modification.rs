//! What can be added to a tree search, whatever its selection, expansion and play-outs are.
//!
//! SLIDES is *Artificial Intelligence 4 Games: More MCTS Modifications* (lecture, 2020). MixMax backups,
//! macro-actions, partial expansion and the reversal penalty are those of Frydenberg et al., *Investigating MCTS
//! Modifications in General Video Game Playing* (2015).

use super::config::{FinalChoice, Mcts, Playout};
use super::{allocation, expansion, reply, reversal, selection, urgency, widening};
use crate::component::Chosen;
use crate::config::Refusal;
use crate::config::refusal::refuse;
use crate::parameter::{Kind, Number, Setting, Word, field};

/// What is added to a search; by default nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Modifications {
    /// q of MixMax backups: the part of a value that is the best one that was seen below. 0 is without them.
    pub mixmax: f64,
    /// How often an action is played before a child is made; 1 is without macro-actions.
    pub macro_length: u32,
    /// Whether single steps take the place of macro-actions where one has lost the game.
    pub macro_fallback: bool,
    /// When a child is added although others can be selected: [`urgency::REGISTRY`](crate::component::urgency::REGISTRY).
    pub urgency: Chosen,
    /// How many children count: [`widening::REGISTRY`](crate::component::widening::REGISTRY).
    pub widening: Chosen,
    /// What going back costs: [`reversal::REGISTRY`](crate::component::reversal::REGISTRY).
    pub reversal: Chosen,
    /// Replies that were good last time: [`reply::REGISTRY`](super::reply::REGISTRY).
    pub replies: Chosen,
    /// How iterations are shared out among the actions of the root:
    /// [`allocation::REGISTRY`](crate::component::allocation::REGISTRY).
    pub allocation: Chosen,
}

impl Modifications {
    /// Nothing is added.
    pub const NONE: Modifications = Modifications {
        mixmax: 0.0,
        macro_length: 1,
        macro_fallback: false,
        urgency: Chosen::NONE,
        widening: Chosen::NONE,
        reversal: Chosen::NONE,
        replies: Chosen::NONE,
        allocation: Chosen::NONE,
    };
}

/// What is added.
pub(super) const SETTINGS: &[Setting<Mcts>] = &[
    Setting {
        published: "0.1; more with other modifications than alone (SLIDES)",
        words: &[Word {
            word: "mixmax",
            number: Number::Any(Some(0.1)),
            apply: |search, q| {
                search.modifications.mixmax = q;
                true
            },
        }],
        ..Setting::new(
            "mixmax",
            Kind::Number(0.0, 1.0),
            "q of MixMax backups: the part of a child's value that is the greatest below it and not the mean",
            field!(modifications.mixmax),
        )
    },
    Setting {
        words: &[Word {
            word: "macro",
            number: Number::Whole(Some(3)),
            apply: |search, length| {
                search.modifications.macro_length = length as u32;
                true
            },
        }],
        ..Setting::new(
            "macro_length",
            Kind::Count(1, 1000),
            "how often an action is repeated before a child is made",
            field!(modifications.macro_length),
        )
    },
    Setting {
        unused: |search| {
            let reason = "there are no macro-actions: give a macro_length of 2 or more";
            (search.modifications.macro_length <= 1).then(|| reason.to_owned())
        },
        published: "near a danger \"switch back to micro-level planning (actions of size 1)\" (SLIDES)",
        words: &[Word::new("macrofallback", |search, _| {
            search.modifications.macro_fallback = true;
            true
        })],
        ..Setting::new(
            "macro_fallback",
            Kind::Flag,
            "whether a macro-action that has lost the game is taken out of the tree, and single steps are made in its place",
            field!(modifications.macro_fallback),
        )
    },
    Setting::new("urgency", urgency::KIND, urgency::HELP, field!(modifications.urgency)),
    Setting::new("widening", widening::KIND, widening::HELP, field!(modifications.widening)),
    Setting::new(
        "reversal",
        reversal::KIND,
        "what going back to where the avatar was shortly before costs",
        field!(modifications.reversal),
    ),
    Setting::new(
        "replies",
        reply::KIND,
        "whether replies that were good last time are played again",
        field!(modifications.replies),
    ),
    Setting::new(
        "allocation",
        allocation::KIND,
        "how iterations are shared out among the actions of the root, if selection does not decide that",
        field!(modifications.allocation),
    ),
];

impl Default for Modifications {
    fn default() -> Self {
        Modifications::NONE
    }
}

impl Mcts {
    /// Refuses modifications that do not go together with the parts they are added to.
    pub(super) fn validate_modifications(&self) -> Result<(), Refusal> {
        let added = &self.modifications;
        if added.macro_length > self.depth {
            let reason =
                format!("an edge would be longer than an iteration of {} ticks", self.depth);
            return refuse("macro_length", added.macro_length, reason);
        }
        self.validate_values()?;
        self.validate_children()?;
        self.validate_replies()?;
        if added.allocation.name == allocation::SEQUENTIAL_HALVING.name
            && self.final_choice != FinalChoice::Mean
        {
            return refuse(
                "allocation",
                added.allocation.name,
                "it plays the action that is left, by its mean: the final choice must be the mean, or the \
                 allocation anytime_halving",
            );
        }
        Ok(())
    }

    /// What changes the values of children needs a selection that goes by means.
    fn validate_values(&self) -> Result<(), Refusal> {
        let added = &self.modifications;
        let select = selection::make(&self.selection);
        if select.goes_by_mean() {
            return Ok(());
        }
        let name = self.selection.chosen().name;
        let reason = format!("the selection {name} does not go by the mean values of children");
        if added.mixmax > 0.0 {
            return refuse("mixmax", added.mixmax, reason);
        }
        if !added.reversal.is_none() {
            return refuse("reversal", added.reversal.name, reason);
        }
        Ok(())
    }

    /// What says when children are added needs a selection that would otherwise try all of them first, and an
    /// expansion that adds one.
    fn validate_children(&self) -> Result<(), Refusal> {
        let added = &self.modifications;
        let select = selection::make(&self.selection);
        let adds_all = expansion::make(&self.expansion).adds_all();
        for (kind, chosen) in [("urgency", &added.urgency), ("widening", &added.widening)] {
            if chosen.is_none() {
                continue;
            }
            if !select.goes_by_mean() || !select.tries_all() {
                let name = self.selection.chosen().name;
                let reason = format!(
                    "the selection {name} has a rule of its own for untried actions: use one that goes by upper \
                     confidence bounds"
                );
                return refuse(kind, chosen.name, reason);
            }
        }
        if !added.urgency.is_none() && !added.widening.is_none() {
            let reason =
                format!("the widening {} says when children are added", added.widening.name);
            return refuse("urgency", added.urgency.name, reason);
        }
        if adds_all && added.urgency.name == urgency::PARTIAL_EXPANSION.name {
            let reason = "an expansion of all children leaves nothing to add";
            return refuse("urgency", added.urgency.name, reason);
        }
        if adds_all && added.widening.name == widening::WIDENING.name {
            let reason = "an expansion of all children leaves nothing to add: use unpruning";
            return refuse("widening", added.widening.name, reason);
        }
        Ok(())
    }

    fn validate_replies(&self) -> Result<(), Refusal> {
        let chosen = &self.modifications.replies;
        let Some(replies) = crate::component::chosen(reply::REGISTRY, chosen) else {
            return Ok(());
        };
        if !replies.in_playouts() && !replies.in_expansion() {
            let reason = "neither play-outs nor expansion use them: switch one of them on";
            return refuse("replies", chosen.name, reason);
        }
        let evolves = matches!(self.playout, Playout::OnePlusOne { .. } | Playout::Stgp(_));
        if evolves && replies.in_playouts() {
            return refuse(
                "replies.playout",
                "true",
                "an evolutionary play-out learns from the actions that it chose itself: use replies in expansion \
                 only, or another play-out",
            );
        }
        Ok(())
    }
}
