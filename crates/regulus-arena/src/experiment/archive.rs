//! Everything that is in the directory of an experiment.

use rustc_hash::FxHashSet;

use super::damage::Damage;
use super::declaration::{Declaration, Kind};
use super::error::ExperimentError;
use super::layout::{Layout, files, read_json, read_plan, read_whole};
use super::manifest::Manifest;
use super::plan::{Plan, PlannedContest};
use super::record_check::{PlannedRecord, RecordCheck};
use super::speed::SpeedRecord;
use crate::calibration::Calibrations;
use crate::contest::GameNumber;
use crate::record::Record;
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
    /// What is left out.
    pub damage: Damage,
    /// Records that are there more than once; the earliest counts.
    pub repeated: usize,
}

impl Archive {
    /// Reads the directory of an experiment.
    pub fn read(layout: &Layout) -> Result<Self, ExperimentError> {
        if !layout.exists() {
            let root = layout.root().display();
            return Err(ExperimentError::Refused(format!("there is no experiment in {root}")));
        }
        let path = layout.declaration();
        let text = read_whole(&path)?;
        let declaration = Declaration::parse(&text)
            .map_err(|error| ExperimentError::Declaration { path, error })?;
        let plan = read_plan(layout)?;
        let (mut manifests, mut damage) = (Vec::new(), Damage::default());
        for path in files(&layout.manifests(), "json")? {
            match read_json(&path) {
                Ok(manifest) => manifests.push(manifest),
                Err(ExperimentError::Damaged { message, .. }) => {
                    damage.manifests.push((path, message));
                }
                Err(other) => return Err(other),
            }
        }
        let mut archive = Archive {
            declaration,
            calibrations: read_calibrations(layout)?,
            manifests,
            contests: Vec::new(),
            damage,
            repeated: 0,
            plan,
        };
        let games = match archive.plan.kind {
            Kind::Matches => archive.sort(layout, Games::Matches)?,
            Kind::Speed => archive.sort(layout, Games::Speed)?,
            Kind::Video => archive.sort(layout, Games::Video)?,
        };
        let contests = archive.plan.contests.iter().cloned().zip(games);
        archive.contests =
            contests.map(|(planned, games)| ContestArchive { planned, games }).collect();
        Ok(archive)
    }

    /// How many games, searches or runs are there.
    pub fn played(&self) -> usize {
        self.contests.iter().map(ContestArchive::len).sum()
    }

    /// Reads all records and sorts them into contests.
    fn sort<T: PlannedRecord>(
        &mut self,
        layout: &Layout,
        finish: impl Fn(Vec<T>) -> Games,
    ) -> Result<Vec<Games>, ExperimentError> {
        let check = RecordCheck::new(&self.plan);
        let mut contests: Vec<Vec<T>> = self.plan.contests.iter().map(|_| Vec::new()).collect();
        for path in files(&layout.all_records(), "jsonl")? {
            check
                .read(&path, &mut self.damage, |contest, record| contests[contest].push(record))?;
        }
        let repeated = &mut self.repeated;
        Ok(contests.into_iter().map(|all| finish(unique(all, repeated))).collect())
    }
}

/// Measurements of a directory; none if there is no file of them.
pub(super) fn read_calibrations(layout: &Layout) -> Result<Calibrations, ExperimentError> {
    let path = layout.calibration();
    if !path.exists() {
        return Ok(Calibrations::default());
    }
    read_json(&path).map_err(|error| match error {
        ExperimentError::Damaged { path, message } => {
            let advice = format!(
                "games before and after it is measured again would have other limits: bring the file back from a copy, \
                 or set it aside with `regulus experiment repair {}`",
                layout.root().display()
            );
            let why = format!("the measurements are damaged: {message}\n{advice}");
            ExperimentError::damaged(&path, why)
        }
        other => other,
    })
}

/// Sorts records by their numbers, leaving the earliest of each.
fn unique<T: PlannedRecord>(mut all: Vec<T>, repeated: &mut usize) -> Vec<T> {
    let before = all.len();
    all.sort_by(|one, other| {
        let by_number = one.number().cmp(&other.number());
        by_number.then(one.origin().started.total_cmp(&other.origin().started))
    });
    all.dedup_by_key(|record| record.number());
    *repeated += before - all.len();
    all
}

/// Which games, searches or runs of a plan are recorded, contest and number, and what is left out.
pub(super) fn recorded(
    layout: &Layout,
    plan: &Plan,
) -> Result<(FxHashSet<(usize, GameNumber)>, Damage), ExperimentError> {
    match plan.kind {
        Kind::Matches => numbers::<Record>(layout, plan),
        Kind::Speed => numbers::<SpeedRecord>(layout, plan),
        Kind::Video => numbers::<VideoRecord>(layout, plan),
    }
}

fn numbers<T: PlannedRecord>(
    layout: &Layout,
    plan: &Plan,
) -> Result<(FxHashSet<(usize, GameNumber)>, Damage), ExperimentError> {
    let check = RecordCheck::new(plan);
    let (mut found, mut damage) = (FxHashSet::default(), Damage::default());
    for path in files(&layout.all_records(), "jsonl")? {
        check.read(&path, &mut damage, |contest, record: T| {
            found.insert((contest, record.number()));
        })?;
    }
    Ok((found, damage))
}
