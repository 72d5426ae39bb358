//! What an agent for video games is made of, as plain data. Numbers of equations, algorithms and tables are
//! those of GVGAI-THESIS.

use super::modification::Modifications;
pub use super::playout::{ActionChoice, Generation, Playout, Span, Stgp};
use super::{expansion, modification, score};
use crate::component::{Chosen, Selection, selection};
use crate::config::Decay;
use crate::parameter::{Access, Field, Kind, MANY, Number, Setting, Value, Word, field, words};

/// A complete agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How it decides.
    pub algorithm: Algorithm,
    /// Where all its randomness comes from.
    pub seed: u64,
}

/// How an agent decides.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Any action.
    Random,
    /// The action whose next state is best.
    OneStep {
        /// What a state is worth.
        score: Score,
    },
    /// Monte-Carlo tree search (Algorithm 3.1).
    Mcts(Box<Mcts>),
    /// Evolution of plans of actions.
    Evolution(Evolution),
}

/// A Monte-Carlo tree search.
#[derive(Clone, PartialEq, Debug)]
pub struct Mcts {
    /// What nodes keep.
    pub tree: Tree,
    /// How a child is selected.
    pub selection: Selection,
    /// Which child is added.
    pub expansion: Expansion,
    /// What is played below the tree.
    pub playout: Playout,
    /// Statistics of sequences of actions, for the parts that use them.
    pub ngrams: Ngrams,
    /// What the end of a play-out is worth.
    pub score: Score,
    /// What values are scaled to the range from 0 to 1 by, where a selection needs that.
    pub normalisation: Normalisation,
    /// How many ticks an iteration looks ahead, tree and play-out together.
    pub depth: u32,
    /// Which action is played in the end.
    pub final_choice: FinalChoice,
    /// How many nodes a tree may have; then the search goes on without expansion.
    pub max_nodes: usize,
    /// What is added to all this.
    pub modifications: Modifications,
}

/// What nodes keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Statistics only: every iteration plays its actions anew from the root ("open loop").
    Open,
    /// Also the state that was found when the node was added ("closed loop").
    Closed,
}

/// The least and the greatest value by which means are scaled (3.3.3: "observed minima and maxima").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Normalisation {
    /// Of all iterations of the game so far: the sample players of the framework in 2015.
    Game,
    /// Of all iterations of this tick so far.
    Tick,
    /// Of all iterations through the parent: the sample players of the framework in 2021.
    Node,
}

/// Which of the untried actions is added to the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied where searches are made, not while they run"
)]
pub enum Expansion {
    /// Any.
    Random,
    /// All are tried with the forward model and the best is added; with probability epsilon any.
    EpsilonGreedy {
        /// The probability.
        epsilon: f64,
    },
    /// The action with the best statistics; with probability epsilon any.
    ActionBased {
        /// The probability.
        epsilon: f64,
    },
    /// All at once; the play-out begins at any of them.
    AllChildren,
    /// A part of [`expansion::REGISTRY`](super::expansion::REGISTRY) by its name.
    Registered(Chosen),
}

/// Statistics of sequences of actions, over all iterations of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ngrams {
    /// The longest sequence: 1 for MAST.
    pub length: u32,
    /// k: the visits from which on sequences longer than 1 count.
    pub threshold: u32,
    /// When visits and sums are multiplied by a factor; 0 forgets all.
    pub decay: Decay,
}

impl Default for Ngrams {
    /// Single actions, and the k of the paper.
    fn default() -> Self {
        Ngrams { length: 1, threshold: 7, decay: Decay::Move { factor: 0.0 } }
    }
}

/// What the end of a play-out is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is copied where searches are made, not while they run"
)]
pub enum Score {
    /// Equation 3.2: 1, 0 or -1.
    WinLoss,
    /// Equation 3.7: the score, with a large bonus for a win and as large a penalty for a loss.
    Gvgai {
        /// The bonus.
        bonus: f64,
        /// What a tick that a win comes earlier, or a loss later, is worth; 0 without depth bonus.
        depth: f64,
    },
    /// Equation 3.8: the score through a sigmoid.
    Normalised {
        /// k.
        k: f64,
    },
    /// Equations 3.9 to 3.14: win or loss, with bonuses for length and score.
    QualityBased {
        /// a of the relative bonus (length); 0 without it.
        relative: f64,
        /// a of the qualitative bonus (score); 0 without it.
        qualitative: f64,
        /// k of the sigmoid.
        k: f64,
        /// Separate means and deviations for won games and for others.
        separated: bool,
        /// δ: a bonus counts only while the variance of its lengths (as parts of the horizon) or scores (as
        /// parts of their range in the game so far) is not above it; 1 is always.
        delta: f64,
        /// Whether a of the bonuses that there are is computed from the play-outs.
        estimated: bool,
    },
    /// A part of [`score::REGISTRY`](super::score::REGISTRY) by its name.
    Registered(Chosen),
}

words!(Normalisation { Game = "game", Tick = "tick", Node = "node" });

