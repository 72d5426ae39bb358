//! Moving out of the way what is damaged in the directory of an experiment. Nothing is thrown away: damaged lines of
//! `records/NAME.jsonl` are kept in `records/NAME.jsonl.damaged`, other damaged files as they are, with the same
//! ending.
//!
//! Whatever happens in between, every record is in a file that is read. A file is replaced by a whole new one, after
//! the lines that are not in it are on the disk. Files of processes that are at work are left alone. If one is at
//! work that nobody can know of, say behind a network that was split, it writes to the old file until it
//! notices (see [`RecordFile::append`](crate::RecordFile::append)), and what it has written until then is taken
//! over here: it looks after writing, we look after replacing.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::claim::{Attempt, Claim, Holder, Purpose, living};
use super::damage::{Damage, DamagedLine};
use super::error::ExperimentError;
use super::layout::{Layout, files, read_json, write_whole_with};
use super::manifest::Manifest;
use super::plan::Plan;
use super::record_check::{RecordCheck, open};
use crate::calibration::Calibrations;
use crate::record_line::{Flaw, LineReader};

/// What was done, or is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Repair {
    /// Files of records that have damaged lines.
    pub files: Vec<RepairedFile>,
    /// Other files that are damaged as a whole.
    pub set_aside: Vec<SetAside>,
    /// Files of records with damaged lines that somebody is writing: they are left alone.
    pub in_use: Vec<InUse>,
    /// True if it was asked to stop before everything was looked at.
    pub interrupted: bool,
}

/// A file of records that has damaged lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RepairedFile {
    /// The file.
    pub file: PathBuf,
    /// Where the lines are kept.
    pub moved_to: PathBuf,
    /// How many lines were moved.
    pub moved: u64,
    /// How many records are left.
    pub kept: u64,
    /// The first of the lines.
    pub lines: Vec<DamagedLine>,
}

/// A file that is damaged as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SetAside {
    /// The file.
    pub file: PathBuf,
    /// Where it is kept.
    pub moved_to: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// A file that somebody is writing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InUse {
    /// The file.
    pub file: PathBuf,
    /// Who; nothing if that cannot be read.
    pub holder: Option<Holder>,
}

/// Moves out of the way what is damaged in a directory, or only says what is.
///
/// # Errors
/// There is no experiment, it is being repaired, or the file system says no. What was not said to be moved is
/// as it was.
pub fn repair(
    layout: &Layout,
    dry_run: bool,
    stop: &AtomicBool,
) -> Result<Repair, ExperimentError> {
    let root = layout.root().display();
    if !layout.exists() {
        return Err(ExperimentError::Refused(format!("there is no experiment in {root}")));
    }
    let _claim = match dry_run {
        true => None,
        false => {
            layout.create()?;
            let name = format!("repair-{}", super::worker::worker_name(super::Shard::ALL));
            match Claim::attempt(layout, &name, Purpose::Repair)? {
                Attempt::Ours(claim) => Some(claim),
                Attempt::Taken(holder) => {
                    return Err(ExperimentError::Refused(format!(
                        "{root} is being repaired by process {} on {}",
                        holder.process, holder.host
                    )));
                }
            }
        }
    };
    let mut repair = Repair::default();
    let calibration = layout.calibration();
    if calibration.exists()
        && let Err(error) = read_json::<Calibrations>(&calibration)
    {
        repair.set_aside(calibration, error, dry_run)?;
    }
    for path in files(&layout.manifests(), "json")? {
        if let Err(error) = read_json::<Manifest>(&path) {
            repair.set_aside(path, error, dry_run)?;
        }
    }
    let plan: Plan = match read_json(&layout.plan()) {
        Ok(plan) => plan,
        Err(error) => {
            // Nobody knows which records belong to it.
            repair.set_aside(layout.plan(), error, dry_run)?;
            return Ok(repair);
        }
    };
    let check = RecordCheck::new(&plan);
    let all = files(&layout.all_records(), "jsonl")?;
    // In this order: whoever has a file has said before that he is at work.
    let living = living(layout)?;
    for path in all {
        let mut file = open(&path)?;
        let Some(mut found) = Found::scan(&path, &mut file, &check, stop)? else {
            repair.interrupted = true;
            break;
        };
        let worker = path.file_stem().unwrap_or_default();
        if let Some((_, holder)) = living.iter().find(|(name, _)| **name == *worker) {
            // A line that is being written looks as if it were cut off.
            if found.damage.count > 0 {
                repair.in_use.push(InUse { file: path, holder: holder.clone() });
            }
            continue;
        }
        if found.damaged.is_empty() {
            continue;
        }
        if !dry_run {
            found.replace(&path, &mut file)?;
        }
        repair.files.push(found.told(&path));
    }
    Ok(repair)
}

