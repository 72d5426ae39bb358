//! JSON of what visitors send and get.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::refusal::Refusal;

/// As JSON. What we make ourselves always can be written.
pub fn json(value: &impl Serialize) -> Arc<str> {
    serde_json::to_string(value).unwrap_or_default().into()
}

/// Makes what is meant of what a visitor has sent.
pub fn read<'v, T: Deserialize<'v>>(value: &'v Value) -> Result<T, Refusal> {
    T::deserialize(value)
        .map_err(|error| Refusal::invalid(format!("this cannot be meant: {error}")))
}
