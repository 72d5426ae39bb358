//! What every part of Regulus that plays games agrees on: how a game is run ([`Engine`]), how a move
//! is written down ([`Step`], [`Moves`]), what random games are guided by ([`Guide`]) and where randomness comes
//! from ([`Random`]). For video games there is [`World`].
//!
//! ```
//! use regulus_game::{Moves, Random, Step};
//!
//! let mut moves = Moves::new();
//! moves.push(&[Step { vertex: 56, action: 2 }, Step { vertex: 48, action: 3 }]);
//! moves.push(&[Step { vertex: 57, action: 2 }, Step { vertex: 49, action: 3 }]);
//! let mut random = Random::new(1);
//! let drawn = moves.get(random.below(moves.len() as u64) as usize);
//! assert_eq!(drawn.len(), 2);
//! ```
//!
//! What is **not** here: any one game language.

mod board_changes;
mod children;
mod engine;
mod guide;
mod move_groups;
mod moves;
mod random;
mod world;

pub use board_changes::{ActionChanges, BoardChanges, BoardView, Puts};
pub use children::{
    Change, Child, Children, Stage, changes_counts, children_one_by_one, list_stage_one_by_one,
};
pub use engine::{Engine, playouts_one_by_one};

/// The most players' moves in one random game. Rules that go on for longer have forgotten their end: the longest
/// games that people play take some thousand random moves.
pub const MAX_GAME_MOVES: u64 = 100_000;

pub use guide::{Guide, KeyHash, KeyKind, Played, PlayedKey, play_by_listing};
pub use move_groups::{Ending, Group, GroupedMove, MoveGroups, same_vertex_from};
pub use moves::{Moves, Step};
pub use random::Random;
pub use world::{Category, Sight, World};
