//! Everything that is in the directory of an experiment.

use std::any::Any;

use rustc_hash::FxHashSet;

use super::damage::Damage;
use super::declaration::Declaration;
use super::error::ExperimentError;
use super::layout::{Layout, files, read_json, read_plan, read_whole};
use super::manifest::Manifest;
use super::plan::{Plan, PlannedContest};
use super::record_check::RecordCheck;
use crate::calibration::Calibrations;
use crate::contest::GameNumber;
use crate::record::Record;

/// A contest and what was played of it.
#[derive(Debug)]
pub struct ContestArchive {
    /// The contest.
    pub planned: PlannedContest,
    /// Its games, searches or runs, in the order of [`GameNumber`], each once.
    pub records: Vec<Box<dyn Record>>,
}

impl ContestArchive {
    /// The records of one kind; a contest has no others, or none of this kind.
    pub fn records<R: Record>(&self) -> impl Iterator<Item = &R> {
        self.records.iter().filter_map(|record| {
            let record: &dyn Any = &**record;
            record.downcast_ref()
        })
    }
}

/// Everything that is in the directory of an experiment.
#[derive(Debug)]
pub struct Archive {
    /// The declaration.
    pub declared: Declaration,
    /// What is played of it.
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
        let declared = Declaration::parse(&text)
            .map_err(|error| ExperimentError::Declaration { path, error })?;
        let plan = read_plan(layout)?;
        let declaration = declared.sized(&plan.extent).map_err(ExperimentError::Refused)?;
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
            declared,
            declaration,
            calibrations: read_calibrations(layout)?,
            manifests,
            contests: Vec::new(),
            damage,
            repeated: 0,
            plan,
        };
        let planned = archive.plan.contests.iter().cloned();
        let contest = |planned| ContestArchive { planned, records: Vec::new() };
        archive.contests = planned.map(contest).collect();
        archive.read_records(layout)?;
        Ok(archive)
    }

    /// How many games, searches or runs are there.
    pub fn played(&self) -> usize {
        self.contests.iter().map(|contest| contest.records.len()).sum()
    }

    /// Reads all records and sorts them into contests, each record once.
    fn read_records(&mut self, layout: &Layout) -> Result<(), ExperimentError> {
        let check = RecordCheck::new(&self.plan);
        for path in files(&layout.all_records(), "jsonl")? {
            check.read(&path, &mut self.damage, |contest, record| {
                self.contests[contest].records.push(record);
            })?;
        }
        for contest in &mut self.contests {
            self.repeated += leave_earliest(&mut contest.records);
        }
        Ok(())
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
