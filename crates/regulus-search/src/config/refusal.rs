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
