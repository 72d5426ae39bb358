//! Last good replies, for simulations and expansion.

use super::heuristic::{Heuristic, add};
use super::{Config, SimulationDesign};
use crate::parameter::{Kind, Number, Setting, Word, field};

/// Last good replies: what answered the last moves when that went well is played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replies {
    /// 2: replies to the last two moves, then to the last one (LGR-2); 1: to the last one only (LGR-1).
    pub length: u32,
    /// Whether replies are removed that did not go well.
    pub forgetting: bool,
    /// Whether simulations use them.
    pub in_playouts: bool,
    /// Whether expansion uses them.
    pub in_expansion: bool,
    /// Whether they are kept from one turn to the next.
    pub keep: bool,
}

impl Default for Replies {
    fn default() -> Self {
        Replies { length: 2, forgetting: true, in_playouts: true, in_expansion: true, keep: true }
    }
}

/// The heuristic.
pub const LGR: Heuristic<Replies> = Heuristic {
    names: &["LGR"],
    help: "the reply that last went well is played again",
    settings: SETTINGS,
    taken: "there is an LGR already",
    named: |_, _| Replies::default(),
    name: |_| Some("LGR"),
    get: |config| config.replies.as_ref(),
    slot: |config| &mut config.replies,
    sentences: |replies| vec![sentence(replies)],
    words: &[
        Word {
            word: "lgr",
            number: Number::Whole(None),
            apply: |config, length| with(config, length as u32, false),
        },
        Word {
            word: "lgrf",
            number: Number::Whole(None),
            apply: |config, length| with(config, length as u32, true),
        },
    ],
};

fn with(config: &mut Config, length: u32, forgetting: bool) -> bool {
    // The edges of other trees are semimoves, and replies whole moves.
    let in_expansion =
        config.tree.is_orthodox() || config.simulation == SimulationDesign::Semisplit;
    let replies = Replies { length, forgetting, in_expansion, ..Replies::default() };
    (1..=2).contains(&length) && add(&mut config.replies, replies)
}

const SETTINGS: &[Setting<Replies>] = &[
    Setting {
        always: |_| true,
        published: "replies to the last move, or to the last two first",
        ..Setting::new(
            "replies.length",
            Kind::Count(1, 2),
            "how many moves are replied to (LGR-1, LGR-2)",
            field!(length),
        )
    },
    Setting {
        always: |_| true,
        published: "both",
        ..Setting::new(
            "replies.forgetting",
            Kind::Flag,
            "remove replies that did not go well",
            field!(forgetting),
        )
    },
    Setting {
        always: |_| true,
        published: "both",
        ..Setting::new(
            "replies.in_playouts",
            Kind::Flag,
            "use them in simulations",
            field!(in_playouts),
        )
    },
    Setting {
        always: |_| true,
        published: "both",
        ..Setting::new(
            "replies.in_expansion",
            Kind::Flag,
            "use them in expansion",
            field!(in_expansion),
        )
    },
    Setting {
        always: |_| true,
        ..Setting::new(
            "replies.keep",
            Kind::Flag,
            "keep what was learned from turn to turn",
            field!(keep),
        )
    },
];

fn sentence(replies: &Replies) -> String {
    let phases = match (replies.in_playouts, replies.in_expansion) {
        (true, true) => "Simulations and expansion begin",
        (true, false) => "Simulations begin",
        _ => "Expansion begins",
    };
    let moves = if replies.length > 1 { "two moves, or to the last one," } else { "move" };
    let forgetting = if replies.forgetting { ", as long as it does" } else { "" };
    format!(
        "{phases} with the reply to the last {moves} that went well before{forgetting} (LGR-{}).",
        replies.length
    )
}
