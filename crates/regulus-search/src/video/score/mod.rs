//! What the end of a play-out is worth (GVGAI-THESIS 3.2.4 and 3.3.3).
//!
//! A new score is one file in this folder that implements [`Heuristic`], and one line in [`REGISTRY`]; a
//! configuration asks for it by [`Score::Registered`].

mod gvgai;
mod normalised;
mod quality_based;
mod win_loss;

use regulus_game::World;

use super::bounds::Bounds;
use super::config::Score;
use crate::component::{self, Chosen};
pub use crate::component::{ComponentWord, Entry, Parameter};
use crate::numeric::exp;
use crate::parameter::{Access, Field, Kind, Setting, Value};

/// A state that is judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ending {
    /// Whether the game was won; nothing while it goes on.
    pub won: Option<bool>,
    /// The score of the game.
    pub score: f64,
    /// Ticks since the root.
    pub depth: u32,
    /// How many ticks an iteration has at most.
    pub horizon: u32,
    /// How far the scores of the game that were seen so far are apart.
    pub score_range: f64,
}

/// Says what a state is worth; more is better.
pub trait Heuristic: Send {
    /// What a state is worth, by what was recorded so far.
    fn worth(&self, ending: &Ending) -> f64;

    /// An iteration ended so.
    fn record(&mut self, _ending: &Ending) {}

    /// An action of the game was played: what was recorded belongs to the past.
    fn forget(&mut self) {}
}

/// All scores.
pub const REGISTRY: &[Entry<dyn Heuristic>] =
    &[win_loss::ENTRY, gvgai::ENTRY, normalised::ENTRY, quality_based::ENTRY];

/// Finds a score by its name.
pub fn find(name: &str) -> Option<&'static Entry<dyn Heuristic>> {
    component::find(REGISTRY, name)
}

impl Score {
    /// The part of the registry.
    pub fn chosen(&self) -> Chosen {
        match *self {
            Score::WinLoss => Chosen::new(win_loss::ENTRY.name, &[]),
            Score::Gvgai { bonus, depth } => {
                Chosen::new(gvgai::ENTRY.name, &[("bonus", bonus), ("depth", depth)])
            }
            Score::Normalised { k } => Chosen::new(normalised::ENTRY.name, &[("k", k)]),
            Score::QualityBased { relative, qualitative, k, separated, delta, estimated } => {
                Chosen::new(
                    quality_based::ENTRY.name,
                    &[
                        ("relative", relative),
                        ("qualitative", qualitative),
                        ("k", k),
                        ("separated", f64::from(u8::from(separated))),
                        ("delta", delta),
                        ("estimated", f64::from(u8::from(estimated))),
                    ],
                )
            }
            Score::Registered(chosen) => chosen,
        }
    }
}

impl Field for Score {
    fn load(&self) -> Option<Value> {
        Some(Value::Component(self.chosen()))
    }

    fn store(&mut self, value: Value) {
        let Value::Component(part) = value else { return };
        let number = |key| part.number(key);
        *self = match part.name {
            "win_loss" => Score::WinLoss,
            "gvgai" => Score::Gvgai { bonus: number("bonus"), depth: number("depth") },
            "normalised" => Score::Normalised { k: number("k") },
            "quality_based" => Score::QualityBased {
                relative: number("relative"),
                qualitative: number("qualitative"),
                k: number("k"),
                separated: part.flag("separated"),
                delta: number("delta"),
                estimated: part.flag("estimated"),
            },
            _ => Score::Registered(part),
        };
    }
}

/// Which score; of searches, evolution and looking one step ahead.
pub(super) const fn setting<C>(access: Access<C>) -> Setting<C> {
    let kind = Kind::Component(|| component::parts(REGISTRY));
    Setting { always: |_| true, ..Setting::new("score", kind, "what a state is worth", access) }
}

/// Judges states of one game.
pub(crate) struct Judge {
    heuristic: Box<dyn Heuristic>,
    /// Of the scores of the game, over the whole game.
    scores: Bounds,
    horizon: u32,
}

impl Judge {
    /// At the beginning of a game; win or loss if there is no such score, which validation has excluded.
    pub fn new(score: &Score, horizon: u32) -> Self {
        let chosen = score.chosen();
        let entry = find(chosen.name).unwrap_or(&win_loss::ENTRY);
        Judge { heuristic: entry.build(&chosen), scores: Bounds::NONE, horizon }
    }

    fn ending<W: World>(&self, world: &W, depth: usize) -> Ending {
        Ending {
            won: world.won(),
            score: world.score(),
            depth: depth as u32,
            horizon: self.horizon,
            score_range: self.scores.range(),
        }
    }

    /// What a state after `depth` ticks is worth.
    pub fn worth<W: World>(&self, world: &W, depth: usize) -> f64 {
        self.heuristic.worth(&self.ending(world, depth))
    }

    /// What the end of an iteration is worth; later ones are compared with it.
    pub fn end<W: World>(&mut self, world: &W, depth: usize) -> f64 {
        self.scores.include(world.score());
        let ending = self.ending(world, depth);
        let worth = self.heuristic.worth(&ending);
        self.heuristic.record(&ending);
        worth
    }

    /// An action of the game was played.
    pub fn forget(&mut self) {
        self.heuristic.forget();
    }
}

/// Equation 3.12: from -1 to 1, and 0 at 0.
fn sigmoid(k: f64, x: f64) -> f64 {
    // Beyond this the result is 1 or -1 to the last digit, and the exponential is not defined.
    let exponent = (-k * x).clamp(-700.0, 700.0);
    -1.0 + 2.0 / (1.0 + exp(exponent))
}

#[cfg(test)]
fn ending(won: Option<bool>, score: f64, depth: u32) -> Ending {
    Ending { won, score, depth, horizon: 10, score_range: 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_by_hand() {
        assert_eq!(sigmoid(1.0, 0.0), 0.0);
        // e^-1 = 0.36788: -1 + 2 / 1.36788 = 0.46212.
        assert!((sigmoid(1.0, 1.0) - 0.462_117_157_26).abs() < 1e-10);
        assert!((sigmoid(2.0, -0.5) + 0.462_117_157_26).abs() < 1e-10);
        assert_eq!((sigmoid(1.0, 1e9), sigmoid(5.0, -1e9)), (1.0, -1.0));
    }

    #[test]
    fn names_lead_to_their_scores() {
        let scores = [
            Score::WinLoss,
            Score::Gvgai { bonus: 1.0, depth: 0.0 },
            Score::Normalised { k: 1.0 },
            Score::QualityBased {
                relative: 1.0,
                qualitative: 1.0,
                k: 1.0,
                separated: true,
                delta: 1.0,
                estimated: false,
            },
        ];
        for (score, entry) in scores.iter().zip(REGISTRY) {
            assert_eq!(score.chosen().name, entry.name);
        }
    }
}
