//! `regulus play`: a game in the terminal, or in a browser.

mod board;
mod video;

use std::path::PathBuf;

use clap::Args;
use regulus_player::limit;
use regulus_search::config::Limits as SearchLimits;

use super::serve::Place;
use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load};

/// Play against an agent, or a video game, in the terminal or in a browser
#[derive(Args)]
pub struct Play {
    /// A built-in game, a .rbg file, or a level of a video game
    game: String,
    /// The agent to play against [default: auto]; in video games the agent to watch, or `replay:FILE`
    /// (see `regulus agents`; a .json file or auto will do)
    #[arg(long)]
    agent: Option<String>,
    /// How long the agent thinks: time=500ms, sims=N or states=N (nodal states); several with commas
    /// [default: time=1s; in video games time=40ms]
    #[arg(long, value_parser = limit::parse)]
    limit: Option<SearchLimits>,
    /// Let the agent go on thinking while you do (as if its file had simulate_during_opp_turn)
    #[arg(long)]
    ponder: bool,
    /// Where you sit, from 1; 0 lets the agent play alone [default: 1]
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// The seed of the agent's random numbers; in video games also of the rules
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads work on a search; only for agents with several trees (`..._root4`), whose moves do not
    /// depend on it [default: as many as processors, at most one for each tree]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    profile: ProfileOption,
    /// Video games: ticks per second [default: 8; with --agent 20]
    #[arg(long, value_name = "N", conflicts_with = "step")]
    speed: Option<f64>,
    /// Video games: a tick per key instead of real time
    #[arg(long)]
    step: bool,
    /// Video games: write a replay to this file when the game is over or left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Play in a browser instead: serves the web page (see `regulus serve`) and prints the address
    #[arg(long, conflicts_with_all = ["ponder", "threads"])]
    web: bool,
    #[command(flatten)]
    place: Place,
}

impl Play {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if self.game == "-" {
            return Err(Failure::Failed(
                "standard input is for your moves: give the game as a name or a file".to_owned(),
            ));
        }
        load(&self.game, self.profile)?.play(&self)
    }
}
