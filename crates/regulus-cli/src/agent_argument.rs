//! The AGENT argument: a built-in name, a file, or `auto`.

use std::io::Write;
use std::path::Path;

use regulus_agent::Agent;
use regulus_player::PreparedAgent;

use crate::failure::Failure;

pub use regulus::AUTO;

/// True if the argument can only be meant as a file.
fn looks_like_path(argument: &str) -> bool {
    argument.contains(['/', '\\']) || argument.ends_with(".json")
}

/// Finds an agent for games of any kind.
pub fn find_agent(argument: &str) -> Result<regulus::Agent, Failure> {
    if !looks_like_path(argument) {
        match argument.parse() {
            Ok(agent) => return Ok(agent),
            Err(why) if !Path::new(argument).exists() => return Err(Failure::from(why)),
            Err(_) => {}
        }
    }
    Ok(regulus::Agent::load(argument)?)
}

/// Finds the agent that is to play a board game.
pub fn agent_for(argument: &str, game: &regulus::Game) -> Result<Agent, Failure> {
    Ok(find_agent(argument)?.in_board_game(game)?)
}

/// Prepares a game for an agent; `threads` are those of a search, if that is said. If it has to be interpreted,
/// that is noted on standard error.
pub fn prepare(
    agent: &Agent,
    game: &regulus::Game,
    threads: Option<usize>,
) -> Result<PreparedAgent, Failure> {
    let mut prepared_agent = PreparedAgent::new(agent, game.loaded());
    if let Some(threads) = threads {
        prepared_agent
            .set_threads(agent, threads)
            .map_err(|why| Failure::Failed(format!("--threads {threads}: {why}")))?;
    }
    if let Some(why) = prepared_agent.why_interpreted() {
        writeln!(anstream::stderr(), "note: interpreted, because {why}")?;
    }
    Ok(prepared_agent)
}
