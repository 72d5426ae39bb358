//! All keys of configuration files. They are declared in [`regulus_search`], beside the parts that they belong to; here
//! is which algorithm has which of them, and what only agents have.

use std::time::Duration;

use regulus_rbg::split::Strategy;
use regulus_search::config::{self, Config};
use regulus_search::parameter::{Access, Setting, Value};
use regulus_search::{nested, shot, video};

pub use regulus_search::parameter::{Component, Games, Kind, Parameter, Section};

use crate::agent::{Agent, VideoAgent};
use crate::board::heuristic::Declared;

/// An algorithm that files can ask for.
#[derive(Clone, Copy)]
pub struct Algorithm {
    /// Its name, in `algorithm.name`.
    pub name: &'static str,
    /// What it plays.
    pub games: Games,
    /// What it does.
    pub help: &'static str,
    /// What is declared for it in a section, besides its name.
    declared: fn(Section) -> Vec<Parameter>,
    /// The heuristics that it can have.
    pub(crate) heuristics: &'static [&'static dyn Declared],
}

impl Algorithm {
    /// Its keys in a section.
    pub fn keys(&self, section: Section) -> Vec<Parameter> {
        let name = (section == Section::Algorithm).then_some(NAME);
        name.into_iter().chain((self.declared)(section)).collect()
    }

    /// The kinds of heuristics that it can have: their names and their keys.
    pub fn heuristics(&self) -> impl Iterator<Item = (&'static [&'static str], Vec<Parameter>)> {
        self.heuristics.iter().map(|kind| (kind.names(), kind.keys()))
    }
}

/// All algorithms.
pub const ALGORITHMS: &[Algorithm] = &[
    MCTS,
    SHOT,
    NMCS,
    NRPA,
    RANDOM,
    ONE_STEP,
    OPEN_LOOP_MCTS,
    CLOSED_LOOP_MCTS,
    ROLLING_HORIZON,
    MICROBIAL_GA,
];

/// `algorithm.name`, the only key that all files have.
pub const NAME: Parameter = Parameter {
    path: "name",
    kind: Kind::Named(|| ALGORITHMS.iter().map(|algorithm| algorithm.name).collect()),
    default: Value::Word("MCTS"),
    help: "the algorithm",
    published: "",
};

/// The search for board games.
pub(crate) const MCTS: Algorithm = Algorithm {
    name: "MCTS",
    games: Games::Board,
    help: "Monte-Carlo tree search with split moves",
    declared: |section| {
        let search = keys(section, Config::settings(), &Config::default());
        [keys(section, BOARD, &Agent::usual()), search].concat()
    },
    heuristics: &[&config::MAST, &config::RAVE, &config::ADAPTATION, &config::NST, &config::LGR],
};

/// Sequential halving applied to trees.
pub(crate) const SHOT: Algorithm = Algorithm {
    name: "SHOT",
    games: Games::Board,
    help: "sequential halving applied to trees (SLIDES; T. Cazenave 2015)",
    declared: |section| {
        let search = keys(section, shot::settings(), &Config::default());
        [keys(section, BOARD, &Agent::usual()), search].concat()
    },
    heuristics: &[&config::MAST],
};

/// Nested Monte-Carlo Search.
pub(crate) const NMCS: Algorithm = Algorithm {
    name: "NMCS",
    games: Games::Board,
    help: "nested Monte-Carlo search, for games with one player",
    declared: |section| nested_keys(section, nested::Algorithm::Nmcs),
    heuristics: &[],
};

/// Nested Rollout Policy Adaptation.
pub(crate) const NRPA: Algorithm = Algorithm {
    name: "NRPA",
    games: Games::Board,
    help: "nested rollout policy adaptation (PPA, Algorithms 1 and 2), for games with one player",
    declared: |section| nested_keys(section, nested::Algorithm::NRPA),
    heuristics: &[],
};

fn nested_keys(section: Section, algorithm: nested::Algorithm) -> Vec<Parameter> {
    let usual = nested::Config { algorithm, ..nested::Config::default() };
    let manners = keys(section, NESTED, &Agent::usual());
    [manners, keys(section, nested::Config::SETTINGS, &usual)].concat()
}

const fn video(
    name: &'static str,
    help: &'static str,
    declared: fn(Section) -> Vec<Parameter>,
) -> Algorithm {
    Algorithm { name, games: Games::Video, help, declared, heuristics: &[] }
}

/// Keys that all agents for video games have, and some others.
fn video_keys<C: 'static>(
    section: Section,
    settings: impl IntoIterator<Item = &'static Setting<C>>,
    usual: &C,
) -> Vec<Parameter> {
    [keys(section, VIDEO, &VideoAgent::usual()), keys(section, settings, usual)].concat()
}

/// Any action.
pub(crate) const RANDOM: Algorithm =
    video("RANDOM", "any action", |section| video_keys::<()>(section, [], &()));