impl Repair {
    /// True if there is nothing to repair.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.set_aside.is_empty() && self.in_use.is_empty()
    }

    /// Gives a damaged file another name. Other errors are errors.
    fn set_aside(
        &mut self,
        file: PathBuf,
        error: ExperimentError,
        dry_run: bool,
    ) -> Result<(), ExperimentError> {
        let ExperimentError::Damaged { message: why, .. } = error else { return Err(error) };
        let moved_to = free_name(&file);
        if !dry_run {
            std::fs::rename(&file, &moved_to).map_err(ExperimentError::io(&file, "move"))?;
        }
        self.set_aside.push(SetAside { file, moved_to, why });
        Ok(())
    }
}

/// The name of what is kept of a damaged file.
fn kept_name(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    name.into()
}

/// A name that no file has.
fn free_name(file: &Path) -> PathBuf {
    let first = kept_name(file, ".damaged");
    let others = (2..).map(|number| kept_name(file, &format!(".damaged-{number}")));
    let free = std::iter::once(first.clone()).chain(others).find(|name| !name.exists());
    free.unwrap_or(first)
}

/// What was found in a file of records.
struct Found {
    damage: Damage,
    /// The bytes of the file with good lines, and those with damaged ones; blank lines are good.
    good: Vec<Range<u64>>,
    damaged: Vec<Range<u64>>,
    /// How many of either.
    kept: u64,
    moved: u64,
    /// Where the file ended.
    end: u64,
}

impl Found {
    /// Looks at all lines; nothing if it was stopped.
    fn scan(
        path: &Path,
        file: &mut File,
        check: &RecordCheck<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<Self>, ExperimentError> {
        let mut found = Found {
            damage: Damage::default(),
            good: Vec::new(),
            damaged: Vec::new(),
            kept: 0,
            moved: 0,
            end: 0,
        };
        let mut lines = LineReader::new(&mut *file);
        // Whether the line before was good, and where it began.
        let mut before: Option<(bool, u64)> = None;
        while let Some(line) = lines.next().map_err(ExperimentError::io(path, "read"))? {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let judged = check.judge(&line);
            if let Some((was_good, start)) = before {
                found.add(was_good, start..line.start);
            }
            before = Some((!matches!(judged, Some(Err(_))), line.start));
            match judged {
                None => {}
                Some(Ok(_)) => found.kept += 1,
                Some(Err(flaw)) => {
                    found.moved += 1;
                    found.note(path, line.number, flaw);
                }
            }
        }
        found.end = lines.position();
        if let Some((was_good, start)) = before {
            found.add(was_good, start..found.end);
        }
        Ok(Some(found))
    }

    fn note(&mut self, path: &Path, line: u64, flaw: Flaw) {
        if flaw == Flaw::Torn {
            let file = path.to_owned();
            self.damage.lines.push(DamagedLine { file, line, why: flaw.clone() });
        }
        self.damage.add(path, line, flaw);
    }

    /// Adds bytes behind those that are known.
    fn add(&mut self, good: bool, bytes: Range<u64>) {
        let ranges = if good { &mut self.good } else { &mut self.damaged };
        match ranges.last_mut() {
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => ranges.push(bytes),
        }
    }

    /// Moves the damaged lines into the file beside it, behind those that are there from an earlier repair.
    fn replace(&mut self, path: &Path, file: &mut File) -> Result<(), ExperimentError> {
        let beside = kept_name(path, ".damaged");
        write_whole_with(&beside, |new| {
            match File::open(&beside) {
                Ok(mut old) => drop(io::copy(&mut old, new)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            copy(file, &self.damaged, new)?;
            // A line that was cut off has no end.
            if self.damaged.last().is_some_and(|last| last.end == self.end) {
                file.seek(SeekFrom::Start(self.end - 1))?;
                let mut last = [0];
                file.read_exact(&mut last)?;
                if last != [b'\n'] {
                    new.write_all(b"\n")?;
                }
            }
            Ok(())
        })?;
        write_whole_with(path, |new| copy(file, &self.good, new))?;
        self.take_over(path, file).map_err(ExperimentError::io(path, "write"))
    }

    /// Takes over what was written to the old file after it was read.
    fn take_over(&self, path: &Path, old: &mut File) -> io::Result<()> {
        old.seek(SeekFrom::Start(self.end))?;
        let mut late = Vec::new();
        old.read_to_end(&mut late)?;
        if late.is_empty() {
            return Ok(());
        }
        let mut new = OpenOptions::new().append(true).open(path)?;
        new.write_all(&late)?;
        new.sync_all()
    }

    fn told(self, path: &Path) -> RepairedFile {
        RepairedFile {
            file: path.to_owned(),
            moved_to: kept_name(path, ".damaged"),
            moved: self.moved,
            kept: self.kept,
            lines: self.damage.lines,
        }
    }
}

fn copy(file: &mut File, ranges: &[Range<u64>], to: &mut File) -> io::Result<()> {
    for range in ranges {
        file.seek(SeekFrom::Start(range.start))?;
        let length = range.end - range.start;
        let copied = io::copy(&mut (&mut *file).take(length), to)?;
        if copied != length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it became shorter"));
        }
    }
    Ok(())
}
