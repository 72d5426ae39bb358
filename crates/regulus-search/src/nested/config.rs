//! Parameters of nested searches.

use crate::config::refusal::refuse;
use crate::config::{self, Limits, MIN_MEMORY, Refusal};
use crate::parameter::{Access, Kind, Number, Setting, Word, field, validate};

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

    /// Its name, for people.
    pub fn title(self) -> &'static str {
        match self {
            Algorithm::Nmcs => "nested Monte-Carlo search",
            Algorithm::Nrpa { .. } => "nested rollout policy adaptation",
        }
    }

    /// What a search does with those of the level below.
    fn sentence(self) -> String {
        match self {
            Algorithm::Nmcs => "At every step of a search each move is tried and followed by a search of the level \
                                below; then the next move of the best sequence seen so far is made."
                .to_owned(),
            Algorithm::Nrpa { iterations, alpha } => format!(
                "A search is {iterations} searches of the level below; after each its policy learns the best sequence \
                 so far (alpha {alpha}). Random games draw moves by the softmax of their weights in the policy."
            ),
        }
    }
}

/// A complete nested search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// The level of the outermost search.
    pub level: u32,
    /// How many bytes policies may take; when they are full, moves that were not met before keep the
    /// weight 0.
    pub memory: usize,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { algorithm: Algorithm::NRPA, level: 3, memory: 2 << 30, seed: 0 }
    }
}

impl Config {
    /// All parameters.
    pub const SETTINGS: &'static [Setting<Config>] = &[
        config::memory(
            "megabytes for policies; when they are full, moves not met before keep the weight 0",
            Access {
                get: |config| Some(config::megabytes(config.memory)),
                set: |config, value| config.memory = config::bytes(value),
            },
        ),
        config::seed(field!(seed)),
        Setting {
            always: |_| true,
            published: "3 to 5. One more level takes `iterations` times as long (NRPA), or as often as a game has \
                        moves to try (NMCS)",
            words: &[Word {
                word: "level",
                number: Number::Whole(None),
                apply: |config, level| {
                    config.level = level as u32;
                    true
                },
            }],
            sentence: |config| {
                let level = config.level;
                Some(format!(
                    "Searches are nested {level} deep; those of level 0 are random games."
                ))
            },
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
                apply: |config, number| match &mut config.algorithm {
                    Algorithm::Nrpa { iterations, .. } => {
                        *iterations = number as u32;
                        true
                    }
                    Algorithm::Nmcs => false,
                },
            }],
            sentence: |config| Some(config.algorithm.sentence()),
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

    /// Refuses values out of range.
    pub fn validate(&self) -> Result<(), Refusal> {
        validate(Config::SETTINGS, self)?;
        if self.memory < MIN_MEMORY {
            let reason = format!("at least {MIN_MEMORY} bytes are needed");
            return refuse("memory", self.memory, reason);
        }
        Ok(())
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
        let refused = |config: Config| config.validate().expect_err("refused").to_string();
        assert_eq!(Config::default().validate(), Ok(()));
        let level = refused(Config { level: 0, ..Config::default() });
        assert_eq!(level, "level = 0: must lie between 1 and 10");
        let nrpa = |iterations, alpha| Config {
            algorithm: Algorithm::Nrpa { iterations, alpha },
            ..Config::default()
        };
        assert_eq!(refused(nrpa(0, 1.0)), "iterations = 0: must lie between 1 and 1000000");
        assert_eq!(refused(nrpa(1, 0.0)), "alpha = 0: must lie between 0.001 and 100");
        assert!(nrpa(1, f64::NAN).validate().is_err());
        assert!(Config { memory: 7, ..Config::default() }.validate().is_err());
    }

    #[test]
    fn several_players_are_refused_with_a_reason() {
        let config = Config::default();
        assert_eq!(config.validate_players(1), Ok(()));
        let refusal = config.validate_players(2).expect_err("two players").to_string();
        assert!(refusal.starts_with("algorithm = NRPA: the game has 2 players: "), "{refusal}");
    }

    #[test]
    fn limits_by_visits_are_refused() {
        let config = Config::default();
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        assert_eq!(
            config.validate_limits(&limits).expect_err("visits").parameter,
            "no_catching_up"
        );
        assert!(config.validate_limits(&Limits::default()).is_err());
        assert!(config.validate_limits(&Limits::simulations(10)).is_ok());
    }
}
