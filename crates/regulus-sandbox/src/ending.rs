//! How a confined process has ended, in words that are true.

use std::fmt;
use std::process::ExitStatus;

/// How a process has ended that nobody has told to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It needed more memory than it may have, which is this many bytes.
    Memory(u64),
    /// It made a system call that it may not make.
    Forbidden,
    /// It needed more stack than it had.
    Stack,
    /// It crashed; the signal, by name.
    Crashed(String),
    /// Somebody else, or the system, has killed it; the signal, by name.
    Killed(String),
    /// It has given up and said this.
    Failed(String),
}

/// What the standard library says before it aborts a process.
const NO_MEMORY: &str = "memory allocation of ";
const NO_STACK: &str = "has overflowed its stack";

/// The most characters that are shown of what a process has said.
const SHOWN: usize = 300;

impl Ending {
    /// How a process has ended that has written some messages and might have `memory` bytes of memory.
    pub fn new(status: ExitStatus, messages: &str, memory: u64) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ending::by_signal(signal, messages, memory);
        }
        let said = last_line(messages);
        match status.code() {
            _ if messages.contains(NO_MEMORY) => Ending::Memory(memory),
            _ if messages.contains(NO_STACK) => Ending::Stack,
            _ if !said.is_empty() => Ending::Failed(said),
            Some(code) => Ending::Failed(format!("exit status {code}")),
            None => Ending::Failed(status.to_string()),
        }
    }

    #[cfg(unix)]
    fn by_signal(signal: i32, messages: &str, memory: u64) -> Self {
        use rustix::process::Signal;
        let known = [
            (Signal::SEGV, "SIGSEGV"),
            (Signal::BUS, "SIGBUS"),
            (Signal::ILL, "SIGILL"),
            (Signal::FPE, "SIGFPE"),
            (Signal::ABORT, "SIGABRT"),
            (Signal::TRAP, "SIGTRAP"),
            (Signal::SYS, "SIGSYS"),
            (Signal::KILL, "SIGKILL"),
            (Signal::TERM, "SIGTERM"),
            (Signal::INT, "SIGINT"),
            (Signal::HUP, "SIGHUP"),
        ];
        let found = known.into_iter().find(|(known, _)| known.as_raw() == signal);
        let name = found.map_or_else(|| format!("signal {signal}"), |(_, name)| name.to_owned());
        match found.map(|(signal, _)| signal) {
            // Some C libraries abort by a system call that the filter does not allow.
            Some(Signal::ABORT | Signal::SYS) if messages.contains(NO_MEMORY) => {
                Ending::Memory(memory)
            }
            Some(Signal::ABORT | Signal::SYS) if messages.contains(NO_STACK) => Ending::Stack,
            Some(Signal::SYS) => Ending::Forbidden,
            Some(
                Signal::SEGV
                | Signal::BUS
                | Signal::ILL
                | Signal::FPE
                | Signal::ABORT
                | Signal::TRAP,
            ) => Ending::Crashed(name),
            _ => Ending::Killed(name),
        }
    }
}

/// The last line that says something, without what could disturb a terminal. After a panic there is a note on how to find
/// out more.
fn last_line(messages: &str) -> String {
    let says = |line: &&str| !line.is_empty() && !line.starts_with("note: ");
    let line = messages.lines().rev().map(str::trim).find(says).unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    line.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PROCESS: &str = "the process that runs the rules";
        match self {
            Ending::Memory(bytes) => {
                write!(f, "the rules need more than {} MB of memory", bytes >> 20)
            }
            Ending::Forbidden => {
                write!(f, "{PROCESS} was stopped: it made a system call that it may not make")
            }
            Ending::Stack => write!(f, "{PROCESS} crashed: the rules need too much stack"),
            Ending::Crashed(signal) => write!(f, "{PROCESS} crashed ({signal})"),
            Ending::Killed(signal) => write!(f, "{PROCESS} was killed from outside ({signal})"),
            Ending::Failed(message) => write!(f, "{PROCESS} failed: {message}"),
        }
    }
}
