//! How much a confined process may use.

use std::fmt;
use std::str::FromStr;

/// How much a confined process may use. As text it is the last argument of a [`crate::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// How much less urgent the process is than others, from 0 to 19.
    pub niceness: u8,
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memory={},niceness={}", self.memory, self.niceness)
    }
}

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form memory=BYTES,niceness=N");
        let (memory, niceness) = text.split_once(',').ok_or_else(wrong)?;
        let memory = memory.strip_prefix("memory=").and_then(|bytes| bytes.parse().ok());
        let niceness = niceness.strip_prefix("niceness=").and_then(|n| n.parse().ok());
        match (memory, niceness) {
            (Some(memory), Some(niceness)) => Ok(Limits { memory, niceness }),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        let limits = Limits { memory: 1 << 30, niceness: 10 };
        assert_eq!(limits.to_string(), "memory=1073741824,niceness=10");
        assert_eq!(limits.to_string().parse(), Ok(limits));
        for wrong in ["", "memory=1", "memory=1,niceness=", "1,2", "memory=-1,niceness=0"] {
            assert!(wrong.parse::<Limits>().is_err(), "{wrong}");
        }
    }
}
