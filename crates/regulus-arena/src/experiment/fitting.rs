//! What fits into the time of a size, where a declaration does not say it: how short searches are, and how many games are
//! played. It is computed from the declaration alone, so that the same size is the same plan everywhere.
//!
//! The time of a game is a rough guess: 100 moves, by what 15 games between two agents took here; 50,000
//! simulations or a million states a second; 1,000 ticks of a video game. Games that are very long (Go) or rules that are
//! very slow want a `[size.coffee]` of their own.

use std::time::Duration;

use regulus_search::config::Limits;

use super::declaration::Declaration;
use super::kind::Kind;
use super::size::Size;
use crate::budget::Budget;

/// The time of a size on two processors.
fn wall_time(size: Size) -> Duration {
    match size {
        Size::Coffee => Duration::from_secs(4 * 60),
        Size::Night | Size::Cluster => Duration::from_secs(9 * 3600),
    }
}

/// What limits are divided by: the first number with which enough games fit, else the last. In minutes the search
/// for the longest limit would be a vain one.
fn divisors(kind: Kind, size: Size) -> &'static [u32] {
    match (kind, size) {
        (Kind::Matches, Size::Coffee) => &[25, 50, 100],
        _ => &[1, 2, 5, 10, 25],
    }
}

/// With fewer games of every pair shorter searches are the better choice.
const ENOUGH_GAMES: u64 = 8;

/// Moves of a game.
const MOVES: f64 = 100.0;

/// Ticks of a run.
const TICKS: f64 = 1000.0;

/// Seconds of a simulation, with a board and with a video game, and of a nodal state.
const SIMULATION: f64 = 2e-5;
const VIDEO_SIMULATION: f64 = 1e-5;
const STATE: f64 = 1e-6;

/// Less than this is no search.
const LEAST: u64 = 100;
const LEAST_TIME: Duration = Duration::from_millis(1);

/// The limits of a declaration and what they are in a size. Those of video games stay as they are: the time of
/// a tick is a part of the game.
pub fn limits(declaration: &Declaration, size: Size) -> Vec<(Budget, Budget)> {
    let declared = || declaration.limits.iter();
    if declaration.kind == Kind::Video {
        return declared().map(|limit| (limit.clone(), limit.clone())).collect();
    }
    let by = divisors(declaration.kind, size);
    let fits = |by: u32| {
        let each = seconds(declaration, |limit| divided(limit, by));
        available(declaration, size) / each >= least(declaration) as f64
    };
    let by = by.iter().copied().find(|by| fits(*by)).unwrap_or(by[by.len() - 1]);
    declared().map(|limit| (limit.clone(), divided(limit, by))).collect()
}

/// How many games of every pair, searches of every agent or runs of every level fit into a size, with the limits that it has.
/// There is at least one pair of games.
pub fn count(declaration: &Declaration, size: Size) -> u64 {
    let each = seconds(declaration, Clone::clone);
    let fitting = (available(declaration, size) / each.max(f64::MIN_POSITIVE)) as u64;
    let fitting = fitting.min(declaration.count());
    match declaration.kind {
        Kind::Matches => (fitting / 2 * 2).max(2),
        Kind::Speed | Kind::Video => fitting.max(1),
    }
}

/// How long what a declaration plays takes on two processors, by the same guess. Searches for their speed, and runs by the
/// clock, are played one at a time.
pub fn estimate(declaration: &Declaration) -> Duration {
    let seconds = seconds(declaration, Clone::clone) * declaration.count() as f64;
    Duration::try_from_secs_f64(seconds / processors(declaration)).unwrap_or(Duration::MAX)
}

fn least(declaration: &Declaration) -> u64 {
    let enough = if declaration.kind == Kind::Matches { ENOUGH_GAMES } else { 1 };
    enough.min(declaration.count())
}

/// Seconds of processors.
fn available(declaration: &Declaration, size: Size) -> f64 {
    processors(declaration) * wall_time(size).as_secs_f64()
}

/// How many of two processors are at work.
fn processors(declaration: &Declaration) -> f64 {
    let timed = |limit: &Budget| matches!(limit, Budget::Limits(l) if l.time.is_some());
    match declaration.kind {
        Kind::Speed => 1.0,
        Kind::Video if declaration.limits.iter().any(timed) => 1.0,
        Kind::Matches | Kind::Video => 2.0,
    }
}

/// How long one game of everything takes.
fn seconds(declaration: &Declaration, limit: impl Fn(&Budget) -> Budget) -> f64 {
    let (steps, simulation, levels) = match (declaration.kind, &declaration.video) {
        (Kind::Matches, _) => (MOVES, SIMULATION, 1),
        (Kind::Speed, _) => (1.0, SIMULATION, 1),
        (Kind::Video, video) => {
            let levels = video.as_ref().and_then(|video| video.level_count());
            (TICKS, VIDEO_SIMULATION, levels.unwrap_or(5))
        }
    };
    let cells = declaration.combinations.iter().map(|some| {
        let sides = match declaration.kind {
            Kind::Matches => some.pairs.len(),
            Kind::Speed => some.agents.len() + usize::from(some.baseline.is_some()),
            Kind::Video => some.agents.len(),
        };
        let search: f64 =
            some.limits.iter().map(|declared| search_seconds(&limit(declared), simulation)).sum();
        (some.games.len() * sides) as f64 * search
    });
    cells.sum::<f64>() * steps * levels as f64
}

/// How long a search takes.
fn search_seconds(limit: &Budget, simulation: f64) -> f64 {
    match limit {
        Budget::Calibrated(_, time) => time.as_secs_f64(),
        Budget::Limits(limits) => {
            let time = limits.time.map(|time| time.as_secs_f64());
            let simulations = limits.simulations.map(|count| count as f64 * simulation);
            let states = limits.states.map(|count| count as f64 * STATE);
            [time, simulations, states].into_iter().flatten().fold(f64::INFINITY, f64::min)
        }
    }
}

/// A limit divided by a number.
fn divided(limit: &Budget, by: u32) -> Budget {
    let count = |count: u64| (count / u64::from(by)).max(LEAST.min(count));
    let time = |time: Duration| (time / by).max(LEAST_TIME.min(time));
    match limit {
        Budget::Calibrated(baseline, duration) => Budget::Calibrated(*baseline, time(*duration)),
        Budget::Limits(limits) => Budget::Limits(Limits {
            time: limits.time.map(time),
            simulations: limits.simulations.map(count),
            states: limits.states.map(count),
            ..limits.clone()
        }),
    }
}