/// One-step look-ahead.
pub(crate) const ONE_STEP: Algorithm =
    video("ONE_STEP", "the action whose next state is best", |section| {
        video_keys(section, video::Config::ONE_STEP, &video::Score::default())
    });

/// Open-loop search.
pub(crate) const OPEN_LOOP_MCTS: Algorithm = video(
    "OPEN_LOOP_MCTS",
    "Monte-Carlo tree search whose nodes have no states: every iteration plays its actions anew from the root",
    |section| video_keys(section, video::Mcts::settings(), &video::Mcts::default()),
);

/// Closed-loop search.
pub(crate) const CLOSED_LOOP_MCTS: Algorithm = video(
    "CLOSED_LOOP_MCTS",
    "Monte-Carlo tree search whose nodes keep the state that was found when they were added",
    |section| video_keys(section, video::Mcts::settings(), &video::Mcts::closed_loop()),
);

/// Rolling horizon evolution.
pub(crate) const ROLLING_HORIZON: Algorithm = video(
    "ROLLING_HORIZON",
    "evolution of plans: the best are kept, others are made from two parents by uniform crossover",
    |section| video_keys(section, video::Evolution::SETTINGS, &video::Evolution::rolling_horizon()),
);

/// Microbial evolution.
pub(crate) const MICROBIAL_GA: Algorithm = video(
    "MICROBIAL_GA",
    "microbial evolution of plans: of two that are compared, the loser takes actions from the winner",
    |section| video_keys(section, video::Evolution::SETTINGS, &video::Evolution::microbial()),
);

/// The keys of settings in a section: of those that the usual structure has, or that have a default of their own.
fn keys<C: 'static>(
    section: Section,
    settings: impl IntoIterator<Item = &'static Setting<C>>,
    usual: &C,
) -> Vec<Parameter> {
    let has = |setting: &&Setting<C>| {
        setting.section == section
            && (setting.default.is_some() || (setting.access.get)(usual).is_some())
    };
    settings.into_iter().filter(has).map(|setting| setting.parameter(usual)).collect()
}

const BUFFER_TIME: Setting<Agent> = Setting {
    section: Section::General,
    always: |_| true,
    ..Setting::new(
        "buffer_time",
        Kind::Count(0, 3_600_000),
        "milliseconds kept back of the time for a move",
        Access {
            get: |agent| Some(Value::Count(agent.buffer.as_millis() as u64)),
            set: |agent, value| agent.buffer = Duration::from_millis(value.count()),
        },
    )
};

/// What agents for board games have besides a search.
pub(crate) const BOARD: &[Setting<Agent>] = &[
    BUFFER_TIME,
    Setting {
        section: Section::General,
        always: |_| true,
        sentence: |agent| {
            let said = "It goes on searching while others think.";
            agent.thinks_on_others_time.then(|| said.to_owned())
        },
        ..Setting::new(
            "simulate_during_opp_turn",
            Kind::Flag,
            "go on searching while others think",
            Access {
                get: |agent| Some(Value::Flag(agent.thinks_on_others_time)),
                set: |agent, value| agent.thinks_on_others_time = value.flag(),
            },
        )
    },
    Setting {
        section: Section::Algorithm,
        default: Some(Value::Word("")),
        always: |_| true,
        unused: |agent| {
            let reason = "neither the tree nor simulations are semisplit, so no move is split";
            (!agent.search.splits()).then(|| reason.to_owned())
        },
        ..Setting::new(
            "split_strategy",
            Kind::Choice(&["", "Mod", "ModPlus", "ModShift", "ModPlusShift"]),
            "where moves are split; nothing is Mod",
            Access {
                get: |agent| {
                    let name =
                        |split: Strategy| if split == Strategy::Mod { "" } else { split.name() };
                    agent.split.map(|split| Value::Word(name(split)))
                },
                set: |agent, value| {
                    agent.split = Some(match value.word() {
                        "ModPlus" => Strategy::ModPlus,
                        "ModShift" => Strategy::ModShift,
                        "ModPlusShift" => Strategy::ModPlusShift,
                        _ => Strategy::Mod,
                    });
                },
            },
        )
    },
];

/// What nested searches have besides a search.
pub(crate) const NESTED: &[Setting<Agent>] = &[BUFFER_TIME];

/// What agents for video games have besides a search.
pub(crate) const VIDEO: &[Setting<VideoAgent>] = &[
    Setting {
        section: Section::General,
        always: |_| true,
        ..Setting::new(
            "buffer_time",
            Kind::Count(0, 3_600_000),
            "milliseconds kept back of the time for an action",
            Access {
                get: |agent| Some(Value::Count(agent.buffer.as_millis() as u64)),
                set: |agent, value| agent.buffer = Duration::from_millis(value.count()),
            },
        )
    },
    config::seed(Access {
        get: |agent| Some(Value::Count(agent.config.seed)),
        set: |agent, value| agent.config.seed = value.count(),
    }),
];
