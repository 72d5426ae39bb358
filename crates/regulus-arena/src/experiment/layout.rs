//! Where things are in the directory of an experiment.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use regulus_player::bounded_file::{ReadFault, read_text};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ExperimentError;
use super::plan::Plan;

/// The directory of an experiment:
///
/// ```text
/// experiment.toml       the declaration, as it was given
/// plan.json             the units in order; games and agents
/// games/NAME.rbg        the rules of every game
/// games/NAME.txt        those of video games; levels are NAME_lvl0.txt and so on
/// calibration.json      what a baseline does in a time, if a limit asks for it
/// manifest/NAME.json    one for every process that has worked on it
/// records/NAME.jsonl    its finished games, one line each
/// locks/NAME.json       who is working on it now
/// report/               what is made of the records
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The layout of a directory, whether it exists or not.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Layout { root: root.into() }
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The declaration.
    pub fn declaration(&self) -> PathBuf {
        self.root.join("experiment.toml")
    }

    /// The plan.
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    /// What was measured for calibrated limits.
    pub fn calibration(&self) -> PathBuf {
        self.root.join("calibration.json")
    }

    /// The rules of a game.
    pub fn game(&self, name: &str) -> PathBuf {
        self.root.join(Layout::game_file(name))
    }

    /// The rules of a game, seen from the directory.
    pub fn game_file(name: &str) -> String {
        format!("games/{name}.rbg")
    }

    /// The text of a video game.
    pub fn video_game(&self, name: &str) -> PathBuf {
        self.root.join(Layout::video_game_file(name))
    }

    /// The text of a video game, seen from the directory.
    pub fn video_game_file(name: &str) -> String {
        format!("games/{}.txt", name.replace('/', "."))
    }

    /// The text of a level, seen from the directory.
    pub fn video_level_file(name: &str, level: &str) -> String {
        format!("games/{}_lvl{level}.txt", name.replace('/', "."))
    }

    /// The rules of all games.
    pub fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    /// All manifests.
    pub fn manifests(&self) -> PathBuf {
        self.root.join("manifest")
    }

    /// The manifest of a worker.
    pub fn manifest(&self, worker: &str) -> PathBuf {
        self.manifests().join(format!("{worker}.json"))
    }

    /// All files of records.
    pub fn all_records(&self) -> PathBuf {
        self.root.join("records")
    }

    /// The records of a worker.
    pub fn records(&self, worker: &str) -> PathBuf {
        self.all_records().join(format!("{worker}.jsonl"))
    }

    /// All locks.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// What reports are written to.
    pub fn report(&self) -> PathBuf {
        self.root.join("report")
    }

    /// True if there is an experiment.
    pub fn exists(&self) -> bool {
        self.plan().exists()
    }

    /// Makes the directory and those in it.
    pub fn create(&self) -> Result<(), ExperimentError> {
        for folder in [self.games(), self.manifests(), self.all_records(), self.locks()] {
            fs::create_dir_all(&folder).map_err(ExperimentError::io(&folder, "make"))?;
        }
        Ok(())
    }
}

/// The files of a folder with an ending, by name. There are none if there is no such folder.
pub(super) fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, ExperimentError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(ExperimentError::io(folder, "read"))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(ExperimentError::io(folder, "read"))?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|e| e == ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a file so that others see either the old one or the whole new one, whatever happens.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ExperimentError> {
    write_whole_with(path, |file| file.write_all(bytes))
}

/// The same for what is not in memory.
pub(super) fn write_whole_with(
    path: &Path,
    content: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> Result<(), ExperimentError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(".part");
        // Others of the group may go on with it: as for any other file, the mask of the process decides.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder)?;
        content(file.as_file_mut())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(ExperimentError::io(path, "write"))
}

/// Writes a value as JSON, whole.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ExperimentError> {
    let text = serde_json::to_string_pretty(value);
    let mut text = text.map_err(|error| ExperimentError::damaged(path, error))?;
    text.push('\n');
    write_whole(path, text.as_bytes())
}

/// Reads a value as JSON.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ExperimentError> {
    let text = read_whole(path)?;
    serde_json::from_str(&text).map_err(|error| ExperimentError::damaged(path, error))
}

/// Reads the plan of a directory.
pub(super) fn read_plan(layout: &Layout) -> Result<Plan, ExperimentError> {
    read_json(&layout.plan()).map_err(|error| match error {
        ExperimentError::Damaged { path, message } => {
            let root = layout.root().display();
            let advice = format!(
                "`regulus experiment repair {root}` sets it aside; \
                 `regulus experiment plan FILE.toml --dir {root}` with --size, --scale and --seed as before then makes it anew, \
                 and no record is lost"
            );
            ExperimentError::damaged(&path, format!("the plan is damaged: {message}\n{advice}"))
        }
        other => other,
    })
}

/// No file of a directory but for records is longer: a plan has a few bytes for every contest.
const MAX_BYTES: u64 = 256 << 20;

/// Reads a text of the directory.
pub(super) fn read_whole(path: &Path) -> Result<String, ExperimentError> {
    read_bounded(path, MAX_BYTES)
}

/// Reads a text of at most `most` bytes.
pub(super) fn read_bounded(path: &Path, most: u64) -> Result<String, ExperimentError> {
    read_text(path, most).map_err(|fault| match fault {
        ReadFault::Io(error) => ExperimentError::io(path, "read")(error),
        fault => ExperimentError::damaged(path, fault),
    })
}
