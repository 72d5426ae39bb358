//! What an agent may use for a move: limits, or what a baseline agent does in some time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use regulus_player::limit;
use regulus_search::config::Limits;

use crate::calibration::Calibration;

/// Reads a time that may be 0: `500ms`, `2.5s`, `0`. Errors call it by its key.
///
/// # Errors
/// What is wrong with it.
pub fn duration_or_zero(key: &str, text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s" | "0ms") {
        return Ok(Duration::ZERO);
    }
    limit::parse_duration(key, text)
}

/// A limit that depends on how fast a baseline agent is on this machine (THESIS 4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Baseline {
    /// `fm0`: simulations of the plain orthodox agent.
    Simulations,
    /// `fs0`: nodal states of the plain orthodox agent.
    States,
    /// `fsOMR`: nodal states of the orthodox agent with MAST and RAVE.
    StatesMastRave,
    /// `fm0first`: as `fm0`, but measured in the first turn over ten seconds.
    FirstTurnSimulations,
    /// `fs0first`: as `fs0`, but measured in the first turn over ten seconds (THESIS 5.1.2).
    FirstTurnStates,
    /// `fsOMRfirst`: as `fsOMR`, but measured in the first turn over ten seconds (THESIS 5.1.2).
    FirstTurnStatesMastRave,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 6] = [
        Baseline::Simulations,
        Baseline::States,
        Baseline::StatesMastRave,
        Baseline::FirstTurnSimulations,
        Baseline::FirstTurnStates,
        Baseline::FirstTurnStatesMastRave,
    ];

    /// The name in THESIS; with an ending where the measurement is that of THESIS, too.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::Simulations => "fm0",
            Baseline::States => "fs0",
            Baseline::StatesMastRave => "fsOMR",
            Baseline::FirstTurnSimulations => "fm0first",
            Baseline::FirstTurnStates => "fs0first",
            Baseline::FirstTurnStatesMastRave => "fsOMRfirst",
        }
    }

    /// The name of the agent that is measured.
    pub fn agent(self) -> &'static str {
        match self {
            Baseline::Simulations
            | Baseline::States
            | Baseline::FirstTurnSimulations
            | Baseline::FirstTurnStates => "mcts_orthodox_orthodox",
            Baseline::StatesMastRave | Baseline::FirstTurnStatesMastRave => {
                "mcts_orthodox_orthodox_mast_rave"
            }
        }
    }

    /// Whether simulations are what is counted, and not states.
    pub fn counts_simulations(self) -> bool {
        matches!(self, Baseline::Simulations | Baseline::FirstTurnSimulations)
    }

    /// Whether it is measured in the first turn alone, and not over a whole game.
    pub fn in_first_turn(self) -> bool {
        matches!(
            self,
            Baseline::FirstTurnSimulations
                | Baseline::FirstTurnStates
                | Baseline::FirstTurnStatesMastRave
        )
    }
}

/// What an agent may use for a move.
#[derive(Clone, PartialEq, Debug)]
pub enum Budget {
    /// Limits as they are.
    Limits(Limits),
    /// As much as a baseline agent does in a time.
    Calibrated(Baseline, Duration),
}

impl Budget {
    /// The limits; `calibration` is asked if they depend on a measurement.
    pub fn limits<E>(
        &self,
        calibration: impl FnOnce(Baseline, Duration) -> Result<Calibration, E>,
    ) -> Result<Limits, E> {
        match self {
            Budget::Limits(limits) => Ok(limits.clone()),
            Budget::Calibrated(baseline, time) => {
                Ok(calibration(*baseline, *time)?.limits(*baseline))
            }
        }
    }
}

impl FromStr for Budget {
    type Err = String;

    /// Reads `fm0=500ms`, `fs0=500ms`, `fsOMR=500ms`, `fs0first=500ms`, or limits as [`limit::parse`] does.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let (key, value) = (key.trim(), value.trim());
        match Baseline::ALL.into_iter().find(|b| b.name().eq_ignore_ascii_case(key)) {
            Some(_) if value.contains(',') => {
                Err(format!("`{key}` cannot be combined with other limits"))
            }
            Some(baseline) => {
                Ok(Budget::Calibrated(baseline, limit::parse_duration(baseline.name(), value)?))
            }
            None => limit::parse(text).map(Budget::Limits),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Limits(limits) => f.write_str(&limit::text(limits)),
            Budget::Calibrated(baseline, time) => {
                write!(f, "{}={}", baseline.name(), limit::duration_text(*time))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_written() {
        for text in
            ["sims=100", "time=50ms", "fm0=500ms", "fs0=50ms", "fsOMR=2.5s", "fs0first=50ms"]
        {
            assert_eq!(text.parse::<Budget>().expect("a budget").to_string(), text);
        }
        let why = |text: &str| text.parse::<Budget>().expect_err("wrong");
        assert!(why("fs0=50").contains("needs a unit"));
        assert!(why("fs0=50ms,sims=2").contains("cannot be combined"));
        assert!(why("fx0=50ms").contains("is no limit"));
    }

    #[test]
    fn baselines_exist() {
        for baseline in Baseline::ALL {
            assert!(regulus_agent::by_name(baseline.agent()).is_ok());
        }
    }
}
