//! Compares native code with the interpreter on descriptions that nobody wrote, for as long as wanted:
//!
//!     cargo run --release -p regulus-reasoner --example differential -- --minutes 180 --threads 2 --out DIR
//!
//! Generated code may crash the process, so descriptions are compared in child processes that are watched
//! from here. What is found is made small and written to the directory; the run goes on with the next seed.

#[path = "../../tests/comparison/mod.rs"]
mod comparison;
#[path = "../../tests/descriptions/mod.rs"]
mod descriptions;
#[path = "../../tests/engine/mod.rs"]
mod engine;

mod child;
mod findings;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use descriptions::{Kind, Originals};

/// Compares native code with the interpreter on descriptions that nobody wrote.
#[derive(Parser, Clone)]
struct Arguments {
    #[command(subcommand)]
    mode: Option<Mode>,
    /// Minutes after which no more descriptions are begun.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Descriptions after which the run ends.
    #[arg(long)]
    count: Option<u64>,
    /// Processes at a time.
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// The first seed.
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    /// Where findings are written.
    #[arg(long, default_value = "findings")]
    out: PathBuf,
    /// Only descriptions of this kind: mutant, small or extreme.
    #[arg(long, global = true, value_parser = kind)]
    kind: Option<Kind>,
    /// Files or directories with more games to make mutants of. A seed gives the same mutant only with the
    /// same games.
    #[arg(long, global = true)]
    games: Vec<PathBuf>,
    /// Seconds of processor time after which a description counts as hanging.
    #[arg(long, global = true, default_value_t = 60)]
    seconds: u64,
    /// Memory that a process may ask for.
    #[arg(long, global = true, default_value_t = 4000)]
    megabytes: u64,
    /// Compare as little of every game as the tests do.
    #[arg(long, global = true)]
    quick: bool,
}

#[derive(Subcommand, Clone)]
enum Mode {
    /// Prints the description of a seed.
    Show,
    /// Compares the engines on a file, as the description of `--seed`.
    Check {
        /// The description.
        file: PathBuf,
    },
    /// Compares seeds and prints what comes of each: what a run starts.
    #[command(hide = true)]
    Seeds {
        /// How many.
        count: u64,
    },
}

fn kind(text: &str) -> Result<Kind, String> {
    let known = Kind::ALL.into_iter().find(|kind| kind.name() == text);
    known.ok_or_else(|| "expected mutant, small or extreme".to_owned())
}

impl Arguments {
    /// The kind of description that a seed gives.
    fn kind_of(&self, seed: u64) -> Kind {
        self.kind.unwrap_or_else(|| Kind::of_seed(seed))
    }

    fn originals(&self) -> Result<Originals, String> {
        let mut originals = Originals::built_in();
        for path in &self.games {
            let failed = |why| format!("{}: {why}", path.display());
            let mut files = vec![path.clone()];
            if path.is_dir() {
                let entries = std::fs::read_dir(path).map_err(failed)?;
                files = entries.flatten().map(|entry| entry.path()).collect();
                files.retain(|file| file.extension().is_some_and(|e| e == "rbg"));
                files.sort();
            }
            for file in files {
                originals.extend([std::fs::read_to_string(file).map_err(failed)?]);
            }
        }
        Ok(originals)
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.mode {
        None => run::run(&arguments),
        Some(Mode::Show) => show(&arguments),
        Some(Mode::Check { file }) => child::check(&arguments, file),
        Some(Mode::Seeds { count }) => child::seeds(&arguments, *count),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn show(arguments: &Arguments) -> Result<bool, String> {
    let seed = arguments.seed;
    let originals = arguments.originals()?;
    match descriptions::of_seed(seed, arguments.kind_of(seed), &originals) {
        Some(described) => print!("{}", described.draft),
        None => println!("// seed {seed} gives no valid description"),
    }
    Ok(true)
}
