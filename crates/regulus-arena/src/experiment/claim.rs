//! Who is working on what, so that nothing is played twice.
//!
//! A claim is a file that its owner alone creates, writes and removes; its name is the owner's. Whoever
//! wants a share creates his file first and looks at the others after that: if a living one overlaps, he
//! takes his own back. Of two that come at once at least one sees the other, and a dead owner's file can
//! be removed by anybody at any time. Should two owners work on the same share all the same, say because
//! the network was split, games are played twice, into two files: nothing is damaged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use regulus_player::bounded_file::read_file;
use serde::{Deserialize, Serialize};

use super::error::ExperimentError;
use super::layout::{Layout, files};
use super::machine::host;
use super::shard::Shard;

/// What is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Playing a share: `i` of `n`.
    Shard(u64, u64),
    /// Measuring what limits need.
    Calibration,
    /// Moving damaged lines out of the way.
    Repair,
}

impl Purpose {
    fn overlaps(self, other: Purpose) -> bool {
        let shard = |purpose| match purpose {
            Purpose::Shard(index, count) => Shard::new(index, count).ok(),
            Purpose::Calibration | Purpose::Repair => None,
        };
        match (shard(self), shard(other)) {
            (Some(one), Some(two)) => one.overlaps(two),
            _ => self == other,
        }
    }
}

/// Whoever has claimed something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Holder {
    /// What.
    pub purpose: Purpose,
    /// On which machine.
    pub host: String,
    /// Which process.
    pub process: u32,
    /// When the system says that it was started: another process may get the same number later.
    pub process_start: Option<u64>,
}

impl Holder {
    /// This process.
    fn this(purpose: Purpose) -> Self {
        let process = std::process::id();
        Holder { purpose, host: host(), process, process_start: process_start(process) }
    }
}

/// How often an owner shows that it lives.
pub const BEAT: Duration = Duration::from_secs(10);

/// An owner on another machine that has not shown itself for this long is dead.
const DEAD_AFTER: Duration = Duration::from_secs(120);

/// A claim has no more bytes.
const MAX_BYTES: u64 = 1 << 16;

/// A share that is ours until it is dropped. A thread shows all the time that we live.
pub struct Claim {
    path: PathBuf,
    /// Dropped to end the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What became of an attempt.
pub enum Attempt {
    /// It is ours.
    Ours(Claim),
    /// Somebody else has it.
    Taken(Holder),
}

impl Claim {
    /// Tries to get a share. The name must be one that nobody else has.
    pub fn attempt(
        layout: &Layout,
        name: &str,
        purpose: Purpose,
    ) -> Result<Attempt, ExperimentError> {
        let path = layout.locks().join(format!("{name}.json"));
        let holder = Holder::this(purpose);
        let text = serde_json::to_vec(&holder);
        let text = text.map_err(|error| ExperimentError::damaged(&path, error))?;
        let create = || {
            let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            file.write_all(&text)?;
            Ok((fs::metadata(&path)?.modified()?, file))
        };
        let (now, file) = create().map_err(ExperimentError::io(&path, "write"))?;
        let (end, ended) = mpsc::channel();
        let thread = std::thread::spawn(move || show_life(file, &text, &ended));
        let claim = Claim { path, end: Some(end), thread: Some(thread) };
        Ok(match claim.rival(layout, &holder, now)? {
            Some(rival) => Attempt::Taken(rival),
            None => Attempt::Ours(claim),
        })
    }

    /// A living owner of something that overlaps. Files of dead ones are removed.
    fn rival(
        &self,
        layout: &Layout,
        us: &Holder,
        now: SystemTime,
    ) -> Result<Option<Holder>, ExperimentError> {
        for path in files(&layout.locks(), "json")? {
            if path == self.path {
                continue;
            }
            let Some((holder, seen)) = read(&path)? else { continue };
            if !is_alive(holder.as_ref(), us, now.duration_since(seen).unwrap_or_default()) {
                // Another one may have removed it already.
                let _ = fs::remove_file(&path);
                continue;
            }
            if let Some(holder) = holder
                && holder.purpose.overlaps(us.purpose)
            {
                return Ok(Some(holder));
            }
        }
        Ok(None)
    }
}

/// Everybody who is at work, by name. Of one that has begun just now the rest may not be known yet.
pub(super) fn living(layout: &Layout) -> Result<Vec<(String, Option<Holder>)>, ExperimentError> {
    let us = Holder::this(Purpose::Repair);
    let now = SystemTime::now();
    let mut found = Vec::new();
    for path in files(&layout.locks(), "json")? {
        let Some((holder, seen)) = read(&path)? else { continue };
        if is_alive(holder.as_ref(), &us, now.duration_since(seen).unwrap_or_default()) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, holder));
        }
    }
    Ok(found)
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and if it has, it is gone.
            let _ = thread.join();
        }
        // If it cannot be removed, it is one of a dead process soon.
        let _ = fs::remove_file(&self.path);
    }
}

