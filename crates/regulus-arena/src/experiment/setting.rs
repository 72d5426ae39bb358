//! An experiment with the games and agents it names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regulus_agent::Agent;
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_rbg::{Severity, Source};
use regulus_search::config::Limits;

use super::declaration::{Declaration, Kind};
use super::declaration_check::{is_path, short_name};
use super::error::ExperimentError;
use super::layout::{Layout, read_bounded, read_plan, write_json, write_whole};
use super::plan::{Plan, PlannedContest};
use super::video_setting::VideoCast;
use crate::budget::{Baseline, Budget};
use crate::calibration::Calibrations;
use crate::contest::{Contest, GameText};
use crate::record::AgentRecord;
use crate::video::{VideoContest, VideoGame};

/// What can be chosen when an experiment is made of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// What the number of games is multiplied by.
    pub scale: f64,
    /// The seed, instead of the declared one.
    pub seed: Option<u64>,
    /// The folder of the video games that are not built in.
    pub games: Option<PathBuf>,
}

impl Default for Options {
    /// As declared.
    fn default() -> Self {
        Options { scale: 1.0, seed: None, games: None }
    }
}

/// An experiment: its plan, and the games and agents of it.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The plan.
    pub plan: Plan,
    /// The board games, as in the plan; none where video games are played.
    pub games: Vec<GameText>,
    /// The texts of their rules.
    texts: Vec<String>,
    /// The agents, as in the plan; none where video games are played.
    agents: Vec<Agent>,
    /// The video games and their agents.
    video: VideoCast,
}

/// A contest of either kind of games.
#[derive(Clone, Debug)]
pub enum AnyContest {
    /// Of a board game.
    Board(Box<Contest>),
    /// Of a video game.
    Video(Box<VideoContest>),
}

impl AnyContest {
    /// True if the search of an agent has several threads.
    pub fn is_parallel(&self) -> bool {
        match self {
            AnyContest::Board(contest) => contest.search_threads() > 1,
            AnyContest::Video(_) => false,
        }
    }

    /// True if an agent has a certain time.
    pub fn is_timed(&self) -> bool {
        match self {
            AnyContest::Board(contest) => contest.limits.time.is_some(),
            AnyContest::Video(contest) => contest.conditions.action.time.is_some(),
        }
    }
}

