//! What is damaged in the directory of an experiment and left out.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::record_line::Flaw;

/// More lines are counted, not listed.
const LISTED: usize = 1000;

/// A line of a file of records that is left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DamagedLine {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: Flaw,
}

/// What is damaged in the directory of an experiment and left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// The first lines that are left out, by file.
    pub lines: Vec<DamagedLine>,
    /// How many lines are left out.
    pub count: u64,
    /// Files whose last line was cut off. That happens to whoever is killed, and is not among the lines.
    pub torn: Vec<PathBuf>,
    /// Manifests that cannot be read, and why.
    pub manifests: Vec<(PathBuf, String)>,
}

impl Damage {
    /// Adds a line.
    pub(super) fn add(&mut self, file: &Path, line: u64, why: Flaw) {
        if why == Flaw::Torn {
            return self.torn.push(file.to_owned());
        }
        self.count += 1;
        if self.lines.len() < LISTED {
            self.lines.push(DamagedLine { file: file.to_owned(), line, why });
        }
    }
}
