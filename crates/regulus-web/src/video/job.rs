//! What the agent of a run decides, on a thread of its own.

use std::sync::{Arc, Mutex, PoisonError};

use regulus_search::video::Known;
use regulus_vgdl::{Action, State};
use serde::Serialize;

use super::driver::Prepared;
use crate::json::json;
use crate::session_game::{Found, Job};

/// The agent of a run. It keeps what was decided about the present tick, so that pausing in the middle of a search
/// changes nothing: the agent is never asked twice.
pub struct DecidingAgent {
    prepared: Result<Option<Prepared>, String>,
    begun: bool,
    decided: Option<(usize, Found)>,
}

impl DecidingAgent {
    /// An agent, nobody, or one that cannot play.
    pub fn new(prepared: Result<Option<Prepared>, String>) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(DecidingAgent { prepared, begun: false, decided: None }))
    }
}

/// A decision that a run waits for.
pub struct VideoJob {
    /// Who decides.
    pub agent: Arc<Mutex<DecidingAgent>>,
    /// In which state.
    pub state: State,
    /// After how many ticks.
    pub tick: usize,
    /// Its name.
    pub name: String,
}

/// What an agent thought about an action.
#[derive(Serialize, Debug)]
struct Thought<'j> {
    /// How many ticks were played before.
    tick: usize,
    /// Who has thought.
    agent: &'j str,
    /// What it does.
    action: char,
    /// Iterations of its search.
    iterations: u64,
    /// Ticks of the forward model.
    model_ticks: u64,
    /// What it knows about its actions, best first.
    known: Vec<KnownView>,
}

#[derive(Serialize, Debug)]
struct KnownView {
    action: char,
    visits: u64,
    share: f64,
    mean: f64,
}

impl Job for VideoJob {
    /// Decides. What was thought is shown afterwards, so nothing can stop it; memory is up to the agent.
    fn work(
        self: Box<Self>,
        _memory: usize,
        see: &mut dyn FnMut(Arc<str>) -> bool,
    ) -> Result<Option<Found>, String> {
        let mut agent = self.agent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((tick, found)) = &agent.decided
            && *tick == self.tick
        {
            return Ok(Some(found.clone()));
        }
        let DecidingAgent { prepared, begun, decided } = &mut *agent;
        let prepared = prepared.as_mut().map_err(|why| why.clone())?;
        let Some(Prepared { pilot, action, initialisation }) = prepared else {
            return Err("nobody plays".to_owned());
        };
        if !std::mem::replace(begun, true) {
            pilot.begin(&self.state, initialisation);
        }
        let decision = pilot.act(&self.state, action);
        let visits: u64 = decision.known.iter().map(|known| known.visits).sum();
        let share = |known: &Known<Action>| known.visits as f64 / visits.max(1) as f64;
        let known = decision.known.iter().map(|known| KnownView {
            action: known.action.letter(),
            visits: known.visits,
            share: share(known),
            mean: if known.mean.is_finite() { known.mean } else { 0.0 },
        });
        see(json(&Thought {
            tick: self.tick,
            agent: &self.name,
            action: decision.action.letter(),
            iterations: decision.iterations,
            model_ticks: decision.ticks,
            known: known.collect(),
        }));
        let chosen = decision.known.iter().find(|known| known.action == decision.action);
        let found =
            Found { text: decision.action.letter().to_string(), share: chosen.map_or(0.0, share) };
        *decided = Some((self.tick, found.clone()));
        Ok(Some(found))
    }
}
