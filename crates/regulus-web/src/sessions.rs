//! All sessions of a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::game_kind::{Beginning, GameKind};
use crate::host::{Host, InProcess};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::sandbox::{self, Sandbox, Setup, Starter, Task};
use crate::session::{Places, Session};

/// All sessions.
pub struct Sessions {
    limits: Arc<Limits>,
    /// What is started for uploaded rules; without it they are run in this process.
    starter: Option<Starter>,
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

/// Does something on a thread that may block.
pub async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(act).await.map_err(|_| Refusal::internal())
}

impl Sessions {
    /// None yet.
    pub fn new(limits: Arc<Limits>, starter: Option<Starter>) -> Self {
        Sessions {
            places: Arc::new(Semaphore::new(limits.sessions)),
            upload_places: Arc::new(Semaphore::new(limits.uploads)),
            check_places: Semaphore::new(CHECKS),
            turns: Arc::new(Semaphore::new(limits.searches)),
            all: Mutex::default(),
            starter,
            limits,
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks rules; gives JSON.
    pub async fn check(&self, kind: &dyn GameKind, request: Value) -> Result<Arc<str>, Refusal> {
        let check = kind.check(&request, &self.limits)?;
        let _place = self.check_places.acquire().await.map_err(|_| Refusal::internal())?;
        match &self.starter {
            Some(starter) => {
                let setup = Setup::new(kind, request, Task::Check, &self.limits);
                Ok(sandbox::check(starter, &setup).await?.into())
            }
            None => {
                let limits = Arc::clone(&self.limits);
                blocking(move || check(&limits)).await?
            }
        }
    }

    /// Begins a session; gives it with its first view. Rules that a visitor brought run in a process of their own, if there
    /// can be one.
    pub async fn begin(
        &self,
        kind: &Arc<dyn GameKind>,
        request: Value,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let Beginning { brought, start } = kind.begin(&request, &self.limits)?;
        let session = take(&self.places, "sessions")?;
        let upload = brought.then(|| take(&self.upload_places, "sessions on uploaded rules"));
        let turns = Arc::clone(&self.turns);
        let places =
            Places { session, upload: upload.transpose()?, turns, streams: self.limits.streams };
        let (id, thinking) = (random_id()?, watch::Sender::new(None));
        let (host, first) = match &self.starter {
            Some(starter) if brought => {
                let task = Task::Begin { id: id.clone() };
                let setup = Setup::new(kind.as_ref(), request, task, &self.limits);
                let (sandbox, first) = Sandbox::begin(starter, &setup, thinking.clone()).await?;
                (Host::Sandbox(Box::new(sandbox)), first)
            }
            _ => {
                let (name, limits) = (id.clone(), Arc::clone(&self.limits));
                let game = blocking(move || start(name, limits)).await??;
                let host = Host::InProcess(InProcess::new(game, self.limits.search_memory));
                let first = host.ask(Request::View { scene: true }).await?;
                (host, first)
            }
        };
        let host = (Arc::clone(kind), host);
        let session = Session::begin(id.clone(), host, thinking, places).await?;
        self.all().insert(id, Arc::clone(&session));
        Ok((session, first.shared()))
    }

    /// A session, which is used by that.
    pub fn find(&self, id: &str, kind: &dyn GameKind) -> Result<Arc<Session>, Refusal> {
        let is_of_kind = |session: &&Arc<Session>| session.kind.about().name == kind.about().name;
        let found = self.all().get(id).filter(is_of_kind).map(Arc::clone);
        let session = found
            .ok_or_else(|| Refusal::not_found("there is no such session; it may have expired"))?;
        session.touch();
        Ok(session)
    }

    /// Ends a session.
    pub fn end(&self, id: &str, kind: &dyn GameKind) -> Result<(), Refusal> {
        self.find(id, kind)?.close();
        self.all().remove(id);
        Ok(())
    }

    /// Ends sessions that were not used for too long. Whoever listens uses one.
    pub fn expire(&self) {
        self.all().retain(|_, session| {
            if session.is_watched() {
                session.touch();
            }
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
