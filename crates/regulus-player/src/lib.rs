//! Agents at work: what brings together an agent ([`regulus_agent`]), the rules as it sees them
//! ([`regulus_reasoner`]) and a search ([`regulus_search`]), for whoever lets agents play: the
//! commands, matches, servers.
//!
//! ```
//! use regulus_player::{Mind, wire};
//! use regulus_search::config::Limits;
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("tic-tac-toe").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("tic-tac-toe", text)).game.unwrap();
//! let agent = regulus_agent::by_name("mcts_orthodox_orthodox")?;
//! let mind = Mind::new(&agent, &game);
//! let mut thinker = mind.thinker(1, std::iter::empty())?;
//! let chosen = thinker.think(&Limits::simulations(100))?.chosen.expect("the game is not over");
//! assert_eq!(wire::parse(&wire::text(&chosen)), Ok(chosen));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! People at a board are served as well: a [`Position`] with its legal moves in words, and an [`Entry`] for
//! moves that are chosen semimove by semimove.
//!
//! What is **not** here: printing, matches, networking.

mod auto;
pub mod bounded_file;
mod entry;
mod hash;
pub mod limit;
mod mind;
mod move_words;
mod position;
mod rules;
mod saved_game;
mod symbol;
pub mod video;
pub mod wire;

pub use auto::{AUTO, ONE_PLAYER, SEVERAL_CHOICES, USUAL, auto_agent, auto_in_words};
pub use entry::{Choice, Chosen, Entry};
pub use hash::sha256;
pub use mind::{Failure, Mind, Thinker, usual_threads};
pub use position::{Course, PlayFault, Position};
pub use rules::{Rules, RulesState};
pub use saved_game::SavedGame;
pub use symbol::{belongs_to, symbols};
