//! An agent at work on a game, whatever runs the rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use regulus_agent::Agent;
use regulus_game::{Engine, Step};
use regulus_rbg::Game;
use regulus_reasoner::RunError;
use regulus_reasoner::native::Operation;
use regulus_search::config::{Config, Limits, SimulationDesign};
use regulus_search::nested::{self, Algorithm, Design, Line, Nested};
use regulus_search::shot::Shot;
use regulus_search::{Glimpse, MoveReport, Search, Thought};

use crate::rules::Rules;

/// Why an agent cannot begin or go on.
pub type Failure = regulus_search::Failure<RunError>;

/// A search of some engine.
pub trait Thinker: Send {
    /// Searches the position.
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure>;
    /// Searches the position and shows how far it is about so often; stops early when `see` says false.
    fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Glimpse) -> bool,
    ) -> Result<Thought, Failure>;
    /// Searches the position until told to stop, while others think.
    fn ponder(&mut self, stop: &AtomicBool) -> Result<(), Failure>;
    /// What is known about the moves of the position, most visited first.
    fn moves(&self) -> Vec<MoveReport>;
    /// The best sequence of moves from the position on, if the search keeps one.
    fn best_line(&self) -> Option<&Line> {
        None
    }
    /// Plays a legal move.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure>;
}

impl<E> Thinker for Nested<E>
where
    E: Engine<Error = RunError> + Send,
    E::State: Send,
{
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure> {
        Nested::think(self, limits)
    }

    fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Glimpse) -> bool,
    ) -> Result<Thought, Failure> {
        Nested::think_watched(self, limits, every, see)
    }

    fn ponder(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let searched = Nested::ponder(self, || stop.load(Ordering::Relaxed));
        searched.map(|_| ()).map_err(Failure::Game)
    }

    fn moves(&self) -> Vec<MoveReport> {
        Nested::moves(self)
    }

    fn best_line(&self) -> Option<&Line> {
        Nested::best(self)
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure> {
        Nested::advance(self, steps).map_err(Failure::Game)
    }
}

impl<E> Thinker for Search<E>
where
    E: Engine<Error = RunError> + Send,
    E::State: Send,
{
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure> {
        Search::think(self, limits)
    }

    fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Glimpse) -> bool,
    ) -> Result<Thought, Failure> {
        Search::think_watched(self, limits, every, see)
    }

    fn ponder(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let searched = Search::ponder(self, || stop.load(Ordering::Relaxed));
        searched.map(|_| ()).map_err(Failure::Game)
    }

    fn moves(&self) -> Vec<MoveReport> {
        Search::moves(self)
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure> {
        Search::advance(self, steps).map_err(Failure::Game)
    }
}

impl<E> Thinker for Shot<E>
where
    E: Engine<Error = RunError> + Send,
    E::State: Send,
{
    fn think(&mut self, limits: &Limits) -> Result<Thought, Failure> {
        Shot::think(self, limits)
    }

    fn watch(
        &mut self,
        limits: &Limits,
        every: Duration,
        see: &mut dyn FnMut(Glimpse) -> bool,
    ) -> Result<Thought, Failure> {
        Shot::think_watched(self, limits, every, see)
    }

    fn ponder(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        let searched = Shot::ponder(self, || stop.load(Ordering::Relaxed));
        searched.map(|_| ()).map_err(Failure::Game)
    }

    fn moves(&self) -> Vec<MoveReport> {
        Shot::moves(self)
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure> {
        Shot::advance(self, steps).map_err(Failure::Game)
    }
}

/// An agent and the rules as it sees them; makes [`Thinker`]s. Threads can share it.
pub struct Mind {
    rules: Rules,
    config: Config,
    nested: Option<Design>,
    shot: bool,
}

impl Mind {
    /// Prepares a game for an agent. Where no native code can be made the interpreter takes over
    /// ([`Mind::why_interpreted`]).
    pub fn new(agent: &Agent, game: &Game) -> Self {
        let search = &agent.search;
        // Simulations that are guided or recorded are made move by move.
        let simulation = match search.simulation {
            SimulationDesign::Semisplit => Operation::SplitPlayout,
            SimulationDesign::Orthodox if search.mast.is_some() || search.rave.is_some() => {
                Operation::Groups
            }
            SimulationDesign::Orthodox => Operation::Playout,
        };
        let last: &[Operation] = match agent.nested.map(|design| design.algorithm) {
            Some(Algorithm::Nmcs) => &[Operation::Count, Operation::Nth],
            Some(Algorithm::Nrpa { .. }) => &[],
            None => &[simulation],
        };
        let operations = [&[Operation::Keeper, Operation::List], last].concat();
        let rules = Rules::new(&agent.game(game), &operations);
        Mind { rules, config: agent.search.clone(), nested: agent.nested, shot: agent.shot }
    }

    /// Why the rules are interpreted; nothing if they are not.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.rules.why_interpreted()
    }

    /// A search from the beginning of the game, after some moves.
    pub fn thinker<'a>(
        &self,
        seed: u64,
        moves: impl Iterator<Item = &'a [Step]>,
    ) -> Result<Box<dyn Thinker + '_>, Failure> {
        let mut thinker = match &self.rules {
            Rules::Native(native) => self.search(native.worker(), seed)?,
            Rules::Interpreted { rules, .. } => self.search(rules.worker(), seed)?,
        };
        for steps in moves {
            thinker.advance(steps)?;
        }
        Ok(thinker)
    }

    fn search<'e, E>(&self, engine: E, seed: u64) -> Result<Box<dyn Thinker + 'e>, Failure>
    where
        E: Engine<Error = RunError> + Send + 'e,
        E::State: Send,
    {
        Ok(match self.nested {
            Some(design) => {
                let config = nested::Config { design, memory: self.config.memory, seed };
                Box::new(Nested::new(engine, config)?)
            }
            None if self.shot => {
                Box::new(Shot::new(engine, Config { seed, ..self.config.clone() })?)
            }
            None => Box::new(Search::new(engine, Config { seed, ..self.config.clone() })?),
        })
    }
}
