//! Which of the two rule sets a game is read and run with.

use std::fmt;
use std::str::FromStr;

/// The Java framework changed its rules over the years; games were written for one or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Profile {
    /// The framework of June 2015, which the theses of that time measured.
    Y2015,
    /// The framework of 2021, which people have today.
    #[default]
    Y2021,
}

impl Profile {
    /// Both.
    pub const ALL: [Profile; 2] = [Profile::Y2015, Profile::Y2021];

    /// The year, as it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Y2015 => "2015",
            Profile::Y2021 => "2021",
        }
    }

    /// True for the older rules.
    pub(crate) fn is_old(self) -> bool {
        self == Profile::Y2015
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "2015" => Ok(Profile::Y2015),
            "2021" => Ok(Profile::Y2021),
            _ => Err(format!("no rule profile is called `{text}`; there are 2015 and 2021")),
        }
    }
}
