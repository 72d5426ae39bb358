//! `regulus perft`: leaves of the game tree.

use std::io::Write;
use std::time::Instant;

use clap::{Args, ValueEnum};
use regulus_game::Step;
use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError, divide, perft, semimove_perft};
use serde::Serialize;

use super::print_json;
use crate::failure::Failure;
use crate::game_argument::load_game;

/// What runs the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Walks the rules literally
    Interpreter,
    /// Machine code made from the rules
    Native,
}

/// Count the leaves of the game tree at a depth
#[derive(Args)]
pub struct Perft {
    /// A built-in game or a .rbg file
    game: String,
    /// How many players' moves deep
    depth: u32,
    /// Show the leaves below every first move
    #[arg(long)]
    divide: bool,
    /// Make moves of semimoves: mod, modplus, modshift, modplusshift
    #[arg(long, value_name = "STRATEGY", conflicts_with = "divide")]
    split: Option<Strategy>,
    /// What runs the rules [default: native; interpreter with --split]
    #[arg(long)]
    engine: Option<Engine>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    depth: u32,
    leaves: u64,
    seconds: f64,
    engine: Engine,
    split: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Part>>,
}

#[derive(Serialize)]
struct Part {
    #[serde(rename = "move")]
    steps: String,
    leaves: u64,
}

/// A run that failed, as a message.
pub fn run_failure(error: RunError) -> Failure {
    Failure::Failed(error.to_string())
}

/// A move as text: what each step does, and where.
pub fn move_text(game: &Game, steps: &[Step]) -> String {
    let step =
        |s: &Step| format!("{}:{}", game.board.name(regulus_rbg::Vertex(s.vertex)), s.action);
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// Compiles a game. Where no code can be made and the engine was not asked for, the reason is shown
/// and the interpreter takes over (`None`).
pub fn compile(game: &Game, asked_for: bool) -> Result<Option<Native>, Failure> {
    match Native::new(game) {
        Ok(native) => Ok(Some(native)),
        Err(why) if asked_for => {
            Err(Failure::Failed(format!("there is no native code for this game: {}", why.0)))
        }
        Err(why) => {
            writeln!(anstream::stderr(), "note: interpreted, because {}", why.0)?;
            Ok(None)
        }
    }
}

impl Perft {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let loaded = load_game(&self.game)?;
        let game = &loaded.game;
        let literal = self.divide || self.split.is_some();
        let engine = match self.engine {
            Some(Engine::Native) if literal => {
                return Err(Failure::Failed(
                    "--split and --divide run on the interpreter so far".to_owned(),
                ));
            }
            Some(engine) => engine,
            None if literal => Engine::Interpreter,
            None => Engine::Native,
        };
        let start = Instant::now();
        let mut parts = None;
        let native = match engine {
            Engine::Native => compile(game, self.engine.is_some())?,
            Engine::Interpreter => None,
        };
        let engine = if native.is_some() { Engine::Native } else { Engine::Interpreter };
        let leaves = match (native, self.split) {
            (Some(native), _) => {
                native.worker().perft(&native.initial(), self.depth).map_err(run_failure)?
            }
            (None, Some(strategy)) => {
                let rules = strategy.apply(&game.rules);
                let interpreter = Interpreter::new(&Game { rules, ..game.clone() });
                let initial = interpreter.initial();
                semimove_perft(&mut interpreter.worker(), &initial, self.depth)
                    .map_err(run_failure)?
            }
            (None, None) => {
                let interpreter = Interpreter::new(game);
                let (mut worker, initial) = (interpreter.worker(), interpreter.initial());
                if self.divide {
                    let found = divide(&mut worker, &initial, self.depth).map_err(run_failure)?;
                    let total = found.iter().map(|(_, leaves)| leaves).sum();
                    let named = found.iter().map(|(steps, leaves)| Part {
                        steps: move_text(game, steps),
                        leaves: *leaves,
                    });
                    parts = Some(named.collect());
                    total
                } else {
                    perft(&mut worker, &initial, self.depth).map_err(run_failure)?
                }
            }
        };
        let report = Report {
            game: loaded.name.clone(),
            depth: self.depth,
            leaves,
            seconds: start.elapsed().as_secs_f64(),
            engine,
            split: self.split.map(Strategy::name),
            divide: parts,
        };
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        for part in report.divide.iter().flatten() {
            writeln!(out, "{:>12}  {}", part.leaves, part.steps)?;
        }
        writeln!(
            out,
            "{} depth {}: {} leaves in {:.3} s",
            report.game, report.depth, report.leaves, report.seconds
        )?;
        Ok(())
    }
}
