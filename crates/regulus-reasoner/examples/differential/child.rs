//! What runs in a child process: comparing, one line of output for every step.

use std::io::Write as _;
use std::path::Path;

use regulus_rbg::{Source, load};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::Arguments;
use crate::comparison::{Compared, Limits, difference};
use crate::descriptions::of_seed;

/// A line of a child's output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A seed is looked at.
    Begin(u64),
    /// It gives no valid description.
    Invalid(u64),
    /// The engines agree; how far they were compared.
    Same(u64, [u64; Counts::NAMES.len()]),
    /// Something has no native code; why.
    Refused(u64, String),
    /// They do not; why.
    Differs(u64, String),
}

/// Numbers that a child reports for a description, and a run sums up.
pub struct Counts;

impl Counts {
    pub const NAMES: [&str; 8] = [
        "positions",
        "moves",
        "semimoves",
        "leaves",
        "playouts",
        "distributions",
        "equal errors",
        "too much",
    ];

    fn of(compared: &Compared) -> [u64; Self::NAMES.len()] {
        [
            compared.positions as u64,
            compared.moves as u64,
            compared.semimoves as u64,
            compared.leaves,
            compared.playouts,
            compared.distributions as u64,
            compared.errors as u64,
            compared.skipped as u64,
        ]
    }
}

impl Line {
    pub fn text(&self) -> String {
        match self {
            Line::Begin(seed) => format!("begin {seed}"),
            Line::Invalid(seed) => format!("invalid {seed}"),
            Line::Same(seed, counts) => {
                let mut text = format!("same {seed}");
                counts.iter().for_each(|count| text += &format!(" {count}"));
                text
            }
            Line::Refused(seed, why) => format!("refused {seed} {}", why.replace('\n', " ")),
            Line::Differs(seed, why) => format!("differs {seed} {}", why.replace('\n', " ")),
        }
    }

    pub fn parse(text: &str) -> Option<Line> {
        let (word, rest) = text.split_once(' ')?;
        let (seed, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let seed = seed.parse().ok()?;
        match word {
            "begin" => Some(Line::Begin(seed)),
            "invalid" => Some(Line::Invalid(seed)),
            "same" => {
                let mut counts = rest.split(' ').map(str::parse);
                let mut all = [0; Counts::NAMES.len()];
                for count in &mut all {
                    *count = counts.next()?.ok()?;
                }
                Some(Line::Same(seed, all))
            }
            "refused" => Some(Line::Refused(seed, rest.to_owned())),
            "differs" => Some(Line::Differs(seed, rest.to_owned())),
            _ => None,
        }
    }
}

fn say(line: &Line) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", line.text()).and_then(|()| out.flush()).map_err(|why| why.to_string())
}

/// Limits this process, so that rules that want too much memory end it and nothing else; and keeps panics
/// quiet, whose texts are reported otherwise.
fn prepare(arguments: &Arguments) -> Result<(), String> {
    let bytes = Some(arguments.megabytes << 20);
    setrlimit(Resource::As, Rlimit { current: bytes, maximum: bytes })
        .and_then(|()| setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }))
        .map_err(|why| format!("limits of the process: {why}"))?;
    std::panic::set_hook(Box::new(|_| ()));
    Ok(())
}

/// Gives this process so many seconds more; a signal ends it when they are over. Time of the processor is the
/// same on a busy machine.
fn allow_seconds(seconds: u64) -> Result<(), String> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64;
    let limit = Rlimit { current: Some(used + seconds + 1), maximum: None };
    setrlimit(Resource::Cpu, limit).map_err(|why| format!("limits of the process: {why}"))
}

fn limits(arguments: &Arguments) -> Limits {
    if arguments.quick { Limits::QUICK } else { Limits::THOROUGH }
}

/// Compares the descriptions of some seeds.
pub fn seeds(arguments: &Arguments, count: u64) -> Result<bool, String> {
    let originals = arguments.originals()?;
    prepare(arguments)?;
    for seed in arguments.seed..arguments.seed + count {
        say(&Line::Begin(seed))?;
        allow_seconds(arguments.seconds)?;
        let Some(described) = of_seed(seed, arguments.kind_of(seed), &originals) else {
            say(&Line::Invalid(seed))?;
            continue;
        };
        let mut compared = Compared::default();
        let found = difference(&described.game, seed, &limits(arguments), &mut compared);
        for why in compared.refused.keys() {
            say(&Line::Refused(seed, why.clone()))?;
        }
        say(&match found {
            None => Line::Same(seed, Counts::of(&compared)),
            Some(why) => Line::Differs(seed, why),
        })?;
    }
    Ok(true)
}

/// Compares the engines on a file. False if they differ.
pub fn check(arguments: &Arguments, file: &Path) -> Result<bool, String> {
    let bytes = std::fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let loaded = load(&Source::from_bytes("file", bytes));
    let game = loaded.game.ok_or_else(|| format!("{} is not valid", file.display()))?;
    prepare(arguments)?;
    allow_seconds(arguments.seconds)?;
    let seed = arguments.seed;
    let mut compared = Compared::default();
    let found = difference(&game, seed, &limits(arguments), &mut compared);
    let same = found.is_none();
    say(&found.map_or(Line::Same(seed, Counts::of(&compared)), |why| Line::Differs(seed, why)))?;
    Ok(same)
}
