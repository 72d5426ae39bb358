//! All sessions of a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::session::{Searches, Session};
use crate::setting::Setting;
use crate::table::Opening;

/// All sessions.
pub struct Sessions {
    limits: Arc<Limits>,
    places: Arc<Semaphore>,
    searches: Arc<Searches>,
    all: Mutex<BTreeMap<String, Arc<Session>>>,
}

impl Sessions {
    /// None yet.
    pub fn new(limits: Arc<Limits>) -> Self {
        let turns = Arc::new(Semaphore::new(limits.searches));
        Sessions {
            places: Arc::new(Semaphore::new(limits.sessions)),
            searches: Arc::new(Searches { turns, memory: limits.search_memory }),
            all: Mutex::default(),
            limits,
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session. Gives it with its first view.
    pub async fn begin(
        &self,
        setting: Arc<Setting>,
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(Refusal::busy(format!(
                "all {} sessions are taken; try again later",
                self.limits.sessions
            )));
        };
        let shared = (Arc::clone(&self.limits), Arc::clone(&self.searches));
        let (session, view) = Session::begin(random_id()?, setting, opening, shared, place).await?;
        self.all().insert(session.id.clone(), Arc::clone(&session));
        Ok((session, view))
    }

    /// A session, which is used by that.
    pub fn find(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        let found = self.all().get(id).map(Arc::clone);
        let session = found
            .ok_or_else(|| Refusal::not_found("there is no such session; it may have expired"))?;
        session.touch();
        Ok(session)
    }

    /// Ends a session.
    pub fn end(&self, id: &str) -> Result<(), Refusal> {
        self.find(id)?.close();
        self.all().remove(id);
        Ok(())
    }

    /// Ends sessions that were not used for too long.
    pub fn expire(&self) {
        self.all().retain(|_, session| {
            let stays = session.idle() < self.limits.expiry && !session.closed.is_cancelled();
            if !stays {
                session.close();
            }
            stays
        });
    }

    /// Ends all sessions.
    pub fn close(&self) {
        let mut all = self.all();
        all.values().for_each(|session| session.close());
        all.clear();
    }
}

/// 128 random bits of the operating system.
fn random_id() -> Result<String, Refusal> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::internal())?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
