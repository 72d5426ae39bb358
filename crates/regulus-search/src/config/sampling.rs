//! How scores of actions become a choice and when old samples lose weight, for all that keep scores.

use crate::parameter::{Access, Field, Kind, MANY, Setting, Value};

/// How scores of actions become a choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// With probability `epsilon` any action, else one of the best (THESIS Algorithm 5).
    EpsilonGreedy {
        /// The probability of a random action.
        epsilon: f64,
    },
    /// Probability proportional to exp(score / temperature), with scores from 0 to 1.
    Gibbs {
        /// High: nearly uniform; low: nearly greedy.
        temperature: f64,
    },
    /// Probability proportional to the score.
    Roulette,
    /// A policy of [`crate::policy::REGISTRY`] by its name.
    Registered {
        /// The name.
        name: &'static str,
        /// What the policy is made from.
        parameter: f64,
    },
}

impl Policy {
    /// The name in [`crate::policy::REGISTRY`], and the parameter.
    pub fn name_and_parameter(self) -> (&'static str, f64) {
        match self {
            Policy::EpsilonGreedy { epsilon } => ("epsilon_greedy", epsilon),
            Policy::Gibbs { temperature } => ("gibbs", temperature),
            Policy::Roulette => ("roulette", 0.0),
            Policy::Registered { name, parameter } => (name, parameter),
        }
    }
}

/// When old samples lose weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decay {
    /// Never.
    None,
    /// After every move of the game that is played.
    Move {
        /// What weights are multiplied by.
        factor: f64,
    },
    /// After every `simulations` simulations.
    Batch {
        /// What weights are multiplied by.
        factor: f64,
        /// The size of a batch.
        simulations: u32,
    },
    /// After every simulation.
    Simulation {
        /// What weights are multiplied by.
        factor: f64,
    },
    /// After every move of a simulation, whoever made it: how THESIS 2.2.4 words "simulation decay".
    SimulatedMove {
        /// What weights are multiplied by.
        factor: f64,
    },
    /// After every simulation, only samples of what was played in it, as often as it was played: how GVGAI-THESIS 3.3.2
    /// words "simulation decay".
    Played {
        /// What weights are multiplied by.
        factor: f64,
    },
}

/// What has a policy and a decay.
pub(super) trait Samples: 'static {
    /// Both, if it is of the kind that has them.
    fn samples(&self) -> Option<(&Policy, &Decay)>;

    /// The same, to be changed.
    fn samples_mut(&mut self) -> Option<(&mut Policy, &mut Decay)>;
}

/// The parameter of a policy or a decay.
macro_rules! sample_field {
    ($number:tt, $($variant:path)|+ { $name:ident }) => {
        Access {
            get: |of: &C| match of.samples()?.$number {
                $($variant { $name, .. })|+ => Field::load($name),
                _ => None,
            },
            set: |of: &mut C, value| match of.samples_mut().map(|samples| samples.$number) {
                $(Some($variant { $name, .. }))|+ => Field::store($name, value),
                _ => {}
            },
        }
    };
}

/// Which policy; `kind` says which there can be.
pub(super) const fn policy<C: Samples>(path: &'static str, kind: Kind) -> Setting<C> {
    Setting::new(
        path,
        kind,
        "how scores become a choice",
        Access {
            get: |of| Some(Value::Word(of.samples()?.0.name_and_parameter().0)),
            set: |of, value| {
                let Some((policy, _)) = of.samples_mut() else { return };
                match value.word() {
                    "epsilon_greedy" => {}
                    "gibbs" => *policy = Policy::Gibbs { temperature: 0.0 },
                    "roulette" => *policy = Policy::Roulette,
                    name => *policy = Policy::Registered { name, parameter: 0.0 },
                }
            },
        },
    )
}

/// Of the policy epsilon_greedy.
pub(super) const fn epsilon<C: Samples>(path: &'static str) -> Setting<C> {
    Setting {
        always: |_| true,
        published: "0.4 (THESIS 5.1.1)",
        unused: |of| {
            let has = matches!(of.samples(), Some((Policy::EpsilonGreedy { .. }, _)));
            (!has).then(|| "only the policy epsilon_greedy has an epsilon".to_owned())
        },
        ..Setting::new(
            path,
            Kind::Number(0.0, 1.0),
            "the probability of a random action",
            sample_field!(0, Policy::EpsilonGreedy { epsilon }),
        )
    }
}

