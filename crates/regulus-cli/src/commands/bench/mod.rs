//! `regulus bench`: the speed of the rules themselves.

mod board;
mod video;
mod weights;

use std::time::{Duration, Instant};

use clap::Args;
use regulus_game::KeyKind;
use regulus_rbg::split::Strategy;

use self::weights::Weights;
use super::perft::Engine;
use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load};

/// Play random games and measure how fast that goes
#[derive(Args)]
pub struct Bench {
    /// A built-in game, a .rbg file, or a level of a video game
    game: String,
    /// How long to play
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    seconds: f64,
    /// Board games: make moves of random semimoves: mod, modplus, modshift, modplusshift
    #[arg(long, value_name = "STRATEGY")]
    split: Option<Strategy>,
    /// Board games: draw moves by weights of their keys, as playouts that learn do: all equal, or random from 32 to 255
    #[arg(long, value_name = "WEIGHTS", conflicts_with = "split")]
    guided: Option<Weights>,
    /// With --guided: keys also tell what stands where a step is made
    #[arg(long, requires = "guided")]
    onto_pieces: bool,
    /// Board games: what runs the rules [default: native, or the interpreter where no code can be made]
    #[arg(long)]
    engine: Option<Engine>,
    /// How many threads play; rates are per second of processor time
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Board games: hand over N games at a time, which native code may play turn by turn together
    #[arg(long, default_value_t = 1, value_name = "N")]
    interleaved: usize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    profile: ProfileOption,
    /// Video games: make N playouts of 10 ticks and measure nothing, for tools that count instructions
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "seconds", "threads"])]
    playouts: Option<u64>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Most threads that are worth asking for.
const MAX_THREADS: usize = 1024;

/// Most games at a time that are worth asking for.
const MAX_INTERLEAVED: usize = 4096;

impl Bench {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 86_400.0) {
            return Err(Failure::Failed("--seconds must be above 0 and at most a day".to_owned()));
        }
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(Failure::Failed(format!("--threads must be from 1 to {MAX_THREADS}")));
        }
        if !(1..=MAX_INTERLEAVED).contains(&self.interleaved) {
            let why = format!("--interleaved must be from 1 to {MAX_INTERLEAVED}");
            return Err(Failure::Failed(why));
        }
        let start = Start { clock: Instant::now(), processor: process_time() };
        load(&self.game, self.profile)?.bench(&self, start)
    }
}

impl Bench {
    /// What keys of guided playouts tell apart.
    fn key_kind(&self) -> KeyKind {
        if self.onto_pieces { KeyKind::StepsOntoPieces } else { KeyKind::Steps }
    }
}

/// When the command began.
#[derive(Clone, Copy)]
pub struct Start {
    clock: Instant,
    /// The processor time that this process had used by then.
    processor: Option<Duration>,
}

impl Start {
    /// Milliseconds of processor time since then, of all threads, where the system can tell.
    fn processor_ms(self) -> Option<f64> {
        let used = process_time().zip(self.processor).map(|(now, then)| now - then);
        used.map(|used| used.as_secs_f64() * 1e3)
    }
}

/// How long this thread has been running, where the system can tell.
fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    return time_of(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    None
}

/// The same for all threads of this process.
fn process_time() -> Option<Duration> {
    #[cfg(unix)]
    return time_of(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn time_of(clock: rustix::time::ClockId) -> Option<Duration> {
    let time = rustix::time::clock_gettime(clock);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}
