//! An agent at work on a game, whatever runs the rules.

use regulus_agent::Agent;
use regulus_game::{Engine, Step};
use regulus_rbg::Game;
use regulus_reasoner::native::{Native, Operation};
use regulus_reasoner::{Interpreter, RunError};
use regulus_search::config::{Config, Limits, SimulationDesign};
use regulus_search::{MoveReport, Search, Thought};

use crate::commands::perft::{compile, run_failure};
use crate::failure::Failure;

/// A search of some engine.
pub trait Thinker {
    /// Searches the position.
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure>;
    /// What is known about the moves of the position, most visited first.
    fn moves(&self) -> Vec<MoveReport>;
    /// Plays a legal move.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure>;
}

impl<E: Engine<Error = RunError>> Thinker for Search<E> {
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure> {
        Search::think(self, limits).map_err(search_failure)
    }

    fn moves(&self) -> Vec<MoveReport> {
        Search::moves(self)
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure> {
        Search::advance(self, steps).map_err(run_failure)
    }
}

fn search_failure(failure: regulus_search::Failure<RunError>) -> Failure {
    Failure::Failed(failure.to_string())
}

enum Rules {
    Native(Box<Native>),
    Interpreted(Box<Interpreter>),
}

/// An agent and the rules as it sees them; makes [`Thinker`]s.
pub struct Mind {
    rules: Rules,
    config: Config,
}

impl Mind {
    /// Prepares a game for an agent. Where no native code can be made the interpreter takes over, with a
    /// note.
    pub fn new(agent: &Agent, game: &Game, seed: u64) -> Result<Self, Failure> {
        let game = agent.game(game);
        let operations: &[Operation] = match agent.search.simulation {
            SimulationDesign::Orthodox => &[
                Operation::Keeper,
                Operation::List,
                Operation::Count,
                Operation::Nth,
                Operation::Playout,
            ],
            SimulationDesign::Semisplit => {
                &[Operation::Keeper, Operation::List, Operation::SplitPlayout]
            }
        };
        let rules = match compile(&game, None, operations)? {
            Some(native) => Rules::Native(Box::new(native)),
            None => Rules::Interpreted(Box::new(Interpreter::new(&game))),
        };
        Ok(Mind { rules, config: Config { seed, ..agent.search.clone() } })
    }

    /// A search from the beginning of the game, after some moves.
    pub fn thinker<'a>(
        &self,
        moves: impl Iterator<Item = &'a [Step]>,
    ) -> Result<Box<dyn Thinker + '_>, Failure> {
        let config = self.config.clone();
        let mut thinker: Box<dyn Thinker> = match &self.rules {
            Rules::Native(native) => {
                Box::new(Search::new(native.worker(), config).map_err(search_failure)?)
            }
            Rules::Interpreted(rules) => {
                Box::new(Search::new(rules.worker(), config).map_err(search_failure)?)
            }
        };
        for steps in moves {
            thinker.advance(steps)?;
        }
        Ok(thinker)
    }
}
