//! An agent in a game.

use std::time::Duration;

use regulus_game::{Random, World};

use super::budget::{Budget, Pause};
use super::config::{Algorithm, Config};
use super::evolution::Plans;
use super::mcts::Search;
use super::one_step;
use super::playout;
use super::score::Judge;
use crate::config::refusal::refuse;
use crate::config::{Limits, Refusal};

/// An agent in one game of some kind of world.
///
/// With limits in iterations (`simulations`) or ticks (`states`) it is a pure function of its configuration and
/// of the states it is shown. It tries things out on copies with random numbers of its own: what will happen
/// by chance in the game it cannot know.
pub struct Player<W: World> {
    random: Random,
    prepared_agent: PreparedAgent<W>,
    pause: Pause,
}

/// What an agent has in mind between two ticks.
enum PreparedAgent<W: World> {
    Random,
    OneStep(Judge),
    Mcts(Box<Search<W>>),
    Evolution(Box<Plans<W>>),
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
        config.validate()?;
        if let Algorithm::Mcts(mcts) = &config.algorithm
            && mcts.modifications.macro_length > 1
            && !W::REPEATS
        {
            return refuse(
                "macro_length",
                mcts.modifications.macro_length,
                "actions of this game cannot be repeated: leave macro-actions out",
            );
        }
        let prepared_agent = match &config.algorithm {
            Algorithm::Random => PreparedAgent::Random,
            Algorithm::OneStep { score } => PreparedAgent::OneStep(Judge::new(score, 1)),
            Algorithm::Mcts(mcts) => PreparedAgent::Mcts(Box::new(Search::new(mcts))),
            Algorithm::Evolution(evolution) => {
                PreparedAgent::Evolution(Box::new(Plans::new(*evolution)))
            }
        };
        Ok(Player { random: Random::new(config.seed), prepared_agent, pause: Pause::default() })
    }

    /// Uses the time before the first tick: a tree search learns what its statistics and its play-outs
    /// can learn from the first state. Without any limit nothing happens.
    pub fn begin(&mut self, world: &W, limits: &Limits) {
        let limited =
            limits.time.is_some() || limits.simulations.is_some() || limits.states.is_some();
        if let PreparedAgent::Mcts(search) = &mut self.prepared_agent
            && limited
            && !world.is_over()
        {
            let mut budget = Budget::before_the_first_tick(limits);
            search.run(world, &mut budget, limits.memory, &mut self.random);
            self.pause = budget.pause(self.pause);
        }
    }

    /// The longest time for which it was stopped, or busy with one tick, in its last decisions by the clock.
    pub fn pause(&self) -> Duration {
        self.pause.longest()
    }

    /// Decides what to do in a state. Without any limit a search makes one iteration; it always makes one.
    pub fn act(&mut self, world: &W, limits: &Limits) -> Decision<W::Action> {
        let mut budget = Budget::new(limits, self.pause);
        let random = &mut self.random;
        let known = match &mut self.prepared_agent {
            _ if world.is_over() => Vec::new(),
            PreparedAgent::Random => Vec::new(),
            PreparedAgent::OneStep(judge) => {
                let known = one_step::look(world, judge, &mut budget, random);
                judge.forget();
                known
            }
            PreparedAgent::Mcts(search) => {
                search.run(world, &mut budget, limits.memory, random);
                let known = search.known(world, random);
                search.played();
                known
            }
            PreparedAgent::Evolution(plans) => plans.evolve(world, &mut budget, random),
        };
        let action =
            known.first().map_or_else(|| playout::any(world, random), |known| known.action);
        self.pause = budget.pause(self.pause);
        Decision { action, iterations: budget.iterations, ticks: budget.ticks, known }
    }
}
