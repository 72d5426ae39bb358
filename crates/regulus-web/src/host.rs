//! Where a table is: in this process, or, if its rules were uploaded, in one of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::apart::Apart;
use crate::cancel::Cancel;
use crate::catalogue::json;
use crate::refusal::Refusal;
use crate::request::{Reply, Request, answer};
use crate::setting::Setting;
use crate::table::{Found, Table, Wanted};
use crate::thinking;

/// A table in this process.
pub struct Here {
    table: Arc<Mutex<Table>>,
    setting: Arc<Setting>,
    /// How much memory a search may use.
    memory: usize,
}

/// Where a table is.
pub enum Host {
    /// Here.
    Here(Here),
    /// In a process of its own.
    Apart(Box<Apart>),
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Here {
    /// A table in this process.
    pub fn new(table: Table, setting: Arc<Setting>, memory: usize) -> Self {
        Here { table: Arc::new(Mutex::new(table)), setting, memory }
    }
}

impl Host {
    /// Asks the table, on a thread that may block.
    pub async fn ask(&self, request: Request) -> Result<Reply, Refusal> {
        match self {
            Host::Here(here) => {
                let table = Arc::clone(&here.table);
                let answered = spawn_blocking(move || answer(&mut lock(&table), request));
                answered.await.map_err(|_| Refusal::internal())
            }
            Host::Apart(apart) => apart.ask(request).await,
        }
    }

    /// Makes a search that the table waits for. Finds nothing if it is cancelled.
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
        let (table, setting) = (Arc::clone(&here.table), Arc::clone(&here.setting));
        let (memory, cancel, shown) = (here.memory, cancel.clone(), shown.clone());
        let searched = spawn_blocking(move || {
            let order = lock(&table).search_order(wanted.ticket);
            let Some(order) = order else { return Ok(None) };
            thinking::search(&setting, &order, memory, &mut |thinking| {
                let goes_on = !cancel.is_cancelled();
                if goes_on {
                    shown.send_replace(Some(json(thinking)));
                }
                goes_on
            })
        });
        searched.await.unwrap_or_else(|_| Err("something went wrong in the server".to_owned()))
    }

    /// Ends what can be ended.
    pub fn close(&self) {
        if let Host::Apart(apart) = self {
            apart.end("the session is over");
        }
    }
}
