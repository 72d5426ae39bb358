//! Why a search cannot be made or go on.

use std::fmt;

use crate::config::Refusal;

/// Why a search cannot be made or go on; `E` is the error of the game's engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure<E> {
    /// The configuration or the limits are refused.
    Refused(Refusal),
    /// The game cannot go on.
    Game(E),
}

impl<E: fmt::Display> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(refusal) => refusal.fmt(f),
            Failure::Game(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for Failure<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::Refused(_) => None,
            Failure::Game(error) => Some(error),
        }
    }
}

impl<E> From<Refusal> for Failure<E> {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}
