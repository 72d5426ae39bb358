//! The machine that an experiment runs on, as far as the system tells.

use serde::{Deserialize, Serialize};

use crate::calibration::processor;

/// A machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the host.
    pub host: String,
    /// The processor.
    pub processor: String,
    /// How many processors this process may use.
    pub processors: usize,
    /// The operating system.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn this() -> Self {
        Machine {
            host: host(),
            processor: processor(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            system: system(),
        }
    }
}

/// The name of this host.
pub fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "localhost".to_owned())
}

fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let words = [
        std::env::consts::OS,
        kernel.trim(),
        std::env::consts::ARCH,
        pretty.unwrap_or_default().trim_matches('"'),
    ];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How many threads want to run, in the mean of the last minute, where the system tells it.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
