//! A general game player in your program: the rules of any board game written in Regular Boardgames (RBG), video
//! games written in VGDL, and agents that play both.
//!
//! ```
//! use regulus::Limits;
//!
//! let game = regulus::Game::builtin("breakthrough")?;      // or Game::from_text(..), Game::load(path)
//! let agent: regulus::Agent = "auto".parse()?;
//! let (mut position, mut player) = (game.start()?, agent.player(&game, 1)?);
//! while let Some(best) = player.think(&Limits::simulations(1000))?.chosen {
//!     position.play(&best)?;
//!     player.advance(&best)?;
//! }
//! println!("{:?}", position.scores());
//! # assert!(position.is_over() && player.position().is_over());
//! # Ok::<(), regulus::Error>(())
//! ```
//!
//! - A [`Game`] is rules that were read and checked. What is wrong with a text is an [`Error`] that prints as
//!   `regulus check` does.
//! - A [`Position`] knows its legal moves, in words and in numbers, and everything else that can be asked: semimoves,
//!   leaves of the game tree, random games. It lets the keeper of the rules move by itself.
//! - An [`Agent`] is a configuration of a search. Its [`Player`] thinks about a game within [`Limits`]; the same seed
//!   and limits in simulations or states give the same moves on every machine.
//! - A [`VideoGame`] has levels; their [states](VideoState) are advanced by [actions](Action), and a [`VideoPlayer`]
//!   decides on them.
//!
//! With the feature `native`, which is on by default, rules are compiled to machine code; where that is impossible, and
//! in a build without the feature, the interpreter runs them.
//!
//! What is **not** here: printing, matches, networking. They are in the crates `regulus-cli`, `regulus-arena`,
//! `regulus-server` and `regulus-web`; what this crate is made of is in `regulus-player` and below.

mod agent;
mod error;
mod game;
mod player;
mod video;

pub use agent::{Agent, VIDEO_AUTO};
pub use error::Error;
pub use game::Game;
pub use player::Player;
pub use video::{VideoGame, VideoPlayer};

pub use regulus_game::{Moves, Step};
pub use regulus_games::{GAMES, VIDEO_GAMES};
pub use regulus_player::video::VideoLevel;
pub use regulus_player::{AUTO, DescriptionFault, PlayFault, Position, wire};
pub use regulus_rbg::split::Strategy;
pub use regulus_reasoner::{Playouts, RunError};
pub use regulus_search::config::Limits;
pub use regulus_search::video::Decision;
pub use regulus_search::{MoveReport, SearchResult, Snapshot};
pub use regulus_vgdl::{Action, Profile, State as VideoState, Winner};

/// The page on embedding, whose examples are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;
