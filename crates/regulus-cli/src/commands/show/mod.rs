//! `regulus show`: what a game consists of.

mod board;
mod video;

use std::str::FromStr;

use clap::Args;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Pass;

use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load};

/// Show a game: board, players, pieces, variables, rules; or level, sprites, interactions
#[derive(Args)]
pub struct Show {
    /// A built-in game, a .rbg file, or a level of a video game
    game: String,
    #[command(flatten)]
    profile: ProfileOption,
    /// Print the description after macro expansion instead
    #[arg(long, conflicts_with = "split")]
    expanded: bool,
    /// Print the rules with the split points of a strategy: mod, modplus, modshift, modplusshift
    #[arg(long, value_name = "STRATEGY")]
    split: Option<Strategy>,
    /// With --split: remove the splits that are never a choice
    #[arg(long, requires = "split")]
    decisive: bool,
    /// Print the automaton of the rules instead (with --split: with its split points), or what a pass
    /// of the compiler found out: numbering, segments, relations, guards, intervals, patterns
    #[arg(
        long,
        value_name = "PASS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "automaton",
        conflicts_with_all = ["expanded", "json"]
    )]
    ir: Option<Ir>,
    /// Say which parts of the rules have no machine code, and why
    #[arg(long, conflicts_with_all = ["expanded", "split", "ir", "json"])]
    performance: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// A form of the rules inside the compiler.
#[derive(Clone, Copy)]
enum Ir {
    Automaton,
    Pass(Pass),
}

impl FromStr for Ir {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "automaton" => Ok(Ir::Automaton),
            _ => text.parse().map(Ir::Pass).map_err(|e: String| format!("{e}, or automaton")),
        }
    }
}

impl Show {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        load(&self.game, self.profile)?.show(&self)
    }
}
