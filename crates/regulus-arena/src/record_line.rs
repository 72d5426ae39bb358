//! Files of records line by line, whatever is in them, and what can be wrong with a line.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use regulus_player::bounded_file::size_text;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A line is never longer: that of a game with a million moves has half as many bytes.
pub const MAX_LINE: u64 = 64 << 20;

/// What can be a line of a file.
pub trait JsonLine {
    /// The line, without its end.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    fn line(&self) -> serde_json::Result<Vec<u8>>;
}

impl<T: Serialize> JsonLine for T {
    fn line(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It is the last one and was cut off while it was written.
    Torn,
    /// It is no record, for this reason.
    NoRecord(String),
    /// It has more bytes than a line may have.
    TooLong,
    /// It is a record of another experiment, since this differs.
    Foreign(String),
    /// It is a record that cannot be true.
    Contradiction(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Torn => f.write_str("it was cut off"),
            Flaw::NoRecord(why) => write!(f, "it is no record: {why}"),
            Flaw::TooLong => write!(f, "it is longer than {}", size_text(MAX_LINE)),
            Flaw::Foreign(why) => write!(f, "it is of another experiment: {why}"),
            Flaw::Contradiction(why) => write!(f, "the record is damaged: {why}"),
        }
    }
}

impl Serialize for Flaw {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What is read from a line, or what is wrong with it; nothing if the line is blank.
pub(crate) type Parsed<T> = Option<Result<T, Flaw>>;

/// A line of a file.
pub(crate) struct Line<'l> {
    /// Its number, from 1.
    pub number: u64,
    /// Where it begins in the file.
    pub start: u64,
    /// Its bytes with the end of the line; nothing if there are too many.
    bytes: Option<&'l [u8]>,
}

impl Line<'_> {
    /// The record of the line.
    pub fn parse<T: DeserializeOwned>(&self) -> Parsed<T> {
        let Some(bytes) = self.bytes else { return Some(Err(Flaw::TooLong)) };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let (text, is_complete) = match bytes.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (bytes, false),
        };
        let parsed = serde_json::from_slice(text).map_err(|error| match is_complete {
            true => Flaw::NoRecord(reason(&error)),
            false => Flaw::Torn,
        });
        Some(parsed)
    }
}

/// What is wrong with a line as JSON. It is the only line that the parser has seen.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// Reads a file line by line. No line takes more memory than the longest that may be.
pub(crate) struct LineReader<R> {
    reader: BufReader<R>,
    bytes: Vec<u8>,
    number: u64,
    position: u64,
    /// The last line was too long, and its end was not looked for yet.
    is_inside: bool,
}

impl<R: Read> LineReader<R> {
    pub fn new(reader: R) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        LineReader { reader, bytes: Vec::new(), number: 0, position: 0, is_inside: false }
    }

    /// How many bytes were read, but for the rest of a line that is too long.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next line; nothing at the end.
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.bytes.clear();
        if std::mem::take(&mut self.is_inside) {
            self.skip_line()?;
        }
        let start = self.position;
        let most = (&mut self.reader).take(MAX_LINE + 1);
        let length = { most }.read_until(b'\n', &mut self.bytes)? as u64;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.position += length;
        let number = self.number;
        if length <= MAX_LINE {
            return Ok(Some(Line { number, start, bytes: Some(&self.bytes) }));
        }
        self.is_inside = !self.bytes.ends_with(b"\n");
        // It may be the only one of its kind.
        self.bytes = Vec::new();
        Ok(Some(Line { number, start, bytes: None }))
    }

    /// Leaves out what is left of a line.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(bytes.len(), |end| end + 1);
            self.reader.consume(length);
            self.position += length as u64;
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_is_in_them() {
        let text = b"1\n\n{\"a\": \xff}\n[1,\n \n2\n\0\0\n3, 4";
        let mut lines = LineReader::new(&text[..]);
        let mut found = Vec::new();
        while let Some(line) = lines.next().expect("no error") {
            found.push((line.number, line.start, line.parse::<u32>()));
        }
        let no_record = |why: &str| Some(Err(Flaw::NoRecord(why.to_owned())));
        assert_eq!(found[0], (1, 0, Some(Ok(1))));
        assert_eq!(found[1], (2, 2, None));
        assert_eq!((found[2].0, found[2].1), (3, 3));
        assert!(matches!(found[2].2, Some(Err(Flaw::NoRecord(_)))), "{found:?}");
        assert_eq!(found[4].2, None);
        assert_eq!(found[5].2, Some(Ok(2)));
        assert_eq!(found[6].2, no_record("expected value at column 1"));
        assert_eq!(found[7].2, Some(Err(Flaw::Torn)));
        assert_eq!((found.len(), lines.position()), (8, text.len() as u64));
    }

    #[test]
    fn a_line_without_an_end_takes_no_memory() {
        let endless = io::repeat(b'x').take(MAX_LINE * 2);
        let mut lines = LineReader::new(endless.chain(&b"\n7\n"[..]));
        let line = lines.next().expect("no error").expect("a line");
        assert_eq!(line.parse::<u32>(), Some(Err(Flaw::TooLong)));
        let line = lines.next().expect("no error").expect("a line");
        assert_eq!((line.number, line.start), (2, MAX_LINE * 2 + 1));
        assert_eq!(line.parse::<u32>(), Some(Ok(7)));
        assert!(lines.next().expect("no error").is_none());
    }
}
