//! Everything that is in the directory of an experiment.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::declaration::{Declaration, Kind};
use super::error::ExperimentError;
use super::layout::{Layout, files, read_json};
use super::manifest::Manifest;
use super::plan::{Plan, PlannedContest};
use super::speed::SpeedRecord;
use crate::calibration::Calibrations;
use crate::contest::GameNumber;
use crate::record::Record;
use crate::record_file::read_lines;
use crate::video::VideoRecord;

/// What was played of a contest.
#[derive(Clone, PartialEq, Debug)]
pub enum Games {
    /// Games, in the order of [`GameNumber`], each once.
    Matches(Vec<Record>),
    /// Searches, by number, each once.
    Speed(Vec<SpeedRecord>),
    /// Runs of a video game, by number, each once.
    Video(Vec<VideoRecord>),
}

/// A contest and what was played of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestArchive {
    /// The contest.
    pub planned: PlannedContest,
    /// What was played of it.
    pub games: Games,
}

impl ContestArchive {
    /// The games between agents; none where speed was measured.
    pub fn records(&self) -> &[Record] {
        match &self.games {
            Games::Matches(records) => records,
            Games::Speed(_) | Games::Video(_) => &[],
        }
    }

    /// The searches; none where games were played.
    pub fn searches(&self) -> &[SpeedRecord] {
        match &self.games {
            Games::Matches(_) | Games::Video(_) => &[],
            Games::Speed(searches) => searches,
        }
    }

    /// The runs of a video game; none for others.
    pub fn runs(&self) -> &[VideoRecord] {
        match &self.games {
            Games::Matches(_) | Games::Speed(_) => &[],
            Games::Video(runs) => runs,
        }
    }

