//! Where a table or a run is: in this process, or, if its rules were uploaded, in one of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::cancel::Cancel;
use crate::refusal::Refusal;
use crate::request::{Reply, Request, answer};
use crate::sandbox::Sandbox;
use crate::session_game::SessionGame;
use crate::table::{Found, Wanted};

/// What is played in this process.
pub struct InProcess {
    played: Arc<Mutex<SessionGame>>,
    /// How much memory a search may use.
    memory: usize,
}

/// Where something is played.
pub enum Host {
    /// Here.
    InProcess(InProcess),
    /// In a process of its own.
    Sandbox(Box<Sandbox>),
}

fn lock(played: &Mutex<SessionGame>) -> MutexGuard<'_, SessionGame> {
    played.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InProcess {
    /// What is played in this process.
    pub fn new(played: SessionGame, memory: usize) -> Self {
        InProcess { played: Arc::new(Mutex::new(played)), memory }
    }
}

impl Host {
    /// Asks it, on a thread that may block.
    pub async fn ask(&self, request: Request) -> Result<Reply, Refusal> {
        match self {
            Host::InProcess(here) => {
                let played = Arc::clone(&here.played);
                let answered = spawn_blocking(move || answer(&mut lock(&played), request));
                answered.await.map_err(|_| Refusal::internal())
            }
            Host::Sandbox(sandbox) => sandbox.ask(request).await,
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
            Host::InProcess(here) => here,
            Host::Sandbox(sandbox) => return sandbox.search(wanted, cancel).await,
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
            Host::InProcess(_) => None,
            Host::Sandbox(sandbox) => Some(sandbox.over()),
        }
    }

    /// Why a process of its own has ended.
    pub fn why_over(&self) -> String {
        match self {
            Host::InProcess(_) => String::new(),
            Host::Sandbox(sandbox) => sandbox.why_ended(),
        }
    }

    /// Ends what can be ended.
    pub fn close(&self) {
        if let Host::Sandbox(sandbox) = self {
            sandbox.end("the session is over");
        }
    }
}
