//! MAST: scores of actions for simulations and expansion.

use super::Config;
use super::availability::{Availability, mast_availability};
use super::heuristic::{Heuristic, Variant, add};
use super::sampling::{self, Decay, Policy, Samples};
use crate::parameter::{Access, Kind, MANY, Number, Setting, Value, Word, field};
use crate::{policy, statistic};

/// The Move-Average Sampling Technique: scores of actions over all iterations, for simulations and
/// expansion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mast {
    /// Which actions have a score.
    pub variant: Variant,
    /// How scores become a choice.
    pub policy: Policy,
    /// Whether simulations use it.
    pub in_playouts: bool,
    /// Whether expansion uses it to choose among untried actions.
    pub in_expansion: bool,
    /// Only actions in the tree are samples, not those of simulations.
    pub tree_only: bool,
    /// When old samples lose weight.
    pub decay: Decay,
}

impl Default for Mast {
    /// THESIS 5.1.1.
    fn default() -> Self {
        Mast {
            variant: Variant::Standard,
            policy: Policy::EpsilonGreedy { epsilon: 0.4 },
            in_playouts: true,
            in_expansion: true,
            tree_only: false,
            decay: Decay::Move { factor: 0.2 },
        }
    }
}

impl Samples for Mast {
    fn samples(&self) -> Option<(&Policy, &Decay)> {
        Some((&self.policy, &self.decay))
    }

    fn samples_mut(&mut self) -> Option<(&mut Policy, &mut Decay)> {
        Some((&mut self.policy, &mut self.decay))
    }
}

/// The heuristic.
pub const MAST: Heuristic<Mast> = Heuristic {
    names: &["MAST", "MASTSPLIT", "MASTJOIN", "MASTCONTEXT", "MASTMIX"],
    help: "simulations and expansion prefer actions that did well",
    settings: SETTINGS,
    taken: "there is a MAST already",
    named: |name, config| {
        let variant = match name {
            "MASTSPLIT" => Variant::Split,
            "MASTJOIN" => Variant::Join,
            "MASTCONTEXT" => Variant::Context,
            "MASTMIX" => Variant::Mix { threshold: 0 },
            _ => Variant::Standard,
        };
        usual(config, variant)
    },
    name: |mast| {
        Some(match mast.variant {
            Variant::Split => "MASTSPLIT",
            Variant::Join => "MASTJOIN",
            Variant::Context => "MASTCONTEXT",
            Variant::Mix { .. } => "MASTMIX",
            Variant::Registered(_) | Variant::Standard => "MAST",
        })
    },
    get: |config| config.mast.as_ref(),
    slot: |config| &mut config.mast,
    sentences,
    words: &[
        Word::new("mast", |config, _| with(config, Variant::Standard)),
        Word::new("mastsplit", |config, _| with(config, Variant::Split)),
        Word::new("mastjoin", |config, _| with(config, Variant::Join)),
        Word::new("mastcontext", |config, _| with(config, Variant::Context)),
        Word {
            word: "mastmix",
            number: Number::Whole(Some(MIX_THRESHOLD)),
            apply: |config, number| with(config, Variant::Mix { threshold: number as u32 }),
        },
    ],
};

const MIX_THRESHOLD: u32 = 7;

fn with(config: &mut Config, variant: Variant) -> bool {
    let mast = usual(config, variant);
    add(&mut config.mast, mast)
}

/// A variant with the usual parameters. MAST-join can work when the tree phase is not orthodox, but then it is not
/// applied for the expansion phase (THESIS 2.2.4).
fn usual(config: &Config, variant: Variant) -> Mast {
    let entry = mast_availability(config.tree, config.simulation, variant);
    let in_expansion = entry != Availability::NotInExpansion;
    Mast { variant, in_expansion, ..Mast::default() }
}

const SETTINGS: &[Setting<Mast>] = &[
    Setting {
        unused: |mast| {
            let named = !matches!(mast.variant, Variant::Standard | Variant::Registered(_));
            named.then(|| "the name of the heuristic says which it is".to_owned())
        },
        ..Setting::new(
            "mast.statistic",
            Kind::Named(|| {
                let known = ["split", "join", "context", "mix"];
                let new = statistic::REGISTRY.iter().map(|entry| entry.name);
                std::iter::once("").chain(new.filter(|name| !known.contains(name))).collect()
            }),
            "MAST: what scores are kept for, if it is none of the usual",
            Access {
                get: |mast| match mast.variant {
                    Variant::Standard => Some(Value::Word("")),
                    Variant::Registered(name) => Some(Value::Word(name)),
                    _ => None,
                },
                set: |mast, value| match value.word() {
                    "" => {}
                    name => mast.variant = Variant::Registered(name),
                },
            },
        )
    },
    Setting {
        default: Some(Value::Count(MIX_THRESHOLD as u64)),
        always: |_| true,
        unused: |mast| {
            let mix = matches!(mast.variant, Variant::Mix { .. });
            (!mix).then(|| "only MASTMIX has a threshold".to_owned())
        },
        ..Setting::new(
            "mast.mastmix_threshold",
            Kind::Count(0, MANY),
            "MASTMIX: samples from which on the context counts",
            field!(variant, Variant::Mix { threshold }),
        )
    },
    sampling::policy("mast.policy", Kind::Named(policy::names)),
    sampling::policy_parameter("mast.policy.policy_parameter"),
    sampling::temperature("mast.policy.temperature"),
    sampling::epsilon("mast.policy.epsilon"),
    sampling::decay("mast.decay"),
    sampling::decay_factor("mast.decay.decay_factor"),
    sampling::batch_size("mast.decay.batch_size"),
    Setting {
        always: |_| true,
        ..Setting::new(
            "mast.tree_only",
            Kind::Flag,
            "only actions in the tree are samples",
            field!(tree_only),
        )
    },
    Setting::new("mast.in_playouts", Kind::Flag, "use it in simulations", field!(in_playouts)),
    Setting::new(
        "mast.in_expansion",
        Kind::Flag,
        "use it in expansion; MASTJOIN only in an orthodox tree, elsewhere it is false if nothing is said",
        field!(in_expansion),
    ),
];

fn sentences(mast: &Mast) -> Vec<String> {
    let phases = match (mast.in_playouts, mast.in_expansion) {
        (true, true) => "Simulations and expansion prefer",
        (true, false) => "Simulations prefer",
        _ => "Expansion prefers",
    };
    let policy = match mast.policy {
        Policy::EpsilonGreedy { epsilon } => format!("the best, except with probability {epsilon}"),
        Policy::Gibbs { temperature } => {
            format!("good ones by Gibbs sampling with temperature {temperature}")
        }
        Policy::Roulette => "good ones in proportion to their mean".to_owned(),
        Policy::Registered { name, .. } => format!("by the policy {name}"),
    };
    let samples = if mast.tree_only { " in the tree" } else { "" };
    let subject = mast.variant.subject();
    let first = format!("{phases} actions that did well{samples} (MAST over {subject}): {policy}.");
    std::iter::once(first).chain(mast.decay.sentence()).collect()
}