/// Shows that the owner lives until there is no more need for it. The file is written, so that its time
/// is that of the file system and not that of this machine, whose clock may differ from others.
fn show_life(mut file: File, text: &[u8], ended: &mpsc::Receiver<()>) {
    while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(BEAT) {
        // Nothing is lost if it fails: at worst somebody plays the same games.
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(text));
    }
}

/// A claim and when it was written; nothing if it is gone. Its text may not be there yet.
fn read(path: &Path) -> Result<Option<(Option<Holder>, SystemTime)>, ExperimentError> {
    let read = || Ok((read_file(path, MAX_BYTES)?, fs::metadata(path)?.modified()?));
    match read() {
        Ok((text, seen)) => Ok(Some((serde_json::from_slice(&text).ok(), seen))),
        Err(error) if error_is_absence(&error) => Ok(None),
        Err(error) => Err(ExperimentError::io(path, "read")(error)),
    }
}

fn error_is_absence(error: &io::Error) -> bool {
    // A file that was removed on another machine may be stale here.
    error.kind() == io::ErrorKind::NotFound || error.kind() == io::ErrorKind::StaleNetworkFileHandle
}

fn is_alive(holder: Option<&Holder>, us: &Holder, silent: Duration) -> bool {
    match holder {
        Some(holder) if holder.host == us.host && us.process_start.is_some() => {
            holder.process_start.is_some() && process_start(holder.process) == holder.process_start
        }
        _ => silent < DEAD_AFTER,
    }
}

/// When a living process was started, in the time of the system; nothing if there is none, or where
/// the system does not tell.
fn process_start(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything. The state comes after it, and the
    // time of the start is field 22 (proc(5)).
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    match fields.first() {
        Some(&"Z" | &"X") | None => None,
        Some(_) => fields.get(19)?.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> (tempfile::TempDir, Layout) {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new(folder.path().join("experiment"));
        layout.create().expect("folders");
        (folder, layout)
    }

    fn claim(layout: &Layout, name: &str, purpose: Purpose) -> Option<Claim> {
        match Claim::attempt(layout, name, purpose).expect("a file") {
            Attempt::Ours(claim) => Some(claim),
            Attempt::Taken(holder) => {
                assert_eq!(holder.process, std::process::id());
                None
            }
        }
    }

    #[test]
    fn overlapping_shares_exclude_each_other() {
        let (_folder, layout) = layout();
        let first = claim(&layout, "a", Purpose::Shard(0, 2)).expect("nobody is there");
        assert!(claim(&layout, "b", Purpose::Shard(0, 1)).is_none());
        assert!(claim(&layout, "c", Purpose::Shard(2, 4)).is_none());
        let other = claim(&layout, "d", Purpose::Shard(1, 2)).expect("another share");
        assert!(claim(&layout, "e", Purpose::Calibration).is_some());
        drop((first, other));
        assert!(claim(&layout, "b", Purpose::Shard(0, 1)).is_some());
        assert_eq!(fs::read_dir(layout.locks()).expect("a folder").count(), 0);
    }

    /// Owners that are gone: a process that has ended, one whose number another has now, and one on a
    /// machine that has been silent for long.
    #[test]
    fn dead_owners_are_no_obstacle() {
        let (_folder, layout) = layout();
        let mut child = std::process::Command::new("true").spawn().expect("a process");
        child.wait().expect("it ends");
        let (purpose, host) = (Purpose::Shard(0, 1), host());
        let ended =
            Holder { purpose, host: host.clone(), process: child.id(), process_start: Some(1) };
        let reused = Holder { purpose, host, process: std::process::id(), process_start: Some(1) };
        let silent =
            Holder { purpose, host: "far away".to_owned(), process: 1, process_start: Some(1) };
        for (holder, seconds) in [(&ended, 0), (&reused, 0), (&silent, 1000)] {
            let path = layout.locks().join("dead.json");
            fs::write(&path, serde_json::to_vec(holder).expect("JSON")).expect("written");
            let long_ago = SystemTime::now() - Duration::from_secs(seconds);
            let file = OpenOptions::new().write(true).open(&path).expect("the file");
            file.set_modified(long_ago).expect("a time");
            assert!(claim(&layout, "new", purpose).is_some(), "{holder:?}");
            assert!(!path.exists(), "{holder:?}");
        }
        let path = layout.locks().join("living.json");
        fs::write(path, serde_json::to_vec(&silent).expect("JSON")).expect("written");
        let attempt = Claim::attempt(&layout, "new", purpose).expect("a file");
        assert!(matches!(attempt, Attempt::Taken(holder) if holder == silent));
    }
}
