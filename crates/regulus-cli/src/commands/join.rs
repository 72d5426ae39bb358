//! `regulus join`: an agent that plays with a manager over the network.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use regulus_player::limit;
use regulus_sandbox::Program;
use regulus_search::config::Limits;
use regulus_server::{JoinSettings, join};

use crate::agent_argument::find_agent;
use crate::failure::Failure;
use crate::shutdown::shutdown_flag;
use crate::time_argument::time;

/// Join a game manager over the network and play there
///
/// Works with `regulus manager` and with the original manager of RBG: receives the rules, prepares, and plays to
/// the end of the last game. The rules run in a process of their own, which can do nothing else. The agent thinks as long as the manager allows, less what its configuration
/// keeps back (buffer_time), and on the time of others if its configuration says so.
#[derive(Args)]
pub struct JoinManager {
    /// Where the manager is: host:port
    address: String,
    /// Who plays: a built-in agent (see `regulus agents`), a .json file, or auto
    #[arg(long, default_value = "auto")]
    agent: String,
    /// Think no longer than this for a move: time=500ms, sims=N, states=N (nodal states), several with
    /// commas; with sims or states the time that the manager gives is ignored, and moves may be late [default: as long as the
    /// manager allows, a second if it has no limit]
    #[arg(long, value_parser = limit::parse)]
    limit: Option<Limits>,
    /// Print the statistics of all legal moves after each turn
    #[arg(long)]
    states: bool,
    /// What is kept back of the time for a move, but never more than half of it [default: as the agent says]
    #[arg(long, value_name = "TIME", value_parser = time)]
    buffer: Option<Duration>,
    /// What all random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long connecting is tried
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    connect_timeout: Duration,
    /// Give up if the manager says nothing for this long
    #[arg(long, value_name = "TIME", default_value = "3600s", value_parser = time)]
    silence_timeout: Duration,
    /// Give up if the rules take longer than this to compile, until the agent is ready
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    max_preparation: Duration,
    /// Megabytes of the process that runs the rules; a search uses at most half of them
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(256..=1 << 30))]
    max_process_memory: u64,
    /// Join again if the connection is lost in the middle of a game
    #[arg(long)]
    reconnect: bool,
}

impl JoinManager {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let agent = find_agent(&self.agent)?.in_board_games()?;
        let program = Program::this(&["run-rules", "join"])
            .map_err(|error| Failure::Failed(format!("cannot find this program: {error}")))?;
        let settings = JoinSettings {
            agent,
            program: Some(program),
            max_preparation: self.max_preparation,
            max_memory: self.max_process_memory << 20,
            connect_timeout: self.connect_timeout,
            silence_timeout: self.silence_timeout,
            reconnect: self.reconnect,
            limits: self.limit.clone().unwrap_or_default(),
            show_moves: self.states,
            buffer: self.buffer,
            seed: self.seed,
            ..JoinSettings::new(&self.address)
        };
        let interrupted = shutdown_flag()?;
        let mut err = anstream::stderr();
        let games = join(&settings, &interrupted, &mut |notice| {
            // Nobody need read the messages.
            let _ = writeln!(err, "{notice}");
        });
        let games = games.map_err(|error| Failure::Failed(error.to_string()))?;
        writeln!(anstream::stderr(), "the manager has ended after {games} games")?;
        Ok(())
    }
}
