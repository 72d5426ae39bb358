//! When a search stops.

use std::time::Duration;

use super::refusal::refuse;
use super::{Config, FinalSelection, Refusal};

/// When to stop. What is `None` or false does not stop; whatever says stop first, stops.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// What is kept back of the time, for sending the move.
    pub buffer: Duration,
    /// Iterations in this turn.
    pub simulations: Option<u64>,
    /// Nodal states computed in this turn.
    pub states: Option<u64>,
    /// Stop when the memory of [`Config::memory`] is full, instead of going on without expansion.
    pub memory: bool,
    /// Stop when the second most visited move cannot get as many iterations as the first any more.
    /// Needs a limit of simulations or time, and a final selection by visits.
    pub no_catching_up: bool,
}

impl Limits {
    /// At most `count` iterations.
    pub fn simulations(count: u64) -> Self {
        Limits { simulations: Some(count), ..Limits::default() }
    }

    /// At most `count` nodal states.
    pub fn states(count: u64) -> Self {
        Limits { states: Some(count), ..Limits::default() }
    }

    /// At most this time, nothing kept back.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Refuses limits that never stop a search, or that this search cannot obey.
    pub fn validate(&self, config: &Config) -> Result<(), Refusal> {
        if self.time.is_none() && self.simulations.is_none() && self.states.is_none() {
            return refuse(
                "limits",
                "none",
                "nothing stops the search: give time, simulations or states",
            );
        }
        config.parallel.validate_limits(self)?;
        if self.no_catching_up {
            let by_visits = matches!(config.final_selection, FinalSelection::MostVisited);
            if !by_visits {
                return refuse(
                    "no_catching_up",
                    "true",
                    "only the most visited move can be out of reach; this final selection looks at means",
                );
            }
            if self.simulations.is_none() && self.time.is_none() {
                return refuse("no_catching_up", "true", "it needs a limit of simulations or time");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_must_stop_the_search() {
        let config = Config::default();
        assert!(Limits::default().validate(&config).is_err());
        assert!(Limits::simulations(10).validate(&config).is_ok());
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        assert!(limits.validate(&config).is_err());
        let by_visits = Config { final_selection: FinalSelection::MostVisited, ..config };
        assert!(limits.validate(&by_visits).is_ok());
    }
}
