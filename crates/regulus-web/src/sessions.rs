//! All sessions of a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::apart::{self, Apart, Program};
use crate::catalogue::json;
use crate::check::Check;
use crate::host::{Here, Host};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::session::{Places, Session};
use crate::setting::Setting;
use crate::table::{Opening, Table};

/// All sessions.
pub struct Sessions {
    limits: Arc<Limits>,
    /// What is started for uploaded rules; without it they are run in this process.
    program: Option<Program>,
    places: Arc<Semaphore>,
    upload_places: Arc<Semaphore>,
    check_places: Semaphore,
    turns: Arc<Semaphore>,
    all: Mutex<BTreeMap<String, Arc<Session>>>,
}

/// Checks of rules at the same time.
const CHECKS: usize = 4;

fn take(places: &Arc<Semaphore>, what: &str) -> Result<OwnedSemaphorePermit, Refusal> {
    let taken = Arc::clone(places).try_acquire_owned();
    taken.map_err(|_| Refusal::busy(format!("all places for {what} are taken; try again later")))
}

async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(act).await.map_err(|_| Refusal::internal())
}

impl Sessions {
    /// None yet.
    pub fn new(limits: Arc<Limits>, program: Option<Program>) -> Self {
        Sessions {
            places: Arc::new(Semaphore::new(limits.sessions)),
            upload_places: Arc::new(Semaphore::new(limits.uploads)),
            check_places: Semaphore::new(CHECKS),
            turns: Arc::new(Semaphore::new(limits.searches)),
            all: Mutex::default(),
            program,
            limits,
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks rules; gives JSON.
    pub async fn check(&self, text: String) -> Result<Arc<str>, Refusal> {
        let _place = self.check_places.acquire().await.map_err(|_| Refusal::internal())?;
        match &self.program {
            Some(program) => Ok(apart::check(program, text, &self.limits).await?.into()),
            None => {
                let limits = Arc::clone(&self.limits);
                blocking(move || json(&Check::new(&text, &limits))).await
            }
        }
    }

    /// Begins a session on a built-in game. Gives it with its first view.
    pub async fn begin(
        &self,
        setting: Arc<Setting>,
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let taken = vec![take(&self.places, "sessions")?];
        self.begin_here(setting, opening, taken).await
    }

    /// Begins a session on uploaded rules.
    pub async fn begin_uploaded(
        &self,
        (name, text): (String, String),
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let taken = vec![
            take(&self.places, "sessions")?,
            take(&self.upload_places, "sessions on uploaded rules")?,
        ];
        let Some(program) = &self.program else {
            let limits = Arc::clone(&self.limits);
            let load = move || Setting::uploaded(&name, &text, &limits).map(Arc::new);
            let setting = blocking(load).await??;
            return self.begin_here(setting, opening, taken).await;
        };
        let (id, thinking) = (random_id()?, watch::Sender::new(None));
        let rules = (id.clone(), name, text);
        let (limits, shown) = (&self.limits, thinking.clone());
        let (apart, first) = Apart::begin(program, rules, opening, limits, shown).await?;
        self.settle(id, Host::Apart(Box::new(apart)), thinking, (first, taken)).await
    }

    async fn begin_here(
        &self,
        setting: Arc<Setting>,
        opening: Opening,
        taken: Vec<OwnedSemaphorePermit>,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let id = random_id()?;
        let (name, at, limits) = (id.clone(), Arc::clone(&setting), Arc::clone(&self.limits));
        let table = blocking(move || Table::new(name, at, limits, opening)).await??;
        let host = Host::Here(Here::new(table, setting, self.limits.search_memory));
        let first = host.ask(Request::View { scene: true }).await?;
        self.settle(id, host, watch::Sender::new(None), (first, taken)).await
    }

    async fn settle(
        &self,
        id: String,
        host: Host,
        thinking: watch::Sender<Option<Arc<str>>>,
        (first, taken): (Reply, Vec<OwnedSemaphorePermit>),
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let places = Places { taken, turns: Arc::clone(&self.turns), streams: self.limits.streams };
        let session = Session::begin(id.clone(), host, thinking, places).await?;
        self.all().insert(id, Arc::clone(&session));
        Ok((session, first.shared()))
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
