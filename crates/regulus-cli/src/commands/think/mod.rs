//! `regulus think`: what an agent finds in one position.

mod board;
mod video;

use std::time::Duration;

use clap::Args;
use regulus_player::limit;
use regulus_search::config::Limits;

use crate::agent_argument::AUTO;
use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load};

/// Search one position and show what was found
#[derive(Args)]
pub struct Think {
    /// A built-in game, a .rbg file, or a level of a video game
    game: String,
    #[command(flatten)]
    profile: ProfileOption,
    /// A built-in agent (see `regulus agents`), a .json file, or auto
    #[arg(long, default_value = AUTO)]
    agent: String,
    /// When to stop: time=500ms, sims=N or states=N (nodal states); several with commas
    /// [default: time=1s; in video games time=40ms]
    #[arg(long, value_parser = limit::parse)]
    limit: Option<Limits>,
    /// Moves to play first, with commas between them: "56 2 48 3, 11 5 19 6"; in video games actions as letters: "RRUS"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads work on a search; only for agents with several trees (`..._root4`), whose moves do not
    /// depend on it [default: as many as processors, at most one for each tree]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How many moves to show [default: 10; with --json all]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Think {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        load(&self.game, self.profile)?.think(&self)
    }

    fn limits(&self, usual: Duration) -> Limits {
        self.limit.clone().unwrap_or_else(|| Limits::time(usual))
    }
}
