//! How scores of actions become a choice, in playouts and in expansion.
//!
//! A new policy is one file in this folder that implements [`Choice`], and one line in [`REGISTRY`]; a
//! configuration asks for it by [`Policy::Registered`].

mod epsilon_greedy;
mod gibbs;
mod roulette;
mod tournament;

use regulus_game::Random;

use crate::config::Policy;

/// Chooses one of several candidates. With a single candidate it is not asked.
pub trait Choice: Send {
    /// True if this choice is made without looking at scores, uniformly: then nobody computes them.
    fn ignores_scores(&mut self, random: &mut Random) -> bool;

    /// Chooses by scores from 0 to 1.
    fn choose(&mut self, scores: &[f64], random: &mut Random) -> usize;

    /// True if one of the best is chosen, each with the same probability: then a statistic may look for
    /// them in its own way.
    fn is_greedy(&self) -> bool {
        false
    }
}

/// A kind of policy.
pub struct Entry {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Makes it from its parameter.
    pub make: fn(parameter: f64) -> Box<dyn Choice>,
}

/// All policies.
pub const REGISTRY: &[Entry] =
    &[epsilon_greedy::ENTRY, gibbs::ENTRY, roulette::ENTRY, tournament::ENTRY];

/// The names of all policies.
pub(crate) fn names() -> Vec<&'static str> {
    REGISTRY.iter().map(|entry| entry.name).collect()
}

/// Finds a policy by its name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().find(|entry| entry.name == name)
}

/// The policy that a configuration asks for; uniform choice if there is no such policy, which
/// validation has excluded.
pub(crate) fn make(policy: Policy) -> Box<dyn Choice> {
    let (name, parameter) = policy.name_and_parameter();
    find(name).map_or_else(epsilon_greedy::uniform, |entry| (entry.make)(parameter))
}
