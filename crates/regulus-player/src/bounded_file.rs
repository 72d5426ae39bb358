//! Files that a user names, read within bounds. A name can stand for anything: a file of many gigabytes, a device
//! without an end, a pipe that nobody writes into. Whoever reads such a file gets an error soon, and never fills
//! the memory with it.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// A pipe or device through which nothing comes for this long is given up.
const SILENCE: Duration = Duration::from_secs(2);

/// How long a pipe or device may take in all.
const LONGEST: Duration = Duration::from_secs(30);

/// Why a file cannot be read.
#[derive(Debug)]
pub enum ReadFault {
    /// What the system says.
    Io(io::Error),
    /// It is a folder.
    Folder,
    /// It has more bytes than it may have.
    TooLong {
        /// How many bytes it may have.
        most: u64,
    },
    /// It is not text.
    NoText {
        /// The first byte that is none.
        at: usize,
    },
}

impl fmt::Display for ReadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadFault::Io(error) => error.fmt(f),
            ReadFault::Folder => f.write_str("it is a directory"),
            ReadFault::TooLong { most } => {
                write!(f, "it is longer than {}, the most that is read", size_text(*most))
            }
            ReadFault::NoText { at } => {
                write!(f, "it is no text in UTF-8: byte {} is none of a character", at + 1)
            }
        }
    }
}

impl std::error::Error for ReadFault {}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        ReadFault::Io(error)
    }
}

impl From<ReadFault> for io::Error {
    fn from(fault: ReadFault) -> Self {
        match fault {
            ReadFault::Io(error) => error,
            other => io::Error::other(other),
        }
    }
}

/// A number of bytes in words: `16 MiB`, `100 bytes`.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}

/// A file that was opened for reading. One that is no regular file does not keep its reader waiting for ever.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    /// When it was opened, if it is a pipe or a device that may keep silent.
    opened: Option<Instant>,
    is_regular: bool,
}

impl BoundedFile {
    /// Opens a file. This does not wait for somebody who writes into a pipe.
    ///
    /// # Errors
    /// There is no such file, it may not be read, or it is a folder.
    pub fn open(path: &Path) -> Result<Self, ReadFault> {
        let mut options = File::options();
        options.read(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        }
        let file = options.open(path)?;
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(ReadFault::Folder);
        }
        // Somebody at a terminal may think for as long as he likes.
        let waits = io::IsTerminal::is_terminal(&file);
        let opened = (!kind.is_file() && !waits).then(Instant::now);
        Ok(BoundedFile { file, opened, is_regular: kind.is_file() })
    }

    /// True for what has an end for certain: no pipe and no device.
    pub fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Waits until there is something to read.
    #[cfg(unix)]
    fn wait(&self) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        if self.is_regular {
            return Ok(());
        }
        let late = |what: String| Err(io::Error::new(io::ErrorKind::TimedOut, what));
        loop {
            let left = self.opened.map(|opened| LONGEST.saturating_sub(opened.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                let seconds = LONGEST.as_secs();
                return late(format!(
                    "it is no regular file and has no end after {seconds} seconds"
                ));
            }
            let patience = left.map(|left| left.min(SILENCE));
            let patience = patience.and_then(|left| Timespec::try_from(left).ok());
            let mut files = [PollFd::new(&self.file, PollFlags::IN)];
            match poll(&mut files, patience.as_ref()) {
                Ok(0) => {
                    let seconds = SILENCE.as_secs();
                    return late(format!(
                        "it is no regular file, and nothing has come from it for {seconds} seconds"
                    ));
                }
                Ok(_) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    #[cfg(not(unix))]
    fn wait(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for BoundedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.wait()?;
            match self.file.read(buffer) {
                // Another reader of the pipe was faster.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
        }
    }
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, ReadFault> {
    let file = BoundedFile::open(path)?;
    // A file that says how long it is need not be read to find out.
    if file.is_regular && file.file.metadata()?.len() > most {
        return Err(ReadFault::TooLong { most });
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadFault::TooLong { most });
    }
    Ok(bytes)
}

/// Reads a text of at most `most` bytes.
///
/// # Errors
/// It cannot be read, is longer, or is no text.
pub fn read_text(path: &Path, most: u64) -> Result<String, ReadFault> {
    let text = String::from_utf8(read_file(path, most)?);
    text.map_err(|error| ReadFault::NoText { at: error.utf8_error().valid_up_to() })
}

/// Reads a line as [`BufRead::read_line`] does, of at most `most` bytes. What is no UTF-8 is replaced.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_line(reader: &mut impl BufRead, line: &mut String, most: u64) -> io::Result<usize> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("a line is longer than {}", size_text(most));
        return Err(io::Error::other(message));
    }
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_right_length_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, [b'x'; 100]).expect("written");
        assert_eq!(read_file(&path, 100).expect("bytes").len(), 100);
        assert_eq!(read_text(&path, 1 << 20).expect("a text").len(), 100);
        let fault = read_file(&path, 99).expect_err("it is longer").to_string();
        assert_eq!(fault, "it is longer than 99 bytes, the most that is read");
        std::fs::write(&path, b"abc\xff").expect("written");
        let fault = read_text(&path, 100).expect_err("no text").to_string();
        assert!(fault.contains("byte 4"), "{fault}");
        assert!(matches!(read_file(folder.path(), 9), Err(ReadFault::Folder)));
        let missing = read_file(&folder.path().join("none"), 9).expect_err("no file");
        assert_eq!(io::Error::from(missing).kind(), io::ErrorKind::NotFound);
    }

    /// A sparse file of a terabyte: it is refused before anything of it is read.
    #[test]
    fn huge_files_are_refused_at_once() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().set_len(1 << 40).expect("sparse");
        assert!(matches!(read_file(file.path(), 1 << 24), Err(ReadFault::TooLong { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_without_an_end_are_refused() {
        for device in ["/dev/zero", "/dev/urandom"] {
            let fault = read_file(Path::new(device), 1 << 20).expect_err("no end").to_string();
            assert_eq!(fault, "it is longer than 1 MiB, the most that is read", "{device}");
        }
        assert_eq!(read_file(Path::new("/dev/null"), 9).expect("nothing"), b"");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_read_and_silent_ones_are_given_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        let fault = read_file(&path, 9).expect_err("nobody writes").to_string();
        assert!(fault.contains("nothing has come from it for 2 seconds"), "{fault}");
        let writer = std::thread::spawn({
            let path = path.clone();
            move || std::fs::write(path, "through a pipe")
        });
        assert_eq!(read_text(&path, 100).expect("a text"), "through a pipe");
        writer.join().expect("no panic").expect("written");
    }

    #[test]
    fn lines_have_an_end() {
        let mut line = String::new();
        let mut reader = io::BufReader::new(io::repeat(b'x'));
        assert!(read_line(&mut reader, &mut line, 1 << 16).is_err());
        let mut reader = &b"one\ntwo"[..];
        assert_eq!(read_line(&mut reader, &mut line, 10).expect("a line"), 4);
        assert_eq!(read_line(&mut reader, &mut line, 10).expect("a line"), 3);
        assert_eq!(read_line(&mut reader, &mut line, 10).expect("the end"), 0);
        assert_eq!(line, "one\ntwo");
    }
}
