//! Do agents for video games decide in time when the machine has something else to do?
//!
//!     cargo run --release -p regulus-arena --example video_deadline -- [ACTIONS] [BUSY] [AGENT] [GAME:LEVEL]
//!
//! An agent plays with 40 ms for an action, as in the competition, while BUSY threads (one per processor) do
//! nothing but keep processors busy. The exit status is 1 if an action was later than the grace of 10 ms, which
//! disqualifies the agent.

use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use regulus_agent::VideoAgent;
use regulus_arena::video::{GRACE, Levels, VideoGame, conditions};
use regulus_player::video::{Conditions, Pilot, VideoLevel, play};
use regulus_search::config::Limits;
use regulus_vgdl::Profile;

/// The time for an action.
const ACTION: Duration = Duration::from_millis(40);

/// What came of some games.
#[derive(Default)]
struct Measurement {
    actions: usize,
    games: usize,
    iterations: u64,
    thinking: Duration,
    slowest: Duration,
    late: usize,
    disqualified: usize,
    /// Those of them before the first tick.
    before: usize,
}

/// Whole games, until there were this number of actions.
fn measure(
    level: &VideoLevel,
    agent: &VideoAgent,
    conditions: &Conditions,
    actions: usize,
) -> Result<Measurement, Box<dyn Error>> {
    let mut measured = Measurement::default();
    for seed in 0.. {
        let mut pilot = Pilot::agent(&agent.config, seed)?;
        let game = play(level, seed, &mut pilot, conditions, &mut |_, _| true)
            .ok_or("nobody gives a game up")?;
        measured.actions += game.iterations.len();
        measured.games += 1;
        measured.iterations += game.iterations.iter().sum::<u64>();
        measured.thinking += game.thinking;
        measured.slowest = measured.slowest.max(game.slowest);
        measured.late += game.late.len();
        measured.disqualified += usize::from(game.disqualified.is_some());
        measured.before += usize::from(game.disqualified.is_some_and(|late| late.tick < 0));
        if measured.actions >= actions {
            break;
        }
    }
    Ok(measured)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let actions = arguments.next().map_or(Ok(20_000), |text| text.parse())?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let busy = arguments.next().map_or(Ok(processors), |text| text.parse())?;
    let agent = arguments.next().unwrap_or_else(|| "vg-ol-mcts".to_owned());
    let name = arguments.next().unwrap_or_else(|| "vgdl/sheepdog:0".to_owned());
    let (game, number) = name.split_once(':').ok_or("give a built-in game as vgdl/NAME:LEVEL")?;
    let levels = Levels::Named(vec![number.to_owned()]);
    let game = VideoGame::built_in(game, &levels, Profile::default())?;
    let level = &game.levels.first().ok_or("the game has no level")?.level;
    let agent = regulus_agent::video_by_name(&agent)?;
    let conditions = conditions(&Limits::time(ACTION), None, agent.buffer, GRACE);
    let idle = AtomicBool::new(false);
    let measured = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !idle.load(Ordering::Relaxed) {
                    std::hint::black_box(());
                }
            });
        }
        let measured = measure(level, &agent, &conditions, actions);
        idle.store(true, Ordering::Relaxed);
        measured
    });
    let measured = measured?;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name}, {}: {} actions of {} games, 40 ms each, {} ms kept back, {busy} busy threads on {processors} \
         processors",
        agent.name,
        measured.actions,
        measured.games,
        agent.buffer.as_millis()
    );
    let actions = measured.actions.max(1);
    println!("{:.1} iterations per action", measured.iterations as f64 / actions as f64);
    println!("mean    {:.2} ms", milliseconds(measured.thinking) / actions as f64);
    println!("longest {:.2} ms", milliseconds(measured.slowest));
    println!("late:         {} actions", measured.late);
    println!("disqualified: {}, {} before the first tick", measured.disqualified, measured.before);
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load    {}", load.trim());
    }
    Ok(ExitCode::from(u8::from(measured.disqualified > 0)))
}
