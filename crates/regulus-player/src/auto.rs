//! The agent that is chosen by the rules of a game.

use regulus_game::{Engine, Moves, Random};
use regulus_rbg::Game;
use regulus_reasoner::{Interpreter, RunError};

/// The name that stands for a choice by the rules.
pub const AUTO: &str = "auto";

/// What [`AUTO`] means where a move is a single choice.
pub const SINGLE_CHOICES: &str = "mcts_orthodox_orthodox_mast_rave";

/// What [`AUTO`] means where moves consist of several choices.
pub const SEVERAL_CHOICES: &str = "mctsM_semisplitNodal_semisplit_mastsplit_rave";

/// How many positions of a random game [`AUTO`] looks at.
const LOOKED_AT: usize = 64;

/// The name of the agent that [`AUTO`] means for a game.
pub fn auto_agent(game: &Game) -> Result<&'static str, RunError> {
    Ok(if has_several_choices(game)? { SEVERAL_CHOICES } else { SINGLE_CHOICES })
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
