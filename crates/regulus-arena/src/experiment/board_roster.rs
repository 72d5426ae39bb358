//! The board games and agents of an experiment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use regulus_agent::Agent;
use regulus_player::LoadedGame;
use regulus_rbg::Source;
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_search::config::Limits;

use super::declaration::Declaration;
use super::declaration_check::{is_path, short_name};
use super::error::ExperimentError;
use super::kind::Kind;
use super::layout::{Layout, read_bounded};
use super::plan::{Plan, PlannedContest};
use super::roster::{
    Roster, Unmeasured, load_agent, milliseconds, named, planned, read_agents, scaled, unknown,
    write_if_new,
};
use crate::board::{BoardContest, SpeedContest};
use crate::budget::{Baseline, Budget};
use crate::calibration::Calibrations;
use crate::contest::Contest;
use crate::record::{AgentRecord, GameRecord};

/// The games and agents, as in the plan.
#[derive(Clone, Debug)]
pub struct BoardRoster {
    games: Vec<Arc<LoadedGame>>,
    agents: Vec<Agent>,
}

impl BoardRoster {
    /// Loads what a declaration names; files are looked for in `folder`.
    pub fn declare(declaration: &Declaration, folder: &Path) -> Result<Self, ExperimentError> {
        let games = declaration.games.iter().map(|game| load_declared_game(game, folder));
        let games = games.collect::<Result<_, _>>()?;
        let read = |name: String, text: &str| {
            let agent = regulus_agent::read(&name, text)?;
            Ok(Agent { name, ..agent })
        };
        let agents = declaration.participants();
        let agents = agents.map(|agent| load_agent(agent, folder, regulus_agent::by_name, read));
        Ok(BoardRoster { games, agents: agents.collect::<Result<_, _>>()? })
    }

    /// Reads what a plan names from its directory.
    pub fn open(layout: &Layout, plan: &Plan) -> Result<Self, ExperimentError> {
        let game = |record: &GameRecord| {
            let path = layout.game(&record.name);
            let game = read_game(&record.name, record.file.as_deref(), &path)?;
            if game.sha256() != record.sha256 {
                return Err(ExperimentError::damaged(
                    &path,
                    "these are not the rules that the experiment was planned with",
                ));
            }
            Ok(game)
        };
        let games = plan.games.iter().map(game).collect::<Result<_, _>>()?;
        Ok(BoardRoster { games, agents: read_agents(layout, plan, regulus_agent::read)? })
    }

    fn game(&self, name: &str) -> Result<&Arc<LoadedGame>, ExperimentError> {
        named(&self.games, "game", name, |game| game.name())
    }

    fn contest_with(
        &self,
        plan: &Plan,
        planned: &PlannedContest,
        budget: Budget,
        limits: Limits,
    ) -> Result<Box<dyn Contest>, ExperimentError> {
        let game = self.game(&planned.game)?.clone();
        let agent =
            |name: &String| named(&self.agents, "agent", name, |agent| &agent.name).cloned();
        let agents = planned.agents.iter().map(agent).collect::<Result<Vec<_>, _>>()?;
        // A search for its speed is one of the first player, whatever the number of players.
        let is_speed = plan.kind == Kind::Speed;
        let seats = if is_speed { vec![agents[0].clone(); game.players().len()] } else { agents };
        let contest = BoardContest::new(game, seats, budget, limits, plan.seed);
        let mut contest = contest.map_err(ExperimentError::Refused)?;
        contest.experiment = plan.experiment.clone();
        contest.opening_plies = plan.opening_plies as usize;
        contest.max_plies = plan.max_plies as usize;
        contest.tolerance = milliseconds(plan.tolerance_ms);
        let flat = plan.flat;
        Ok(if is_speed { Box::new(SpeedContest { contest, flat }) } else { Box::new(contest) })
    }
}

impl Roster for BoardRoster {
    fn games(&self) -> Vec<GameRecord> {
        self.games.iter().map(|game| GameRecord::of(game)).collect()
    }

    fn agents(&self) -> Vec<AgentRecord> {
        self.agents.iter().map(|agent| AgentRecord::new(&agent.name, agent)).collect()
    }

