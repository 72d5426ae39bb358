//! Copies, ticks and short playouts of video games.

use std::io::Write;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use regulus_game::Random;
use regulus_player::video::VideoLevel;
use regulus_vgdl::{Breakdown, Generator, State};
use serde::Serialize;

use super::super::print_json;
use super::{Bench, Start, processor_time};
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
    /// Those of them that did not end by their rules.
    broken_down: u64,
    /// Why, if there are any.
    breakdown: Option<String>,
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

    /// Repeats some work for a while. It is told when the time is over: a tick may take a fraction of a
    /// microsecond, or in a game with very many sprites as long as the whole measurement.
    fn measure(time: Duration, mut work: impl FnMut(&AtomicBool) -> u64) -> Rate {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Looking at the clock costs as much as a short tick; another thread looks.
            scope.spawn(|| {
                std::thread::sleep(time);
                over.store(true, Ordering::Relaxed);
            });
            let (start, processor) = (Instant::now(), processor_time());
            let mut events = 0;
            while !over.load(Ordering::Relaxed) {
                events += work(&over);
            }
            let clock = start.elapsed();
            let used = processor_time().zip(processor).map(|(now, then)| now - then);
            Rate { events, processor: used.unwrap_or(clock), clock }
        })
    }
}

/// Random games that came to their end.
#[derive(Default)]
struct Finished {
    games: u64,
    ticks: u64,
    score: i64,
    won: u64,
    broken_down: u64,
    /// Why the first of those broke down.
    breakdown: Option<Breakdown>,
}

/// What a thread measured.
#[derive(Default)]
struct Share {
    copies: Rate,
    ticks: Rate,
    playouts: Rate,
    finished: Finished,
}

/// Copies that are made at once.
const COPIES: u64 = 16;

/// Ticks of a playout.
const DEPTH: u64 = 10;

impl Bench {
    /// Measures a level.
    pub(in crate::commands) fn run_video(
        &self,
        level: &VideoLevel,
        start: Start,
    ) -> Result<(), Failure> {
        if self.split.is_some()
            || self.guided.is_some()
            || self.engine.is_some()
            || self.interleaved > 1
        {
            let why = "--split, --guided, --engine and --interleaved are for board games";
            return Err(Failure::Failed(why.to_owned()));
        }
        let compile_ms = start.clock.elapsed().as_secs_f64() * 1e3;
        let state = level.start(self.seed);
        if let Some(count) = self.playouts {
            let mut playout = playouts(&state, Random::new(self.seed));
            let never = AtomicBool::new(false);
            let ticks: u64 = (0..count).map(|_| playout(&never).unwrap_or_default()).sum();
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
            all.finished.broken_down += share.finished.broken_down;
            all.finished.breakdown = all.finished.breakdown.or(share.finished.breakdown);
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
            broken_down: all.finished.broken_down,
            breakdown: all.finished.breakdown.map(|breakdown| breakdown.to_string()),
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
    if let Some(why) = &report.breakdown {
        let (broken_down, games) = (report.broken_down, report.games);
        writeln!(out, "broken down    {broken_down} of {games} games: {why}")?;
    }
    writeln!(out, "from text to ready in {:.1} ms", report.compile_ms)
}

fn measure(state: &State, random: &Random, time: Duration) -> Share {
    let mut copy = state.clone();
    let copies = Rate::measure(time, |_| {
        // Enough that looking whether the time is over counts for nothing.
        for _ in 0..COPIES {
            copy.clone_from(std::hint::black_box(state));
            std::hint::black_box(&copy);
        }
        COPIES
    });
    let mut finished = Finished::default();
    let ticks = Rate::measure(time, games(state, random.fork(1), &mut finished));
    let mut playout = playouts(state, random.fork(2));
    let playouts = Rate::measure(time, |over| u64::from(playout(over).is_some()));
    Share { copies, ticks, playouts, finished }
}

/// Plays random ticks until the time is over; gives how many there were.
fn play(state: &mut State, random: &mut Random, ticks: u64, over: &AtomicBool) -> u64 {
    for played in 0..ticks {
        let actions = state.actions();
        if actions.is_empty() || over.load(Ordering::Relaxed) {
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
) -> impl FnMut(&AtomicBool) -> u64 + 'a {
    let mut copy = state.clone();
    move |over| {
        if copy.actions().is_empty() {
            finished.games += 1;
            finished.ticks += u64::from(copy.tick().unsigned_abs());
            finished.score += i64::from(copy.score());
            finished.won += u64::from(copy.winner() == regulus_vgdl::Winner::Won);
            finished.broken_down += u64::from(copy.breakdown().is_some());
            finished.breakdown = finished.breakdown.or(copy.breakdown());
            copy.clone_from(state);
            copy.set_generator(Generator::own(random.bits()));
        }
        play(&mut copy, &mut random, 100, over)
    }
}

/// Makes playouts one after the other, in the same memory; gives the ticks of each, and nothing of one that the
/// time did not suffice for.
fn playouts(state: &State, mut random: Random) -> impl FnMut(&AtomicBool) -> Option<u64> {
    let mut copy = state.clone();
    move |over| {
        copy.clone_from(state);
        copy.set_generator(Generator::own(random.bits()));
        let ticks = play(&mut copy, &mut random, DEPTH, over);
        (ticks == DEPTH || copy.actions().is_empty()).then_some(ticks)
    }
}
