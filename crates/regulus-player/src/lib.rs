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
//! What is **not** here: files, printing, matches, networking.

pub mod limit;
mod mind;
mod rules;
mod symbol;
pub mod wire;

pub use mind::{Failure, Mind, Thinker};
pub use rules::Rules;
pub use symbol::{belongs_to, symbols};
