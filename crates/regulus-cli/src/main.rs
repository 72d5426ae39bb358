//! The `regulus` command. Commands parse their arguments and print; the work is done in the crates
//! below.
//!
//! # Where to look
//!
//! A command is a file in `commands/`, which owns its arguments and what it prints. What several share:
//!
//! | to change | look at |
//! |---|---|
//! | the arguments GAME, GAME:LEVEL, AGENT | `game_argument.rs`, `agent_argument.rs`; what a word means: the catalogue in `regulus-player` |
//! | video games in the terminal: keys, drawing, results | `video_session/`, `video_view.rs`, `video_player.rs`, `video_result_view.rs` |
//! | boards as text, with colours | `board_view.rs` |
//! | the result of a match as text; how far it has come | `match_view.rs`, `progress.rs` |
//! | the report of an experiment as text | `report_view.rs` |
//! | times and numbers of threads as arguments | `time_argument.rs`, `threads_argument.rs` |
//! | what can be entered in `replay` | `game_replay.rs` |
//! | what can be entered in `play` | `game_session.rs` |
//! | the line that shows a search; Ctrl-C in a game | `live_line.rs`; `ctrl_c.rs` |
//! | error messages and the exit status | `failure.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | what all search designs find (`REGULUS_BLESS=1` rewrites) | `tests/signature.rs`, numbers: `tests/data/` |
//! | paths and dependencies that ARCHITECTURE.md and the maps of crates name | `tests/maps.rs` |
//! | a game at a real terminal: colours, Ctrl-C | `tests/terminal.rs` |
//! | `manager` and `join` as commands: files, signals, full disks | `tests/manager.rs` |
//! | matches with files and signals | `tests/matches.rs` |
//! | devices, pipes and huge files for every command | `tests/endless_files.rs` |
//! | experiments killed 50 times, interrupted, shared, on a full disk | `tests/experiments.rs` |
//! | an experiment on a real Slurm that loses a machine | `tests/slurm.rs` |
//! | the server's process: hostile rules, signals, ports | `tests/serve.rs` |
//! | the command line, games played from a script (`TRYCMD=overwrite` rewrites) | `tests/`, texts: `tests/cmd/` |

mod agent_argument;
mod board_view;
mod commands;
mod ctrl_c;
mod failure;
mod game_argument;
mod game_replay;
mod game_session;
mod grid;
mod input_line;
mod live_line;
mod match_view;
mod progress;
mod report_view;
mod shutdown;
mod threads_argument;
mod time_argument;
mod video_player;
mod video_result_view;
mod video_session;
mod video_view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A general game player: reads the rules of a game and plays it.
#[derive(Parser)]
#[command(name = "regulus", version, arg_required_else_help = true)]
#[command(
    after_help = "GAME is the name of a built-in game (see `regulus games`), a path to a .rbg file, or a level of\n\
                        a video game: `vgdl/NAME:LEVEL`, `game.txt:level.txt`, or `game.txt:0` for game_lvl0.txt.\n\
                        Exit status: 0 fine, 1 the input or the run failed, 2 wrong usage."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the built-in games
    Games(commands::games::Games),
    /// Check game descriptions and explain what is wrong with them
    Check(commands::check::Check),
    /// Format game descriptions
    Fmt(commands::fmt::Fmt),
    /// Show a game: board, players, pieces, variables, rules
    Show(commands::show::Show),
    /// Count the leaves of the game tree at a depth
    Perft(commands::perft::Perft),
    /// Play random games and measure how fast that goes
    Bench(commands::bench::Bench),
    /// Play against an agent, or a video game, in the terminal or in a browser
    Play(commands::play::Play),
    /// Serve the web page: play, watch and write games in a browser
    Serve(commands::serve::Serve),
    #[command(hide = true)]
    RunRules(commands::run_rules::RunRules),
    /// Search one position and show what was found
    Think(commands::think::Think),
    /// Let agents play games against each other
    Match(commands::match_games::Match),
    /// Run whole experiments: games between many agents, on one machine or many
    Experiment(commands::experiment::Experiment),
    /// Let players join over the network and play games with them
    Manager(commands::manager::ManageGames),
    /// Join a game manager over the network and play there
    Join(commands::join::JoinManager),
    /// Step through a recorded game; every move is checked
    Replay(commands::replay::ReplayGame),
    /// Sum up recorded games: win rates, states, turns and times of every agent and seat
    Summary(commands::summary::Summary),
    /// List, check and explain agents
    Agents(commands::agents::Agents),
    /// Print one number that changes when any search finds something else
    Signature(commands::signature::Signature),
    /// Replay recorded video games of other engines and name the first difference
    Trace(commands::trace::Trace),
    /// Explain a diagnostic code such as RBG0012 or VGDL0009
    Explain(commands::explain::Explain),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Games(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Fmt(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::RunRules(command) => command.run(),
        Command::Think(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Experiment(command) => command.run(),
        Command::Manager(command) => command.run(),
        Command::Join(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Summary(command) => command.run(),
        Command::Agents(command) => command.run(),
        Command::Signature(command) => command.run(),
        Command::Trace(command) => command.run(),
        Command::Explain(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
