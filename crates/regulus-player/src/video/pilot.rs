//! Who decides what the avatar does.

use std::time::Duration;

use regulus_game::{Random, World};
use regulus_search::config::{Limits, Refusal};
use regulus_search::video::{Config, Decision, Player};
use regulus_vgdl::{Action, State};

/// Decides what to do in a state.
type Decide = Box<dyn FnMut(&State, &Limits) -> Decision<Action> + Send>;

/// An agent in a game, or a game that was played before.
pub enum Pilot {
    /// An agent.
    Agent(Box<Agent>),
    /// Actions that are known; none after the last.
    Replay(std::vec::IntoIter<Action>),
    /// Anything else that decides.
    Other(Decide),
}

/// An agent and its view of the game.
pub struct Agent {
    player: Player<State>,
    /// What it may look at: a copy with other random numbers, since nobody can know the future.
    view: Option<State>,
    random: Random,
}

impl Pilot {
    /// An agent at the beginning of a game. The seed is that of the game it plays.
    ///
    /// # Errors
    /// A configuration that cannot work.
    pub fn agent(config: &Config, seed: u64) -> Result<Self, Refusal> {
        let random = Random::new(seed).fork(config.seed);
        let config = Config { seed: random.fork(1).state(), ..config.clone() };
        let player = Player::new(&config)?;
        Ok(Pilot::Agent(Box::new(Agent { player, view: None, random })))
    }

    /// Actions that are known.
    pub fn replay(actions: Vec<Action>) -> Self {
        Pilot::Replay(actions.into_iter())
    }

    /// Uses the time before the first tick.
    pub fn begin(&mut self, state: &State, limits: &Limits) {
        if let Pilot::Agent(agent) = self {
            agent.look(state);
            if let Some(view) = &agent.view {
                agent.player.begin(view, limits);
            }
        }
    }

    /// The longest time for which it was stopped lately while the clock ran.
    pub fn pause(&self) -> Duration {
        match self {
            Pilot::Agent(agent) => agent.player.pause(),
            _ => Duration::ZERO,
        }
    }

    /// Decides what to do in a state.
    pub fn act(&mut self, state: &State, limits: &Limits) -> Decision<Action> {
        match self {
            Pilot::Agent(agent) => {
                agent.look(state);
                let view = agent.view.as_ref().unwrap_or(state);
                agent.player.act(view, limits)
            }
            Pilot::Replay(actions) => Decision {
                action: actions.next().unwrap_or(Action::Nil),
                iterations: 0,
                ticks: 0,
                known: Vec::new(),
            },
            Pilot::Other(decide) => decide(state, limits),
        }
    }
}

impl Agent {
    fn look(&mut self, state: &State) {
        match &mut self.view {
            Some(view) => view.clone_from(state),
            None => self.view = Some(state.clone()),
        }
        if let Some(view) = &mut self.view {
            view.reseed(self.random.bits());
        }
    }
}