impl Experiment {
    /// Makes an experiment of the declaration in a file; its name is that of the file. Files that it names
    /// are looked for beside it. Gives the text of the declaration, too.
    pub fn declare(file: &Path, options: Options) -> Result<(Self, String), ExperimentError> {
        let text = read_bounded(file, MAX_DECLARATION_BYTES)?;
        let declaration = Declaration::parse(&text)
            .map_err(|error| ExperimentError::Declaration { path: file.to_owned(), error })?;
        let name = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let (mut games, mut texts, mut agents) = (Vec::new(), Vec::new(), Vec::new());
        let mut cast = VideoCast::default();
        let (contests, video) = match &declaration.video {
            None => {
                for game in &declaration.games {
                    let (game, text) = load_declared_game(game, &folder)?;
                    games.push(game);
                    texts.push(text);
                }
                for agent in declaration.participants() {
                    agents.push(load_agent(agent, &folder)?);
                }
                (contests(&declaration, &games, options.scale), None)
            }
            Some(video) => {
                cast = VideoCast::declare(&declaration, video, &folder, options.games.as_deref())?;
                let plan = cast.plan(video, options.scale);
                (cast.contests(&declaration, plan.runs), Some(plan))
            }
        };
        let names = agents.iter().map(|agent| &agent.name);
        let names: Vec<&String> =
            names.chain(cast.agents.iter().map(|agent| &agent.name)).collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(ExperimentError::Refused(format!(
                    "{}: there are two agents with the name `{name}`",
                    file.display(),
                )));
            }
        }
        let game_records = games.iter().map(|game| &game.record);
        let agent_records = agents.iter().map(AgentRecord::new);
        let plan = Plan {
            experiment: name,
            kind: declaration.kind,
            seed: options.seed.unwrap_or(declaration.seed),
            scale: options.scale,
            opening_plies: declaration.opening_plies,
            max_plies: declaration.max_plies,
            tolerance_ms: declaration.tolerance.as_secs_f64() * 1e3,
            buffer_ms: declaration.buffer.as_secs_f64() * 1e3,
            video,
            games: game_records
                .chain(cast.games.iter().map(|game| &game.record))
                .cloned()
                .collect(),
            agents: agent_records.chain(cast.agents.iter().map(AgentRecord::of_video)).collect(),
            contests,
        };
        let experiment = Experiment { plan, games, texts, agents, video: cast };
        experiment.check()?;
        Ok((experiment, text))
    }

    /// Reads the experiment of a directory.
    pub fn open(layout: &Layout) -> Result<Self, ExperimentError> {
        if !layout.exists() {
            return Err(ExperimentError::Refused(format!(
                "there is no experiment in {}: `regulus experiment plan FILE.toml --dir {0}` makes one",
                layout.root().display()
            )));
        }
        let plan = read_plan(layout)?;
        let (mut games, mut texts) = (Vec::new(), Vec::new());
        if let Some(video) = &plan.video {
            let video = VideoCast::open(layout, &plan, video)?;
            let experiment = Experiment { plan, games, texts, agents: Vec::new(), video };
            experiment.check()?;
            return Ok(experiment);
        }
        for record in &plan.games {
            let path = layout.game(&record.name);
            let (game, text) = read_game(&record.name, record.file.as_deref(), &path)?;
            if game.record.sha256 != record.sha256 {
                return Err(ExperimentError::damaged(
                    &path,
                    "these are not the rules that the experiment was planned with",
                ));
            }
            games.push(game);
            texts.push(text);
        }
        let agent = |record: &AgentRecord| {
            regulus_agent::read(&record.name, &record.parameters.to_string())
                .map_err(|why| ExperimentError::damaged(&layout.plan(), why))
        };
        let agents = plan.agents.iter().map(agent).collect::<Result<Vec<_>, _>>()?;
        let experiment = Experiment { plan, games, texts, agents, video: VideoCast::default() };
        experiment.check()?;
        Ok(experiment)
    }

    /// Puts the experiment into a directory, or finds that it is there already. Refuses if another one
    /// is there.
    pub fn settle(&self, layout: &Layout, declaration: &str) -> Result<(), ExperimentError> {
        layout.create()?;
        if layout.exists() {
            let plan = read_plan(layout)?;
            if let Some(difference) = plan.difference(&self.plan) {
                return Err(ExperimentError::Refused(format!(
                    "{} holds another experiment ({difference}); results of both would be mixed up: \
                     choose another directory with --dir",
                    layout.root().display()
                )));
            }
        }
        for (game, text) in self.games.iter().zip(&self.texts) {
            write_if_new(&layout.game(&game.record.name), text)?;
        }
        self.video.settle(layout)?;
        // Title and published figures may have changed.
        write_if_new(&layout.declaration(), declaration)?;
        // The plan comes last: where it is, everything is.
        if layout.exists() { Ok(()) } else { write_json(&layout.plan(), &self.plan) }
    }

    /// What calibrated limits need that was not measured yet: game, baseline and time.
    pub fn uncalibrated(
        &self,
        known: &Calibrations,
    ) -> Result<Vec<(&GameText, Baseline, Duration)>, ExperimentError> {
        let mut missing: BTreeMap<(usize, &str, Duration), Baseline> = BTreeMap::new();
        for planned in self.plan.contests.iter().filter(|_| self.plan.kind != Kind::Video) {
            if let Budget::Calibrated(baseline, time) = budget(planned)? {
                let number = self.game_number(&planned.game)?;
                if known.find(&self.games[number].record, baseline, time).is_none() {
                    missing.insert((number, baseline.agent(), time), baseline);
                }
            }
        }
        let missing = missing.into_iter();
        Ok(missing.map(|((game, _, time), b)| (&self.games[game], b, time)).collect())
    }

    /// A contest of the plan, of whatever games; what it needs must have been measured.
    pub fn any_contest(
        &self,
        index: usize,
        known: &Calibrations,
    ) -> Result<AnyContest, ExperimentError> {
        match self.plan.kind {
            Kind::Video => self.video_contest(index).map(Box::new).map(AnyContest::Video),
            Kind::Matches | Kind::Speed => {
                self.contest(index, known).map(Box::new).map(AnyContest::Board)
            }
        }
    }

    /// A contest of a plan of video games.
    pub fn video_contest(&self, index: usize) -> Result<VideoContest, ExperimentError> {
        self.video.contest(&self.plan, &self.plan.contests[index])
    }

    /// The video games, as in the plan; none where board games are played.
    pub fn video_games(&self) -> &[VideoGame] {
        &self.video.games
    }

    /// A contest of a plan of board games; what it needs must have been measured.
    pub fn contest(&self, index: usize, known: &Calibrations) -> Result<Contest, ExperimentError> {
        let planned = &self.plan.contests[index];
        let game = self.games[self.game_number(&planned.game)?].clone();
        let budget = budget(planned)?;
        let mut limits = budget.limits(|baseline, time| {
            known.find(&game.record, baseline, time).cloned().ok_or_else(|| {
                ExperimentError::Refused(format!(
                    "{budget} was not measured for {}",
                    game.record.name
                ))
            })
        })?;
        limits.buffer = Duration::from_secs_f64(self.plan.buffer_ms / 1e3);
        self.contest_with(planned, game, budget, limits)
    }

    /// An agent by its name.
    pub fn agent(&self, name: &str) -> Result<&Agent, ExperimentError> {
        self.agents.iter().find(|agent| agent.name == name).ok_or_else(|| unknown("agent", name))
    }

    /// A game by its name.
    pub fn game(&self, name: &str) -> Result<&GameText, ExperimentError> {
        self.game_number(name).map(|number| &self.games[number])
    }

    fn game_number(&self, name: &str) -> Result<usize, ExperimentError> {
        let found = self.games.iter().position(|game| game.record.name == name);
        found.ok_or_else(|| unknown("game", name))
    }

    fn contest_with(
        &self,
        planned: &PlannedContest,
        game: GameText,
        budget: Budget,
        limits: Limits,
    ) -> Result<Contest, ExperimentError> {
        let agents = planned.agents.iter().map(|name| self.agent(name).cloned());
        let agents = agents.collect::<Result<Vec<_>, _>>()?;
        // A search for its speed is one of the first player, whatever the number of players.
        let seats = match self.plan.kind {
            Kind::Matches | Kind::Video => agents,
            Kind::Speed => vec![agents[0].clone(); game.players()],
        };
        let contest = Contest::new(game, seats, budget, limits, self.plan.seed);
        let mut contest = contest.map_err(ExperimentError::Refused)?;
        contest.experiment = self.plan.experiment.clone();
        contest.opening_plies = self.plan.opening_plies as usize;
        contest.max_plies = self.plan.max_plies as usize;
        contest.tolerance = Duration::from_secs_f64(self.plan.tolerance_ms / 1e3);
        Ok(contest)
    }

    /// Finds out now, and not in the middle, if agents cannot play a game.
    fn check(&self) -> Result<(), ExperimentError> {
        for (index, planned) in self.plan.contests.iter().enumerate() {
            if self.plan.kind == Kind::Video {
                self.video_contest(index)?;
                continue;
            }
            let game = self.game(&planned.game)?.clone();
            let budget = budget(planned)?;
            let limits = match &budget {
                Budget::Limits(limits) => limits.clone(),
                Budget::Calibrated(Baseline::Simulations, _) => Limits::simulations(1),
                Budget::Calibrated(..) => Limits::states(1),
            };
            self.contest_with(planned, game, budget, limits)?;
        }
        Ok(())
    }
}