/// Of the policy gibbs.
pub(super) const fn temperature<C: Samples>(path: &'static str) -> Setting<C> {
    Setting {
        default: Some(Value::Number(1.0)),
        always: |_| true,
        unused: |of| {
            let has = matches!(of.samples(), Some((Policy::Gibbs { .. }, _)));
            (!has).then(|| "only the policy gibbs has a temperature".to_owned())
        },
        ..Setting::new(
            path,
            Kind::Number(1e-3, 1e3),
            "gibbs: high is nearly uniform, low nearly greedy",
            sample_field!(0, Policy::Gibbs { temperature }),
        )
    }
}

/// Of any other policy.
pub(super) const fn policy_parameter<C: Samples>(path: &'static str) -> Setting<C> {
    Setting {
        default: Some(Value::Number(1.0)),
        always: |_| true,
        unused: |of| match of.samples() {
            Some((Policy::Registered { .. }, _)) | None => None,
            Some((policy, _)) => Some(format!(
                "the policy {} has a key of its own for its parameter, or none",
                policy.name_and_parameter().0
            )),
        },
        ..Setting::new(
            path,
            Kind::Number(-1e9, 1e9),
            "the parameter of a policy that has no key of its own for it",
            sample_field!(0, Policy::Registered { parameter }),
        )
    }
}

/// When weights are multiplied.
pub(super) const fn decay<C: Samples>(path: &'static str) -> Setting<C> {
    Setting::new(
        path,
        Kind::Choice(&["none", "move", "batch", "simulation", "simulated_move", "played"]),
        "when weights are multiplied: after every move of the game (`move`), some simulations (`batch`), every \
         `simulation`, every move of a simulation (`simulated_move`), or after every simulation those of what it \
         played, as often as it did (`played`)",
        Access {
            get: |of| {
                Some(Value::Word(match of.samples()?.1 {
                    Decay::None => "none",
                    Decay::Move { .. } => "move",
                    Decay::Batch { .. } => "batch",
                    Decay::Simulation { .. } => "simulation",
                    Decay::SimulatedMove { .. } => "simulated_move",
                    Decay::Played { .. } => "played",
                }))
            },
            set: |of, value| {
                let Some((_, decay)) = of.samples_mut() else { return };
                let factor = decay.factor().unwrap_or_default();
                *decay = match value.word() {
                    "none" => Decay::None,
                    "batch" => Decay::Batch { factor, simulations: 0 },
                    "simulation" => Decay::Simulation { factor },
                    "simulated_move" => Decay::SimulatedMove { factor },
                    "played" => Decay::Played { factor },
                    _ => Decay::Move { factor },
                };
            },
        },
    )
}

/// What weights are multiplied by.
pub(super) const fn decay_factor<C: Samples>(path: &'static str) -> Setting<C> {
    Setting {
        always: |_| true,
        published: "0.2 (THESIS 5.1.1)",
        ..Setting::new(
            path,
            Kind::Number(0.0, 1.0),
            "what weights of samples are multiplied by",
            sample_field!(
                1,
                Decay::Move
                    | Decay::Batch
                    | Decay::Simulation
                    | Decay::SimulatedMove
                    | Decay::Played { factor }
            ),
        )
    }
}

/// The size of a batch.
pub(super) const fn batch_size<C: Samples>(path: &'static str) -> Setting<C> {
    Setting {
        default: Some(Value::Count(1000)),
        always: |_| true,
        unused: |of| {
            let has = matches!(of.samples(), Some((_, Decay::Batch { .. })));
            (!has).then(|| "only decay in batches has a batch size".to_owned())
        },
        ..Setting::new(
            path,
            Kind::Count(1, MANY),
            "batch: simulations from one decay to the next",
            sample_field!(1, Decay::Batch { simulations }),
        )
    }
}

impl Decay {
    /// What weights are multiplied by, if they are.
    pub fn factor(self) -> Option<f64> {
        match self {
            Decay::None => None,
            Decay::Move { factor }
            | Decay::Batch { factor, .. }
            | Decay::Simulation { factor }
            | Decay::SimulatedMove { factor }
            | Decay::Played { factor } => Some(factor),
        }
    }

    /// What it does, if anything.
    pub(super) fn sentence(self) -> Option<String> {
        let when = match self {
            Decay::None => return None,
            Decay::Move { .. } => "After every move".to_owned(),
            Decay::Batch { simulations, .. } => format!("After every {simulations} simulations"),
            Decay::Simulation { .. } => "After every simulation".to_owned(),
            Decay::SimulatedMove { .. } => "After every move of a simulation".to_owned(),
            Decay::Played { factor } => {
                return Some(format!(
                    "After every simulation samples of what it played weigh {factor} times as much, for each time."
                ));
            }
        };
        Some(format!("{when} old samples weigh {} times as much.", self.factor()?))
    }
}
