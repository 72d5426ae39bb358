//! The AGENT argument: a built-in name, a file, or `auto`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use regulus_agent::{Agent, COLLECTION, by_name, read};
use regulus_game::{Engine, Moves, Random};
use regulus_player::Mind;
use regulus_rbg::Game;
use regulus_reasoner::{Interpreter, RunError};

use crate::failure::Failure;

/// The name that stands for a choice by the rules.
pub const AUTO: &str = "auto";

/// What [`AUTO`] means where a move is a single choice.
pub const SINGLE_CHOICES: &str = "mcts_orthodox_orthodox_mast_rave";

/// What [`AUTO`] means where moves consist of several choices.
pub const SEVERAL_CHOICES: &str = "mctsM_semisplitNodal_semisplit_mastsplit_rave";

/// A configuration file is never longer.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// How many positions of a random game [`AUTO`] looks at.
const LOOKED_AT: usize = 64;

/// True if the argument can only be meant as a file.
fn looks_like_path(argument: &str) -> bool {
    argument.contains(['/', '\\']) || argument.ends_with(".json")
}

/// Reads an agent that does not depend on a game.
pub fn read_agent(argument: &str) -> Result<Agent, Failure> {
    if !looks_like_path(argument) {
        let why = match by_name(argument) {
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
    let mut text = String::new();
    File::open(argument)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text))
        .map_err(|error| Failure::Failed(format!("cannot read {argument}: {error}")))?;
    let stem = Path::new(argument).file_stem().and_then(|s| s.to_str()).unwrap_or(argument);
    read(stem, &text).map_err(|problem| Failure::Failed(format!("{argument}: {problem}")))
}

/// Reads the agent that is to play a game.
pub fn agent_for(argument: &str, game: &Game) -> Result<Agent, Failure> {
    if argument != AUTO {
        return read_agent(argument);
    }
    let several = has_several_choices(game)?;
    read_agent(if several { SEVERAL_CHOICES } else { SINGLE_CHOICES })
}

/// Prepares a game for an agent. If it has to be interpreted, that is noted on standard error.
pub fn prepare(agent: &Agent, game: &Game) -> Result<Mind, Failure> {
    let mind = Mind::new(agent, game);
    if let Some(why) = mind.why_interpreted() {
        writeln!(anstream::stderr(), "note: interpreted, because {why}")?;
    }
    Ok(mind)
}

/// True if some move is a choice followed by another one: in the first positions of a random game
/// there are two legal moves with the same first step. The opening alone would not do, since many games
/// begin with placing pieces and go on with moving them.
fn has_several_choices(game: &Game) -> Result<bool, RunError> {
    let rules = Interpreter::new(game);
    let mut engine = rules.worker();
    let (mut state, mut moves, mut random) = (rules.initial(), Moves::new(), Random::new(0));
    for _ in 0..LOOKED_AT {
        moves.clear();
        if engine.keeper(&mut state)? {
            engine.list(&mut state, &mut moves)?;
        }
        if moves.is_empty() {
            break;
        }
        let mut first: Vec<_> = moves.iter().map(|steps| steps[0]).collect();
        first.sort_unstable();
        if first.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(true);
        }
        let index = random.below(moves.len() as u64) as usize;
        engine.apply(&mut state, moves.get(index));
    }
    Ok(false)
}

/// The built-in agent whose name is most like a misspelt one, if one is like it at all.
fn nearest(name: &str) -> Option<&'static str> {
    let known = COLLECTION.iter().copied().chain([AUTO]);
    known
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance * 3 <= known.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
