//! The AGENT argument: a built-in name, a file, or `auto`.

use std::io::Write;
use std::path::Path;

use regulus_agent::{
    Agent, AnyAgent, COLLECTION, NESTED_COLLECTION, SHOT_COLLECTION, VIDEO_COLLECTION, any_by_name,
    read_any,
};
use regulus_player::bounded_file::read_text;
use regulus_player::{Mind, auto_agent};
use regulus_rbg::Game;

use crate::failure::Failure;

pub use regulus_player::AUTO;

/// A configuration file is never longer.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// True if the argument can only be meant as a file.
fn looks_like_path(argument: &str) -> bool {
    argument.contains(['/', '\\']) || argument.ends_with(".json")
}

/// Reads an agent of either kind.
pub fn read_any_agent(argument: &str) -> Result<AnyAgent, Failure> {
    if !looks_like_path(argument) {
        let why = match any_by_name(argument) {
            Ok(agent) => return Ok(agent),
            Err(why) => why,
        };
        if !Path::new(argument).exists() {
            let hint = match nearest(argument) {
                Some(name) => format!("did you mean `{name}`?"),
                None => "`regulus agents` lists the built-in ones".to_owned(),
            };
            return Err(Failure::Failed(format!("{why}\n{hint}")));
        }
    }
    let text = read_text(Path::new(argument), MAX_FILE_BYTES)
        .map_err(|fault| Failure::Failed(format!("cannot read {argument}: {fault}")))?;
    let stem = Path::new(argument).file_stem().and_then(|s| s.to_str()).unwrap_or(argument);
    read_any(stem, &text).map_err(|problem| Failure::Failed(format!("{argument}: {problem}")))
}

/// What is said of an agent that does not play such games.
pub fn wrong_games(argument: &str, agent: &AnyAgent) -> Failure {
    Failure::Failed(format!("`{argument}` {}", agent.games().refusal()))
}

/// Reads an agent for board games that does not depend on a game.
pub fn read_agent(argument: &str) -> Result<Agent, Failure> {
    match read_any_agent(argument)? {
        AnyAgent::Board(agent) => Ok(agent),
        other => Err(wrong_games(argument, &other)),
    }
}

/// Reads the agent that is to play a game.
pub fn agent_for(argument: &str, game: &Game) -> Result<Agent, Failure> {
    if argument != AUTO {
        return read_agent(argument);
    }
    read_agent(auto_agent(game))
}

/// Prepares a game for an agent, with so many threads for a search if that is said. If it has to be interpreted,
/// that is noted on standard error.
pub fn prepare(agent: &Agent, game: &Game, threads: Option<usize>) -> Result<Mind, Failure> {
    let mut mind = Mind::new(agent, game);
    if let Some(threads) = threads {
        mind.set_threads(agent, threads)
            .map_err(|why| Failure::Failed(format!("--threads {threads}: {why}")))?;
    }
    if let Some(why) = mind.why_interpreted() {
        writeln!(anstream::stderr(), "note: interpreted, because {why}")?;
    }
    Ok(mind)
}

/// The built-in agent whose name is most like a misspelt one, if one is like it at all.
fn nearest(name: &str) -> Option<&'static str> {
    let board = COLLECTION.iter().chain(SHOT_COLLECTION).chain(NESTED_COLLECTION);
    let known = board.chain(VIDEO_COLLECTION).copied().chain([AUTO]);
    known
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance * 3 <= known.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