pub(super) fn unknown(what: &str, name: &str) -> ExperimentError {
    ExperimentError::Refused(format!("the plan has no {what} `{name}`"))
}

fn budget(planned: &PlannedContest) -> Result<Budget, ExperimentError> {
    planned.budget.parse().map_err(ExperimentError::Refused)
}

/// A part of a number, at least so many.
pub(super) fn scaled(count: u64, scale: f64, least: u64) -> u64 {
    ((count as f64 * scale).round() as u64).max(least)
}

/// The contests of a declaration: game by game, pair by pair, limit by limit.
fn contests(declaration: &Declaration, games: &[GameText], scale: f64) -> Vec<PlannedContest> {
    let mut contests = Vec::new();
    for game in games {
        let players = game.players();
        let sides: Vec<Vec<String>> = match declaration.kind {
            Kind::Speed | Kind::Video => {
                declaration.agent_names().into_iter().map(|agent| vec![agent]).collect()
            }
            Kind::Matches => {
                let seats = |[one, other]: &[String; 2]| {
                    let mut seats = vec![short_name(one)];
                    seats.resize(players.max(2), short_name(other));
                    seats
                };
                declaration.pairs.iter().map(seats).collect()
            }
        };
        for agents in sides {
            let (units, games) = match declaration.kind {
                Kind::Speed | Kind::Video => {
                    let searches = scaled(declaration.searches, scale, 1);
                    (searches, searches)
                }
                Kind::Matches => {
                    let per_unit = agents.len() as u64;
                    let units = scaled(declaration.games_per_pair, scale, 2).div_ceil(per_unit);
                    (units, units * per_unit)
                }
            };
            let name = &game.record.name;
            let limits = declaration.limits.iter().map(ToString::to_string);
            let limits = limits.filter(|limit| declaration.includes(name, &agents, limit));
            contests.extend(limits.map(|budget| PlannedContest {
                game: name.clone(),
                agents: agents.clone(),
                budget,
                units,
                games,
            }));
        }
    }
    contests
}

