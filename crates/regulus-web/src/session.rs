//! A session: a table, whoever watches it, and the search that goes on for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::cancel::Cancel;
use crate::catalogue::json;
use crate::limits::Limits;
use crate::order::Order;
use crate::refusal::Refusal;
use crate::setting::Setting;
use crate::table::{Opening, Table, Wanted};
use crate::thinking;

/// The search that goes on for a session.
struct Running {
    ticket: u64,
    cancel: Cancel,
}

/// What searches of all sessions share.
pub struct Searches {
    /// Who may search now.
    pub turns: Arc<Semaphore>,
    /// How much memory each may use.
    pub memory: usize,
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

/// A session.
pub struct Session {
    /// Its name, which only its visitor knows.
    pub id: String,
    /// Used on threads that may block, one at a time.
    table: Arc<tokio::sync::Mutex<Table>>,
    setting: Arc<Setting>,
    searches: Arc<Searches>,
    view: watch::Sender<Arc<str>>,
    thinking: watch::Sender<Option<Arc<str>>>,
    running: Mutex<Option<Running>>,
    /// Who may have another event stream.
    pub streams: Arc<Semaphore>,
    /// The session is over.
    pub closed: Cancel,
    started: Instant,
    /// When it was used last, in milliseconds since it was started.
    used: AtomicU64,
    /// One of the places for sessions.
    _place: OwnedSemaphorePermit,
}

impl Session {
    /// Begins a session. Gives it with its first view.
    pub async fn begin(
        id: String,
        setting: Arc<Setting>,
        opening: Opening,
        (limits, searches): (Arc<Limits>, Arc<Searches>),
        place: OwnedSemaphorePermit,
    ) -> Result<(Arc<Self>, Arc<str>), Refusal> {
        let streams = Arc::new(Semaphore::new(limits.streams));
        let (at, name) = (Arc::clone(&setting), id.clone());
        let made = spawn_blocking(move || {
            let table = Table::new(name, at, limits, opening)?;
            let views = (json(&table.view(false)), json(&table.view(true)), table.wanted());
            Ok::<_, Refusal>((table, views))
        });
        let (table, (view, whole, wanted)) = made.await.map_err(|_| Refusal::internal())??;
        let session = Arc::new(Session {
            id,
            table: Arc::new(tokio::sync::Mutex::new(table)),
            setting,
            searches,
            view: watch::Sender::new(view),
            thinking: watch::Sender::new(None),
            running: Mutex::new(None),
            streams,
            closed: Cancel::default(),
            started: Instant::now(),
            used: AtomicU64::new(0),
            _place: place,
        });
        session.follow(wanted);
        Ok((session, whole))
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
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the table on a thread that may block.
    async fn with<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Table) -> T + Send + 'static,
    ) -> Result<(T, OwnedMutexGuard<Table>), Refusal> {
        let mut table = Arc::clone(&self.table).lock_owned().await;
        let done = spawn_blocking(move || {
            let result = act(&mut table);
            (result, table)
        });
        done.await.map_err(|_| {
            self.close();
            Refusal::internal()
        })
    }

    /// The view as it is, with the scene if asked for.
    pub async fn look(&self, scene: bool) -> Result<Arc<str>, Refusal> {
        if !scene {
            return Ok(Arc::clone(&self.view.borrow()));
        }
        Ok(self.with(|table| json(&table.view(true))).await?.0)
    }

    /// The game as a file.
    pub async fn record(&self) -> Result<Arc<str>, Refusal> {
        Ok(self.with(|table| json(&table.record())).await?.0)
    }

    /// Does what is asked for.
    pub async fn perform(self: &Arc<Self>, order: Order) -> Result<Arc<str>, Denied> {
        let (result, guard) = self
            .with(|table| {
                let result = table.perform(order);
                (result, json(&table.view(false)), table.wanted())
            })
            .await?;
        let (result, view, wanted) = result;
        match result {
            Ok(()) => {
                self.publish(&view, wanted);
                drop(guard);
                Ok(view)
            }
            Err(refusal) => {
                let view = (refusal.code == "stale").then_some(view);
                Err(Denied { refusal, view })
            }
        }
    }

    /// Tells everybody about a change. The table must be held, so that changes are told in their order.
    fn publish(self: &Arc<Self>, view: &Arc<str>, wanted: Option<Wanted>) {
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
        let turns = Arc::clone(&self.searches.turns);
        let turn = async {
            tokio::time::sleep(Duration::from_millis(wanted.delay_ms)).await;
            turns.acquire_owned().await
        };
        let turn = tokio::select! {
            turn = turn => turn,
            () = cancel.cancelled() => return,
        };
        let Ok(turn) = turn else { return };
        let order = self.table.lock().await.search_order(wanted.ticket);
        let Some(order) = order else { return };
        let (this, stop) = (Arc::clone(&self), cancel.clone());
        let searched = spawn_blocking(move || {
            let mut see = |thinking: &thinking::Thinking<'_>| {
                if !stop.is_cancelled() {
                    this.thinking.send_replace(Some(json(thinking)));
                }
                !stop.is_cancelled()
            };
            thinking::search(&this.setting, &order, this.searches.memory, &mut see)
        });
        let found = match searched.await {
            Ok(Ok(Some(found))) => Ok(found),
            Ok(Ok(None)) => return,
            Ok(Err(why)) => Err(why),
            Err(_) => Err("something went wrong in the server".to_owned()),
        };
        drop(turn);
        if cancel.is_cancelled() {
            return;
        }
        let finished = self.with(move |table| {
            let changed = table.finish(wanted.ticket, found);
            (changed, json(&table.view(false)), table.wanted())
        });
        if let Ok(((true, view, wanted), guard)) = finished.await {
            self.publish(&view, wanted);
            drop(guard);
        }
    }
}
