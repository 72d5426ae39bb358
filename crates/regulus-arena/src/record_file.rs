//! Files of records: one line of JSON per game, appended, never rewritten.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::record::Record;
use crate::video::VideoRecord;

/// Why a file of records cannot be read or written.
#[derive(Debug)]
pub enum RecordError {
    /// The file system says no.
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it says.
        error: io::Error,
    },
    /// A line is no record.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io { path, action, error } => {
                write!(f, "cannot {action} {}: {error}", path.display())
            }
            RecordError::Line { path, line, message } => {
                write!(f, "{}, line {line}: no record: {message}", path.display())
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// The records of a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reading {
    /// All of them, in order.
    pub records: Vec<Record>,
    /// True if the last line was cut off while it was written; it is not among the records.
    pub torn: bool,
}

/// Reads all records of a file. A last line that is not complete is left out; anything else that is no
/// record is an error.
pub fn read_records(path: &Path) -> Result<Reading, RecordError> {
    let mut records = Vec::new();
    let torn = read_lines(path, |record| records.push(record))?;
    Ok(Reading { records, torn })
}

/// Reads all records of runs of video games of a file as [`read_records`] does; says whether the last line was cut
/// off.
pub fn read_video_records(path: &Path) -> Result<(Vec<VideoRecord>, bool), RecordError> {
    let mut records = Vec::new();
    let torn = read_lines(path, |record| records.push(record))?;
    Ok((records, torn))
}

/// Reads a file line by line as [`read_records`] does; says whether the last line was cut off.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    mut each: impl FnMut(T),
) -> Result<bool, RecordError> {
    let fail = |action, error| RecordError::Io { path: path.to_owned(), action, error };
    let mut reader = BufReader::new(File::open(path).map_err(|e| fail("read", e))?);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(|e| fail("read", e))? == 0 {
            break;
        }
        let complete = bytes.ends_with(b"\n");
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice(&bytes) {
            Ok(record) => each(record),
            Err(_) if !complete => return Ok(true),
            Err(error) => {
                let message = error.to_string();
                return Err(RecordError::Line { path: path.to_owned(), line, message });
            }
        }
    }
    Ok(false)
}

/// A file that records are appended to.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// How much of it is complete lines.
    length: u64,
}

impl RecordFile {
    /// Opens a file for appending, or makes a new one. A last line that was cut off is removed.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let fail = |error| RecordError::Io { path: path.to_owned(), action: "write", error };
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(path).map_err(fail)?;
        let length = complete_lines(&mut file).map_err(fail)?;
        Ok(RecordFile { path: path.to_owned(), file, length })
    }

    /// Appends a record. It is with the system when this returns; what is written of a record that does
    /// not fit on the disk is taken back.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), RecordError> {
        let fail = |error| RecordError::Io { path: self.path.clone(), action: "write", error };
        let mut line = serde_json::to_vec(record).map_err(|e| fail(e.into()))?;
        line.push(b'\n');
        if let Err(error) = self.file.write_all(&line) {
            // If this fails, too, the next who opens the file does it.
            let _ = self.file.set_len(self.length);
            return Err(fail(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> Result<(), RecordError> {
        let fail = |error| RecordError::Io { path: self.path.clone(), action: "write", error };
        match self.file.sync_all() {
            // Pipes and devices cannot be synchronised, and need not be.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result.map_err(fail),
        }
    }
}

/// Makes a file end with a complete line; gives its length.
fn complete_lines(file: &mut File) -> io::Result<u64> {
    if !file.metadata()?.is_file() {
        return Ok(0);
    }
    let end = file.seek(SeekFrom::End(0))?;
    let (mut start, mut tail) = (end, Vec::new());
    // The last line, read block by block from behind.
    while start > 0 && !tail.contains(&b'\n') {
        let size = start.min(1 << 16);
        start -= size;
        file.seek(SeekFrom::Start(start))?;
        let mut block = vec![0; size as usize];
        file.read_exact(&mut block)?;
        block.append(&mut tail);
        tail = block;
    }
    let last = tail.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let torn = &tail[last..];
    let keep = end - torn.len() as u64;
    if torn.is_empty() {
        return Ok(end);
    }
    if serde_json::from_slice::<IgnoredAny>(torn).is_ok() {
        // Only the end of the line is missing.
        file.write_all(b"\n")?;
        return Ok(end + 1);
    }
    file.set_len(keep)?;
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::record::tests::record;
    use std::fs;

    fn sample(unit: u64) -> Record {
        Record { unit, ..record([100, 0], Outcome::Finished) }
    }

    #[test]
    fn records_are_appended() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        for unit in 0..3 {
            let mut file = RecordFile::open(&path).expect("a file");
            file.append(&sample(unit)).expect("written");
            file.sync().expect("on the disk");
        }
        let reading = read_records(&path).expect("records");
        assert!(!reading.torn);
        assert_eq!(reading.records.iter().map(|r| r.unit).collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// Cut off at any byte, the file still has every record before the cut, and can be appended to.
    #[test]
    fn a_torn_line_is_tolerated() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        let mut file = RecordFile::open(&path).expect("a file");
        file.append(&sample(0)).expect("written");
        let first = fs::metadata(&path).expect("a file").len() as usize;
        file.append(&sample(1)).expect("written");
        let all = fs::read(&path).expect("bytes");
        for cut in (0..all.len()).step_by(7).chain(first - 2..first + 3).chain([all.len() - 1]) {
            fs::write(&path, &all[..cut]).expect("written");
            let reading = read_records(&path).expect("tolerated");
            let complete = usize::from(cut >= first - 1) + usize::from(cut >= all.len() - 1);
            assert_eq!(reading.records.len(), complete, "cut at {cut}");
            let between = cut > 0 && cut < first - 1 || cut > first && cut < all.len() - 1;
            assert_eq!(reading.torn, between, "cut at {cut}");
            let mut file = RecordFile::open(&path).expect("a file");
            file.append(&sample(9)).expect("written");
            let reading = read_records(&path).expect("whole again");
            assert!(!reading.torn);
            assert_eq!(reading.records.len(), complete + 1);
            assert_eq!(reading.records.last().map(|r| r.unit), Some(9));
        }
    }

    #[test]
    fn a_wrong_line_in_the_middle_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        fs::write(&path, "{\"experiment\": 1}\n").expect("written");
        let error = read_records(&path).expect_err("no record").to_string();
        assert!(error.contains("line 1: no record: "), "{error}");
        let error = read_records(folder.path().join("none").as_path()).expect_err("no file");
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        let error = RecordFile::open(folder.path()).err().expect("a folder").to_string();
        assert!(error.starts_with("cannot write "), "{error}");
    }
}
