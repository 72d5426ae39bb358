//! Ctrl-C and requests to terminate.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// A flag that Ctrl-C and a request to terminate set; the second one ends the program at once.
pub fn shutdown_flag() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 1, Arc::clone(&interrupted))
            .and_then(|_| flag::register(signal, Arc::clone(&interrupted)))
            .map_err(|error| Failure::Failed(format!("cannot watch for Ctrl-C: {error}")))?;
    }
    Ok(interrupted)
}
