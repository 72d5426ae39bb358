//! Policies for simulations that are learned while the search goes on.

use super::Config;
use super::heuristic::{Heuristic, add};
use super::sampling::{self, Decay, Policy, Samples};
use crate::parameter::{Access, Kind, MANY, Number, Setting, Value, Word, field};

/// What a playout policy learns from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Playout policy adaptation (PPA Algorithm 4): the winner's moves become more likely, whatever else it could
    /// have played less likely. Moves are drawn with probability proportional to exp(policy).
    Ppa {
        /// How much a move that was played gains.
        alpha: f64,
    },
    /// MAST with Gibbs sampling (PPA Algorithm 5): probability proportional to exp(k mean).
    Mast {
        /// High: nearly greedy; low: nearly uniform.
        k: f64,
    },
    /// The N-gram selection technique: means of sequences of moves.
    Nst {
        /// N, the length of the longest sequences.
        length: u32,
        /// How often a sequence of two or more moves must have been seen to count.
        threshold: u32,
        /// How scores become a choice.
        policy: Policy,
        /// When old samples lose weight.
        decay: Decay,
    },
}

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Ppa { .. } => "ppa",
            Method::Mast { .. } => "mast",
            Method::Nst { .. } => "nst",
        }
    }
}

/// What tells moves apart besides the moves themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// Nothing.
    None,
    /// What stood on the cells that differ once a move was made and the keeper has run: whether it captures.
    Cells,
    /// That, and what stood on the neighbours of these cells in the graph of the board.
    Neighbours,
}

/// A policy for simulations that is learned while the search goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// What it learns from.
    pub method: Method,
    /// What tells moves apart.
    pub features: Features,
    /// Whether it is kept from one turn to the next; PPA Algorithm 6 starts from scratch.
    pub keep: bool,
}

impl Samples for Learning {
    fn samples(&self) -> Option<(&Policy, &Decay)> {
        match &self.method {
            Method::Nst { policy, decay, .. } => Some((policy, decay)),
            Method::Ppa { .. } | Method::Mast { .. } => None,
        }
    }

    fn samples_mut(&mut self) -> Option<(&mut Policy, &mut Decay)> {
        match &mut self.method {
            Method::Nst { policy, decay, .. } => Some((policy, decay)),
            Method::Ppa { .. } | Method::Mast { .. } => None,
        }
    }
}

/// Policies that are drawn by exp(weight).
pub const ADAPTATION: Heuristic<Learning> = Heuristic {
    names: &["PPA", "PPAF", "MASTK", "MASTKF"],
    help: "simulations follow a policy that learns from their ends",
    settings: ADAPTATION_SETTINGS,
    taken: TAKEN,
    named: |name, _| {
        let features = if name.ends_with('F') { Features::Cells } else { Features::None };
        let method = match name {
            "PPA" | "PPAF" => Method::Ppa { alpha: 0.0 },
            _ => Method::Mast { k: 0.0 },
        };
        Learning { method, features, keep: false }
    },
    name: |learning| match (learning.method, learning.features) {
        (Method::Ppa { .. }, Features::None) => Some("PPA"),
        (Method::Ppa { .. }, _) => Some("PPAF"),
        (Method::Mast { .. }, Features::None) => Some("MASTK"),
        (Method::Mast { .. }, _) => Some("MASTKF"),
        (Method::Nst { .. }, _) => None,
    },
    get: |config| config.learning.as_ref(),
    slot: |config| &mut config.learning,
    sentences,
    words: &[
        adaptation("ppa", |config, alpha| {
            add(&mut config.learning, with(Method::Ppa { alpha }, Features::None))
        }),
        adaptation("ppaf", |config, alpha| {
            add(&mut config.learning, with(Method::Ppa { alpha }, Features::Cells))
        }),
        adaptation("ppan", |config, alpha| {
            add(&mut config.learning, with(Method::Ppa { alpha }, Features::Neighbours))
        }),
        adaptation("mastk", |config, k| {
            add(&mut config.learning, with(Method::Mast { k }, Features::None))
        }),
        adaptation("mastkf", |config, k| {
            add(&mut config.learning, with(Method::Mast { k }, Features::Cells))
        }),
        adaptation("mastkn", |config, k| {
            add(&mut config.learning, with(Method::Mast { k }, Features::Neighbours))
        }),
    ],
};

const TAKEN: &str = "there is a learned playout policy already";

const fn adaptation(word: &'static str, apply: fn(&mut Config, f64) -> bool) -> Word<Config> {
    Word { word, number: Number::Any(None), apply }
}

fn with(method: Method, features: Features) -> Learning {
    Learning { method, features, keep: false }
}

