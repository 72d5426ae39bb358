//! An agent in a game.

use regulus_game::{Random, World};

use super::config::Config;
use super::playout;
use crate::config::{Limits, Refusal};

/// An agent in one game of some kind of world.
///
/// With limits in iterations (`simulations`) or ticks (`states`) it is a pure function of its configuration and
/// of the states it is shown.
pub struct Player<W: World> {
    config: Config,
    random: Random,
    last: Option<W::Action>,
}

/// What an agent decided, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// What it does.
    pub action: A,
    /// Iterations of its search; 0 if it does not search.
    pub iterations: u64,
    /// Ticks of the forward model.
    pub ticks: u64,
    /// What it knows about its actions, best first.
    pub known: Vec<Known<A>>,
}

/// What an agent knows about an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known<A> {
    /// The action.
    pub action: A,
    /// How often it was tried.
    pub visits: u64,
    /// What it was worth on average, by the score of the agent.
    pub mean: f64,
}

impl<W: World> Player<W> {
    /// An agent at the beginning of a game.
    ///
    /// # Errors
    /// A configuration that cannot work, with the reason.
    pub fn new(config: &Config) -> Result<Self, Refusal> {
        Ok(Player { config: config.clone(), random: Random::new(config.seed), last: None })
    }

    /// Uses the time before the first tick.
    pub fn begin(&mut self, _world: &W, _limits: &Limits) {}

    /// Decides what to do in a state.
    pub fn act(&mut self, world: &W, _limits: &Limits) -> Decision<W::Action> {
        let _ = &self.config;
        let action = playout::any(world, &mut self.random);
        self.last = Some(action);
        Decision { action, iterations: 0, ticks: 0, known: Vec::new() }
    }
}
