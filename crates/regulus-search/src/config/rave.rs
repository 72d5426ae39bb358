//! RAVE: means of iterations in which an action came later, for selection.

use super::heuristic::{Heuristic, Variant, add};
use super::{Config, TreeDesign};
use crate::parameter::{Kind, MANY, Number, Setting, Value, Word, field};

/// Rapid Action Value Estimation: every node also has the mean of iterations in which an action was
/// played there or later (AMAF).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    /// Which actions count as the same.
    pub variant: Variant,
    /// E in beta = sqrt(E / (3 N + E)): how many iterations weigh as much as AMAF.
    pub equivalence: f64,
    /// A node with at most this many iterations borrows AMAF from the nearest ancestor with more
    /// (TGRAVE); 0 is RAVE.
    pub reference: u32,
}

impl Default for Rave {
    /// THESIS 5.1.1.
    fn default() -> Self {
        Rave { variant: Variant::Standard, equivalence: 250.0, reference: 0 }
    }
}

/// The heuristic.
pub const RAVE: Heuristic<Rave> = Heuristic {
    names: &["RAVE", "TGRAVE", "RAVESPLIT", "RAVEJOIN", "RAVECONTEXT", "RAVEMIX"],
    help: "selection is helped by the means of iterations in which an action came later",
    settings: SETTINGS,
    taken: "there is a RAVE already",
    named: |name, config| {
        let variant = match name {
            "RAVESPLIT" => Variant::Split,
            "RAVEJOIN" => Variant::Join,
            "RAVECONTEXT" => Variant::Context,
            "RAVEMIX" => Variant::Mix { threshold: 0 },
            _ => edges(config.tree),
        };
        Rave { variant, ..Rave::default() }
    },
    name: |rave| {
        Some(match rave.variant {
            Variant::Split => "RAVESPLIT",
            Variant::Join => "RAVEJOIN",
            Variant::Context => "RAVECONTEXT",
            Variant::Mix { .. } => "RAVEMIX",
            Variant::Standard | Variant::Registered(_) => "RAVE",
        })
    },
    get: |config| config.rave.as_ref(),
    slot: |config| &mut config.rave,
    // The sentence about selection says it.
    sentences: |_| Vec::new(),
    words: &[
        Word::new("rave", |config, _| with(config, edges(config.tree), 0)),
        Word {
            word: "tgrave",
            number: Number::Whole(Some(50)),
            apply: |config, reference| with(config, edges(config.tree), reference as u32),
        },
        Word::new("ravesplit", |config, _| with(config, Variant::Split, 0)),
        Word::new("ravejoin", |config, _| with(config, Variant::Join, 0)),
        Word::new("ravecontext", |config, _| with(config, Variant::Context, 0)),
        Word {
            word: "ravemix",
            number: Number::Whole(Some(MIX_THRESHOLD)),
            apply: |config, number| with(config, Variant::Mix { threshold: number as u32 }, 0),
        },
    ],
};

const MIX_THRESHOLD: u32 = 7;

fn with(config: &mut Config, variant: Variant, reference: u32) -> bool {
    add(&mut config.rave, Rave { variant, reference, ..Rave::default() })
}

/// RAVE by itself counts what the edges of the tree are.
fn edges(tree: TreeDesign) -> Variant {
    if tree.is_orthodox() { Variant::Join } else { Variant::Split }
}

const SETTINGS: &[Setting<Rave>] = &[
    Setting {
        always: |_| true,
        published: "250 (THESIS 5.1.1)",
        ..Setting::new(
            "rave.equivalence_parameter",
            Kind::Number(0.0, 1e12),
            "E: the number of iterations that weigh as much as AMAF",
            field!(equivalence),
        )
    },
    Setting {
        always: |_| true,
        ..Setting::new(
            "rave.ref",
            Kind::Count(0, MANY),
            "TGRAVE: nodes with at most this many iterations borrow from an ancestor; 0 is RAVE",
            field!(reference),
        )
    },
    Setting {
        default: Some(Value::Count(MIX_THRESHOLD as u64)),
        always: |_| true,
        unused: |rave| {
            let mix = matches!(rave.variant, Variant::Mix { .. });
            (!mix).then(|| "only RAVEMIX has a threshold".to_owned())
        },
        ..Setting::new(
            "rave.ravemix_threshold",
            Kind::Count(0, MANY),
            "RAVEMIX: samples from which on the context counts",
            field!(variant, Variant::Mix { threshold }),
        )
    },
];

/// What it does to selection.
pub(super) fn sentence(rave: &Rave) -> String {
    let borrowed = match rave.reference {
        0 => String::new(),
        n => format!("; nodes with at most {n} iterations borrow from an ancestor (TGRAVE)"),
    };
    format!(
        ", helped by the means of iterations in which an action came later (RAVE over {}; {} iterations \
         weigh as much{borrowed})",
        rave.variant.subject(),
        rave.equivalence
    )
}
