//! Everything that is in the directory of an experiment.

use std::any::Any;

use rustc_hash::FxHashSet;

use super::damage::Damage;
use super::declaration::Declaration;
use super::error::ExperimentError;
use super::kind::Kind;
use super::layout::{Layout, files, read_json, read_plan, read_whole};
use super::manifest::Manifest;
use super::plan::{Plan, PlannedContest};
use super::record_check::RecordCheck;
use crate::board::{BoardRecord, SpeedRecord};
use crate::calibration::Calibrations;
use crate::contest::GameNumber;
use crate::record::Record;
use crate::video::VideoRecord;

/// What was played of a contest.
#[derive(Clone, PartialEq, Debug)]
pub enum Games {
    /// Games, in the order of [`GameNumber`], each once.
    Matches(Vec<BoardRecord>),
    /// Searches, by number, each once.
    Speed(Vec<SpeedRecord>),
    /// Runs of a video game, by number, each once.
    Video(Vec<VideoRecord>),
}

impl Games {
    /// Records of a kind of experiment, which has no others.
    fn new(kind: Kind, records: Vec<Box<dyn Record>>) -> Self {
        fn all<T: Record>(records: Vec<Box<dyn Record>>) -> Vec<T> {
            let one = |record: Box<dyn Record>| (record as Box<dyn Any>).downcast().ok();
            records.into_iter().filter_map(one).map(|record| *record).collect()
        }
        match kind {
            Kind::Matches => Games::Matches(all(records)),
            Kind::Speed => Games::Speed(all(records)),
            Kind::Video => Games::Video(all(records)),
        }
    }
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
    pub fn records(&self) -> &[BoardRecord] {
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
        let records = archive.sort(layout)?;
        let (kind, planned) = (archive.plan.kind, archive.plan.contests.iter().cloned());
        let contest = |(planned, all)| ContestArchive { planned, games: Games::new(kind, all) };
        archive.contests = planned.zip(records).map(contest).collect();
        Ok(archive)
    }

    /// How many games, searches or runs are there.
    pub fn played(&self) -> usize {
        self.contests.iter().map(ContestArchive::len).sum()
    }

    /// Reads all records and sorts them into contests, each record once.
    fn sort(&mut self, layout: &Layout) -> Result<Vec<Vec<Box<dyn Record>>>, ExperimentError> {
        let check = RecordCheck::new(&self.plan);
        let mut contests: Vec<Vec<_>> = self.plan.contests.iter().map(|_| Vec::new()).collect();
        for path in files(&layout.all_records(), "jsonl")? {
            check
                .read(&path, &mut self.damage, |contest, record| contests[contest].push(record))?;
        }
        for records in &mut contests {
            self.repeated += leave_earliest(records);
        }
        Ok(contests)
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

/// Sorts records by their numbers, leaving the earliest of each; gives how many others there were.
fn leave_earliest(records: &mut Vec<Box<dyn Record>>) -> usize {
    let before = records.len();
    records.sort_by(|one, other| {
        let by_number = one.number().cmp(&other.number());
        by_number.then(one.origin().started.total_cmp(&other.origin().started))
    });
    records.dedup_by_key(|record| record.number());
    before - records.len()
}

/// Which games, searches or runs of a plan are recorded, contest and number, and what is left out.
pub(super) fn recorded(
    layout: &Layout,
    plan: &Plan,
) -> Result<(FxHashSet<(usize, GameNumber)>, Damage), ExperimentError> {
    let check = RecordCheck::new(plan);
    let (mut found, mut damage) = (FxHashSet::default(), Damage::default());
    for path in files(&layout.all_records(), "jsonl")? {
        check.read(&path, &mut damage, |contest, record| {
            found.insert((contest, record.number()));
        })?;
    }
    Ok((found, damage))
}
