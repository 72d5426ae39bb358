//! Games that do not end by their rules.

use std::fmt;

use crate::limits;

/// Why a game was ended that its rules would not have ended. Nobody has won it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breakdown {
    /// There was no room for new sprites too often. The framework of 2021 logs a message for every one, and ends a
    /// game after 25 messages; that of 2015 goes on.
    Sprites,
    /// A tick took too many steps: too many sprites meet each other, or look for each other.
    Steps,
    /// Too many effects wait for their time.
    Timers,
    /// Sprites hold too many resources.
    Resources,
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Breakdown::Sprites => write!(
                f,
                "there are more than {} sprites, and {} more had no room",
                limits::MAX_SPRITES,
                limits::MAX_WARNINGS + 1
            ),
            Breakdown::Steps => write!(
                f,
                "a tick takes more than {} million steps, since too many sprites meet or look for each other",
                limits::MAX_STEPS >> 20
            ),
            Breakdown::Timers => {
                write!(f, "more than {} effects wait for their time", limits::MAX_TIMERS)
            }
            Breakdown::Resources => {
                write!(f, "sprites hold more than {} resources", limits::MAX_HELD)
            }
        }
    }
}