const ADAPTATION_SETTINGS: &[Setting<Learning>] = &[
    Setting {
        default: Some(Value::Number(0.32)),
        always: |_| true,
        published: "0.005 to 10.24, mostly best between 0.04 and 0.32; misère games 1.28 and more",
        unused: |learning| {
            let ppa = matches!(learning.method, Method::Ppa { .. });
            (!ppa).then(|| "only PPA and PPAF have it".to_owned())
        },
        ..Setting::new(
            "learning.alpha",
            Kind::Number(1e-6, 100.0),
            "PPA, PPAF: how much a move of the winner gains; published from 0.005 to 10.24",
            field!(method, Method::Ppa { alpha }),
        )
    },
    Setting {
        default: Some(Value::Number(4.0)),
        always: |_| true,
        published: "0.5 to 4096",
        unused: |learning| {
            let mast = matches!(learning.method, Method::Mast { .. });
            (!mast).then(|| "PPA has k = 1; only MASTK and MASTKF have another".to_owned())
        },
        ..Setting::new(
            "learning.k",
            Kind::Number(1e-3, 10_000.0),
            "MASTK, MASTKF: high is nearly greedy, low nearly uniform; published from 0.5 to 4096",
            field!(method, Method::Mast { k }),
        )
    },
    Setting {
        default: Some(Value::Word("cells")),
        always: |_| true,
        published: "`cells` for Breakthrough and Knightthrough, `neighbours` for Atarigo, NoGo and Domineering",
        unused: |learning| match (learning.features, (ADAPTATION.name)(learning)) {
            (Features::None, Some(name)) => {
                Some(format!("{name} looks at moves only: use {name}F"))
            }
            _ => None,
        },
        ..Setting::new(
            "learning.features",
            Kind::Choice(&["cells", "neighbours"]),
            "PPAF, MASTKF: what tells moves apart, the contents of the cells they change or of their neighbours, too",
            Access {
                get: |learning| match learning.features {
                    Features::None => None,
                    Features::Cells => Some(Value::Word("cells")),
                    Features::Neighbours => Some(Value::Word("neighbours")),
                },
                set: |learning, value| {
                    learning.features = match value.word() {
                        "neighbours" => Features::Neighbours,
                        _ => Features::Cells,
                    };
                },
            },
        )
    },
    Setting {
        published: "PPA starts from scratch for every position",
        ..Setting::new(
            "learning.keep",
            Kind::Flag,
            "keep what was learned from turn to turn",
            field!(keep),
        )
    },
];

/// The N-gram selection technique.
pub const NST: Heuristic<Learning> = Heuristic {
    names: &["NST"],
    help: "simulations prefer actions that end good sequences of moves",
    settings: NST_SETTINGS,
    taken: TAKEN,
    named: |_, _| nst(3),
    name: |learning| matches!(learning.method, Method::Nst { .. }).then_some("NST"),
    get: |config| config.learning.as_ref(),
    slot: |config| &mut config.learning,
    sentences,
    words: &[Word {
        word: "nst",
        number: Number::Whole(Some(3)),
        apply: |config, length| add(&mut config.learning, nst(length as u32)),
    }],
};

/// NST forgets by decay alone.
fn nst(length: u32) -> Learning {
    let policy = Policy::EpsilonGreedy { epsilon: 0.4 };
    let decay = Decay::Move { factor: 0.2 };
    let method = Method::Nst { length, threshold: 7, policy, decay };
    Learning { method, features: Features::None, keep: true }
}

const NST_SETTINGS: &[Setting<Learning>] = &[
    Setting {
        always: |_| true,
        published: "3",
        ..Setting::new(
            "learning.length",
            Kind::Count(2, 10),
            "N: the longest sequences of moves",
            field!(method, Method::Nst { length }),
        )
    },
    Setting {
        always: |_| true,
        published: "7: sequences seen less often do not count",
        ..Setting::new(
            "learning.threshold",
            Kind::Count(1, MANY),
            "k: how often a sequence of two or more moves must have been seen to count",
            field!(method, Method::Nst { threshold }),
        )
    },
    sampling::policy("learning.policy", Kind::Choice(&["epsilon_greedy", "gibbs"])),
    sampling::temperature("learning.policy.temperature"),
    sampling::epsilon("learning.policy.epsilon"),
    sampling::decay("learning.decay"),
    sampling::decay_factor("learning.decay.decay_factor"),
    sampling::batch_size("learning.decay.batch_size"),
];

fn sentences(learning: &Learning) -> Vec<String> {
    let method = match learning.method {
        Method::Ppa { alpha } => format!(
            "Simulations follow a policy that learns to play like those who won (PPA with alpha {alpha})"
        ),
        Method::Mast { k } => format!(
            "Simulations prefer actions with good means by Gibbs sampling (MAST with k {k})"
        ),
        Method::Nst { length, threshold, policy, .. } => {
            let (name, parameter) = policy.name_and_parameter();
            let name = name.replace('_', "-");
            format!(
                "Simulations prefer actions that end good sequences of up to {length} moves, if these were \
                 seen {threshold} times (NST, {name} {parameter})"
            )
        }
    };
    let features = match learning.features {
        Features::None => "",
        Features::Cells => "; what stands on the cells that a move changes tells moves apart",
        Features::Neighbours => {
            "; what stands on the cells that a move changes and on their neighbours tells moves apart"
        }
    };
    let kept = match (learning.keep, learning.method) {
        (true, Method::Nst { decay: Decay::Move { factor }, .. }) => {
            format!("After every move old samples weigh {factor} times as much.")
        }
        (true, _) => "What was learned is kept from turn to turn.".to_owned(),
        (false, _) => "Every turn learns anew.".to_owned(),
    };
    vec![format!("{method}{features}."), kept]
}
