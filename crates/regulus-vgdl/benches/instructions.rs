//! Instructions that reading, copying and playing video games takes, counted by valgrind's callgrind: the
//! same number on a busy machine as on an idle one.
//!
//! `cargo bench -p regulus-vgdl` needs `valgrind` and nothing else; `-- orchard` measures that game only. The
//! benchmark runs itself under valgrind once per game. Every measured call goes through [`measured`]:
//! callgrind sets its counters to zero before that function and writes them down behind it.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use regulus_game::Random;
use regulus_vgdl::{Game, Generator, Level, Profile, State};

/// A name, a game, a level of it and its rules.
type Example = (&'static str, &'static str, &'static str, Profile);

/// The games of the tests: between them they have most classes and effects.
const GAMES: [Example; 3] = [
    (
        "orchard",
        include_str!("../tests/data/orchard.txt"),
        include_str!("../tests/data/orchard_lvl0.txt"),
        Profile::Y2021,
    ),
    (
        "harbour",
        include_str!("../tests/data/harbour.txt"),
        include_str!("../tests/data/harbour_lvl0.txt"),
        Profile::Y2021,
    ),
    (
        "depot",
        include_str!("../tests/data/depot.txt"),
        include_str!("../tests/data/depot_lvl0.txt"),
        Profile::Y2015,
    ),
];

/// What is measured, in this order.
const MEASURED: [&str; 7] =
    ["load game", "load level", "new state", "copy", "100 playouts", "observations", "fingerprint"];

/// Random ticks of a playout, after a copy.
const DEPTH: usize = 10;

/// Sets this process apart from the one that measures it.
const CHILD: &str = "--under-callgrind";

#[inline(never)]
fn measured<T>(f: &mut dyn FnMut() -> T) -> T {
    black_box(f())
}

/// Does everything once, in the order of [`MEASURED`].
fn run(name: &str) {
    let (_, game, level, profile) =
        GAMES.into_iter().find(|one| one.0 == name).expect("a game of the list");
    let game = measured(&mut || Game::load(game, profile)).game.expect("the game is right");
    let level = measured(&mut || Level::load(&game, level)).level.expect("so is its level");
    let state = measured(&mut || State::new(&level, Generator::own(1)));
    let mut copy = state.clone();
    let mut random = Random::new(7);
    let mut playout = |copy: &mut State| {
        copy.clone_from(&state);
        copy.set_generator(Generator::own(random.bits()));
        for _ in 0..DEPTH {
            let actions = copy.actions();
            if actions.is_empty() {
                break;
            }
            copy.advance(actions[random.below(actions.len() as u64) as usize]);
        }
    };
    // Some before it counts: memory is there then.
    (0..100).for_each(|_| playout(&mut copy));
    measured(&mut || copy.clone_from(&state));
    measured(&mut || (0..100).for_each(|_| playout(&mut copy)));
    measured(&mut || copy.observation_grid());
    measured(&mut || copy.fingerprint());
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
    let mut games: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if games.is_empty() {
        games.extend(GAMES.iter().map(|one| one.0));
    }
    if let Some(unknown) = games.iter().find(|&&name| GAMES.iter().all(|one| one.0 != name)) {
        println!("no game is called `{unknown}`");
        return ExitCode::FAILURE;
    }
    print!("{:14}", "instructions");
    MEASURED.iter().for_each(|m| print!("{m:>14}"));
    println!();
    for name in games {
        match instructions(name) {
            Ok(counters) => {
                print!("{name:14}");
                counters.iter().for_each(|c| print!("{c:>14}"));
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
