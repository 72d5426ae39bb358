//! `regulus perft`: leaves of the game tree.

use std::io::Write;
use std::time::Instant;

use clap::{Args, ValueEnum};
use regulus_game::Step;
use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, Operation};
use regulus_reasoner::{Interpreter, LeafTable, RunError, divide, perft_with, semimove_perft};
use serde::Serialize;

use super::print_json;
use crate::failure::Failure;
use crate::game_argument::load_board;

/// Megabytes that may be asked for.
const MAX_HASH: i64 = 64_000;

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
    /// Remember what was counted below positions in this many megabytes
    #[arg(long, value_name = "MB", conflicts_with_all = ["divide", "split"], value_parser = clap::value_parser!(u32).range(1..=MAX_HASH))]
    hash: Option<u32>,
    /// What runs the rules [default: native, or the interpreter where no code can be made]
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
    divide: Option<Vec<Component>>,
}

#[derive(Serialize)]
struct Component {
    #[serde(rename = "move")]
    steps: String,
    leaves: u64,
}

/// A move as text: what each step does, and where.
pub fn move_text(game: &Game, steps: &[Step]) -> String {
    let step =
        |s: &Step| format!("{}:{}", game.board.name(regulus_rbg::Vertex(s.vertex)), s.action);
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// Compiles a game for some operations. Where no code can be made and the engine was not asked for, the
/// reason is shown and the interpreter takes over (`None`).
pub fn compile(
    game: &Game,
    engine: Option<Engine>,
    operations: &[Operation],
) -> Result<Option<Native>, Failure> {
    if engine == Some(Engine::Interpreter) {
        return Ok(None);
    }
    // Who asks for it waits for large code, too.
    let new = if engine.is_some() { Native::patient } else { Native::worthwhile };
    let made = new(game).and_then(|native| {
        operations.iter().try_for_each(|o| native.prepare(*o))?;
        Ok(native)
    });
    match made {
        Ok(native) => Ok(Some(native)),
        Err(why) if engine.is_some() => {
            Err(Failure::Failed(format!("there is no native code for this game: {}", why.0)))
        }
        Err(why) => {
            writeln!(anstream::stderr(), "note: interpreted, because {}", why.0)?;
            Ok(None)
        }
    }
}

/// The rules with the split points of a strategy, if one was asked for.
pub fn with_split(game: &regulus::Game, split: Option<Strategy>) -> regulus::Game {
    split.map_or_else(|| game.clone(), |strategy| game.split(strategy))
}

impl Perft {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let loaded = load_board(&self.game, "perft")?;
        let game = with_split(&loaded, self.split);
        let game = game.rules();
        let start = Instant::now();
        let operations: &[Operation] = match self.split {
            None => &[Operation::Keeper, Operation::List, Operation::Count],
            Some(_) => &[Operation::Keeper],
        };
        let native = compile(game, self.engine, operations)?;
        let engine = if native.is_some() { Engine::Native } else { Engine::Interpreter };
        let (leaves, parts) = match native {
            Some(native) => self.count(game, &mut native.worker())?,
            None => self.count(game, &mut Interpreter::new(game).worker())?,
        };
        let report = Report {
            game: loaded.name().to_owned(),
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

    fn count<E: regulus_game::Engine<Error = RunError>>(
        &self,
        game: &Game,
        engine: &mut E,
    ) -> Result<(u64, Option<Vec<Component>>), Failure> {
        let initial = engine.initial();
        if self.split.is_some() {
            let leaves = semimove_perft(engine, &initial, self.depth)?;
            return Ok((leaves, None));
        }
        if !self.divide {
            let megabytes = self.hash.unwrap_or(0);
            let mut table = LeafTable::new(megabytes as usize * 1_000_000).map_err(|_| {
                Failure::Failed(format!("there is no room for a table of {megabytes} MB"))
            })?;
            return Ok((perft_with(engine, &initial, self.depth, &mut table)?, None));
        }
        let found = divide(engine, &initial, self.depth)?;
        let total = found.iter().map(|(_, leaves)| leaves).sum();
        let named = found
            .iter()
            .map(|(steps, leaves)| Component { steps: move_text(game, steps), leaves: *leaves });
        Ok((total, Some(named.collect())))
    }
}
