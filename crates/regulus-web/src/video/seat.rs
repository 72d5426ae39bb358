//! Where the agent of a run sits while it decides, on a thread of its own.

use std::sync::{Arc, Mutex, PoisonError};

use regulus_search::video::Known;
use regulus_vgdl::{Action, State};
use serde::Serialize;

use super::driver::Prepared;
use crate::catalogue::json;
use crate::table::Found;

/// The seat of an agent. It keeps what was decided about the present tick, so that pausing in the middle of a search
/// changes nothing: the agent is never asked twice.
pub struct Seat {
    prepared: Result<Option<Prepared>, String>,
    begun: bool,
    decided: Option<(usize, Found)>,
}

impl Seat {
    /// The seat of an agent, of nobody, or of one that cannot play.
    pub fn new(prepared: Result<Option<Prepared>, String>) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Seat { prepared, begun: false, decided: None }))
    }
}

/// A decision that a run waits for.
pub struct Job {
    /// Who decides.
    pub seat: Arc<Mutex<Seat>>,
    /// In which state.
    pub state: State,
    /// After how many ticks.
    pub tick: usize,
    /// Its name.
    pub agent: String,
}

/// What an agent thought about an action.
#[derive(Serialize, Debug)]
struct SearchResult<'j> {
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

impl Job {
    /// Decides. `see` is shown what was thought.
    pub fn work(self, see: &mut dyn FnMut(Arc<str>)) -> Result<Option<Found>, String> {
        let mut seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((tick, found)) = &seat.decided
            && *tick == self.tick
        {
            return Ok(Some(found.clone()));
        }
        let Seat { prepared, begun, decided } = &mut *seat;
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
        see(json(&SearchResult {
            tick: self.tick,
            agent: &self.agent,
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
