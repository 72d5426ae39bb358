//! Where a game is: in this process, or, if its rules were uploaded, in one of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::cancel::Cancel;
use crate::refusal::Refusal;
use crate::request::{Reply, Request, answer};
use crate::sandbox::Sandbox;
use crate::session_game::{Found, SessionGame, Wanted};

/// A game in this process.
pub struct InProcess {
    game: Arc<Mutex<Box<dyn SessionGame>>>,
    /// How much memory a search may use.
    memory: usize,
}

/// Where a game is.
pub enum Host {
    /// Here.
    InProcess(InProcess),
    /// In a process of its own.
    Sandbox(Box<Sandbox>),
}

fn lock(game: &Mutex<Box<dyn SessionGame>>) -> MutexGuard<'_, Box<dyn SessionGame>> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InProcess {
    /// A game in this process.
    pub fn new(game: Box<dyn SessionGame>, memory: usize) -> Self {
        InProcess { game: Arc::new(Mutex::new(game)), memory }
    }
}

impl Host {
    /// Asks it, on a thread that may block.
    pub async fn ask(&self, request: Request) -> Result<Reply, Refusal> {
        match self {
            Host::InProcess(here) => {
                let game = Arc::clone(&here.game);
                let answered = spawn_blocking(move || answer(lock(&game).as_mut(), request));
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
        let (game, memory) = (Arc::clone(&here.game), here.memory);
        let (cancel, shown) = (cancel.clone(), shown.clone());
        let searched = spawn_blocking(move || {
            let job = lock(&game).job(wanted.ticket);
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
