//! An agent that thinks on a thread of its own while somebody watches the clock.
//!
//! A thread that computes all the time is stopped again and again on a machine with other work, and for longer
//! than the patience of the competition. A thread that sleeps until a certain time is let run much sooner. So the
//! timekeeper sleeps while the agent thinks; if there is no decision when it wakes up, it takes what the agent
//! would have decided so far.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, Scope};
use std::time::Instant;

use regulus_game::World;
use regulus_search::config::Limits;
use regulus_search::video::{Decision, Proposal};
use regulus_vgdl::{Action, State};

use super::pilot::Agent;

/// An agent and its clock.
pub(super) struct Timekeeper {
    orders: SyncSender<Order>,
    answers: Receiver<(u32, Option<Decision<Action>>)>,
    proposal: Arc<Proposal>,
    /// How many decisions the agent was asked for.
    decisions: u32,
    /// How many orders there were.
    given: u32,
}

/// What the agent has to do with a state.
struct Order {
    number: u32,
    state: State,
    limits: Limits,
    /// When its time is over.
    end: Option<Instant>,
    /// It is to decide; otherwise it may think about the beginning.
    decide: bool,
}

impl Order {
    /// The limits, with the time that is left.
    fn limits(&self) -> Limits {
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        Limits { time: self.end.map(left), ..self.limits.clone() }
    }
}

impl Timekeeper {
    /// Lets an agent think on a thread.
    ///
    /// # Errors
    /// There cannot be another thread.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        agent: &'scope mut Agent,
    ) -> io::Result<Self> {
        let (orders, received) = sync_channel::<Order>(1);
        let (answer, answers) = sync_channel(4);
        let proposal = agent.proposal();
        Builder::new().name("agent".to_owned()).spawn_scoped(scope, move || {
            for order in received {
                let limits = order.limits();
                let decision = if order.decide {
                    Some(agent.act(&order.state, &limits))
                } else {
                    agent.begin(&order.state, &limits);
                    None
                };
                if answer.send((order.number, decision)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Timekeeper { orders, answers, proposal, decisions: 0, given: 0 })
    }

    /// Uses the time before the first tick.
    pub(super) fn begin(&mut self, state: &State, limits: &Limits) {
        self.order(state, limits, false);
    }

    /// Decides in time, whatever the agent does.
    pub(super) fn act(&mut self, state: &State, limits: &Limits) -> Decision<Action> {
        let before = self.decisions;
        self.order(state, limits, true).unwrap_or_else(|| {
            let proposed = self.proposal.of(self.decisions).filter(|_| self.decisions != before);
            let action = proposed.and_then(|proposed| {
                state.actions().iter().find(|action| State::number(**action) == proposed.action)
            });
            Decision {
                action: action.copied().unwrap_or(Action::Nil),
                iterations: proposed.map_or(0, |proposed| proposed.iterations),
                ticks: proposed.map_or(0, |proposed| proposed.ticks),
                known: Vec::new(),
            }
        })
    }

    /// What comes of an order, if it comes in time.
    fn order(&mut self, state: &State, limits: &Limits, decide: bool) -> Option<Decision<Action>> {
        let now = Instant::now();
        self.given += 1;
        let order = Order {
            number: self.given,
            state: state.clone(),
            limits: limits.clone(),
            end: limits.time.map(|time| now + time),
            decide,
        };
        // There is no room if the agent has not even begun with the order before this one.
        self.orders.try_send(order).ok()?;
        self.decisions += u32::from(decide);
        // What the agent keeps back is for being late; half of it is for waking up.
        let wake = limits.time.map(|time| now + time.saturating_sub(limits.buffer / 2));
        loop {
            let received = match wake {
                Some(wake) => {
                    self.answers.recv_timeout(wake.saturating_duration_since(Instant::now()))
                }
                None => self.answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok((number, decision)) if number == self.given => return decision,
                // Too late for the order it belongs to.
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}
