//! What a process gives up before it reads what it does not trust.

use std::fmt;

use crate::limits::Limits;

/// What the system does not do, in words: the process is less confined than on Linux.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incomplete(pub String);

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rules run in a process of their own, but {}", self.0)
    }
}

impl std::error::Error for Incomplete {}

/// From now on a panic in any thread ends the process, with the status that a panic in the first one gives it. Whoever
/// waits for an answer of that thread would wait in vain.
pub fn end_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::exit(PANICKED);
    }));
}

/// The status of a program that has panicked.
const PANICKED: i32 = 101;

/// Gives up everything but input, output, memory, threads and clocks, for all threads of this process. What cannot be
/// given up on this system is said, and the rest is given up all the same.
///
/// There is no limit of processes: the system counts those of the user, not those of this process; the filter lets it
/// make threads only. There is no limit of processor time: whoever has started this process has a clock, and
/// counts waiting, too.
#[cfg(unix)]
pub fn confine(limits: &Limits) -> Result<(), Incomplete> {
    use rustix::process::Resource;

    let mut missing = Vec::new();
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, Signal};
        // The input ends with the parent, too; this is for a process that does not listen any more.
        let orphans = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        if orphans.is_err() {
            missing.push("it is not ended with its parent".to_owned());
        }
        // Others of the same user cannot look into it, and nothing of it is written to disk.
        if rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err() {
            missing.push("other processes can look into it".to_owned());
        }
    }
    // Whoever is in a hurry comes first; where that cannot be said all are equal.
    let _ = rustix::process::nice(i32::from(limits.niceness));
    // Room for what is reserved and never used: an allocator sets some aside for every thread.
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let addresses = limits.memory.saturating_add(processors * RESERVED);
    for (resource, most, what) in [
        (Resource::Core, 0, "core dumps are not forbidden"),
        (Resource::Fsize, 0, "writing files is not forbidden"),
        // Input, output and messages are open.
        (Resource::Nofile, 3, "opening files is not forbidden"),
        (Resource::Data, limits.memory, "its memory is not limited"),
        (Resource::As, addresses, "its addresses are not limited"),
    ] {
        if let Err(error) = set_limit(resource, most) {
            missing.push(format!("{what} ({error})"));
        }
    }
    if let Err(why) = filter() {
        missing.push(why);
    }
    if missing.is_empty() { Ok(()) } else { Err(Incomplete(missing.join(", "))) }
}

/// What an allocator may set aside for a thread without using it, per processor.
#[cfg(unix)]
const RESERVED: u64 = 256 << 20;

#[cfg(unix)]
fn set_limit(resource: rustix::process::Resource, most: u64) -> std::io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    // What is lower already cannot be raised.
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn filter() -> Result<(), String> {
    crate::filter::install().map_err(|error| format!("its system calls are not filtered ({error})"))
}

#[cfg(all(
    unix,
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))
))]
fn filter() -> Result<(), String> {
    Err("its system calls are not filtered on this system".to_owned())
}

/// Gives up everything but input, output, memory, threads and clocks, where that is possible.
#[cfg(not(unix))]
pub fn confine(_limits: &Limits) -> Result<(), Incomplete> {
    Err(Incomplete("neither its memory nor its system calls are limited on this system".to_owned()))
}
