//! Whether a line of a file of records is a record of an experiment. Everybody who reads records asks here, so that
//! what is left out of a report is what is played again.

use std::fs::File;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;

use super::damage::Damage;
use super::error::ExperimentError;
use super::plan::{Plan, PlannedContest};
use super::speed::SpeedRecord;
use crate::contest::GameNumber;
use crate::record::{AgentRecord, GameRecord, Record};
use crate::record_line::{Flaw, Line, LineReader};
use crate::video::VideoRecord;

/// Where a record comes from.
pub(super) struct Origin<'r> {
    experiment: &'r str,
    seed: u64,
    game: &'r GameRecord,
    agents: &'r [AgentRecord],
    budget: &'r str,
    /// When it was begun.
    pub started: f64,
}

/// What is recorded, as far as it says to which experiment it belongs.
pub(super) trait PlannedRecord: DeserializeOwned {
    fn origin(&self) -> Origin<'_>;
    fn number(&self) -> GameNumber;
    fn contradiction(&self) -> Option<String>;
}

/// Records of all kinds say it in the same words.
macro_rules! origin {
    ($record:expr) => {
        Origin {
            experiment: &$record.experiment,
            seed: $record.seed,
            game: &$record.game,
            agents: &$record.agents,
            budget: &$record.budget,
            started: $record.started,
        }
    };
}

impl PlannedRecord for Record {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        Record::number(self)
    }

    fn contradiction(&self) -> Option<String> {
        Record::contradiction(self)
    }
}

impl PlannedRecord for SpeedRecord {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        GameNumber { unit: self.search, seating: 0 }
    }

    fn contradiction(&self) -> Option<String> {
        let possible = self.seconds.is_finite() && self.seconds >= 0.0;
        (!possible).then(|| "a search that took no time that could be".to_owned())
    }
}

impl PlannedRecord for VideoRecord {
    fn origin(&self) -> Origin<'_> {
        origin!(self)
    }

    fn number(&self) -> GameNumber {
        GameNumber { unit: self.unit, seating: 0 }
    }

    fn contradiction(&self) -> Option<String> {
        VideoRecord::contradiction(self)
    }
}

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

    /// The contest and the record of a line, or what is wrong with it; nothing if it is blank.
    pub fn judge<T: PlannedRecord>(&self, line: &Line<'_>) -> Option<Result<(usize, T), Flaw>> {
        let record: T = match line.parse()? {
            Ok(record) => record,
            Err(flaw) => return Some(Err(flaw)),
        };
        Some(match self.contest(&record) {
            Err(why) => Err(Flaw::Foreign(why)),
            Ok(contest) => match record.contradiction() {
                Some(why) => Err(Flaw::Contradiction(why)),
                None => Ok((contest, record)),
            },
        })
    }

    /// The contest of a record, or what is another one in it.
    fn contest<T: PlannedRecord>(&self, record: &T) -> Result<usize, String> {
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
    pub fn read<T: PlannedRecord>(
        &self,
        path: &Path,
        damage: &mut Damage,
        mut each: impl FnMut(usize, T),
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