/// Which action is played in the end; ties are broken by the other criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalChoice {
    /// The best mean.
    Mean,
    /// Most visits.
    MostVisited,
}

words!(FinalChoice { Mean = "mean", MostVisited = "most_visited" });

/// Evolution of plans (rolling horizon evolution): every tick a population of sequences of actions is improved,
/// and the first action of the best is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evolution {
    /// How the next generation is made.
    pub kind: EvolutionKind,
    /// How many plans there are.
    pub population: u32,
    /// How many ticks a plan has.
    pub horizon: u32,
    /// The probability that an action of a plan is changed.
    pub mutation: f64,
    /// How often a plan is tried before it is judged.
    pub trials: u32,
    /// Whether plans are kept for the next tick, without their first action.
    pub shift: bool,
    /// What the state at the end of a plan is worth.
    pub score: Score,
}

/// How plans are improved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EvolutionKind {
    /// The best are kept, and others are made from two parents, chosen in tournaments, by uniform crossover.
    RollingHorizon {
        /// How many of the best are kept.
        elite: u32,
        /// How many are compared to find a parent.
        tournament: u32,
    },
    /// Microbial: two plans are compared, and the loser takes a part of its actions from the winner (Harvey 2011).
    Microbial {
        /// The probability that the loser takes an action.
        recombination: f64,
    },
}

impl Config {
    /// What an agent that looks one step ahead has.
    pub const ONE_STEP: &'static [Setting<Score>] =
        &[score::setting(Access { get: Field::load, set: |score, value| score.store(value) })];
}

impl Mcts {
    /// All parameters but those of [`Mcts::NGRAMS`].
    pub const SETTINGS: &'static [&'static [Setting<Mcts>]] = &[SEARCH, modification::SETTINGS];

    /// The same, one after the other.
    pub fn settings() -> impl Iterator<Item = &'static Setting<Mcts>> {
        Self::SETTINGS.iter().copied().flatten()
    }

    /// Parameters of the statistics of actions.
    pub const NGRAMS: &'static [Setting<Mcts>] = NGRAMS;

    /// Whether some part uses statistics of actions.
    pub fn uses_statistics(&self) -> bool {
        self.uses_sequences()
            || matches!(self.playout, Playout::Mast { .. })
            || selection::make(&self.selection).asks_actions()
    }

    /// Whether some part uses statistics of sequences of several actions.
    pub fn uses_sequences(&self) -> bool {
        matches!(self.playout, Playout::Nst { .. })
            || expansion::make(&self.expansion).asks_actions()
    }
}

/// What a search is made of.
const SEARCH: &[Setting<Mcts>] = &[
    always(Setting::new(
        "selection",
        selection::KIND,
        "how a child is selected when all were tried",
        field!(selection),
    )),
    always(Setting::new(
        "expansion",
        expansion::KIND,
        "which of the untried actions is added to the tree",
        field!(expansion),
    )),
    always(Setting::new(
        "playout",
        Kind::Component(|| super::playout::REGISTRY.to_vec()),
        "what is played below the tree",
        field!(playout),
    )),
    Setting {
        default: Some(Value::Empty),
        unused: |search| {
            let reason = "no part uses them: only the play-outs mast and nst, the selections progressive_history and \
                          progressive_bias and the expansions action_based and roulette_wheel do";
            (!search.uses_statistics()).then(|| reason.to_owned())
        },
        ..Setting::new(
            "ngrams",
            Kind::Object(|| {
                let usual = Mcts::default();
                NGRAMS.iter().map(|setting| setting.parameter(&usual)).collect()
            }),
            "statistics of sequences of actions, for the parts that use them",
            // Its keys are read and written by themselves.
            Access { get: |_| None, set: |_, _| {} },
        )
    },
    score::setting(field!(score)),
    always(Setting::new(
        "normalisation",
        Kind::Choice(Normalisation::WORDS),
        "selection scales by the least and greatest value of the whole game so far, of the tick, or of the node",
        field!(normalisation),
    )),
    always(Setting::new(
        "depth",
        Kind::Count(1, MOST),
        "how many ticks an iteration looks ahead, tree and play-out together",
        field!(depth),
    )),
    always(Setting::new(
        "final_choice",
        Kind::Choice(FinalChoice::WORDS),
        "whether the best mean or most visits decide what is played; the other one breaks ties",
        field!(final_choice),
    )),
    always(Setting::new(
        "max_nodes",
        // There is room for a root and its children.
        Kind::Count(16, 100_000_000),
        "how many nodes the tree may have; then the search goes on without expansion",
        field!(max_nodes),
    )),
];

const fn always<C>(setting: Setting<C>) -> Setting<C> {
    Setting { always: |_| true, ..setting }
}

/// The most of what is counted.
const MOST: u64 = 10_000;

