//! `regulus bench`: flat Monte Carlo, the speed of the rules themselves.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use regulus_game::Random;
use regulus_rbg::Game;
use regulus_rbg::declarations::Player;
use regulus_rbg::split::Strategy;
use regulus_reasoner::{Interpreter, Playout, Playouts, random_playout, semisplit_playout};
use serde::Serialize;

use super::perft::{Engine, compile, run_failure};
use super::print_json;
use crate::failure::Failure;
use crate::game_argument::load_game;

/// Play random games and measure how fast that goes
#[derive(Args)]
pub struct Bench {
    /// A built-in game or a .rbg file
    game: String,
    /// How long to play
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    seconds: f64,
    /// Make moves of random semimoves: mod, modplus, modshift, modplusshift
    #[arg(long, value_name = "STRATEGY")]
    split: Option<Strategy>,
    /// What runs the rules [default: native; interpreter for split strategies other than mod]
    #[arg(long)]
    engine: Option<Engine>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    engine: Engine,
    split: Option<&'static str>,
    playouts_per_s: f64,
    states_per_s: f64,
    mean_length: f64,
    mean_scores: Vec<f64>,
    compile_ms: f64,
    seconds: f64,
    playouts: u64,
}

impl Bench {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 86_400.0) {
            return Err(Failure::Failed("--seconds must be above 0 and at most a day".to_owned()));
        }
        let start = Instant::now();
        let loaded = load_game(&self.game)?;
        let game = &loaded.game;
        let has_native = self.split.is_none_or(|s| s == Strategy::Mod);
        let engine = match self.engine {
            Some(Engine::Native) if !has_native => {
                return Err(Failure::Failed(
                    "split strategies other than mod run on the interpreter so far".to_owned(),
                ));
            }
            Some(engine) => engine,
            None if has_native => Engine::Native,
            None => Engine::Interpreter,
        };
        let mut random = Random::new(self.seed);
        let players = game.declarations.players().len();
        let limit = Duration::from_secs_f64(self.seconds);
        let native = match engine {
            Engine::Native => compile(game, self.engine.is_some())?,
            Engine::Interpreter => None,
        };
        let engine = if native.is_some() { Engine::Native } else { Engine::Interpreter };
        let (sums, compile_ms, seconds) = match native {
            Some(native) => {
                let compile_ms = start.elapsed().as_secs_f64() * 1e3;
                let (mut worker, initial) = (native.worker(), native.initial());
                let split = self.split.is_some();
                let (sums, seconds) = repeat(limit, || {
                    let mut state = initial.clone();
                    let length =
                        worker.playout(&mut state, split, &mut random).map_err(run_failure)?;
                    let scores =
                        (1..=players).map(|p| native.score(&state, Player(p as u8))).collect();
                    Ok(Playout { length, semimoves: length, scores })
                })?;
                (sums, compile_ms, seconds)
            }
            None => {
                let rules = self.split.map_or(game.rules.clone(), |s| s.apply(&game.rules));
                let interpreter = Interpreter::new(&Game { rules, ..game.clone() });
                let compile_ms = start.elapsed().as_secs_f64() * 1e3;
                let mut worker = interpreter.worker();
                let play = if self.split.is_some() { semisplit_playout } else { random_playout };
                let (sums, seconds) = repeat(limit, || {
                    let mut state = interpreter.initial();
                    play(&mut worker, &mut state, players, &mut random).map_err(run_failure)
                })?;
                (sums, compile_ms, seconds)
            }
        };
        let report = Report {
            game: loaded.name.clone(),
            engine,
            split: self.split.map(Strategy::name),
            playouts_per_s: sums.count as f64 / seconds,
            states_per_s: sums.states as f64 / seconds,
            mean_length: sums.mean_length(),
            mean_scores: sums.mean_scores(),
            compile_ms,
            seconds,
            playouts: sums.count,
        };
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        let scores: Vec<String> = game
            .declarations
            .players()
            .iter()
            .zip(&report.mean_scores)
            .map(|(name, score)| format!("{name} {score:.2}"))
            .collect();
        writeln!(out, "states/s     {:.0}", report.states_per_s)?;
        writeln!(out, "playouts/s   {:.0}", report.playouts_per_s)?;
        writeln!(out, "mean length  {:.2}", report.mean_length)?;
        writeln!(out, "mean scores  {}", scores.join(", "))?;
        writeln!(out, "from text to ready in {compile_ms:.1} ms; {} playouts", report.playouts)?;
        Ok(())
    }
}

/// Plays until the time is over; gives the sums and how long it took.
fn repeat(
    limit: Duration,
    mut playout: impl FnMut() -> Result<Playout, Failure>,
) -> Result<(Playouts, f64), Failure> {
    let start = Instant::now();
    let mut sums = Playouts::default();
    while start.elapsed() < limit {
        // Looking at the clock costs as much as a short game.
        for _ in 0..8 {
            sums.add(&playout()?);
        }
    }
    Ok((sums, start.elapsed().as_secs_f64()))
}