    /// How many games, searches or runs are there.
    pub fn len(&self) -> usize {
        match &self.games {
            Games::Matches(records) => records.len(),
            Games::Speed(searches) => searches.len(),
            Games::Video(runs) => runs.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Everything that is in the directory of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Archive {
    /// The declaration.
    pub declaration: Declaration,
    /// The plan.
    pub plan: Plan,
    /// What was measured for calibrated limits.
    pub calibrations: Calibrations,
    /// Who has worked on it.
    pub manifests: Vec<Manifest>,
    /// The contests of the plan, in its order.
    pub contests: Vec<ContestArchive>,
    /// Files whose last line was cut off.
    pub torn: Vec<PathBuf>,
    /// Records that are there more than once; the earliest counts.
    pub repeated: usize,
    /// Records that belong to no contest of the plan.
    pub foreign: usize,
}

impl Archive {
    /// Reads the directory of an experiment.
    pub fn read(layout: &Layout) -> Result<Self, ExperimentError> {
        if !layout.exists() {
            let root = layout.root().display();
            return Err(ExperimentError::Refused(format!("there is no experiment in {root}")));
        }
        let path = layout.declaration();
        let text = std::fs::read_to_string(&path).map_err(ExperimentError::io(&path, "read"))?;
        let declaration = Declaration::parse(&text)
            .map_err(|error| ExperimentError::Declaration { path, error })?;
        let plan: Plan = read_json(&layout.plan())?;
        let manifests = files(&layout.manifests(), "json")?;
        let mut archive = Archive {
            declaration,
            calibrations: read_calibrations(layout)?,
            manifests: manifests.iter().map(|p| read_json(p)).collect::<Result<_, _>>()?,
            contests: Vec::new(),
            torn: Vec::new(),
            repeated: 0,
            foreign: 0,
            plan,
        };
        let contests = archive.plan.contests.clone();
        let games = match archive.plan.kind {
            Kind::Matches => {
                let sorted = |all: Vec<Record>, repeated: &mut usize| {
                    Games::Matches(unique(all, |r| (r.number(), r.started), repeated))
                };
                archive.sort(layout, sorted)?
            }
            Kind::Speed => {
                let sorted = |all: Vec<SpeedRecord>, repeated: &mut usize| {
                    let number = |r: &SpeedRecord| GameNumber { unit: r.search, seating: 0 };
                    Games::Speed(unique(all, |r| (number(r), r.started), repeated))
                };
                archive.sort(layout, sorted)?
            }
            Kind::Video => {
                let sorted = |all: Vec<VideoRecord>, repeated: &mut usize| {
                    let number = |r: &VideoRecord| GameNumber { unit: r.unit, seating: 0 };
                    Games::Video(unique(all, |r| (number(r), r.started), repeated))
                };
                archive.sort(layout, sorted)?
            }
        };
        let contests = contests.into_iter().zip(games);
        archive.contests =
            contests.map(|(planned, games)| ContestArchive { planned, games }).collect();
        Ok(archive)
    }

    /// How many games, searches or runs are there.
    pub fn played(&self) -> usize {
        self.contests.iter().map(ContestArchive::len).sum()
    }

    /// Reads all records and sorts them into contests.
    fn sort<T: DeserializeOwned + Belongs>(
        &mut self,
        layout: &Layout,
        finish: impl Fn(Vec<T>, &mut usize) -> Games,
    ) -> Result<Vec<Games>, ExperimentError> {
        let places = Places::new(&self.plan);
        let mut contests: Vec<Vec<T>> = self.plan.contests.iter().map(|_| Vec::new()).collect();
        let mut foreign = 0;
        for path in files(&layout.all_records(), "jsonl")? {
            let torn = read_lines(&path, |record: T| match places.find(&record.key()) {
                Some(contest) => contests[contest].push(record),
                None => foreign += 1,
            })?;
            if torn {
                self.torn.push(path);
            }
        }
        self.foreign = foreign;
        let repeated = &mut self.repeated;
        Ok(contests.into_iter().map(|all| finish(all, repeated)).collect())
    }
}

/// Measurements of a directory; none if there is no file of them.
pub(super) fn read_calibrations(layout: &Layout) -> Result<Calibrations, ExperimentError> {
    let path = layout.calibration();
    if path.exists() { read_json(&path) } else { Ok(Calibrations::default()) }
}

/// Sorts records by their numbers, leaving the earliest of each.
fn unique<T>(
    mut all: Vec<T>,
    key: impl Fn(&T) -> (GameNumber, f64),
    repeated: &mut usize,
) -> Vec<T> {
    let before = all.len();
    all.sort_by(|one, other| {
        let (one, other) = (key(one), key(other));
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    all.dedup_by_key(|record| key(record).0);
    *repeated += before - all.len();
    all
}

/// What says which contest of a plan a record belongs to. It is made of names, since those are unique in
/// a plan, and do not change when a later version has more parameters.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Key {
    game: String,
    agents: Vec<String>,
    budget: String,
}

trait Belongs {
    fn key(&self) -> Key;
}

impl Belongs for Record {
    fn key(&self) -> Key {
        let agents = self.agents.iter().map(|agent| agent.name.clone()).collect();
        Key { game: self.game.name.clone(), agents, budget: self.budget.clone() }
    }
}

impl Belongs for SpeedRecord {
    fn key(&self) -> Key {
        let agents = self.agents.iter().map(|agent| agent.name.clone()).collect();
        Key { game: self.game.name.clone(), agents, budget: self.budget.clone() }
    }
}

impl Belongs for VideoRecord {
    fn key(&self) -> Key {
        let agents = self.agents.iter().map(|agent| agent.name.clone()).collect();
        Key { game: self.game.name.clone(), agents, budget: self.budget.clone() }
    }
}

/// The contests of a plan by their keys.
struct Places {
    contests: FxHashMap<Key, usize>,
}

impl Places {
    fn new(plan: &Plan) -> Self {
        let key = |planned: &PlannedContest| Key {
            game: planned.game.clone(),
            agents: planned.agents.clone(),
            budget: planned.budget.clone(),
        };
        let contests = plan.contests.iter().enumerate().map(|(i, planned)| (key(planned), i));
        Places { contests: contests.collect() }
    }

    fn find(&self, key: &Key) -> Option<usize> {
        self.contests.get(key).copied()
    }
}

/// As much of a record as says which one it is.
#[derive(Deserialize)]
struct Mark {
    game: Named,
    agents: Vec<Named>,
    budget: String,
    /// Of a game or a run.
    unit: Option<u64>,
    #[serde(default)]
    seating: usize,
    /// Of a search.
    search: Option<u64>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Which games, searches or runs of a plan are recorded: contest and number. Only a little of every line is
/// looked at, since there may be very many.
pub(super) fn recorded(
    layout: &Layout,
    plan: &Plan,
) -> Result<FxHashSet<(usize, GameNumber)>, ExperimentError> {
    let places = Places::new(plan);
    let mut found = FxHashSet::default();
    for path in files(&layout.all_records(), "jsonl")? {
        read_marks(&path, &places, &mut found)?;
    }
    Ok(found)
}

fn read_marks(
    path: &Path,
    places: &Places,
    found: &mut FxHashSet<(usize, GameNumber)>,
) -> Result<(), ExperimentError> {
    read_lines(path, |mark: Mark| {
        let agents = mark.agents.into_iter().map(|agent| agent.name).collect();
        let key = Key { game: mark.game.name, agents, budget: mark.budget };
        if let (Some(contest), Some(unit)) = (places.find(&key), mark.unit.or(mark.search)) {
            found.insert((contest, GameNumber { unit, seating: mark.seating }));
        }
    })?;
    Ok(())
}
