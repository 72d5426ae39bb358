//! Copies, ticks and short playouts per second of games.
//!
//! `speed [--profile 2015|2021] [--seconds S | --playouts N] GAME.txt:LEVEL.txt ...` prints a table: copies of the
//! first state, ticks of random games from beginning to end, and playouts (a copy of the first state
//! and up to 10 random ticks), all per second of processor time of one thread. With `--playouts` so many
//! playouts are made and nothing is measured: for tools that count instructions.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use regulus_game::Random;
use regulus_vgdl::{Game, Generator, Level, Profile, State};
use rustix::time::{ClockId, clock_gettime};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut profile = Profile::default();
    let mut time = Duration::from_millis(500);
    let mut files = Vec::new();
    let mut count = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--profile" => profile = value()?.parse()?,
            "--seconds" => {
                let seconds = value()?.parse().map_err(|_| "--seconds needs a number")?;
                time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
            }
            "--playouts" => {
                count = Some(value()?.parse().map_err(|_| "--playouts needs a whole number")?);
            }
            _ => files.push(argument),
        }
    }
    println!("level\tsprites\tcopies_per_s\tticks_per_s\tplayouts10_per_s");
    for pair in files {
        let (game, level) =
            pair.split_once(':').ok_or_else(|| format!("`{pair}` is not GAME:LEVEL"))?;
        let loaded = load(game, level, profile)?;
        let state = State::new(&loaded, Generator::own(1));
        if let Some(count) = count {
            let mut playout = playout(&state);
            (0..count).for_each(|_: u64| {
                playout();
            });
            continue;
        }
        let (copies, ticks) = (copies(&state, time), ticks(&state, time));
        let playouts = playouts(&state, time);
        let sprites = state.sprite_count();
        let name = level.rsplit('/').next().unwrap_or(level);
        println!("{name}\t{sprites}\t{copies:.0}\t{ticks:.0}\t{playouts:.0}");
    }
    Ok(())
}

fn load(game: &str, level: &str, profile: Profile) -> Result<Arc<Level>, String> {
    let read = |path: &str| {
        std::fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"))
    };
    let loaded = Game::load(&read(game)?, profile);
    let first = |diagnostics: &[regulus_vgdl::Diagnostic], path: &str| {
        diagnostics.first().map_or_else(String::new, |one| format!("{path}:{one}"))
    };
    let found = loaded.game.ok_or_else(|| first(&loaded.diagnostics, game))?;
    let loaded = Level::load(&found, &read(level)?);
    loaded.level.ok_or_else(|| first(&loaded.diagnostics, level))
}

/// The processor time of this thread: other work on the machine does not count.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Repeats for a while; gives the events per second.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let start = processor_time();
    let mut events = 0;
    let mut batch = 1;
    loop {
        for _ in 0..batch {
            events += work();
        }
        let elapsed = processor_time() - start;
        if elapsed >= time {
            return events as f64 / elapsed.as_secs_f64();
        }
        // Asking for the time is expensive beside a short game.
        if elapsed < time / 50 {
            batch *= 2;
        }
    }
}

fn copies(state: &State, time: Duration) -> f64 {
    let mut copy = state.clone();
    rate(time, || {
        copy.clone_from(std::hint::black_box(state));
        std::hint::black_box(&copy);
        1
    })
}

fn play(state: &mut State, random: &mut Random, ticks: u64) -> u64 {
    for played in 0..ticks {
        let actions = state.actions();
        if actions.is_empty() {
            return played;
        }
        let action = actions[random.below(actions.len() as u64) as usize];
        state.advance(action);
    }
    ticks
}

fn ticks(state: &State, time: Duration) -> f64 {
    let mut random = Random::new(2);
    let mut copy = state.clone();
    rate(time, || {
        if copy.is_over() {
            copy.clone_from(state);
            copy.set_generator(Generator::own(random.bits()));
        }
        play(&mut copy, &mut random, 100)
    })
}

/// Makes playouts one after the other, in the same memory.
fn playout(state: &State) -> impl FnMut() -> u64 {
    let mut random = Random::new(3);
    let mut copy = state.clone();
    move || {
        copy.clone_from(state);
        copy.set_generator(Generator::own(random.bits()));
        play(&mut copy, &mut random, 10);
        1
    }
}

fn playouts(state: &State, time: Duration) -> f64 {
    rate(time, playout(state))
}
