//! A file of games that a user names: a replay of a video game, or records of either kind. It may also be
//! something else, and need not have an end.

use std::io::{Chain, Cursor, Read, Take};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use regulus_player::bounded_file::{BoundedFile, ReadFault, size_text};
use regulus_player::video::{MAX_REPLAY_BYTES, Replay};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::board::BoardRecord;
use crate::record_file::RecordError;
use crate::record_line::{Flaw, LineReader};
use crate::video::VideoRecord;

/// No more is read of what is no regular file.
const MAX_STREAM: u64 = 256 << 20;

/// A file that has no record among this number of lines has none.
const LINES_WITHOUT_RECORD: u64 = 100;

/// What a file holds.
pub enum Recording {
    /// One run of a video game.
    Replay(Box<Replay>),
    /// Games between agents.
    Games(Records<BoardRecord>),
    /// Runs of video games.
    Runs(Records<VideoRecord>),
}

/// The records of a file, one after the other.
pub struct Records<T> {
    path: PathBuf,
    lines: LineReader<Source>,
    is_regular: bool,
    found: u64,
    damaged: u64,
    kind: PhantomData<fn() -> T>,
}

/// A file with its beginning, which was read before.
type Source = Chain<Cursor<Vec<u8>>, Take<BoundedFile>>;

/// A line that is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub flaw: Flaw,
}

impl Recording {
    /// Opens a file and looks at its beginning.
    ///
    /// # Errors
    /// It cannot be read, or is no such file.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let unreadable = |why: ReadFault| RecordError::Unreadable {
            path: path.to_owned(),
            why: why.to_string(),
        };
        let file = BoundedFile::open(path).map_err(unreadable)?;
        let is_regular = file.is_regular();
        let most = if is_regular { u64::MAX } else { MAX_STREAM };
        let mut file = file.take(most);
        let mut start = Vec::new();
        // As much as a replay may have: the whole of it, or many records.
        let read = (&mut file).take(MAX_REPLAY_BYTES + 1).read_to_end(&mut start);
        read.map_err(|error| unreadable(error.into()))?;
        if start.len() as u64 <= MAX_REPLAY_BYTES && is_replay(&start) {
            let text = String::from_utf8_lossy(&start);
            let replay = Replay::parse(&text);
            return match replay {
                Ok(replay) => Ok(Recording::Replay(Box::new(replay))),
                Err(fault) => {
                    let why = fault.to_string();
                    Err(RecordError::Unreadable { path: path.to_owned(), why })
                }
            };
        }
        let has_runs = has_runs(&start);
        let source = Cursor::new(start).chain(file);
        Ok(match has_runs {
            true => Recording::Runs(Records::new(path, source, is_regular)),
            false => Recording::Games(Records::new(path, source, is_regular)),
        })
    }
}

/// Whether a text is one replay. Records are one line each; a replay has its own key, on whichever line.
fn is_replay(text: &[u8]) -> bool {
    serde_json::from_slice::<Value>(text).is_ok_and(|value| value.get("replay").is_some())
}

/// Whether the first line that is JSON is a run of a video game.
fn has_runs(start: &[u8]) -> bool {
    let lines = start.split(|byte| *byte == b'\n').take(LINES_WITHOUT_RECORD as usize);
    let first = { lines }.find_map(|line| {
        let value: Value = serde_json::from_slice(line).ok()?;
        value.is_object().then_some(value)
    });
    first.is_some_and(|value| value.get("actions").is_some() && value.get("run_seed").is_some())
}

impl<T: DeserializeOwned> Records<T> {
    fn new(path: &Path, source: Source, is_regular: bool) -> Self {
        let lines = LineReader::new(source);
        let path = path.to_owned();
        Records { path, lines, is_regular, found: 0, damaged: 0, kind: PhantomData }
    }

    /// The next record, or the next line that is left out; nothing at the end.
    ///
    /// # Errors
    /// The file cannot be read, is no file of records, or has no end.
    #[allow(clippy::should_implement_trait, reason = "an error ends it for good")]
    pub fn next(&mut self) -> Result<Option<Result<T, LeftOut>>, RecordError> {
        loop {
            let line = self.lines.next();
            let line = line.map_err(|error| RecordError::Io {
                path: self.path.clone(),
                action: "read",
                error,
            })?;
            let Some(line) = line else { break };
            let number = line.number;
            match line.parse() {
                None => {}
                Some(Ok(record)) => {
                    self.found += 1;
                    return Ok(Some(Ok(record)));
                }
                Some(Err(flaw)) => {
                    self.damaged += 1;
                    let hopeless = self.found == 0 && self.damaged >= LINES_WITHOUT_RECORD;
                    if hopeless || flaw == Flaw::TooLong {
                        return Err(self.no_records(number, &flaw));
                    }
                    return Ok(Some(Err(LeftOut { line: number, flaw })));
                }
            }
        }
        if !self.is_regular && self.lines.position() >= MAX_STREAM {
            let most = size_text(MAX_STREAM);
            let why = format!("it is no regular file, and more than {most} came from it");
            return Err(RecordError::Unreadable { path: self.path.clone(), why });
        }
        Ok(None)
    }

    fn no_records(&self, line: u64, flaw: &Flaw) -> RecordError {
        let why = match self.found {
            0 => format!("it is no file of records: line {line} is none, {flaw}"),
            _ => format!("line {line} is no record: {flaw}"),
        };
        RecordError::Unreadable { path: self.path.clone(), why }
    }
}
