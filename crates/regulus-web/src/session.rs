//! A session: a table, whoever watches it, and the search that goes on for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{MutexGuard as AsyncGuard, OwnedSemaphorePermit, Semaphore, watch};

use crate::cancel::Cancel;
use crate::host::Host;
use crate::order::Order;
use crate::refusal::Refusal;
use crate::request::{Reply, Request};
use crate::table::Wanted;

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
    /// One of the places for sessions, and for uploaded rules one of those.
    pub taken: Vec<OwnedSemaphorePermit>,
    /// Who may search now.
    pub turns: Arc<Semaphore>,
    /// How many event streams there may be.
    pub streams: usize,
}

/// A session.
pub struct Session {
    /// Its name, which only its visitor knows.
    pub id: String,
    host: Host,
    /// One asks the table at a time, and tells others before the next does.
    order: tokio::sync::Mutex<()>,
    view: watch::Sender<Arc<str>>,
    thinking: watch::Sender<Option<Arc<str>>>,
    running: Mutex<Option<Running>>,
    /// The table cannot go on.
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
    _taken: Vec<OwnedSemaphorePermit>,
}

impl Session {
    /// Begins a session at a table. What is shown of searches comes from `thinking`.
    pub async fn begin(
        id: String,
        host: Host,
        thinking: watch::Sender<Option<Arc<str>>>,
        places: Places,
    ) -> Result<Arc<Self>, Refusal> {
        let first = host.ask(Request::View { scene: false }).await?;
        let wanted = first.wanted;
        let session = Arc::new(Session {
            id,
            host,
            order: tokio::sync::Mutex::new(()),
            view: watch::Sender::new(first.shared()),
            thinking,
            running: Mutex::new(None),
            failed: AtomicBool::new(false),
            turns: places.turns,
            streams: Arc::new(Semaphore::new(places.streams)),
            closed: Cancel::default(),
            started: Instant::now(),
            used: AtomicU64::new(0),
            _taken: places.taken,
        });
        session.follow(wanted);
        Ok(session)
    }

    /// The views from now on.
    pub fn views(&self) -> watch::Receiver<Arc<str>> {
        self.view.subscribe()
    }

    /// What is shown of searches from now on.
    pub fn thinking(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.thinking.subscribe()
    }

    /// Notes that the session is used.
    pub fn touch(&self) {
        self.used.store(self.started.elapsed().as_millis() as u64, Ordering::Relaxed);
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

    /// Asks the table. Whoever asks next waits until the guard is gone.
    async fn ask(&self, request: Request) -> Result<(Reply, AsyncGuard<'_, ()>), Refusal> {
        let guard = self.order.lock().await;
        match self.host.ask(request).await {
            Ok(reply) => Ok((reply, guard)),
            Err(refusal) => {
                self.fail(&refusal.message);
                Err(refusal)
            }
        }
    }

    /// The table cannot go on: the last view, with the reason.
    fn fail(&self, why: &str) {
        if self.failed.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(running) = self.running().take() {
            running.cancel.cancel();
        }
        let Ok(Value::Object(mut view)) = serde_json::from_str(&self.view.borrow()) else { return };
        let revision = view.get("revision").and_then(Value::as_u64).unwrap_or(0);
        let text = format!("the game cannot go on: {why}");
        let changes = [
            ("revision", json!(revision + 1)),
            ("status", json!("over")),
            ("text", json!(text)),
            ("outcome", json!(text)),
            ("choices", json!([])),
            ("hinting", json!(false)),
        ];
        view.extend(changes.map(|(key, value)| (key.to_owned(), value)));
        self.view.send_replace(Value::Object(view).to_string().into());
    }

    /// The view as it is, with the scene if asked for.
    pub async fn look(&self, scene: bool) -> Result<Arc<str>, Refusal> {
        if !scene {
            return Ok(Arc::clone(&self.view.borrow()));
        }
        Ok(self.ask(Request::View { scene }).await?.0.shared())
    }

    /// The game as a file.
    pub async fn record(&self) -> Result<Arc<str>, Refusal> {
        Ok(self.ask(Request::Record).await?.0.shared())
    }

    /// Does what is asked for.
    pub async fn perform(self: &Arc<Self>, order: Order) -> Result<Arc<str>, Denied> {
        let (reply, guard) = self.ask(Request::Perform(order)).await?;
        let (refusal, wanted) = (reply.refusal.clone(), reply.wanted);
        let view = reply.shared();
        match refusal {
            None => {
                self.publish(&view, wanted, &guard);
                Ok(view)
            }
            Some(refusal) => {
                let view = (refusal.code == "stale").then_some(view);
                Err(Denied { refusal, view })
            }
        }
    }

    /// Tells everybody about a change.
    fn publish(
        self: &Arc<Self>,
        view: &Arc<str>,
        wanted: Option<Wanted>,
        _order: &AsyncGuard<'_, ()>,
    ) {
        self.view.send_replace(Arc::clone(view));
        self.follow(wanted);
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

    /// Waits for a turn, searches, and tells the table.
    async fn search(self: Arc<Self>, wanted: Wanted, cancel: Cancel) {
        let turns = Arc::clone(&self.turns);
        let turn = async {
            tokio::time::sleep(Duration::from_millis(wanted.delay_ms)).await;
            turns.acquire_owned().await
        };
        let turn = tokio::select! {
            turn = turn => turn,
            () = cancel.cancelled() => return,
        };
        let Ok(turn) = turn else { return };
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
        if self.view.receiver_count() > 0 {
            self.touch();
        }
        let asked = self.ask(Request::Finish { ticket: wanted.ticket, found }).await;
        if let Ok((reply, guard)) = asked
            && reply.changed
        {
            let wanted = reply.wanted;
            self.publish(&reply.shared(), wanted, &guard);
        }
    }
}
