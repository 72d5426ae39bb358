//! A wish to stop that threads can look at and tasks can wait for.

use tokio::sync::watch;

/// A wish to stop. Clones share it.
#[derive(Clone, Debug)]
pub struct Cancel(watch::Sender<bool>);

impl Default for Cancel {
    fn default() -> Self {
        Cancel(watch::Sender::new(false))
    }
}

impl Cancel {
    /// Wishes to stop.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// True after the wish.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the wish.
    pub async fn cancelled(&self) {
        // The sender is alive as long as `self` is.
        let _ = self.0.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
