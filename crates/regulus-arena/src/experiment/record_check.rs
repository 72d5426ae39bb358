//! Whether a line of a file of records is a record of an experiment. Everybody who reads records asks here, so that
//! what is left out of a report is what is played again.

use std::fs::File;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::damage::Damage;
use super::error::ExperimentError;
use super::plan::{Plan, PlannedContest};
use crate::record::{Origin, Record};
use crate::record_line::{Flaw, Line, LineReader, Parsed};

/// What says which contest of a plan a record belongs to. It is made of names, since those are unique in
/// a plan, and do not change when a later version has more parameters.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Key {
    game: String,
    agents: Vec<String>,
    budget: String,
}

/// Judges lines by a plan.
pub(super) struct RecordCheck<'p> {
    plan: &'p Plan,
    contests: FxHashMap<Key, usize>,
}

impl<'p> RecordCheck<'p> {
    pub fn new(plan: &'p Plan) -> Self {
        let key = |planned: &PlannedContest| Key {
            game: planned.game.clone(),
            agents: planned.agents.clone(),
            budget: planned.budget.clone(),
        };
        let contests = plan.contests.iter().enumerate().map(|(i, planned)| (key(planned), i));
        RecordCheck { plan, contests: contests.collect() }
    }

    /// The contest and the record of a line.
    pub fn judge(&self, line: &Line<'_>) -> Parsed<(usize, Box<dyn Record>)> {
        let record = self.plan.kind.record(line)?;
        Some(record.and_then(|record| Ok((self.place(&*record)?, record))))
    }

    /// The contest of a record that can be true.
    fn place(&self, record: &dyn Record) -> Result<usize, Flaw> {
        let contest = self.contest(record).map_err(Flaw::Foreign)?;
        record.contradiction().map_or(Ok(contest), |why| Err(Flaw::Contradiction(why)))
    }

    /// The contest of a record, or what is another one in it.
    fn contest(&self, record: &dyn Record) -> Result<usize, String> {
        let plan = self.plan;
        let Origin { experiment, seed, game, agents, budget, .. } = record.origin();
        if experiment != plan.experiment {
            return Err(format!("`{experiment}`"));
        }
        let agents = agents.iter().map(|agent| agent.name.clone()).collect();
        let key = Key { game: game.name.clone(), agents, budget: budget.to_owned() };
        let Some(&contest) = self.contests.get(&key) else {
            let Key { game, agents, budget } = key;
            return Err(format!("{game}, {}, {budget} is not planned", agents.join(" against ")));
        };
        if seed != plan.seed {
            return Err(format!("seed {seed} instead of {}", plan.seed));
        }
        let planned_game = plan.games.iter().find(|planned| planned.name == game.name);
        if planned_game.is_some_and(|planned| planned.sha256 != game.sha256) {
            return Err(format!("other rules of {}", game.name));
        }
        let planned = &plan.contests[contest];
        let (number, per_unit) = (record.number(), planned.games / planned.units.max(1));
        if number.unit >= planned.units || number.seating as u64 >= per_unit {
            let (unit, seating) = (number.unit, number.seating);
            return Err(format!("unit {unit}, seating {seating} is not planned"));
        }
        Ok(contest)
    }

    /// Reads the records of a file; what is wrong with other lines is added to the damage.
    pub fn read(
        &self,
        path: &Path,
        damage: &mut Damage,
        mut each: impl FnMut(usize, Box<dyn Record>),
    ) -> Result<(), ExperimentError> {
        let mut lines = LineReader::new(open(path)?);
        while let Some(line) = lines.next().map_err(ExperimentError::io(path, "read"))? {
            match self.judge(&line) {
                None => {}
                Some(Ok((contest, record))) => each(contest, record),
                Some(Err(flaw)) => damage.add(path, line.number, flaw),
            }
        }
        Ok(())
    }
}

/// Opens a file of records. A pipe or a device of this name would never end.
pub(super) fn open(path: &Path) -> Result<File, ExperimentError> {
    let is_file = std::fs::metadata(path).map_err(ExperimentError::io(path, "read"))?.is_file();
    if !is_file {
        let why = "it is no regular file; nothing else may be among the records";
        return Err(ExperimentError::damaged(path, why));
    }
    File::open(path).map_err(ExperimentError::io(path, "read"))
}
