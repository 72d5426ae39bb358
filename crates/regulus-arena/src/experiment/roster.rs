//! The games and agents of an experiment, loaded: what a declaration or a plan names, as what can be played.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_agent::Problem;
use regulus_player::LoadedGame;
use regulus_player::catalogue::MAX_AGENT_BYTES;

use super::declaration::Declaration;
use super::declaration_check::{is_path, short_name};
use super::error::ExperimentError;
use super::layout::{Layout, read_bounded, write_whole};
use super::plan::{Plan, PlannedContest, VideoPlan};
use crate::budget::Baseline;
use crate::calibration::Calibrations;
use crate::contest::Contest;
use crate::record::{AgentRecord, GameRecord};

/// A baseline that has to be measured on a game for the time of a move.
pub type Unmeasured<'r> = (&'r LoadedGame, Baseline, Duration);

/// The games and agents of an experiment, in the order of its plan. Board games and video games each have their own.
pub trait Roster: Debug + Send + Sync {
    /// The games as they are recorded.
    fn games(&self) -> Vec<GameRecord>;

    /// The agents as they are recorded.
    fn agents(&self) -> Vec<AgentRecord>;

    /// What is to be played, by a declaration whose numbers of games are multiplied by `scale`: game by game, agents
    /// by agents, limit by limit.
    fn contests(&self, declaration: &Declaration, scale: f64) -> Vec<PlannedContest>;

    /// What a plan has to say about video games.
    fn video_plan(&self, _declaration: &Declaration, _scale: f64) -> Option<VideoPlan> {
        None
    }

    /// Puts the texts of all games into the directory of the experiment.
    fn settle(&self, layout: &Layout) -> Result<(), ExperimentError>;

    /// A contest of a plan; what it needs must have been measured.
    fn contest(
        &self,
        plan: &Plan,
        planned: &PlannedContest,
        known: &Calibrations,
    ) -> Result<Box<dyn Contest>, ExperimentError>;

    /// Finds out if there can be such a contest, before anything is measured.
    fn check(&self, plan: &Plan, planned: &PlannedContest) -> Result<(), ExperimentError>;

    /// What has to be measured for a plan that is not known yet.
    fn unmeasured(
        &self,
        _plan: &Plan,
        _known: &Calibrations,
    ) -> Result<Vec<Unmeasured<'_>>, ExperimentError> {
        Ok(Vec::new())
    }

    /// The rules of board games, where these are played.
    fn board_games(&self) -> &[Arc<LoadedGame>] {
        &[]
    }
}

pub(super) fn unknown(what: &str, name: &str) -> ExperimentError {
    ExperimentError::Refused(format!("the plan has no {what} `{name}`"))
}

/// What stands under a name in a list of a plan.
pub(super) fn named<'l, T>(
    list: &'l [T],
    what: &str,
    name: &str,
    name_of: impl Fn(&T) -> &str,
) -> Result<&'l T, ExperimentError> {
    list.iter().find(|one| name_of(one) == name).ok_or_else(|| unknown(what, name))
}

/// The contests of some agents in a game, limit by limit, as far as a declaration has them.
pub(super) fn planned(
    declaration: &Declaration,
    game: &str,
    agents: &[String],
    (units, games): (u64, u64),
) -> impl Iterator<Item = PlannedContest> {
    let limits = declaration.limits.iter().map(ToString::to_string);
    let limits = limits.filter(move |limit| declaration.includes(game, agents, limit));
    limits.map(move |budget| PlannedContest {
        game: game.to_owned(),
        agents: agents.to_vec(),
        budget,
        units,
        games,
    })
}

/// A number that is multiplied, at least `least`.
pub(super) fn scaled(count: u64, scale: f64, least: u64) -> u64 {
    ((count as f64 * scale).round() as u64).max(least)
}

/// Milliseconds of a plan.
pub(super) fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}

/// Loads an agent of a declaration: a built-in one, or one from a file in `folder`. A file may name its agent otherwise;
/// in an experiment it has the name that it is declared by, which `read` is given.
pub(super) fn load_agent<A>(
    declared: &str,
    folder: &Path,
    by_name: impl Fn(&str) -> Result<A, String>,
    read: impl Fn(String, &str) -> Result<A, Problem>,
) -> Result<A, ExperimentError> {
    if !is_path(declared) {
        return by_name(declared).map_err(ExperimentError::Refused);
    }
    let path = folder.join(declared);
    let text = read_bounded(&path, MAX_AGENT_BYTES)?;
    read(short_name(declared), &text).map_err(|problem| ExperimentError::damaged(&path, problem))
}

/// Reads the agents of a plan.
pub(super) fn read_agents<A>(
    layout: &Layout,
    plan: &Plan,
    read: impl Fn(&str, &str) -> Result<A, Problem>,
) -> Result<Vec<A>, ExperimentError> {
    let agent = |record: &AgentRecord| {
        read(&record.name, &record.parameters.to_string())
            .map_err(|why| ExperimentError::damaged(&layout.plan(), why))
    };
    plan.agents.iter().map(agent).collect()
}

pub(super) fn write_if_new(path: &Path, text: &str) -> Result<(), ExperimentError> {
    if read_bounded(path, text.len() as u64).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write_whole(path, text.as_bytes())
}
