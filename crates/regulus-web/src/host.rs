//! Where a table or a run is: in this process, or, if its rules were uploaded, in one of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::apart::Apart;
use crate::cancel::Cancel;
use crate::played::Played;
use crate::refusal::Refusal;
use crate::request::{Reply, Request, answer};
use crate::table::{Found, Wanted};

/// What is played in this process.
pub struct Here {
    played: Arc<Mutex<Played>>,
    /// How much memory a search may use.
    memory: usize,
}

/// Where something is played.
pub enum Host {
    /// Here.
    Here(Here),
    /// In a process of its own.
    Apart(Box<Apart>),
}

fn lock(played: &Mutex<Played>) -> MutexGuard<'_, Played> {
    played.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Here {
    /// What is played in this process.
    pub fn new(played: Played, memory: usize) -> Self {
        Here { played: Arc::new(Mutex::new(played)), memory }
    }
}

impl Host {
    /// Asks it, on a thread that may block.
    pub async fn ask(&self, request: Request) -> Result<Reply, Refusal> {
        match self {
            Host::Here(here) => {
                let played = Arc::clone(&here.played);
                let answered = spawn_blocking(move || answer(&mut lock(&played), request));
                answered.await.map_err(|_| Refusal::internal())
            }
            Host::Apart(apart) => apart.ask(request).await,
        }
    }

    /// Makes a search that is waited for. Finds nothing if it is cancelled.
    pub async fn search(
        &self,
        wanted: Wanted,
        cancel: &Cancel,
        shown: &watch::Sender<Option<Arc<str>>>,
    ) -> Result<Option<Found>, String> {
        let here = match self {
            Host::Here(here) => here,
            Host::Apart(apart) => return apart.search(wanted, cancel).await,
        };
        let (played, memory) = (Arc::clone(&here.played), here.memory);
        let (cancel, shown) = (cancel.clone(), shown.clone());
        let searched = spawn_blocking(move || {
            let job = lock(&played).job(wanted.ticket);
            let Some(job) = job else { return Ok(None) };
            job.work(memory, &mut |thinking| {
                let goes_on = !cancel.is_cancelled();
                if goes_on {
                    shown.send_replace(Some(thinking));
                }
                goes_on
            })
        });
        searched.await.unwrap_or_else(|_| Err("something went wrong in the server".to_owned()))
    }

    /// Is there when a process of its own has ended; nothing if it has none.
    pub fn over(&self) -> Option<Cancel> {
        match self {
            Host::Here(_) => None,
            Host::Apart(apart) => Some(apart.over()),
        }
    }

    /// Why a process of its own has ended.
    pub fn why_over(&self) -> String {
        match self {
            Host::Here(_) => String::new(),
            Host::Apart(apart) => apart.why_ended(),
        }
    }

    /// Ends what can be ended.
    pub fn close(&self) {
        if let Host::Apart(apart) = self {
            apart.end("the session is over");
        }
    }
}
