//! Do agents for video games decide in time when the machine has something else to do?
//!
//!     cargo run --release -p regulus-arena --example video_deadline -- [ACTIONS] [BUSY] [AGENT] [GAME:LEVEL]
//!
//! An agent plays with 40 ms for an action, as in the competition, while BUSY threads (one per processor) do
//! nothing but keep processors busy. The exit status is 1 if an action was later than the grace of 10 ms: that agent
//! would be disqualified. Games go on all the same, so that all actions are counted.

use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regulus_agent::VideoAgent;
use regulus_arena::video::{GRACE, Levels, VideoGame, conditions};
use regulus_player::video::{Conditions, Pilot, VideoLevel};
use regulus_search::config::Limits;
use regulus_vgdl::Profile;

/// The time for an action.
const ACTION: Duration = Duration::from_millis(40);

#[derive(Default)]
struct Measurement {
    /// Seconds of every action.
    times: Vec<f64>,
    /// Seconds before the first ticks.
    beginnings: Vec<f64>,
    iterations: u64,
}

fn measure(
    level: &VideoLevel,
    agent: &VideoAgent,
    conditions: &Conditions,
    actions: usize,
) -> Result<Measurement, Box<dyn Error>> {
    let mut measured = Measurement::default();
    for seed in 0.. {
        let mut pilot = Pilot::agent(&agent.config, seed)?;
        let mut state = level.start(seed);
        let start = Instant::now();
        pilot.begin(&state, &conditions.initialisation);
        measured.beginnings.push(start.elapsed().as_secs_f64());
        while !state.is_over() {
            let start = Instant::now();
            let decision = pilot.act(&state, &conditions.action);
            measured.times.push(start.elapsed().as_secs_f64());
            measured.iterations += decision.iterations;
            if measured.times.len() == actions {
                return Ok(measured);
            }
            state.advance(decision.action);
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
    let mut measured = measured?;
    measured.times.sort_by(f64::total_cmp);
    let times = &measured.times;
    let last = times.len().checked_sub(1).ok_or("no action was asked for")?;
    println!(
        "{name}, {}: {} actions of {} games, 40 ms each, {} ms kept back, {busy} busy threads on {processors} \
         processors",
        agent.name,
        times.len(),
        measured.beginnings.len(),
        agent.buffer.as_millis()
    );
    println!("{:.1} iterations per action", measured.iterations as f64 / times.len() as f64);
    for part in [0.5, 0.9, 0.99, 0.999, 0.9999] {
        println!("p{:<6} {:.2} ms", part * 100.0, times[(last as f64 * part) as usize] * 1e3);
    }
    println!("longest {:.2} ms", times[last] * 1e3);
    let longest = measured.beginnings.iter().copied().fold(0.0, f64::max);
    println!("longest initialisation {:.1} ms", longest * 1e3);
    let over = |limit: Duration| times.iter().filter(|time| **time > limit.as_secs_f64()).count();
    let late = over(ACTION + GRACE);
    println!("over 40 ms: {}; disqualified: {late}", over(ACTION));
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load    {}", load.trim());
    }
    Ok(ExitCode::from(u8::from(late > 0)))
}