const NGRAMS: &[Setting<Mcts>] = &[
    Setting {
        default: Some(Value::Count(3)),
        published: "3 (GVGAI-THESIS 5.2.2)",
        unused: no_sequences,
        words: &[Word { word: "grams", number: Number::Any(None), apply: |_, _| true }],
        ..always(Setting::new(
            "ngrams.length",
            // Tables grow with the power of it.
            Kind::Count(1, 6),
            "N, the longest sequence",
            field!(ngrams.length),
        ))
    },
    Setting {
        unused: |search| {
            let reason = "single actions have none: it is for a length of 2 or more";
            no_sequences(search).or_else(|| (search.ngrams.length <= 1).then(|| reason.to_owned()))
        },
        ..always(Setting::new(
            "ngrams.threshold",
            Kind::Count(0, MANY),
            "k, visits from which on sequences of more than one action count",
            field!(ngrams.threshold),
        ))
    },
    Setting {
        words: &[Word { word: "decay", number: Number::Any(None), apply: |_, _| true }],
        ..always(Setting::new(
            "ngrams.decay",
            Kind::Number(0.0, 1.0),
            "what the statistics are multiplied by when they lose weight; 0 forgets all",
            Access {
                get: |search| Some(Value::Number(search.ngrams.decay.factor().unwrap_or(1.0))),
                set: |search, value| search.ngrams.decay.set_factor(value.number()),
            },
        ))
    },
    Setting {
        published: "move, batch or played (GVGAI-THESIS 3.3.2)",
        ..Setting::new(
            "ngrams.decay_kind",
            Kind::Choice(&["move", "batch", "simulation", "simulated_move", "played"]),
            "when they do: after every action of the game (`move`), some iterations (`batch`), every iteration \
             (`simulation`), every action of an iteration (`simulated_move`), or after every iteration those of what it \
             played, as often as it did (`played`)",
            Access {
                get: |search| {
                    Some(Value::Word(match search.ngrams.decay {
                        Decay::None | Decay::Move { .. } => "move",
                        Decay::Batch { .. } => "batch",
                        Decay::Simulation { .. } => "simulation",
                        Decay::SimulatedMove { .. } => "simulated_move",
                        Decay::Played { .. } => "played",
                    }))
                },
                set: |search, value| {
                    let factor = search.ngrams.decay.factor().unwrap_or(1.0);
                    search.ngrams.decay = match value.word() {
                        "batch" => Decay::Batch { factor, simulations: 100 },
                        "simulation" => Decay::Simulation { factor },
                        "simulated_move" => Decay::SimulatedMove { factor },
                        "played" => Decay::Played { factor },
                        _ => Decay::Move { factor },
                    };
                },
            },
        )
    },
    Setting {
        default: Some(Value::Count(100)),
        unused: |search| {
            let batch = matches!(search.ngrams.decay, Decay::Batch { .. });
            (!batch).then(|| "only the decay_kind batch has batches".to_owned())
        },
        ..always(Setting::new(
            "ngrams.batch_size",
            Kind::Count(1, MANY),
            "iterations between two decays of the kind batch",
            Access {
                get: |search| match search.ngrams.decay {
                    Decay::Batch { simulations, .. } => Some(Value::Count(simulations.into())),
                    _ => None,
                },
                set: |search, value| {
                    if let Decay::Batch { simulations, .. } = &mut search.ngrams.decay {
                        simulations.store(value);
                    }
                },
            },
        ))
    },
];

fn no_sequences(search: &Mcts) -> Option<String> {
    let reason = "only the play-out nst and the expansions action_based and roulette_wheel use more than single actions";
    (!search.uses_sequences()).then(|| reason.to_owned())
}

impl Evolution {
    /// All parameters.
    pub const SETTINGS: &'static [Setting<Evolution>] = &[
        always(Setting::new(
            "population",
            Kind::Count(1, MOST),
            "how many plans there are",
            field!(population),
        )),
        always(Setting::new(
            "horizon",
            Kind::Count(1, MOST),
            "how many ticks a plan has",
            field!(horizon),
        )),
        always(Setting::new(
            "mutation",
            Kind::Number(0.0, 1.0),
            "the probability that an action of a plan is changed",
            field!(mutation),
        )),
        always(Setting::new(
            "trials",
            Kind::Count(1, MOST),
            "how often a plan is tried before it is judged",
            field!(trials),
        )),
        always(Setting::new(
            "shift",
            Kind::Flag,
            "whether plans are kept for the next tick, without their first action",
            field!(shift),
        )),
        always(Setting::new(
            "elite",
            Kind::Count(0, MOST),
            "how many of the best plans are kept",
            field!(kind, EvolutionKind::RollingHorizon { elite }),
        )),
        always(Setting::new(
            "tournament",
            Kind::Count(1, MOST),
            "how many plans are compared to find a parent",
            field!(kind, EvolutionKind::RollingHorizon { tournament }),
        )),
        always(Setting::new(
            "recombination",
            Kind::Number(0.0, 1.0),
            "the probability that the loser takes an action",
            field!(kind, EvolutionKind::Microbial { recombination }),
        )),
        score::setting(field!(score)),
    ];
}
