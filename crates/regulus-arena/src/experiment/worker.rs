//! Working on an experiment: everything of a share that is not recorded yet is played and recorded.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashSet;

use super::Experiment;
use super::archive::{read_calibrations, recorded};
use super::claim::{Attempt, BEAT, Claim, Holder, Purpose};
use super::damage::Damage;
use super::error::ExperimentError;
use super::journal::Journal;
use super::layout::{Layout, write_json};
use super::machine;
use super::roster::Unmeasured;
use super::shard::Shard;
use crate::budget::Budget;
use crate::calibration::{Calibration, Calibrations};
use crate::contest::{CompiledContest, Contest, GameNumber};
use crate::parallel::{self, Order, Threads};
use crate::record::Record;
use crate::record_file::RecordFile;

/// What to do if somebody else has the share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// Give up.
    None,
    /// Wait until it is free: what is left then is played.
    Wait,
}

/// How a share is worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// The share.
    pub shard: Shard,
    /// How many games at once; one for every processor if nothing is said, one where speed is measured or
    /// video games are played by the clock.
    pub threads: Option<usize>,
    /// If somebody else has the share.
    pub patience: Patience,
}

/// What happens while a share is worked on.
pub enum Event<'e> {
    /// Somebody else has the share; we wait.
    Waiting(&'e Holder),
    /// A baseline is measured for a limit.
    Measuring {
        /// The name of the game.
        game: &'e str,
        /// The limit.
        limit: String,
    },
    /// Lines of records are left out: their games are played again.
    Damaged(&'e Damage),
    /// Games begin.
    Begin {
        /// How many are to be played.
        missing: u64,
        /// How many are there already.
        recorded: u64,
        /// How many at once.
        threads: usize,
        /// True if some limit is a time.
        timed: bool,
    },
    /// A game has rules for which there is no native code.
    Interpreted {
        /// The name of the game.
        game: &'e str,
        /// Why.
        why: &'e str,
    },
    /// Something was recorded.
    Recorded(&'e dyn Record),
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Worked {
    /// Games, searches or runs of the share.
    pub total: u64,
    /// How many were there before.
    pub before: u64,
    /// How many were played.
    pub played: u64,
    /// How many of these were lost by a fault or cannot count.
    pub faults: u64,
    /// True if it was stopped.
    pub interrupted: bool,
}

/// A record is on the disk after this time at the latest, if the machine loses power.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// How often a share that somebody else has is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Everybody may come at the same time again and again; after this number of attempts it is no accident.
const ATTEMPTS: usize = 5;

/// Works on a share of an experiment until everything is recorded or `stop` is set.
pub fn work(
    layout: &Layout,
    experiment: &Experiment,
    work: Work,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Worked, ExperimentError> {
    layout.create()?;
    let name = worker_name(work.shard);
    let purpose = Purpose::Shard(work.shard.index, work.shard.count);
    let stopped = Worked { interrupted: true, ..Worked::default() };
    let claim = claim(layout, &name, purpose, work.patience, stop, watch)?;
    let Some(_claim) = claim else { return Ok(stopped) };
    let Some(calibrations) = calibrate(layout, experiment, &name, stop, watch)? else {
        return Ok(stopped);
    };
    let (there, damage) = recorded(layout, &experiment.plan)?;
    if damage.count > 0 {
        watch(Event::Damaged(&damage));
    }
    let queue = WorkQueue::new(experiment, work, &calibrations, &there)?;
    if queue.jobs.is_empty() {
        return Ok(Worked { total: queue.before, before: queue.before, ..Worked::default() });
    }
    watch(Event::Begin {
        missing: queue.jobs.len() as u64,
        recorded: queue.before,
        threads: queue.threads.count,
        timed: queue.contests.iter().flatten().any(|contest| contest.is_timed()),
    });
    queue.play(layout, &name, stop, watch)
}

/// A name that no other worker has: another process of this machine has another number, and one that has
/// the same number has it at another time.
pub(super) fn worker_name(shard: Shard) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    let host: String = machine::host().chars().map(safe).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    let (index, count, process) = (shard.index, shard.count, std::process::id());
    format!("{index}of{count}-{host}-{process}-{now:x}")
}

/// Gets a claim, if need be after waiting; nothing if it was stopped.
fn claim(
    layout: &Layout,
    name: &str,
    purpose: Purpose,
    patience: Patience,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Claim>, ExperimentError> {
    for attempt in 1.. {
        let holder = match Claim::attempt(layout, name, purpose)? {
            Attempt::Ours(claim) => return Ok(Some(claim)),
            Attempt::Taken(holder) => holder,
        };
        if patience == Patience::None && attempt == ATTEMPTS {
            return Err(ExperimentError::Refused(format!(
                "{} is being worked on by process {} on {}",
                layout.root().display(),
                holder.process,
                holder.host
            )));
        }
        if patience == Patience::Wait && attempt == ATTEMPTS {
            watch(Event::Waiting(&holder));
        }
        // Two that come at the same time again and again would never get it: they differ in their number.
        let apart = Duration::from_millis(u64::from(std::process::id() % 97));
        let pause = if attempt < ATTEMPTS { Duration::from_millis(5) } else { LOOK_EVERY };
        std::thread::sleep(pause + apart);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(None)
}

/// Measures what limits need and nobody has measured; nothing if it was stopped. Others wait, since all
/// must have the same limits.
fn calibrate(
    layout: &Layout,
    experiment: &Experiment,
    name: &str,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Calibrations>, ExperimentError> {
    let known = read_calibrations(layout)?;
    if experiment.unmeasured(&known)?.is_empty() {
        return Ok(Some(known));
    }
    let name = format!("{name}-calibration");
    let claim = claim(layout, &name, Purpose::Calibration, Patience::Wait, stop, watch)?;
    let Some(_claim) = claim else { return Ok(None) };
    // Whoever had it before us may have measured everything.
    let mut known = read_calibrations(layout)?;
    for missing in experiment.unmeasured(&known)? {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let (game, baseline, time) = missing;
        let limit = Budget::Calibrated(baseline, time).to_string();
        watch(Event::Measuring { game: game.name(), limit });
        let measured = measure(missing)?;
        known.all.push(measured);
        write_json(&layout.calibration(), &known)?;
    }
    Ok(Some(known))
}

fn measure((game, baseline, time): Unmeasured<'_>) -> Result<Calibration, ExperimentError> {
    Calibration::measure(game, baseline, time, Calibration::time(baseline)).map_err(|failure| {
        let (agent, game) = (baseline.agent(), game.name());
        ExperimentError::Refused(format!("{agent} cannot be measured on {game}: {failure}"))
    })
}

/// The round in which a unit of a contest is played. Rounds become longer, so that a contest is prepared only
/// a few times.
fn round(unit: u64) -> u32 {
    u64::BITS - unit.leading_zeros()
}

/// What is left for a worker to do.
struct WorkQueue<'e> {
    experiment: &'e Experiment,
    shard: Shard,
    threads: Threads,
    /// The contests that something is missing of.
    contests: Vec<Option<Box<dyn Contest>>>,
    /// What is missing: contest and number.
    jobs: Vec<(usize, GameNumber)>,
    /// How many games of the share are recorded.
    before: u64,
}

impl<'e> WorkQueue<'e> {
    fn new(
        experiment: &'e Experiment,
        work: Work,
        calibrations: &Calibrations,
        there: &FxHashSet<(usize, GameNumber)>,
    ) -> Result<Self, ExperimentError> {
        let plan = &experiment.plan;
        let mut contests: Vec<Option<Box<dyn Contest>>> =
            plan.contests.iter().map(|_| None).collect();
        let (mut jobs, mut before) = (Vec::new(), 0);
        for unit in plan.units().filter(|unit| work.shard.contains(unit.index)) {
            let planned = &plan.contests[unit.contest];
            for seating in 0..(planned.games / planned.units.max(1)) as usize {
                let number = GameNumber { unit: unit.unit, seating };
                if there.contains(&(unit.contest, number)) {
                    before += 1;
                    continue;
                }
                jobs.push((unit.contest, number));
                if contests[unit.contest].is_none() {
                    let contest = experiment.contest(unit.contest, calibrations)?;
                    contests[unit.contest] = Some(contest);
                }
            }
        }
        // In rounds of one unit, one more, two, four, ...: what is stopped early has something of every contest.
        jobs.sort_by_key(|(_, number)| round(number.unit));
        let threads =
            Threads::of(contests.iter().flatten().map(|contest| &**contest), work.threads);
        Ok(WorkQueue { experiment, shard: work.shard, threads, contests, jobs, before })
    }

    fn play(
        &self,
        layout: &Layout,
        name: &str,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Worked, ExperimentError> {
        let journal =
            Journal::begin(layout, name, &self.experiment.plan, self.shard, self.threads)?;
        let mut file = RecordFile::open(&layout.records(name))?;
        let mut worked = Worked {
            total: self.before + self.jobs.len() as u64,
            before: self.before,
            ..Worked::default()
        };
        let mut trouble = None;
        let mut synced = Instant::now();
        let mut noted = FxHashSet::default();
        let journal_of_thread = &journal;
        let (end, ended) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(BEAT) {
                    journal_of_thread.beat();
                }
            });
            parallel::run(
                self.compiled_jobs(),
                self.threads,
                // Not in the order of jobs: a finished game would wait for a long one, and be lost with it.
                Order::Finished,
                stop,
                |(contest, number): (Arc<dyn CompiledContest + '_>, GameNumber), stop| {
                    let record = contest.play(number, stop)?;
                    Some((record, contest.why_interpreted().map(str::to_owned)))
                },
                |(record, why)| {
                    let synced_now = synced.elapsed() > SYNC_EVERY;
                    let written = file.append(&*record).and_then(|()| match synced_now {
                        true => file.sync(),
                        false => Ok(()),
                    });
                    if synced_now {
                        synced = Instant::now();
                    }
                    if let Err(error) = written {
                        trouble = Some(error);
                        return ControlFlow::Break(());
                    }
                    worked.played += 1;
                    worked.faults += u64::from(record.is_fault());
                    journal.count();
                    if let Some(why) = &why {
                        let game = record.origin().game.name.as_str();
                        if noted.insert(game.to_owned()) {
                            watch(Event::Interpreted { game, why });
                        }
                    }
                    watch(Event::Recorded(&*record));
                    ControlFlow::Continue(())
                },
            );
            drop(end);
        });
        worked.interrupted =
            stop.load(Ordering::Relaxed) && worked.before + worked.played < worked.total;
        let ended = file.sync().map_err(ExperimentError::from);
        let ended = ended.and(journal.end(worked.interrupted));
        match trouble {
            Some(error) => Err(error.into()),
            None => ended.map(|()| worked),
        }
    }

    /// The jobs with their contests, which are compiled when their first job is taken, by the thread that
    /// takes it: others are not disturbed in their searches. Contests are forgotten after their last job of a
    /// round.
    fn compiled_jobs(
        &self,
    ) -> impl Iterator<Item = (Arc<dyn CompiledContest + '_>, GameNumber)> + Send + '_ {
        let mut current: Option<(usize, Arc<dyn CompiledContest + '_>)> = None;
        self.jobs.iter().filter_map(move |(index, number)| {
            if current.as_ref().is_none_or(|(open, _)| open != index) {
                let contest = self.contests[*index].as_ref()?;
                current = Some((*index, contest.compile().into()));
            }
            current.as_ref().map(|(_, contest)| (Arc::clone(contest), *number))
        })
    }
}
