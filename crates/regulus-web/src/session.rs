//! A session: what is played, whoever watches it, and the search that goes on for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{MutexGuard as AsyncGuard, Notify, OwnedSemaphorePermit, Semaphore, watch};

use crate::cancel::Cancel;
use crate::game_kind::GameKind;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::session_game::Wanted;

/// The search that goes on for a session.
struct Running {
    ticket: u64,
    cancel: Cancel,
}

/// A refusal, and the state of the session that it is about.
pub struct Denied {
    /// Why.
    pub refusal: Refusal,
    /// The view, if the request was about an earlier one.
    pub view: Option<Arc<str>>,
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Self {
        Denied { refusal, view: None }
    }
}

/// What a session has taken of what there is.
pub struct Places {
    /// A place among sessions.
    pub session: OwnedSemaphorePermit,
    /// A place among sessions on uploaded rules.
    pub upload: Option<OwnedSemaphorePermit>,
    /// Who may search now.
    pub turns: Arc<Semaphore>,
    /// At most this many event streams.
    pub streams: usize,
}

/// What is shown of a session.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The view.
    pub view: Arc<str>,
    /// What has changed since the one before, if that is shorter than the view.
    pub step: Option<Arc<str>>,
    /// Grows by one with every change.
    pub number: u64,
}

/// A session.
pub struct Session {
    /// Its name, which only its visitor knows.
    pub id: String,
    /// What is played.
    pub kind: Arc<dyn GameKind>,
    host: Host,
    /// One asks at a time, and tells others before the next does.
    asking: tokio::sync::Mutex<()>,
    view: watch::Sender<Shown>,
    /// Somebody has begun to look.
    looked_at: Notify,
    /// When the last search began.
    searched: Mutex<Option<Instant>>,
    thinking: watch::Sender<Option<Arc<str>>>,
    running: Mutex<Option<Running>>,
    /// It cannot go on.
    failed: AtomicBool,
    /// Who may search now.
    turns: Arc<Semaphore>,
    /// Who may have another event stream.
    pub streams: Arc<Semaphore>,
    /// The session is over.
    pub closed: Cancel,
    started: Instant,
    /// When it was used last, in milliseconds since it was started.
    used: AtomicU64,
    /// A place among sessions on uploaded rules, as long as there is a process for them.
    upload: Mutex<Option<OwnedSemaphorePermit>>,
    _place: OwnedSemaphorePermit,
}

impl Session {
    /// Begins a session. What is shown of searches comes from `thinking`.
    pub async fn begin(
        id: String,
        (kind, host): (Arc<dyn GameKind>, Host),
        thinking: watch::Sender<Option<Arc<str>>>,
        places: Places,
    ) -> Result<Arc<Self>, Refusal> {
        let first = host.ask(Request::View { scene: false }).await?;
        let wanted = first.wanted;
        let session = Arc::new(Session {
            id,
            kind,
            host,
            asking: tokio::sync::Mutex::new(()),
            view: watch::Sender::new(Shown { view: first.shared(), step: None, number: 0 }),
            looked_at: Notify::new(),
            searched: Mutex::new(None),
            thinking,
            running: Mutex::new(None),
            failed: AtomicBool::new(false),
            turns: places.turns,
            streams: Arc::new(Semaphore::new(places.streams)),
            closed: Cancel::default(),
            started: Instant::now(),
            used: AtomicU64::new(0),
            upload: Mutex::new(places.upload),
            _place: places.session,
        });
        session.follow(wanted);
        if let Some(over) = session.host.over() {
            tokio::spawn(Session::watch(Arc::downgrade(&session), over));
        }
        Ok(session)
    }

    /// Waits for the end of a process of its own, and tells everybody who listens.
    async fn watch(session: Weak<Self>, over: Cancel) {
        over.cancelled().await;
        let Some(session) = session.upgrade() else { return };
        let _alone = session.asking.lock().await;
        if !session.closed.is_cancelled() {
            session.fail(&session.host.why_over());
        }
    }

    /// The views from now on, of which the first is told apart: with the scene if asked for.
    pub async fn views(&self, scene: bool) -> Result<(Shown, watch::Receiver<Shown>), Refusal> {
        let _alone = self.asking.lock().await;
        let mut views = self.view.subscribe();
        let mut first = views.borrow_and_update().clone();
        // What has failed has no scene any more.
        if scene && !self.failed.load(Ordering::Relaxed) {
            first.view = self.host.ask(Request::View { scene }).await?.shared();
        }
        self.looked_at.notify_waiters();
        Ok((first, views))
    }

    /// What is shown of searches from now on.
    pub fn thinking(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.thinking.subscribe()
    }

