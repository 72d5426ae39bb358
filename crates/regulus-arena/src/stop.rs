//! Leaving a game before its end: somebody asks for it, or an agent crashes.

use std::sync::atomic::{AtomicBool, Ordering};

/// Says that games are to be left as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'s> {
    flags: [Option<&'s AtomicBool>; 2],
}

impl<'s> Stop<'s> {
    /// Stops when a flag is set.
    pub fn when(flag: &'s AtomicBool) -> Self {
        Stop { flags: [Some(flag), None] }
    }

    /// Stops when one of two flags is set.
    pub fn when_either(one: &'s AtomicBool, other: &'s AtomicBool) -> Self {
        Stop { flags: [Some(one), Some(other)] }
    }

    /// True if it is time to stop.
    pub fn is_set(self) -> bool {
        self.flags.iter().flatten().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// What was said when something crashed.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "crashed without saying why".to_owned())
}