    fn contests(&self, declaration: &Declaration, scale: f64) -> Vec<PlannedContest> {
        let mut contests = Vec::new();
        for game in &self.games {
            let seats = |[one, other]: &[String; 2]| {
                let mut seats = vec![short_name(one)];
                seats.resize(game.players().len().max(2), short_name(other));
                seats
            };
            let sides: Vec<Vec<String>> = match declaration.kind {
                Kind::Matches => declaration.pairs.iter().map(seats).collect(),
                _ => declaration.agent_names().into_iter().map(|agent| vec![agent]).collect(),
            };
            for agents in sides {
                let per_unit = agents.len() as u64;
                let units = match declaration.kind {
                    Kind::Matches => {
                        scaled(declaration.games_per_pair, scale, 2).div_ceil(per_unit)
                    }
                    _ => scaled(declaration.searches, scale, 1),
                };
                let name = game.name();
                contests.extend(planned(declaration, name, &agents, (units, units * per_unit)));
            }
        }
        contests
    }

    fn settle(&self, layout: &Layout) -> Result<(), ExperimentError> {
        let mut all = self.games.iter();
        all.try_for_each(|game| write_if_new(&layout.game(game.name()), game.source().text()))
    }

    fn contest(
        &self,
        plan: &Plan,
        planned: &PlannedContest,
        known: &Calibrations,
    ) -> Result<Box<dyn Contest>, ExperimentError> {
        let game = &GameRecord::of(self.game(&planned.game)?);
        let budget = budget(planned)?;
        let mut limits = budget.limits(|baseline, time| {
            known.find(game, baseline, time).cloned().ok_or_else(|| {
                ExperimentError::Refused(format!("{budget} was not measured for {}", game.name))
            })
        })?;
        limits.buffer = milliseconds(plan.buffer_ms);
        self.contest_with(plan, planned, budget, limits)
    }

    fn check(&self, plan: &Plan, planned: &PlannedContest) -> Result<(), ExperimentError> {
        let budget = budget(planned)?;
        let limits = match &budget {
            Budget::Limits(limits) => limits.clone(),
            Budget::Calibrated(baseline, _) if baseline.counts_simulations() => {
                Limits::simulations(1)
            }
            Budget::Calibrated(..) => Limits::states(1),
        };
        self.contest_with(plan, planned, budget, limits).map(drop)
    }

    fn unmeasured(
        &self,
        plan: &Plan,
        known: &Calibrations,
    ) -> Result<Vec<Unmeasured<'_>>, ExperimentError> {
        let mut missing: BTreeMap<(usize, &str, bool, Duration), Baseline> = BTreeMap::new();
        for planned in &plan.contests {
            if let Budget::Calibrated(baseline, time) = budget(planned)? {
                let number = self.games.iter().position(|game| game.name() == planned.game);
                let number = number.ok_or_else(|| unknown("game", &planned.game))?;
                if known.find(&GameRecord::of(&self.games[number]), baseline, time).is_none() {
                    let measured = (number, baseline.agent(), baseline.in_first_turn(), time);
                    missing.insert(measured, baseline);
                }
            }
        }
        let missing = missing.into_iter();
        Ok(missing.map(|((game, _, _, time), b)| (&*self.games[game], b, time)).collect())
    }

    fn board_games(&self) -> &[Arc<LoadedGame>] {
        &self.games
    }
}

fn budget(planned: &PlannedContest) -> Result<Budget, ExperimentError> {
    planned.budget.parse().map_err(ExperimentError::Refused)
}

/// Loads a game of a declaration.
fn load_declared_game(declared: &str, folder: &Path) -> Result<Arc<LoadedGame>, ExperimentError> {
    if is_path(declared) {
        let name = short_name(declared);
        return read_game(&name, Some(&Layout::game_file(&name)), &folder.join(declared));
    }
    let built_in = regulus_games::find(declared).ok_or_else(|| unknown("game", declared))?;
    let path = PathBuf::from(format!("{}.rbg", built_in.name));
    load(built_in.name, None, &path, built_in.text.to_owned())
}

/// Reads the rules of a game from a file.
fn read_game(
    name: &str,
    file: Option<&str>,
    path: &Path,
) -> Result<Arc<LoadedGame>, ExperimentError> {
    let text = read_bounded(path, MAX_FILE_BYTES as u64)?;
    load(name, file, path, text)
}

fn load(
    name: &str,
    file: Option<&str>,
    path: &Path,
    text: String,
) -> Result<Arc<LoadedGame>, ExperimentError> {
    let source = Source::new(path.display().to_string(), text);
    let game = LoadedGame::read(name, source).map_err(|fault| {
        let first = fault.render(false).into_iter().next();
        let message = format!("the rules have errors\n{}", first.unwrap_or_default());
        ExperimentError::damaged(path, message)
    })?;
    Ok(Arc::new(match file {
        Some(file) => game.from_file(file),
        None => game,
    }))
}
