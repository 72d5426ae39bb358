//! Games to play, and agents that play them.

use std::sync::Arc;

use regulus_player::catalogue::Catalogue;
use regulus_player::{AUTO, LoadedGame, PreparedAgent};
use regulus_rbg::Source;

use crate::diagnostics::refuse_rules;
use crate::limits::Limits;
use crate::refusal::Refusal;

/// A built-in game.
pub fn built_in(catalogue: &Catalogue, name: &str) -> Result<Arc<LoadedGame>, Refusal> {
    catalogue
        .game(name)
        .map_err(|unknown| Refusal::not_found(unknown.with_hint("`/api/v1/games` lists them")))
}

/// A game of uploaded rules; the first error is the refusal.
pub fn uploaded(name: &str, text: &str, limits: &Limits) -> Result<Arc<LoadedGame>, Refusal> {
    let game = LoadedGame::read(name, Source::new(name, text))
        .map_err(|fault| refuse_rules(fault.first(), ""))?;
    let vertices = game.rules().board.len();
    if vertices > limits.vertices {
        return Err(Refusal::rules(format!(
            "the board has {vertices} vertices; at most {} can be played here",
            limits.vertices
        )));
    }
    Ok(Arc::new(game))
}

/// An agent that is prepared for a game.
pub fn prepared_agent(
    game: &LoadedGame,
    agent: &str,
    memory: usize,
) -> Result<PreparedAgent, String> {
    let name = if agent == AUTO { game.auto_agent() } else { agent };
    let mut made = regulus_agent::by_name(name)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if made.search.parallel().most_threads() > processors {
        return Err(format!("{name} wants more threads than this machine has processors"));
    }
    made.search.set_memory(memory);
    Ok(PreparedAgent::new(&made, game))
}
