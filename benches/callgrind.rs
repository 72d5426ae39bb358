//! Counts instructions with valgrind's callgrind, for benchmarks called `instructions`: the same on every machine,
//! however busy it is.
//!
//! A benchmark runs itself under valgrind once per example. Every measured call goes through [`measured`]: callgrind
//! sets its counters to zero before that function and writes them down behind it, also for machine code that it runs.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Sets the process that is measured apart from the one that measures it.
const CHILD: &str = "--under-callgrind";

/// What is measured.
pub struct Benchmark<'b> {
    /// The names of the examples.
    pub examples: &'b [&'b str],
    /// What the measured calls are called, in order.
    pub calls: &'b [&'b str],
    /// Does everything once for an example.
    pub run: fn(&str),
}

/// Measures a call.
#[inline(never)]
pub fn measured<T>(f: &mut dyn FnMut() -> T) -> T {
    black_box(f())
}

impl Benchmark<'_> {
    /// Prints a table of all examples, or of those that the command line names.
    pub fn main(&self) -> ExitCode {
        // Cargo passes `--bench`.
        let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
        if let [first, name] = arguments.as_slice()
            && first == CHILD
        {
            (self.run)(name);
            return ExitCode::SUCCESS;
        }
        let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
        if !version.is_ok_and(|status| status.success()) {
            println!("skipped: `valgrind` is not installed, and instructions are counted with it");
            return ExitCode::SUCCESS;
        }
        let mut names: Vec<&str> = arguments.iter().map(String::as_str).collect();
        if let Some(unknown) = names.iter().find(|name| !self.examples.contains(name)) {
            println!("no example is called `{unknown}`; there are {}", self.examples.join(", "));
            return ExitCode::FAILURE;
        }
        if names.is_empty() {
            names = self.examples.to_vec();
        }
        print!("{:18}", "instructions");
        self.calls.iter().for_each(|call| print!("{call:>17}"));
        println!();
        for name in names {
            match self.instructions(name) {
                Ok(counters) => {
                    print!("{name:18}");
                    counters.iter().for_each(|c| print!("{:>17}", grouped(*c)));
                    println!();
                }
                Err(why) => {
                    println!("{name}: {why}");
                    return ExitCode::FAILURE;
                }
            }
        }
        ExitCode::SUCCESS
    }

    /// Runs an example under callgrind and reads the counters of every measured call.
    fn instructions(&self, name: &str) -> Result<Vec<u64>, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let output = Command::new("valgrind")
            .args([
                "--tool=callgrind",
                "--zero-before=instructions::callgrind::measured",
                "--dump-after=instructions::callgrind::measured",
            ])
            .arg(format!("--callgrind-out-file={}", folder.join("out").display()))
            .arg(program)
            .args([CHILD, name])
            .output()
            .map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let counter = |call: usize| {
            let file = folder.join(format!("out.{}", call + 1));
            let text =
                std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let line = text.lines().find_map(|l| l.strip_prefix("totals: "));
            line.and_then(|l| l.trim().parse().ok()).ok_or("no totals".to_owned())
        };
        (0..self.calls.len()).map(counter).collect()
    }
}

/// A number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    groups.join(" ")
}
