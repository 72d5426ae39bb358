//! Agents that a game was prepared for, each with its view of the rules and its code.

use std::sync::OnceLock;

use regulus_agent::Agent;
use regulus_player::PreparedAgent;

/// A list that only grows: what is in it can be borrowed for as long as the game is there.
#[derive(Default)]
pub struct Prepared {
    first: OnceLock<Box<Entry>>,
}

struct Entry {
    agent: Agent,
    prepared_agent: PreparedAgent,
    next: OnceLock<Box<Entry>>,
}

impl Prepared {
    /// The entry of an agent, which is made if there is none.
    pub fn get(&self, agent: &Agent, new: impl Fn() -> PreparedAgent) -> &PreparedAgent {
        let mut place = &self.first;
        loop {
            // Another thread may put another agent here first.
            let entry = place.get_or_init(|| {
                Box::new(Entry {
                    agent: agent.clone(),
                    prepared_agent: new(),
                    next: OnceLock::new(),
                })
            });
            if entry.agent == *agent {
                return &entry.prepared_agent;
            }
            place = &entry.next;
        }
    }
}
