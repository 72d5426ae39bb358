//! Parameters of nested searches.

use crate::config::refusal::refuse;
use crate::config::{self, Limits, MIN_MEMORY, Refusal};
use crate::parameter::{Kind, Number, Setting, Word, field, validate};

/// The deepest nesting. A search of level n has searches of all lower levels inside itself.
pub const MAX_LEVEL: u32 = 10;

/// Which of the two algorithms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// Nested Monte-Carlo Search (T. Cazenave, IJCAI 2009).
    Nmcs,
    /// Nested Rollout Policy Adaptation (PPA, Algorithms 1 and 2).
    Nrpa {
        /// N: how many searches of the level below a level makes.
        iterations: u32,
        /// How far a policy moves towards the best sequence in one adaptation.
        alpha: f64,
    },
}

impl Algorithm {
    /// NRPA with the values of its author: 100 iterations, alpha 1.
    pub const NRPA: Algorithm = Algorithm::Nrpa { iterations: 100, alpha: 1.0 };

    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Nmcs => "NMCS",
            Algorithm::Nrpa { .. } => "NRPA",
        }
    }
}

/// What a nested search is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Design {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// The level of the outermost search.
    pub level: u32,
}

impl Default for Design {
    fn default() -> Self {
        Design { algorithm: Algorithm::NRPA, level: 3 }
    }
}

impl Design {
    /// All parameters.
    pub const SETTINGS: &'static [Setting<Design>] = &[
        Setting {
            always: |_| true,
            published: "3 to 5. One more level takes `iterations` times as long (NRPA), or as often as a game has \
                        moves to try (NMCS)",
            words: &[Word {
                word: "level",
                number: Number::Whole(None),
                apply: |design, level| {
                    design.level = level as u32;
                    true
                },
            }],
            ..Setting::new(
                "level",
                Kind::Count(1, MAX_LEVEL as u64),
                "how many searches are inside each other; a search of level 0 is a random game",
                field!(level),
            )
        },
        Setting {
            always: |_| true,
            published: "100",
            words: &[Word {
                word: "iterations",
                number: Number::Whole(None),
                apply: |design, number| match &mut design.algorithm {
                    Algorithm::Nrpa { iterations, .. } => {
                        *iterations = number as u32;
                        true
                    }
                    Algorithm::Nmcs => false,
                },
            }],
            ..Setting::new(
                "iterations",
                Kind::Count(1, 1_000_000),
                "N: how many searches of the level below a search makes",
                field!(algorithm, Algorithm::Nrpa { iterations }),
            )
        },
        Setting {
            always: |_| true,
            published: "1",
            ..Setting::new(
                "alpha",
                Kind::Number(1e-3, 100.0),
                "how far a policy moves towards the best sequence in one adaptation",
                field!(algorithm, Algorithm::Nrpa { alpha }),
            )
        },
    ];

    /// How much memory a nested search may take.
    pub const MEMORY: Setting<crate::Config> = config::memory(
        "megabytes for policies; when they are full, moves not met before keep the weight 0",
    );
}

/// A complete nested search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// What it is made of.
    pub design: Design,
    /// How many bytes policies may take; when they are full, moves that were not met before keep the
    /// weight 0.
    pub memory: usize,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { design: Design::default(), memory: 2 << 30, seed: 0 }
    }
}

impl Config {
    /// Refuses values out of range.
    pub fn validate(&self) -> Result<(), Refusal> {
        self.design.validate()?;
        if self.memory < MIN_MEMORY {
            let reason = format!("at least {MIN_MEMORY} bytes are needed");
            return refuse("memory", self.memory, reason);
        }
        Ok(())
    }
}

impl Design {
    /// Refuses values out of range.
    pub fn validate(&self) -> Result<(), Refusal> {
        validate(Design::SETTINGS, self)
    }

    /// Refuses limits that never stop a search, or that this search cannot obey.
    pub fn validate_limits(&self, limits: &Limits) -> Result<(), Refusal> {
        if limits.no_catching_up {
            return refuse(
                "no_catching_up",
                "true",
                "a nested search follows its best sequence, however often moves were visited",
            );
        }
        limits.validate(&crate::Config::default())
    }

    /// Refuses games with several players.
    pub fn validate_players(&self, players: usize) -> Result<(), Refusal> {
        if players == 1 {
            return Ok(());
        }
        refuse(
            "algorithm",
            self.algorithm.name(),
            format!(
                "the game has {players} players: a best sequence of moves exists only where one \
                 player makes them all; use MCTS"
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_parameter_and_range() {
        let refused = |design: Design| design.validate().expect_err("refused").to_string();
        assert_eq!(Config::default().validate(), Ok(()));
        let level = refused(Design { level: 0, ..Design::default() });
        assert_eq!(level, "level = 0: must lie between 1 and 10");
        let nrpa = |iterations, alpha| Design {
            algorithm: Algorithm::Nrpa { iterations, alpha },
            ..Design::default()
        };
        assert_eq!(refused(nrpa(0, 1.0)), "iterations = 0: must lie between 1 and 1000000");
        assert_eq!(refused(nrpa(1, 0.0)), "alpha = 0: must lie between 0.001 and 100");
        assert!(nrpa(1, f64::NAN).validate().is_err());
        assert!(Config { memory: 7, ..Config::default() }.validate().is_err());
    }

    #[test]
    fn several_players_are_refused_with_a_reason() {
        let design = Design::default();
        assert_eq!(design.validate_players(1), Ok(()));
        let refusal = design.validate_players(2).expect_err("two players").to_string();
        assert!(refusal.starts_with("algorithm = NRPA: the game has 2 players: "), "{refusal}");
    }

    #[test]
    fn limits_by_visits_are_refused() {
        let design = Design::default();
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        assert_eq!(
            design.validate_limits(&limits).expect_err("visits").parameter,
            "no_catching_up"
        );
        assert!(design.validate_limits(&Limits::default()).is_err());
        assert!(design.validate_limits(&Limits::simulations(10)).is_ok());
    }
}