    /// Notes that the session is used.
    pub fn touch(&self) {
        self.used.store(self.started.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// True if somebody listens.
    pub fn is_watched(&self) -> bool {
        self.view.receiver_count() > 0
    }

    /// How long the session was not used.
    pub fn idle(&self) -> Duration {
        let used = Duration::from_millis(self.used.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(used)
    }

    /// Ends everything that goes on.
    pub fn close(&self) {
        self.closed.cancel();
        if let Some(running) = self.running().take() {
            running.cancel.cancel();
        }
        self.host.close();
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks what is played. Whoever asks next waits until the guard is gone.
    async fn ask(&self, request: Request) -> Result<(Reply, AsyncGuard<'_, ()>), Refusal> {
        let guard = self.asking.lock().await;
        match self.host.ask(request).await {
            Ok(reply) => Ok((reply, guard)),
            Err(refusal) => {
                self.fail(&refusal.message);
                Err(refusal)
            }
        }
    }

    /// It cannot go on: the last view, with the reason.
    fn fail(&self, why: &str) {
        if self.failed.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(running) = self.running().take() {
            running.cancel.cancel();
        }
        drop(self.upload.lock().unwrap_or_else(PoisonError::into_inner).take());
        let last = self.view.borrow().view.clone();
        let Ok(Value::Object(mut view)) = serde_json::from_str(&last) else { return };
        let revision = view.get("revision").and_then(Value::as_u64).unwrap_or(0);
        view.insert("revision".to_owned(), json!(revision + 1));
        view.insert("status".to_owned(), json!("over"));
        view.insert("text".to_owned(), json!(format!("the game cannot go on, because {why}")));
        self.kind.show_failure(&mut view, why);
        self.show(Value::Object(view).to_string().into(), None);
    }

    /// Shows a view to everybody.
    fn show(&self, view: Arc<str>, step: Option<Arc<str>>) {
        self.view.send_modify(|shown| {
            *shown = Shown { view, step, number: shown.number + 1 };
        });
    }

    /// The view as it is, with the scene if asked for.
    pub async fn look(&self, scene: bool) -> Result<Arc<str>, Refusal> {
        if !scene {
            return Ok(Arc::clone(&self.view.borrow().view));
        }
        Ok(self.ask(Request::View { scene }).await?.0.shared())
    }

    /// The game as a file.
    pub async fn record(&self) -> Result<Arc<str>, Refusal> {
        Ok(self.ask(Request::Record).await?.0.shared())
    }

    /// Frames of a game that has them.
    pub async fn film(&self, from: usize, count: usize) -> Result<Arc<str>, Refusal> {
        let (reply, _) = self.ask(Request::Film { from, count }).await?;
        match reply.refusal {
            None => Ok(reply.text.into()),
            Some(refusal) => Err(refusal),
        }
    }

    /// Does what is asked for; gives what has changed, or the whole view.
    pub async fn perform(self: &Arc<Self>, command: &Value) -> Result<Arc<str>, Denied> {
        let (reply, guard) = self.ask(Request::Perform(command.to_string())).await?;
        match reply.refusal {
            None => Ok(self.publish(reply, &guard)),
            Some(refusal) => {
                let view = (refusal.code == "stale").then(|| reply.text.into());
                Err(Denied { refusal, view })
            }
        }
    }

    /// Tells everybody about a change. Gives what was told.
    fn publish(self: &Arc<Self>, reply: Reply, _alone: &AsyncGuard<'_, ()>) -> Arc<str> {
        let (view, step): (Arc<str>, Option<Arc<str>>) =
            (reply.text.into(), reply.step.map(Into::into));
        self.show(Arc::clone(&view), step.clone());
        self.follow(reply.wanted);
        step.unwrap_or(view)
    }

    /// Stops a search that is not wanted any more and starts the one that is.
    fn follow(self: &Arc<Self>, wanted: Option<Wanted>) {
        let mut running = self.running();
        let same = |running: &Running| Some(running.ticket) == wanted.map(|wanted| wanted.ticket);
        if running.as_ref().is_some_and(same) {
            return;
        }
        if let Some(running) = running.take() {
            running.cancel.cancel();
        }
        if let Some(wanted) = wanted.filter(|_| !self.closed.is_cancelled()) {
            let cancel = Cancel::default();
            *running = Some(Running { ticket: wanted.ticket, cancel: cancel.clone() });
            tokio::spawn(Arc::clone(self).search(wanted, cancel));
        }
    }

    /// Waits for a turn, searches, and tells the game.
    async fn search(self: Arc<Self>, wanted: Wanted, cancel: Cancel) {
        let turns = Arc::clone(&self.turns);
        let turn = async {
            tokio::time::sleep(self.delay(wanted)).await;
            if wanted.live {
                self.somebody_looks().await;
            }
            turns.acquire_owned().await
        };
        let turn = tokio::select! {
            turn = turn => turn,
            () = cancel.cancelled() => return,
        };
        let Ok(turn) = turn else { return };
        *self.last_search() = Some(Instant::now());
        let searched = self.host.search(wanted, &cancel, &self.thinking).await;
        drop(turn);
        let found = match searched {
            Ok(Some(found)) => Ok(found),
            Ok(None) => return,
            Err(why) => Err(why),
        };
        if cancel.is_cancelled() {
            return;
        }
        // Somebody who watches agents play uses the session, too.
        if self.is_watched() {
            self.touch();
        }
        let asked = self.ask(Request::Finish { ticket: wanted.ticket, found }).await;
        if let Ok((reply, guard)) = asked
            && reply.changed
        {
            self.publish(reply, &guard);
        }
    }

    fn last_search(&self) -> MutexGuard<'_, Option<Instant>> {
        self.searched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long a search has to wait.
    fn delay(&self, wanted: Wanted) -> Duration {
        let delay = Duration::from_millis(wanted.delay_ms);
        match *self.last_search() {
            Some(last) if wanted.live => delay.saturating_sub(last.elapsed()),
            None if wanted.live => Duration::ZERO,
            _ => delay,
        }
    }

    /// Waits until somebody looks.
    async fn somebody_looks(&self) {
        loop {
            // From here on nobody who begins to look is missed.
            let looked_at = self.looked_at.notified();
            tokio::pin!(looked_at);
            looked_at.as_mut().enable();
            if self.is_watched() {
                return;
            }
            looked_at.await;
        }
    }
}
