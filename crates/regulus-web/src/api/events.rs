//! Events of a session, as long as somebody listens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::refusal::Refusal;
use crate::session::{Session, Shown};

/// The time between two signs of life.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Somebody who listens.
struct Listener {
    first: Option<Arc<str>>,
    /// The number of what was shown last.
    number: u64,
    views: watch::Receiver<Shown>,
    thinking: watch::Receiver<Option<Arc<str>>>,
    session: Arc<Session>,
    ended: bool,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The time until it expires begins now.
        self.session.touch();
    }
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        if let Some(first) = self.first.take() {
            return Some(event("view", &first));
        }
        if self.ended {
            return None;
        }
        // Whoever listens slowly misses what was replaced meanwhile, and always gets the last.
        tokio::select! {
            biased;
            () = self.session.closed.cancelled() => {
                self.ended = true;
                Some(event("gone", "{}"))
            }
            changed = self.views.changed() => {
                changed.ok()?;
                let shown = self.views.borrow_and_update().clone();
                let next = shown.number == self.number + 1;
                self.number = shown.number;
                Some(match shown.step.filter(|_| next) {
                    Some(step) => event("step", &step),
                    None => event("view", &shown.view),
                })
            }
            changed = self.thinking.changed() => {
                changed.ok()?;
                let thinking = self.thinking.borrow_and_update().clone()?;
                Some(event("thinking", &thinking))
            }
        }
    }
}

fn event(name: &str, data: &str) -> Event {
    Event::default().event(name).data(data)
}

/// The events of a session: its view at once (with the scene if asked for) and at every change, and what
/// is shown of searches.
pub async fn events(session: &Arc<Session>, scene: bool) -> Result<Response, Refusal> {
    let Ok(permit) = Arc::clone(&session.streams).try_acquire_owned() else {
        return Err(Refusal::new(429, "streams", "too many event streams for this session"));
    };
    let (Shown { view, number, .. }, views) = session.views(scene).await?;
    let mut thinking = session.thinking();
    thinking.mark_unchanged();
    let listener = Listener {
        first: Some(view),
        number,
        views,
        thinking,
        session: Arc::clone(session),
        ended: false,
        _permit: permit,
    };
    let stream = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok::<_, Infallible>(event), listener))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}
