//! What is to be played, in order.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::size::Extent;
use crate::record::{AgentRecord, GameRecord};
use crate::video::LevelRecord;

/// A contest of an experiment: who plays what, with which limit, and how often.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlannedContest {
    /// The name of the game.
    pub game: String,
    /// The names of the agents; the one the contest is about comes first, his opponents fill the other
    /// seats. Alone where speed is measured and with video games.
    pub agents: Vec<String>,
    /// The limit, as text.
    pub budget: String,
    /// How many units.
    pub units: u64,
    /// How many games, searches where speed is measured, or runs of video games.
    pub games: u64,
}

/// A video game of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VideoPlanGame {
    /// The name.
    pub name: String,
    /// The levels; `file` is seen from the directory of the experiment.
    pub levels: Vec<LevelRecord>,
}

/// What results of video games depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VideoPlan {
    /// The rules that games are read and run with.
    pub profile: String,
    /// How often every level is played.
    pub runs: u64,
    /// What agents may use before the first tick, if it is not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initialisation: Option<String>,
    /// What is kept back of the time for an action, if it is not what the agents say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer_ms: Option<f64>,
    /// The games, as in [`Plan::games`].
    pub games: Vec<VideoPlanGame>,
}

/// All units of an experiment in order, and what results depend on. It follows from the declaration; two
/// that differ are different experiments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The name.
    pub experiment: String,
    /// What is done.
    pub kind: Kind,
    /// What all random numbers come from.
    pub seed: u64,
    /// How much of the declaration is played.
    #[serde(default, skip_serializing_if = "Extent::is_whole")]
    pub extent: Extent,
    /// What the number of games was multiplied by.
    pub scale: f64,
    /// True if speed is that of random simulations alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flat: bool,
    /// How many moves are drawn at random before the agents play.
    pub opening_plies: u64,
    /// A game with more moves is given up.
    pub max_plies: u64,
    /// How much longer than its time a move may take.
    pub tolerance_ms: f64,
    /// What is kept back of the time for a move.
    pub buffer_ms: f64,
    /// What is to be known where video games are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video: Option<VideoPlan>,
    /// The games; `file` is seen from the directory of the experiment.
    pub games: Vec<GameRecord>,
    /// The agents with all parameters.
    pub agents: Vec<AgentRecord>,
    /// The contests. Units are in their order, those of a contest by number.
    pub contests: Vec<PlannedContest>,
}

/// One unit of a plan: a pair of games with swapped seats, all rotations with more players, one search
/// where speed is measured, or one run of a video game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Which contest.
    pub contest: usize,
    /// Which unit of the contest.
    pub unit: u64,
    /// How many units of the plan come before it.
    pub index: u64,
}

impl Plan {
    /// All units in order.
    pub fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        let of_contest = |(contest, planned): (usize, &PlannedContest)| {
            (0..planned.units).map(move |unit| (contest, unit))
        };
        let all = self.contests.iter().enumerate().flat_map(of_contest);
        all.zip(0..).map(|((contest, unit), index)| Unit { contest, unit, index })
    }

    /// How many units there are.
    pub fn unit_count(&self) -> u64 {
        self.contests.iter().map(|contest| contest.units).sum()
    }

    /// How many games, searches or runs there are.
    pub fn game_count(&self) -> u64 {
        self.contests.iter().map(|contest| contest.games).sum()
    }

    /// In what another plan differs first, in words; nothing if it does not.
    pub fn difference(&self, other: &Plan) -> Option<String> {
        let differs = |what: &str, one: String, two: String| {
            (one != two).then(|| format!("{what}: {one} there, {two} now"))
        };
        let names = |all: &[AgentRecord]| {
            all.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>().join(", ")
        };
        let games = |all: &[GameRecord]| {
            all.iter().map(|game| game.name.clone()).collect::<Vec<_>>().join(", ")
        };
        let changed_rules = || {
            let pairs = self.games.iter().zip(&other.games);
            let mut changed = pairs.filter(|(one, two)| one != two);
            changed.next().map(|(one, _)| format!("the rules of {}", one.name))
        };
        let changed_level = || {
            let (one, two) = (self.video.as_ref()?, other.video.as_ref()?);
            let pairs = one.games.iter().zip(&two.games);
            let mut changed = pairs.filter(|(one, two)| one != two);
            changed.next().map(|(one, _)| format!("the levels of {}", one.name))
        };
        let changed_agent = || {
            let pairs = self.agents.iter().zip(&other.agents);
            let mut changed = pairs.filter(|(one, two)| one != two);
            changed.next().map(|(one, _)| format!("the parameters of {}", one.name))
        };
        let video = |plan: &Plan, text: fn(&VideoPlan) -> String| {
            plan.video.as_ref().map_or_else(String::new, text)
        };
        let levels = |plan: &VideoPlan| {
            let name = |game: &VideoPlanGame| {
                let levels: Vec<&str> = game.levels.iter().map(|l| l.name.as_str()).collect();
                levels.join(" ")
            };
            plan.games.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let own =
            |plan: &VideoPlan| plan.buffer_ms.map_or("own".to_owned(), |ms| format!("{ms}ms"));
        let usual = |plan: &VideoPlan| plan.initialisation.clone().unwrap_or("as usual".to_owned());
        let scalars = |plan: &Plan| {
            [
                ("name", plan.experiment.clone()),
                ("kind", format!("{:?}", plan.kind).to_lowercase()),
                ("size", plan.extent.to_string()),
                ("scale", plan.scale.to_string()),
                ("flat", plan.flat.to_string()),
                ("seed", plan.seed.to_string()),
                ("opening_plies", plan.opening_plies.to_string()),
                ("max_plies", plan.max_plies.to_string()),
                ("tolerance", format!("{}ms", plan.tolerance_ms)),
                ("buffer", format!("{}ms", plan.buffer_ms)),
                ("games", games(&plan.games)),
                ("agents", names(&plan.agents)),
                ("profile", video(plan, |v| v.profile.clone())),
                ("runs", video(plan, |v| v.runs.to_string())),
                ("levels", video(plan, levels)),
                ("initialisation", video(plan, usual)),
                ("buffer", video(plan, own)),
            ]
        };
        let mut scalar = scalars(self).into_iter().zip(scalars(other));
        scalar
            .find_map(|((what, one), (_, two))| differs(what, one, two))
            .or_else(changed_rules)
            .or_else(changed_level)
            .or_else(changed_agent)
            .or_else(|| (self != other).then(|| "pairs, limits or numbers of games".to_owned()))
    }
}
