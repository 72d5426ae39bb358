//! Files of records: one line of JSON per game, appended, never rewritten.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use regulus_player::bounded_file::size_text;
use serde::de::IgnoredAny;

use crate::record_line::{JsonLine, MAX_LINE};

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
    /// It is not a file of this kind, or has no end.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io { path, action, error } => {
                write!(f, "cannot {action} {}: {error}", path.display())
            }
            RecordError::Unreadable { path, why } => {
                write!(f, "cannot read {}: {why}", path.display())
            }
        }
    }
}

impl std::error::Error for RecordError {}

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
    pub fn append(&mut self, record: &(impl JsonLine + ?Sized)) -> Result<(), RecordError> {
        let fail = |error| RecordError::Io { path: self.path.clone(), action: "write", error };
        let mut line = record.line().map_err(|e| fail(e.into()))?;
        line.push(b'\n');
        if let Err(error) = self.file.write_all(&line) {
            // If this fails, too, the next who opens the file does it.
            let _ = self.file.set_len(self.length);
            return Err(fail(error));
        }
        self.length += line.len() as u64;
        if is_removed(&self.file) {
            // Whoever repairs an experiment replaces files; the line goes to the new one. At worst it is there
            // twice, which does no harm.
            *self = RecordFile::open(&self.path)?;
            return self.append(record);
        }
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

/// Whether a file has no name any more: it was removed, or another one has its place.
#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.nlink() == 0)
}

#[cfg(not(unix))]
fn is_removed(_file: &File) -> bool {
    false
}

/// Makes a file end with a complete line; gives its length.
fn complete_lines(file: &mut File) -> io::Result<u64> {
    if !file.metadata()?.is_file() {
        return Ok(0);
    }
    let end = file.seek(SeekFrom::End(0))?;
    // The last line, looked for block by block from behind.
    let mut keep = end;
    let mut block = vec![0; 1 << 16];
    while keep > 0 {
        let size = keep.min(block.len() as u64);
        file.seek(SeekFrom::Start(keep - size))?;
        let block = &mut block[..size as usize];
        file.read_exact(block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            keep -= size - 1 - at as u64;
            break;
        }
        keep -= size;
        if end - keep > MAX_LINE {
            let most = size_text(MAX_LINE);
            let message = format!("it is no file of records: its last line is longer than {most}");
            return Err(io::Error::other(message));
        }
    }
    if keep == end {
        return Ok(end);
    }
    let mut torn = Vec::new();
    file.seek(SeekFrom::Start(keep))?;
    file.read_to_end(&mut torn)?;
    let torn = torn.as_slice();
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
    use crate::board::record::tests::record;
    use crate::board::{BoardRecord, Outcome};
    use crate::record_line::Flaw;
    use crate::recording::Recording;
    use std::fs;

    /// The units of the records of a file, and whether its last line was cut off.
    fn read(path: &Path) -> (Vec<u64>, bool) {
        let Recording::Games(mut records) = Recording::open(path).expect("a file") else {
            panic!("no video games")
        };
        let (mut units, mut torn) = (Vec::new(), false);
        while let Some(next) = records.next().expect("records") {
            match next {
                Ok(record) => units.push(record.unit),
                Err(left_out) => {
                    assert_eq!(left_out.flaw, Flaw::Torn);
                    torn = true;
                }
            }
        }
        (units, torn)
    }

    fn sample(unit: u64) -> BoardRecord {
        BoardRecord { unit, ..record([100, 0], Outcome::Finished) }
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
        assert_eq!(read(&path), (vec![0, 1, 2], false));
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
            let (units, torn) = read(&path);
            let complete = usize::from(cut >= first - 1) + usize::from(cut >= all.len() - 1);
            assert_eq!(units.len(), complete, "cut at {cut}");
            let between = cut > 0 && cut < first - 1 || cut > first && cut < all.len() - 1;
            assert_eq!(torn, between, "cut at {cut}");
            let mut file = RecordFile::open(&path).expect("a file");
            file.append(&sample(9)).expect("written");
            let (units, torn) = read(&path);
            assert_eq!((units.len(), units.last(), torn), (complete + 1, Some(&9), false));
        }
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = RecordFile::open(folder.path()).err().expect("a folder").to_string();
        assert!(error.starts_with("cannot write "), "{error}");
        // Somebody names the wrong file: it is not read as a whole, and nothing of it is lost.
        let path = folder.path().join("disk.img");
        let image = File::create(&path).expect("a file");
        image.set_len(1 << 34).expect("sparse");
        let error = RecordFile::open(&path).err().expect("no records").to_string();
        assert!(error.ends_with("its last line is longer than 64 MiB"), "{error}");
        assert_eq!(image.metadata().expect("a file").len(), 1 << 34);
    }

    /// Somebody replaces the file while it is written: later records are in the new one.
    #[cfg(unix)]
    #[test]
    fn records_go_where_the_file_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        let mut file = RecordFile::open(&path).expect("a file");
        file.append(&sample(0)).expect("written");
        let repaired = folder.path().join("new");
        fs::copy(&path, &repaired).expect("copied");
        fs::rename(&repaired, &path).expect("replaced");
        file.append(&sample(1)).expect("written");
        file.append(&sample(2)).expect("written");
        assert_eq!(read(&path), (vec![0, 1, 2], false));
    }
}
