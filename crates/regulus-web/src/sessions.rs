//! All sessions of a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::catalogue::json;
use crate::check::Check;
use crate::host::{Host, InProcess};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::sandbox::{self, Sandbox, Starter, Task};
use crate::session::{Places, Session, Taken};
use crate::session_game::{Kind, SessionGame};
use crate::setting::Setting;
use crate::table::{Opening, Table};
use crate::video::{Run, VideoCheck, VideoOpening, VideoSetting, VideoTexts};

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

async fn blocking<T: Send + 'static>(
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
    pub async fn check(&self, text: String) -> Result<Arc<str>, Refusal> {
        let _place = self.check_places.acquire().await.map_err(|_| Refusal::internal())?;
        match &self.starter {
            Some(starter) => {
                Ok(sandbox::check(starter, Task::Check { text }, &self.limits).await?.into())
            }
            None => {
                let limits = Arc::clone(&self.limits);
                blocking(move || json(&Check::new(&text, &limits))).await
            }
        }
    }

    /// Checks a video game; gives JSON.
    pub async fn check_video(&self, texts: VideoTexts) -> Result<Arc<str>, Refusal> {
        texts.profile()?;
        let _place = self.check_places.acquire().await.map_err(|_| Refusal::internal())?;
        match &self.starter {
            Some(starter) => {
                Ok(sandbox::check(starter, Task::CheckVideo { texts }, &self.limits).await?.into())
            }
            None => blocking(move || Ok(json(&VideoCheck::new(&texts)?))).await?,
        }
    }

    /// Begins a session on a built-in game. Gives it with its first view.
    pub async fn begin(
        &self,
        setting: Arc<Setting>,
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let taken = Taken::here(take(&self.places, "sessions")?);
        let limits = Arc::clone(&self.limits);
        let id = random_id()?;
        let name = id.clone();
        let make = move || {
            Table::new(name, setting, limits, opening)
                .map(|table| SessionGame::Board(Box::new(table)))
        };
        self.begin_here(id, make, taken).await
    }

    /// Begins a session on a level of a built-in video game.
    pub async fn begin_video(
        &self,
        setting: impl FnOnce() -> Result<VideoSetting, Refusal> + Send + 'static,
        opening: VideoOpening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let taken = Taken::here(take(&self.places, "sessions")?);
        let limits = Arc::clone(&self.limits);
        let id = random_id()?;
        let name = id.clone();
        let make = move || {
            Run::new(name, setting()?, limits, opening).map(|run| SessionGame::Video(Box::new(run)))
        };
        self.begin_here(id, make, taken).await
    }

    /// Begins a session on uploaded rules.
    pub async fn begin_uploaded(
        &self,
        (name, text): (String, String),
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let opening = Box::new(opening);
        self.begin_brought(Kind::Board, |id| Task::Table { id, name, text, opening }).await
    }

    /// Begins a session on an uploaded video game.
    pub async fn begin_uploaded_video(
        &self,
        (name, texts): (String, VideoTexts),
        opening: VideoOpening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let opening = Box::new(opening);
        self.begin_brought(Kind::Video, |id| Task::Run { id, name, texts, opening }).await
    }

    /// Begins a session on what somebody has brought: in a process of its own, if there can be one.
    async fn begin_brought(
        &self,
        kind: Kind,
        task: impl FnOnce(String) -> Task,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let taken = Taken {
            session: take(&self.places, "sessions")?,
            upload: Some(take(&self.upload_places, "sessions on uploaded rules")?),
        };
        let (id, thinking) = (random_id()?, watch::Sender::new(None));
        let task = task(id.clone());
        let Some(starter) = &self.starter else {
            let limits = Arc::clone(&self.limits);
            return self.begin_here(id, move || task.begin(&limits), taken).await;
        };
        let (limits, shown) = (&self.limits, thinking.clone());
        let (sandbox, first) = Sandbox::begin(starter, task, limits, shown).await?;
        let host = (kind, Host::Sandbox(Box::new(sandbox)));
        self.settle(id, host, thinking, (first, taken)).await
    }

    async fn begin_here(
        &self,
        id: String,
        make: impl FnOnce() -> Result<SessionGame, Refusal> + Send + 'static,
        taken: Taken,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let played = blocking(make).await??;
        let kind = played.kind();
        let host = Host::InProcess(InProcess::new(played, self.limits.search_memory));
        let first = host.ask(Request::View { scene: true }).await?;
        self.settle(id, (kind, host), watch::Sender::new(None), (first, taken)).await
    }

    async fn settle(
        &self,
        id: String,
        host: (Kind, Host),
        thinking: watch::Sender<Option<Arc<str>>>,
        (first, taken): (Reply, Taken),
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let places = Places { taken, turns: Arc::clone(&self.turns), streams: self.limits.streams };
        let session = Session::begin(id.clone(), host, thinking, places).await?;
        self.all().insert(id, Arc::clone(&session));
        Ok((session, first.shared()))
    }

    /// A session, which is used by that.
    pub fn find(&self, id: &str, kind: Kind) -> Result<Arc<Session>, Refusal> {
        let found = self.all().get(id).filter(|session| session.kind == kind).map(Arc::clone);
        let session = found
            .ok_or_else(|| Refusal::not_found("there is no such session; it may have expired"))?;
        session.touch();
        Ok(session)
    }

    /// Ends a session.
    pub fn end(&self, id: &str, kind: Kind) -> Result<(), Refusal> {
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
