//! Instructions that reading, compiling and running a game takes, counted by valgrind's callgrind: the
//! same number on a busy machine as on an idle one.
//!
//! `cargo bench -p regulus-reasoner` needs `valgrind` and nothing else; `-- hex chess` measures these
//! games only. The benchmark runs itself under valgrind once per game. Every measured call goes through
//! [`measured`]: callgrind sets its counters to zero before that function and writes them down behind
//! it, also for the machine code that it runs.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use regulus_game::{Moves, Random};
use regulus_rbg::{Source, load};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;

/// Games of different kinds: sliding, jumping, floods, many and few moves.
const GAMES: [&str; 8] = [
    "amazons",
    "breakthrough",
    "chess",
    "english-draughts",
    "go",
    "hex",
    "reversi",
    "the-mill-game",
];

/// What is measured, in this order.
const MEASURED: [&str; 9] = [
    "load",
    "compile",
    "native list",
    "playout",
    "split playout",
    "list",
    "count",
    "sample",
    "apply, undo",
];

/// Moves made before the position at which moves are listed.
const PLIES: usize = 6;

/// Sets this process apart from the one that measures it.
const CHILD: &str = "--under-callgrind";

#[inline(never)]
fn measured<T>(f: &mut dyn FnMut() -> T) -> T {
    black_box(f())
}

/// Does everything once, in the order of [`MEASURED`].
fn run(name: &str) {
    let text = regulus_games::find(name).expect("a built-in game").text;
    let source = Source::new(name, text);
    let game = measured(&mut || load(&source)).game.expect("built-in games are right");
    let native = measured(&mut || Native::new(&game)).unwrap_or_else(|why| panic!("{}", why.0));
    let interpreter = Interpreter::new(&game);
    let (mut worker, mut state) = (interpreter.worker(), interpreter.initial());
    let (mut fast, mut other) = (native.worker(), native.initial());
    let mut random = Random::new(7);
    for ply in 0.. {
        worker.keeper(&mut state).expect("a player is to move");
        fast.keeper(&mut other).expect("a player is to move");
        if ply == PLIES {
            break;
        }
        let steps = worker.sample(&mut state, &mut random).expect("moves").expect("a move");
        worker.apply(&mut state, &steps);
        fast.apply(&mut other, &steps);
    }
    let mut moves = Moves::new();
    fast.list(&other, &mut moves).expect("moves");
    measured(&mut || fast.list(&other, &mut moves)).expect("moves");
    for split in [false, true] {
        let mut start = native.initial();
        measured(&mut || fast.playout(&mut start, split, &mut random)).expect("an end");
    }
    measured(&mut || worker.list(&mut state, &mut moves)).expect("moves");
    measured(&mut || worker.count(&mut state)).expect("moves");
    measured(&mut || worker.sample(&mut state, &mut random)).expect("moves");
    let steps = moves.get(0).to_vec();
    measured(&mut || {
        let undo = worker.apply_with_undo(&mut state, &steps);
        worker.undo(&mut state, undo);
    });
}

/// Runs a game under callgrind and reads the counters of every measured call.
fn instructions(name: &str) -> Result<Vec<u64>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--zero-before=instructions::measured",
            "--dump-after=instructions::measured",
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
    (0..MEASURED.len()).map(counter).collect()
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

fn main() -> ExitCode {
    // Cargo passes `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [first, name] = arguments.as_slice()
        && first == CHILD
    {
        run(name);
        return ExitCode::SUCCESS;
    }
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("skipped: `valgrind` is not installed, and instructions are counted with it");
        return ExitCode::SUCCESS;
    }
    let games = match arguments.is_empty() {
        true => GAMES.map(str::to_owned).to_vec(),
        false => arguments,
    };
    print!("{:18}", "instructions");
    MEASURED.iter().for_each(|m| print!("{m:>15}"));
    println!();
    for name in games {
        match instructions(&name) {
            Ok(counters) => {
                print!("{name:18}");
                counters.iter().for_each(|c| print!("{:>15}", grouped(*c)));
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