/// Loads a game of a declaration.
fn load_declared_game(
    declared: &str,
    folder: &Path,
) -> Result<(GameText, String), ExperimentError> {
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
) -> Result<(GameText, String), ExperimentError> {
    let text = read_bounded(path, MAX_FILE_BYTES as u64)?;
    load(name, file, path, text)
}

fn load(
    name: &str,
    file: Option<&str>,
    path: &Path,
    text: String,
) -> Result<(GameText, String), ExperimentError> {
    let source = Source::new(path.display().to_string(), text);
    let loaded = regulus_rbg::load(&source);
    let Some(game) = loaded.game else {
        let mut errors = loaded.diagnostics.iter().filter(|d| d.severity() == Severity::Error);
        let first = errors.next().map(|d| regulus_rbg::render::render(&source, d, false));
        return Err(ExperimentError::damaged(
            path,
            format!("the rules have errors\n{}", first.unwrap_or_default()),
        ));
    };
    let text = source.text().to_owned();
    Ok((GameText::new(name, file, &text, game), text))
}

/// Loads an agent of a declaration.
fn load_agent(declared: &str, folder: &Path) -> Result<Agent, ExperimentError> {
    if !is_path(declared) {
        return regulus_agent::by_name(declared).map_err(ExperimentError::Refused);
    }
    let path = folder.join(declared);
    let text = read_bounded(&path, MAX_AGENT_BYTES)?;
    let agent = regulus_agent::read(&short_name(declared), &text)
        .map_err(|problem| ExperimentError::damaged(&path, problem))?;
    // A file may name its agent otherwise; in an experiment it has the name that it is declared by.
    Ok(Agent { name: short_name(declared), ..agent })
}

/// A declaration is never longer.
const MAX_DECLARATION_BYTES: u64 = 16 << 20;

/// A configuration file is never longer.
pub(super) const MAX_AGENT_BYTES: u64 = 1 << 20;

pub(super) fn write_if_new(path: &Path, text: &str) -> Result<(), ExperimentError> {
    if read_bounded(path, text.len() as u64).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write_whole(path, text.as_bytes())
}
