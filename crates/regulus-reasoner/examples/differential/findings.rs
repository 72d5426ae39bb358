//! What a run has found: made small, told apart, and written to files.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::Arguments;
use crate::child::Line;
use crate::descriptions::{Draft, of_seed, shrink};

/// What went wrong with a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A signal ended the process; what it said last.
    Crash(i32, String),
    /// It took too much time.
    Hang,
    /// The engines differ, or a check has failed.
    Difference(String),
}

impl Failure {
    /// A few words that are the same for failures of the same cause, as far as one can tell.
    pub fn label(&self) -> String {
        match self {
            Failure::Crash(signal, last) => {
                let reason = ["memory allocation", "overflowed its stack"];
                let reason = reason.into_iter().find(|reason| last.contains(reason));
                format!("signal {signal} {}", reason.unwrap_or_default())
            }
            Failure::Hang => "hang".to_owned(),
            Failure::Difference(text) => {
                let start = text.strip_prefix("assertion `left == right` failed: ").unwrap_or(text);
                let end = start.find(|c: char| c == ':' || c.is_ascii_digit());
                start[..end.unwrap_or(start.len())].chars().take(60).collect()
            }
        }
    }

    pub fn of_status(status: ExitStatus, last: String) -> Option<Failure> {
        let signal = status.signal()?;
        match Signal::from_named_raw(signal) {
            Some(Signal::XCPU) => Some(Failure::Hang),
            _ => Some(Failure::Crash(signal, last)),
        }
    }
}

/// Failures of one label that are made small; more of them are only written down.
const SHRUNK_PER_LABEL: usize = 3;

/// Descriptions that are tried to make one small, and the time for that.
const TRIES: usize = 1_500;
const TIME: Duration = Duration::from_secs(180);

/// The findings of a run.
pub struct Findings {
    labels: BTreeMap<String, usize>,
}

impl Findings {
    pub fn new(arguments: &Arguments) -> Result<Findings, String> {
        let out = &arguments.out;
        std::fs::create_dir_all(out).map_err(|why| format!("{}: {why}", out.display()))?;
        Ok(Findings { labels: BTreeMap::new() })
    }

    /// How often each label was found.
    pub fn labels(&self) -> &BTreeMap<String, usize> {
        &self.labels
    }

    /// Counts a failure; true if it is to be made small.
    pub fn count(&mut self, failure: &Failure) -> bool {
        let number = self.labels.entry(failure.label()).or_default();
        *number += 1;
        *number <= SHRUNK_PER_LABEL
    }
}

/// Writes the description of a seed and what happened; a small one if wanted.
pub fn record(
    arguments: &Arguments,
    seed: u64,
    failure: &Failure,
    small: bool,
) -> Result<PathBuf, String> {
    let originals = arguments.originals()?;
    let described = of_seed(seed, arguments.kind_of(seed), &originals);
    let described = described.ok_or_else(|| format!("seed {seed} gives nothing"))?;
    let name: String =
        failure.label().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = format!("{}-{seed}", name.trim_matches('-'));
    let file = arguments.out.join(format!("{name}.rbg"));
    write(&file, &described.draft, seed, described.kind.name(), failure)?;
    if small {
        let candidate = arguments.out.join(format!("{name}.candidate"));
        let mut last = failure.clone();
        let started = Instant::now();
        let draft = shrink(described.draft, TRIES, |draft| {
            if started.elapsed() > TIME {
                return false;
            }
            let again = std::fs::write(&candidate, draft.to_string())
                .map_err(|why| why.to_string())
                .and_then(|()| check(arguments, &candidate, seed));
            match again {
                Ok(Some(again)) if again.label() == failure.label() => {
                    last = again;
                    true
                }
                _ => false,
            }
        });
        let _ = std::fs::remove_file(candidate);
        let file = arguments.out.join(format!("{name}.small.rbg"));
        write(&file, &draft, seed, described.kind.name(), &last)?;
        return Ok(file);
    }
    Ok(file)
}

fn write(
    file: &Path,
    draft: &Draft,
    seed: u64,
    kind: &str,
    failure: &Failure,
) -> Result<(), String> {
    let what = match failure {
        Failure::Crash(signal, last) => format!("signal {signal}: {last}"),
        Failure::Hang => "hangs".to_owned(),
        Failure::Difference(text) => text.clone(),
    };
    let comment: Vec<String> = what.lines().map(|line| format!("// {line}")).collect();
    let text = format!("// {kind}, seed {seed}\n{}\n{draft}", comment.join("\n"));
    std::fs::write(file, text).map_err(|why| format!("{}: {why}", file.display()))
}

/// Compares a file in a process of its own; what went wrong, if anything.
fn check(arguments: &Arguments, file: &Path, seed: u64) -> Result<Option<Failure>, String> {
    let mut command = this_program()?;
    command.arg("check").arg(file).args(["--seed", &seed.to_string()]);
    command.args(["--megabytes", &arguments.megabytes.to_string()]);
    // What hung once has a shorter time to show that it still does.
    command.args(["--seconds", &arguments.seconds.min(10).to_string()]);
    if arguments.quick {
        command.arg("--quick");
    }
    let mut child = start(&mut command)?;
    let (output, errors) = (piped(child.stdout.take()), piped(child.stderr.take()));
    let Ok(output) = output.recv_timeout(patience(arguments.seconds)) else {
        end(&mut child);
        return Ok(Some(Failure::Hang));
    };
    let status = child.wait().map_err(|why| why.to_string())?;
    let last = errors.recv().unwrap_or_default();
    let differs = output.lines().filter_map(Line::parse).find_map(|line| match line {
        Line::Differs(_, why) => Some(Failure::Difference(why)),
        _ => None,
    });
    Ok(Failure::of_status(status, last).or(differs))
}

/// How long a process is waited for that has so many seconds of a processor, on a machine that has more to do:
/// it may also wait for something that never comes.
pub fn patience(seconds: u64) -> Duration {
    Duration::from_secs(60 * seconds)
}

/// A command that runs this program.
pub fn this_program() -> Result<Command, String> {
    std::env::current_exe().map(Command::new).map_err(|why| why.to_string())
}

pub fn start(command: &mut Command) -> Result<Child, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| why.to_string())
}

/// Ends a process and waits for it.
pub fn end(child: &mut Child) {
    // It may have ended by itself, which is as good.
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads everything that a process writes.
pub fn piped(pipe: Option<impl std::io::Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read before an error is enough.
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}
