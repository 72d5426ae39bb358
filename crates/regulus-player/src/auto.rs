//! The agent that is chosen by the rules of a game.
//!
//! Plain UCT, but where a position has many moves of several choices: there a search has few simulations for each of
//! them and spends most on moves that it need not have tried, and semimoves divide them. In a game for one nobody
//! answers, so that a game that went well can be played again: that is what nested searches do. Which rule was chosen,
//! against which others, and from which games: `record/2026-11-18-auto.md`.

use regulus_game::{Engine, Random, Step};
use regulus_rbg::Game;
use regulus_reasoner::{Interpreter, RunError, Worker};

/// The name that stands for a choice by the rules.
pub const AUTO: &str = "auto";

/// What [`AUTO`] means in games for one player.
pub const ONE_PLAYER: &str = "nmcs_level2";

/// What [`AUTO`] means in most games.
pub const USUAL: &str = "mcts_orthodox_orthodox";

/// What [`AUTO`] means where positions have many moves that consist of several choices.
pub const SEVERAL_CHOICES: &str = "mctsM_semisplitNodal_semisplit";

/// Positions have many moves if they have more than this in the mean.
const FEW: u64 = 36;

/// Moves consist of several choices if there are at least this many times as many of them as any one of these choices
/// has possibilities. Else semimoves divide nothing, as where all moves begin with the same step.
const SEVERAL: u64 = 2;

/// How many positions of random games [`AUTO`] looks at.
const LOOKED_AT: u64 = 64;

/// More moves of a position are not looked at: some have millions.
const MOST: u64 = 1000;

/// Edges of the automaton that are tried to look at positions: some tenths of a second.
const MOST_WORK: u64 = 1 << 25;

/// The name of the agent that [`AUTO`] means for a game. It is the same on every machine.
pub(crate) fn auto_agent(game: &Game) -> &'static str {
    if game.declarations.players().len() == 1 {
        return ONE_PLAYER;
    }
    let facts = Facts::of(game);
    if facts.has_many_moves() && facts.has_several_choices() { SEVERAL_CHOICES } else { USUAL }
}

/// What [`AUTO`] means, in sentences.
pub fn auto_in_words() -> [String; 3] {
    [
        format!("In games for one player: {ONE_PLAYER}."),
        format!(
            "Where positions have more than {FEW} moves in the mean, and moves consist of several choices: \
             {SEVERAL_CHOICES}."
        ),
        format!("Everywhere else: {USUAL}."),
    ]
}

/// What is seen of a game in random games.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Facts {
    positions: u64,
    /// The moves of all positions.
    moves: u64,
    /// The semimoves at the widest choice inside a random move of each.
    widest: u64,
}

impl Facts {
    /// Looks at the positions of random games, one after the other, until there were enough. The opening alone would
    /// not do, since many games begin with placing pieces and go on with moving them.
    fn of(game: &Game) -> Self {
        let rules = Interpreter::new(game);
        let (mut facts, mut random) = (Facts::default(), Random::new(0));
        let mut engine = rules.worker();
        loop {
            let before = facts.positions;
            let looked = facts.look_at_game(&mut engine, &mut random);
            // Where the rules cannot go on, what was seen before has to do. A game in which nobody can move has no
            // positions.
            if looked.is_err() || facts.positions == before || facts.is_enough(&engine) {
                return facts;
            }
        }
    }

    fn has_many_moves(&self) -> bool {
        self.moves > FEW * self.positions
    }

    fn has_several_choices(&self) -> bool {
        self.moves >= SEVERAL * self.widest
    }

    /// True if enough positions were seen, or if the moves seen are many, whatever other positions have.
    fn is_enough(&self, engine: &Worker) -> bool {
        self.positions >= LOOKED_AT || self.moves > FEW * LOOKED_AT || engine.work() > MOST_WORK
    }

    fn look_at_game(&mut self, engine: &mut Worker, random: &mut Random) -> Result<(), RunError> {
        let (mut state, mut drawn) = (engine.initial(), Vec::new());
        while !self.is_enough(engine) && engine.run_keeper(&mut state)? {
            let count = if engine.nth(&mut state, MOST, &mut drawn)? {
                MOST
            } else {
                engine.count(&mut state)?
            };
            if count == 0 {
                break;
            }
            engine.nth(&mut state, random.below(count), &mut drawn)?;
            self.positions += 1;
            self.moves += count;
            self.widest += widest_choice(engine, &mut state, &drawn)?.min(count);
        }
        Ok(())
    }
}

/// Makes a move step by step; gives the most semimoves that there were to choose from.
fn widest_choice<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    steps: &[Step],
) -> Result<u64, RunError> {
    let (mut widest, mut semimoves) = (0, Vec::new());
    for step in steps {
        engine.semimoves(state, &mut semimoves)?;
        widest = widest.max(semimoves.len());
        engine.apply(state, std::slice::from_ref(step));
    }
    Ok(widest as u64)
}
