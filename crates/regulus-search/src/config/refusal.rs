//! Why a configuration is refused: parameter, value, and what would do instead.

use std::fmt;

/// Why a configuration is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The parameter, by its path: `mast.policy.epsilon`.
    pub parameter: &'static str,
    /// Its value.
    pub value: String,
    /// A sentence that says why, and what would do instead.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.parameter, self.value, self.reason)
    }
}

impl std::error::Error for Refusal {}

pub(crate) fn refuse<T>(
    parameter: &'static str,
    value: impl ToString,
    reason: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal { parameter, value: value.to_string(), reason: reason.into() })
}

pub(crate) fn in_range(
    parameter: &'static str,
    value: f64,
    low: f64,
    high: f64,
) -> Result<(), Refusal> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    refuse(parameter, value, format!("must lie between {low} and {high}"))
}

pub(crate) fn at_least_one(parameter: &'static str, value: u32) -> Result<(), Refusal> {
    if value > 0 { Ok(()) } else { refuse(parameter, value, "must be at least 1") }
}

pub(crate) fn above_zero(parameter: &'static str, value: f64, high: f64) -> Result<(), Refusal> {
    if value > 0.0 && value <= high {
        return Ok(());
    }
    refuse(parameter, value, format!("must be greater than 0 and at most {high}"))
}
