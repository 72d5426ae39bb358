//! Do agents answer in time when the machine has something else to do?
//!
//!     cargo run --release -p regulus-server --example deadline -- [GAME] [MOVES] [MS] [AGENT]
//!
//! A manager and agents with their default buffers play on real sockets while a thread per processor does
//! nothing but keep it busy. Times are those of the manager: from when it had the move before to when it had
//! this one. The exit status is 1 if more than one move of a thousand was late.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use regulus_agent::Agent;
use regulus_player::LoadedGame;
use regulus_rbg::Source;
use regulus_sandbox::Program;
use regulus_server::manager::{ManagerSettings, Notice};
use regulus_server::{JoinSettings, Manager, ManagerError, join, play_apart};

/// One of this number of moves may be late.
const ALLOWED: usize = 1000;

/// The argument with which this program is a player.
const PLAYER: &str = "player";

struct Measurement {
    /// Seconds of every move.
    times: Vec<f64>,
    games: u64,
}

fn measure(
    text: &str,
    game: LoadedGame,
    moves: usize,
    deadline: Duration,
    agent: &Agent,
) -> Result<Measurement, Box<dyn Error>> {
    let seats = game.players().len();
    let settings = ManagerSettings {
        deadline: Some(deadline),
        preparation: Some(Duration::from_secs(60)),
        swap: true,
        ..ManagerSettings::new(Arc::new(game), text)
    };
    let manager = Manager::bind(settings, "127.0.0.1", 0)?;
    let address = manager.address();
    let program = Program::this(&[PLAYER])?;
    let (enough, idle) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut measured = Measurement { times: Vec::new(), games: 0 };
    let ended = thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !idle.load(Ordering::Relaxed) {
                    std::hint::black_box(());
                }
            });
        }
        for seed in 0..seats {
            let settings = JoinSettings {
                seed: seed as u64,
                agent: Some(agent.clone()),
                program: Some(program.clone()),
                ..JoinSettings::new(address.to_string())
            };
            // How a player ends after the last game says nothing about time.
            scope.spawn(move || join(&settings, &AtomicBool::new(false), &mut |_| {}));
        }
        let ended = manager.run(&enough, &mut |notice| {
            if let Notice::GameResult { record, .. } = notice {
                measured.times.extend(&record.turns.seconds);
                measured.games += 1;
                enough.store(measured.times.len() >= moves, Ordering::Relaxed);
            }
            Ok(())
        });
        idle.store(true, Ordering::Relaxed);
        ended
    });
    match ended {
        Err(ManagerError::Interrupted) | Ok(()) => Ok(measured),
        Err(error) => Err(error.into()),
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if_eq(PLAYER).is_some() {
        play_apart(&arguments.next().ok_or("no limits")?.parse()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = arguments.next().unwrap_or_else(|| "breakthrough".to_owned());
    let moves = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let deadline = Duration::from_millis(arguments.next().map_or(Ok(50), |text| text.parse())?);
    let agent = arguments.next().unwrap_or_else(|| "mctsM_semisplitNodal_semisplit".to_owned());
    let text = regulus_games::find(&name).ok_or("there is no such game")?.text;
    let game = LoadedGame::read(&name, Source::new(&name, text))?;
    let agent = regulus_agent::by_name(&agent)?;
    let mut measured = measure(text, game, moves, deadline, &agent)?;
    measured.times.sort_by(f64::total_cmp);
    let times = &measured.times;
    let last = times.len().checked_sub(1).ok_or("no move was made")?;
    println!(
        "{name}, {}: {} moves of {} games, {} ms each, {} kept back",
        agent.name,
        times.len(),
        measured.games,
        deadline.as_millis(),
        format_args!("{} ms", agent.buffer.min(deadline / 2).as_millis()),
    );
    for part in [0.5, 0.9, 0.99, 0.999, 0.9999] {
        println!("p{:<6} {:.2} ms", part * 100.0, times[(last as f64 * part) as usize] * 1e3);
    }
    let late = times.iter().filter(|time| **time > deadline.as_secs_f64()).count();
    println!("longest {:.2} ms", times[last] * 1e3);
    println!("late    {late} ({:.3} %)", late as f64 * 100.0 / times.len() as f64);
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load    {}", load.trim());
    }
    Ok(ExitCode::from(u8::from(late * ALLOWED > times.len())))
}
