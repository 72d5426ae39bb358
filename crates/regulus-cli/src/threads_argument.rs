//! Numbers of threads as arguments.

use crate::failure::Failure;

/// Most threads that are worth asking for.
const MAX_THREADS: usize = 1024;

/// Checks the number of threads.
pub fn threads(threads: Option<usize>) -> Result<Option<usize>, Failure> {
    match threads {
        Some(count) if !(1..=MAX_THREADS).contains(&count) => {
            Err(Failure::Failed(format!("--threads must be from 1 to {MAX_THREADS}")))
        }
        _ => Ok(threads),
    }
}
