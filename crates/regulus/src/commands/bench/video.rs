//! Copies, ticks and short playouts of video games.

use std::io::Write;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

use regulus_game::Random;
use regulus_player::video::VideoLevel;
use regulus_vgdl::{Generator, State};
use serde::Serialize;

use super::super::print_json;
use super::{Bench, processor_time};
use crate::failure::Failure;

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    profile: &'static str,
    /// Copies of the first state.
    copies_per_s: f64,
    /// Ticks of random games from beginning to end.
    ticks_per_s: f64,
    /// A copy of the first state and up to 10 random ticks.
    playouts10_per_s: f64,
    /// Ticks of a random game.
    mean_length: Option<f64>,
    /// Its score.
    mean_score: Option<f64>,
    /// Random games that were won.
    wins: f64,
    /// Random games that were played to their end.
    games: u64,
    sprites: usize,
    compile_ms: f64,
    seconds: f64,
    threads: usize,
    /// Of all threads together, per second on the clock.
    playouts10_per_wall_s: f64,
}

/// Events, and the time they took.
#[derive(Clone, Copy, Default)]
struct Rate {
    events: u64,
    processor: Duration,
    clock: Duration,
}

impl AddAssign for Rate {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.processor += other.processor;
        self.clock += other.clock;
    }
}

impl Rate {
    fn per_second(self) -> f64 {
        self.events as f64 / self.processor.as_secs_f64()
    }

    /// Repeats some work for a while.
    fn measure(time: Duration, mut work: impl FnMut() -> u64) -> Rate {
        let (start, processor) = (Instant::now(), processor_time());
        let mut events = 0;
        let mut batch = 1;
        loop {
            for _ in 0..batch {
                events += work();
            }
            let clock = start.elapsed();
            if clock >= time {
                let used = processor_time().zip(processor).map(|(now, then)| now - then);
                return Rate { events, processor: used.unwrap_or(clock), clock };
            }
            // Looking at the clock costs as much as a short playout.
            if clock < time / 50 {
                batch *= 2;
            }
        }
    }
}

/// Random games that came to their end.
#[derive(Default)]
struct Finished {
    games: u64,
    ticks: u64,
    score: i64,
    won: u64,
}

/// What a thread measured.
#[derive(Default)]
struct Share {
    copies: Rate,
    ticks: Rate,
    playouts: Rate,
    finished: Finished,
}

/// Ticks of a playout.
const DEPTH: u64 = 10;

impl Bench {
    /// Measures a level.
    pub(super) fn run_video(&self, level: &VideoLevel, start: Instant) -> Result<(), Failure> {
        let compile_ms = start.elapsed().as_secs_f64() * 1e3;
        let state = level.start(self.seed);
        if let Some(count) = self.playouts {
            let mut playout = playouts(&state, Random::new(self.seed));
            let ticks: u64 = (0..count).map(|_| playout()).sum();
            writeln!(anstream::stdout(), "{}: {count} playouts, {ticks} ticks", level.name)?;
            return Ok(());
        }
        let time = Duration::from_secs_f64(self.seconds / 3.0);
        let shares = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads as u64)
                .map(|i| {
                    let (state, random) = (&state, Random::new(self.seed).fork(i));
                    scope.spawn(move || measure(state, &random, time))
                })
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Share>| match thread.join() {
                Ok(share) => share,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect::<Vec<Share>>()
        });
        let mut all = Share::default();
        for share in shares {
            all.copies += share.copies;
            all.ticks += share.ticks;
            all.playouts += share.playouts;
            all.finished.games += share.finished.games;
            all.finished.ticks += share.finished.ticks;
            all.finished.score += share.finished.score;
            all.finished.won += share.finished.won;
        }
        let games = all.finished.games;
        let mean = |sum: f64| (games > 0).then(|| sum / games as f64);
        let seconds = [all.copies, all.ticks, all.playouts];
        let clock = all.playouts.clock.as_secs_f64() / self.threads as f64;
        let report = Report {
            game: &level.name,
            profile: level.profile().name(),
            copies_per_s: all.copies.per_second(),
            ticks_per_s: all.ticks.per_second(),
            playouts10_per_s: all.playouts.per_second(),
            mean_length: mean(all.finished.ticks as f64),
            mean_score: mean(all.finished.score as f64),
            wins: mean(all.finished.won as f64).unwrap_or(0.0),
            games,
            sprites: state.sprite_count(),
            compile_ms,
            seconds: seconds.iter().map(|rate| rate.processor.as_secs_f64()).sum(),
            threads: self.threads,
            playouts10_per_wall_s: all.playouts.events as f64 / clock,
        };
        if self.json { Ok(print_json(&report)?) } else { Ok(print(&report)?) }
    }
}

fn print(report: &Report<'_>) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{} (profile {}, {} sprites)", report.game, report.profile, report.sprites)?;
    writeln!(out, "copies/s       {:.0}", report.copies_per_s)?;
    writeln!(out, "ticks/s        {:.0}", report.ticks_per_s)?;
    writeln!(out, "playouts/s     {:.0} of depth {DEPTH}", report.playouts10_per_s)?;
    if report.threads > 1 {
        writeln!(out, "all threads    {:.0} playouts/s", report.playouts10_per_wall_s)?;
    }
    if let (Some(length), Some(score)) = (report.mean_length, report.mean_score) {
        writeln!(
            out,
            "random games   {:.1} ticks, score {score:.2}, {:.1} % won ({} games)",
            length,
            report.wins * 100.0,
            report.games
        )?;
    }
    writeln!(out, "from text to ready in {:.1} ms", report.compile_ms)
}

fn measure(state: &State, random: &Random, time: Duration) -> Share {
    let mut copy = state.clone();
    let copies = Rate::measure(time, || {
        copy.clone_from(std::hint::black_box(state));
        std::hint::black_box(&copy);
        1
    });
    let mut finished = Finished::default();
    let ticks = Rate::measure(time, games(state, random.fork(1), &mut finished));
    let mut playout = playouts(state, random.fork(2));
    let playouts = Rate::measure(time, || {
        playout();
        1
    });
    Share { copies, ticks, playouts, finished }
}

/// Plays random ticks; gives how many there were.
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

/// Plays random games piece by piece, one after the other; gives the ticks of each piece.
fn games<'a>(
    state: &'a State,
    mut random: Random,
    finished: &'a mut Finished,
) -> impl FnMut() -> u64 + 'a {
    let mut copy = state.clone();
    move || {
        if copy.actions().is_empty() {
            finished.games += 1;
            finished.ticks += u64::from(copy.tick().unsigned_abs());
            finished.score += i64::from(copy.score());
            finished.won += u64::from(copy.winner() == regulus_vgdl::Winner::Won);
            copy.clone_from(state);
            copy.set_generator(Generator::own(random.bits()));
        }
        play(&mut copy, &mut random, 100)
    }
}

/// Makes playouts one after the other, in the same memory; gives the ticks of each.
fn playouts(state: &State, mut random: Random) -> impl FnMut() -> u64 {
    let mut copy = state.clone();
    move || {
        copy.clone_from(state);
        copy.set_generator(Generator::own(random.bits()));
        play(&mut copy, &mut random, DEPTH)
    }
}
